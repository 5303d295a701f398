"""What only the moment of an operation can tell of its values: the slow paths of such checks.

Recorders come here after cheap tests of kinds, and only while a site isn't settled: each has a
budget of elements to be looked at, and is done with once it is used up or something was found.
Nothing is held, and nothing is raised: what can't be told isn't.
"""

from __future__ import annotations

import _thread
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .within import arrays_within

Found = tuple[object, ...] | None
Look = tuple[object, Any, Callable[[Any], Any], object]
"""What else was looked at before a call: the token of the view that was given, if it was one; that
of the array, what gives the part of it that was looked at, and the digest of that."""

REMARK, REACHED = -9, -15
WRAPPED, CUT, REPEATED, TRACED, CHANGED = "wrapped", "cut", "repeated", "traced", "changed"
BUDGET = 1 << 18
"""Elements that are looked at for each site, give or take the last look."""
_OVERHEAD = 1 << 12
"""What a look costs besides its elements."""
_NOTHING = BUDGET // 16
"""What a look costs that finds no array: where it found none some times, it will find none."""


class Described(tuple[object, ...]):
    """The token of an array that no event may have given, with what an event would have said of it:
    (token, shape, dtype, strides, base)."""

    __slots__ = ()


class Unset:
    """Stands for a library's array type until that library is imported: nothing is an instance."""


