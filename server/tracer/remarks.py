"""What only the moment of an operation can tell of its values: the slow paths of such checks.

Recorders come here after cheap tests of kinds, and only while a site isn't settled: each has a
budget of elements to be looked at, and is done with once it is used up or something was found.
Nothing is held, and nothing is raised: what can't be told isn't.
"""

from __future__ import annotations

import _thread
import weakref
from collections.abc import Callable
from typing import Any

Found = tuple[object, ...] | None

REMARK = -9
WRAPPED, CUT, REPEATED, TRACED, CHANGED = "wrapped", "cut", "repeated", "traced", "changed"
BUDGET = 1 << 18
"""Elements that are looked at for each site, give or take the last look."""
_OVERHEAD = 1 << 12
"""What a look costs besides its elements."""


class Remarks:
    """The checks, which a frontend fills in, and what they have cost so far."""

    def __init__(
        self, log: list[tuple[Any, ...]], tokens: dict[int, dict[int | str | None, Any]]
    ) -> None:
        self._log, self._tokens = log, tokens
        self._spent: dict[int, int] = {}
        self.settled: set[int] = set()
        self.wrapped: Callable[[Any, str, Any, Any], Found] = lambda result, sign, a, b: None
        self.cut: Callable[[Any, Any], Found] = lambda target, value: None
        self.repeated: Callable[[tuple[Any, ...]], Found] = lambda indices: None
        self.digest: Callable[[Any], object] = lambda value: None
        """What another value of most of an array's elements would change; None for no array."""

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

    def watch(self, record: Any, site: int, arrays: list[Any]) -> None:
        """A call is about to begin that may write into ``arrays`` unseen: note how they are.

        By identity alone, for the moment of the call: one that resizes an array takes no reference.
        """
        held = self._tokens[id(record)]
        held.pop(~site, None)
        size = sum(array.size for array in arrays)
        if not self._may_look(site, size) or _thread._count():  # it may be another thread's doing
            return
        try:
            held[~site] = {id(array): self.digest(array) for array in arrays}
        except Exception:  # such as too little memory for it
            self.settled.add(site)

    def changed(self, record: Any, site: int, operands: tuple[object, ...]) -> None:
        """The call has ended: note which of its operands are not as they were."""
        before = self._tokens[id(record)].pop(~site)
        arrays = ((i, _at(token)) for i, token in enumerate(operands))
        known = [(i, array, found) for i, array in arrays if (found := before.get(id(array)))]
        try:
            places = tuple(i for i, array, found in known if self.digest(array) != found)
        except Exception:
            places = ()
        if not places:
            return
        self.settled.add(site)
        if not self._log or self._log[-1][0] != site or self._log[-1][1] is not record:
            self._log.append((site, record, None, (False,) * len(operands), operands))
        self._log.append((REMARK, record, site, CHANGED, places))

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
            self._log.append((REMARK, record, site, kind, found))


def _at(token: Any) -> Any:
    """The array or number that a token stands for, where it still is there."""
    if type(token) is weakref.ref:
        return token()
    if isinstance(token, tuple):
        return token[0]() if token and type(token[0]) is weakref.ref else None
    return getattr(token, "value", token)