class Remarks:
    """The checks, which a frontend fills in, and what they have cost so far."""

    def __init__(
        self, log: list[tuple[Any, ...]], tokens: dict[int, dict[int | str | None, Any]]
    ) -> None:
        self.log, self._tokens = log, tokens
        self._spent: dict[int, int] = {}
        self.patient = False
        """Whether calls are watched to the end, whatever that costs."""
        self.settled: set[int] = set()
        self.wrapped: Callable[[Any, str, Any, Any], Found] = lambda result, sign, a, b: None
        self.cut: Callable[[Any, Any], Found] = lambda target, value: None
        self.repeated: Callable[[tuple[Any, ...]], Found] = lambda indices: None
        self.array: type = Unset
        self.closed: frozenset[type] = frozenset()
        """Types of values whose own code writes into no array, and in which none is looked for."""
        self.digest: Callable[[Any], object] = lambda value: None
        """What another value of most of an array's elements would change; None for no array."""
        self.part: Callable[[Any], Callable[[Any], Any]] = lambda view: _whole
        """What gives a view once more, of the array whose memory it shows."""

    def hooks(self) -> dict[str, object]:
        """What generated code calls, by name."""
        return {
            "SETTLED": self.settled,
            "integers": self.integers,
            "stored": self.stored,
            "updated": self.updated,
            "given": self.given,
            "index": self.index,
            "watch": self.watch,
            "owner": self.owner,
            "changed": self.changed,
        }

    def integers(
        self, record: Any, site: int, result: Any, sign: str, a: object, b: object
    ) -> None:
        """An operator gave an array of integers: whether all are what they should be."""
        self._look(record, site, WRAPPED, result.size, self.wrapped, result, sign, _at(a), _at(b))

    def stored(self, record: Any, site: int, target: Any, token: object) -> None:
        """A value was stored into an array of integers: whether its fractions got lost."""
        value = _at(token)
        if hasattr(value, "dtype"):
            self._look(record, site, CUT, value.size, self.cut, target, value)

    def given(self, record: Any, site: int, target: Any, value: Any) -> None:
        """The result of ``site`` is about to be stored into an array of integers."""
        self._look(record, site, CUT, value.size, self.cut, target, value)

    def updated(self, record: Any, site: int, tokens: tuple[object, ...]) -> None:
        """Selected elements were updated: whether some were selected more than once."""
        indices = tuple(map(_at, tokens))
        size = sum(getattr(index, "size", 0) for index in indices)
        if size:
            self._look(record, site, REPEATED, size, self.repeated, indices)

    def index(self, record: Any, site: int, value: Any) -> None:
        """The result of ``site`` is about to select the elements to be updated."""
        self._look(record, site, REPEATED, value.size, self.repeated, (value,))

    def owner(self, value: Any) -> Any:
        """What a method is called on, unless it is an array: what those methods write is known."""
        return None if type(value) is self.array else value

    def watch(self, record: Any, site: int, given: Iterable[Any], more: bool) -> None:
        """A call is about to begin that may write unseen into what it is given: note how the arrays
        are, and those that are within.

        ``given`` are values, or their tokens; ``more``, that something was noted for this call
        already. An array that is given is known by its identity alone, for the moment of the call:
        one that resizes it takes no reference.
        """
        held = self._tokens[id(record)]
        noted = held.pop(~site, None)
        if _thread._count():  # it may be another thread's doing
            return
        if self.array is Unset:  # nothing to see, but not for ever to be looked for
            self._may_look(site, 0)
            return
        direct: list[Any] = []
        others: list[Any] = []
        for value in given:
            value = value() if type(value) is weakref.ref else value
            (direct if type(value) is self.array else others).append(value)
        within = arrays_within(others, self.array, self.closed)
        size = sum(array.size for array in (*direct, *within))
        size = size if direct or within else _NOTHING
        if not self.patient and not self._may_look(site, size):
            return
        digests, looks = noted if more and noted else ({}, [])
        try:
            for array in direct:
                if id(array) not in digests:
                    digests[id(array)] = self.digest(array)
                    looks += self._of_base(array, weakref.ref(array) if _is_known(array) else None)
            for array in within:
                if id(array) not in digests:
                    digests[id(array)] = digest = self.digest(array)
                    known = (None, weakref.ref(array), _whole, digest)
                    looks += [known] if _is_known(array) else self._of_base(array, None)
        except Exception:  # such as too little memory for it
            self.settled.add(site)
            return
        if digests:
            held[~site] = digests, looks

    def _of_base(self, array: Any, own: object) -> Iterator[Look]:
        """How to see once more what a view shows: it may be gone when the call has ended."""
        base = array.base
        if type(base) is self.array and _is_known(base):
            part = self.part(array)
            yield own, weakref.ref(base), part, self.digest(part(base))

    def changed(self, record: Any, site: int, operands: tuple[object, ...]) -> None:
        """The call has ended: note which of its operands are not as they were, and what else that
        they lead to."""
        digests, looks = self._tokens[id(record)].pop(~site)
        given = [_at(token) for token in operands]
        arrays = [value if type(value) is self.array else None for value in given]
        try:
            places = {
                i
                for i, array in enumerate(arrays)
                if (found := digests.get(id(array))) and self.digest(array) != found
            }
            found = [(own, token) for own, token, *look in looks if self._differs(token(), *look)]
        except Exception:
            return
        views = [own for own, _ in found if own is not None]
        places |= {i for own in views for i, token in enumerate(operands) if token is own}
        told = {
            id(array) for i in places for array in (arrays[i], getattr(arrays[i], "base", None))
        }
        tokens = {
            id(token): token
            for own, token in found
            if id(token()) not in told and not any(operands[i] is own for i in places)
        }
        if not places and not tokens:
            return
        if not self.patient:
            self.settled.add(site)
        if not self.log or self.log[-1][0] != site or self.log[-1][1] is not record:
            self.log.append((site, record, None, (False,) * len(operands), operands))
        if places:
            self.log.append((REMARK, record, site, CHANGED, tuple(sorted(places))))
        if tokens:
            self.log.append((REACHED, record, site, tuple(tokens.values())))

    def _differs(self, array: Any, part: Callable[[Any], Any], digest: object) -> bool:
        """Whether an array is there still, and a part of it is not as it was."""
        return array is not None and self.digest(part(array)) != digest

    def _may_look(self, site: int, size: int) -> bool:
        """Whether a site's budget lets ``size`` elements be looked at, which are then spent."""
        spent = self._spent.get(site, 0)
        if spent >= BUDGET:
            self.settled.add(site)
            return False
        self._spent[site] = spent + size + _OVERHEAD
        return True

    def _look(self, record: Any, site: int, kind: str, size: int, check: Callable[..., Found],
              *operands: object) -> None:  # fmt: skip
        if not self._may_look(site, size):
            return
        try:
            found = check(*operands)
        except Exception:  # such as too little memory for it
            self.settled.add(site)
            return
        if found is not None:
            self.settled.add(site)
            self.log.append((REMARK, record, site, kind, found))


def _at(token: Any) -> Any:
    """The array or number that a token stands for, where it still is there."""
    if type(token) is weakref.ref:
        return token()
    if isinstance(token, tuple):  # of several values, too
        array: Any = token[0] if type(token) is Described else None
        return array and array()
    return getattr(token, "value", token)


def _is_known(array: Any) -> bool:
    """Whether there is a token of it: something that the program did with it was recorded."""
    return weakref.getweakrefcount(array) > 0


def _whole(array: Any) -> Any:
    return array
