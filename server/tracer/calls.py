"""What the calls of a run were made with, so that they can be made again when it has ended.

A call is kept with the function and all that it takes but arrays: who asks for it again gives
those. Where a call is made with the same function and objects as one before, it is that call. The
first time, while there is room, what its arrays held before and after is kept too: a call that
gives something else for the same can't be made again (``again``).
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from .codes import RECORD
from .passed import Packer
from .remarks import REACHED

CALL = -21
"""(CALL, record, site, number, closed): the call that just ended, as one that can be made again.
``closed`` says that nothing of what it called is the graph's to have, though it was recorded."""
MOST_CALLS = 10_000
MOST_ITEMS = 64
"""Of a tuple or list that is looked into."""
MOST_SAMPLED = 64 << 20
_NUMBERS = frozenset((bool, int, float, complex))
_PLAIN = frozenset((str, bytes, type(None)))
_BLOCK = "<block>"
"""The file of functions that stand for blocks of statements."""
_Hook = Callable[..., Any]


class Refused(Exception):
    """A call can't be made again; the text says why."""


class Gap:
    """In the place of an argument that is an array, or holds arrays, and so isn't kept.

    ``kind`` is its type; ``takes_part`` says that PyTorch was to compute its gradient. Of a tuple
    or a list there are ``items``.
    """

    __slots__ = ("items", "kind", "takes_part")

    def __init__(
        self, kind: type, takes_part: bool = False, items: list[Any] | None = None
    ) -> None:
        self.kind, self.takes_part, self.items = kind, takes_part, items


class Call:
    """A function with the arguments that it was called with. ``places`` say of each where it
    stands: a number, a name, or ``*`` or ``**`` for several."""

    __slots__ = (
        "function", "given", "number", "places", "reached", "sample", "site", "varies", "why",
    )  # fmt: skip

    def __init__(self, site: int, function: Any) -> None:
        self.site, self.function = site, function
        self.places: list[int | str] = []
        self.given: list[Any] = []
        self.number = -1
        self.varies: set[int | str] = set()
        """Places where another number was given at another time."""
        self.why = ""
        """Why it can't be made again."""
        self.sample: Sample | None = None
        self.reached: tuple[Any, ...] = ()
        """Weak references to arrays that it wrote into by way of an object."""

    @property
    def is_block(self) -> bool:
        """Whether it stands for a block of statements."""
        return isinstance(self.function, types.FunctionType) and (
            self.function.__code__.co_filename == _BLOCK
        )


class Sample:
    """What went into one call, and what came out; both as ``Packer`` says it, with the bytes."""

    __slots__ = ("after", "before", "came", "came_bytes", "went", "went_bytes")

    def __init__(self, went: list[Any], packer: Packer) -> None:
        self.went = went
        self.went_bytes = [(m.bytes.tobytes(), m.phase) for m in packer.blocks]
        self.before = packer.blocks
        self.came: list[Any] | None = None
        self.came_bytes: list[bytes] = []
        self.after: list[bytes] = []

    def ended(self, results: list[Any], np: Any) -> None:
        """The call gave these; its own arrays are looked at once more, and let go of."""
        packer = Packer(np)
        self.came = packer.pack(results)
        self.came_bytes = [m.bytes.tobytes() for m in packer.blocks]
        self.after = [m.bytes.tobytes() for m in self.before]
        self.before = []


class Calls:
    """The calls of a run. ``space`` is the recorder's, which knows the types of arrays; ``log``
    takes an entry."""

    def __init__(self, space: dict[str, Any], log: Callable[[], list[Any]]) -> None:
        self.space, self.log = space, log
        self.known: list[Call] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self.over = False
        """Whether the run has ended: what is called from then on isn't kept."""
        self._begun: dict[tuple[int, int], Call] = {}
        self._left = MOST_SAMPLED

    def hook(self, kind: str, *more: Any) -> _Hook:
        """What an instrumented program calls: as ``kind`` and ``more`` say."""
        if kind == "ended":
            return self.ended
        if kind == "block":
            source, ready = more
            return lambda record, site: self.began(
                record, site, _block(source, sys._getframe(1).f_globals), ready
            )
        if kind == "began":
            (ready,) = more
            return lambda record, site, value: self.began(record, site, value, ready)
        place, ready = more
        return lambda record, site, value: self.given(record, site, value, place, ready)

    def began(self, record: Any, site: int, function: Any, ready: bool) -> Any:
        """A function is about to be called; ``ready``: with nothing."""
        if self.over:
            return function
        with suppress(Exception):  # what the program defined may answer to any question by one
            call = Call(site, function)
            owner = getattr(function, "__self__", None)
            if self.is_array(owner):
                call.function = function.__name__
                self._add(call, "self", owner)
            if ready:
                self._ready(call)
            self._begun[id(record), site] = call
        return function

    def given(self, record: Any, site: int, value: Any, place: int | str, ready: bool) -> Any:
        """And it gets this; ``ready``: this is the last."""
        call = self._begun.get((id(record), site))
        if call is not None:
            try:
                self._add(call, place, value)
                if ready:
                    self._ready(call)
            except Exception:
                del self._begun[id(record), site]
        return value

    def _add(self, call: Call, place: int | str, value: Any) -> None:
        kind = type(value)
        if place == "*" and kind is not tuple and kind is not list:
            call.why = "it takes what can be gone over only once"
        elif hasattr(kind, "__next__"):
            call.why = f"it takes a {kind.__name__}, which can be gone over only once"
        call.places.append(place)
        call.given.append(value)

    def _ready(self, call: Call) -> None:
        """All that a call is made with is known: keep it, but for the arrays."""
        np = _numpy()
        values, call.given = call.given, [self._kept(value) for value in call.given]
        key = self._key(call)
        number = self._numbers.get(key)
        if number is None:
            if len(self.known) >= MOST_CALLS:
                return
            number = self._numbers[key] = len(self.known)
            self.known.append(call)
            if np and self._left > 0:
                self._sample(call, values, np)
        else:
            first = self.known[number]
            first.why = first.why or call.why
            first.varies |= {
                place
                for place, one, other in zip(call.places, first.given, call.given, strict=True)
                if self.is_number(one) and (one != other or type(one) is not type(other))
            }  # fmt: skip
        call.number = number

    def _sample(self, call: Call, values: list[Any], np: Any) -> None:
        arrays = [self.plain(v) for v, kept in zip(values, call.given, strict=True)
                  if isinstance(kept, Gap)]  # fmt: skip
        try:
            packer = Packer(np)
            went = packer.pack(arrays)
            size = sum(m.high - m.low for m in packer.blocks)
            if 2 * size <= self._left:
                self._left -= 2 * size
                call.sample = Sample(went, packer)
        except Exception:  # not of numbers, or too little memory: it is believed untried
            pass

    def ended(self, record: Any, site: int, value: Any) -> Any:
        """The call gave this."""
        call = self._begun.pop((id(record), site), None)
        if call is None or call.number < 0:
            return value
        sample, log = call.sample, self.log()
        if sample is not None:
            try:
                sample.ended([self.plain(v) for v in self.results(value)], _numpy())
            except Exception:  # not of numbers: it is believed untried
                call.sample = None
        with suppress(Exception):
            self._reached(call, log, record)
            if any(entry[0] == site and entry[1] is record for entry in log[-8:]):
                log.append((CALL, record, site, call.number, _is_closed(call.function)))
        return value

    def _reached(self, call: Call, log: list[Any], record: Any) -> None:
        """Note what a call wrote into that it wasn't given, as far as that was seen."""
        found = [
            entry[3] for entry in log[-8:]
            if entry[0] == REACHED and entry[1] is record and entry[2] == call.site
        ]  # fmt: skip
        known = self.known[call.number]
        if not found:
            return
        pairs = zip(known.reached, found[-1], strict=False)
        if any(one is not other for one, other in pairs):
            known.why = "it writes into other arrays at other times, that objects hold"
        known.reached = found[-1]

    # ------------------------------------------------------------------ values

    def is_array(self, value: Any) -> bool:
        """Whether a value is an array or a tensor."""
        kind = type(value)
        return kind is self.space["ARRAY"] or kind in self.space["TENSORS"]

    def is_number(self, value: Any) -> bool:
        """Whether a value is a number, or one of NumPy's scalars."""
        kind = type(value)
        return kind in _NUMBERS or (kind in self.space["SCALARS"] and not self.is_array(value))

    def results(self, value: Any) -> list[Any]:
        """The arrays and NumPy's scalars that a call gave, as the graph has them."""
        if type(value) not in self.space["PACKS"]:
            return [value] if value is not None else []
        return [
            item for item in value
            if self.is_array(item) or (self.is_number(item) and type(item) not in _NUMBERS)
        ]  # fmt: skip

    def plain(self, value: Any) -> Any:
        """A value with NumPy's arrays in place of tensors; they share memory."""
        if type(value) in self.space["TENSORS"]:
            return value.detach().resolve_conj().resolve_neg().numpy()
        if type(value) in self.space["PACKS"]:
            kind = list if type(value) is list else tuple
            return kind(self.plain(item) for item in value)
        return value

    def _kept(self, value: Any, level: int = 0) -> Any:
        kind = type(value)
        if self.is_array(value):
            return Gap(kind, bool(getattr(value, "requires_grad", False)))
        if kind in (tuple, list) and len(value) <= MOST_ITEMS:
            items = [self._kept(item, level + 1) for item in value] if level < 3 else []
            if any(isinstance(item, Gap) for item in items):
                return Gap(kind, items=items)
        if kind is dict and any(self.is_array(item) for item in value.values()):
            return Gap(kind)
        return value

    def _key(self, call: Call) -> tuple[Any, ...]:
        """Equal for calls of one place that are made with the same but for arrays and numbers."""
        function = call.function
        inner = getattr(function, "__func__", None)
        whom: tuple[Any, ...] = (id(function),)
        if call.is_block:
            whom = ("block",)
        if inner is not None:  # a method is another object each time
            whom = id(function.__self__), id(inner)
        elif type(function) is str:
            whom = (function,)
        return call.site, whom, *zip(call.places, map(self._identity, call.given), strict=True)

    def _identity(self, value: Any, level: int = 0) -> Any:
        kind = type(value)
        if kind is Gap:
            items = value.items or ()
            return value.kind, value.takes_part, *(self._identity(i, level + 1) for i in items)
        if self.is_number(value):
            return (kind, repr(value)) if level else "a number"
        if kind in (tuple, list) and level < 3 and len(value) <= MOST_ITEMS:
            return kind, *(self._identity(item, level + 1) for item in value)
        return (kind, value) if kind in _PLAIN else id(value)


def called(function: Any, places: Sequence[int | str], arguments: Sequence[Any]) -> Any:
    """What a function gives for arguments in their places; a method's, by its name."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for place, value in zip(places, arguments, strict=True):
        if place == "self":
            function = getattr(value, function)
        elif place == "*":
            positional += value
        elif place == "**":
            named.update(value)
        elif isinstance(place, str):
            named[place] = value
        else:
            positional.append(value)
    return function(*positional, **named)


def _block(source: str, namespace: dict[str, Any]) -> types.FunctionType:
    """A function that does what a block of statements does."""
    module = compile(source, _BLOCK, "exec", dont_inherit=True)
    code = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    return types.FunctionType(code, namespace)


def _is_closed(function: Any) -> bool:
    """Whether a function surely isn't recorded itself, nor stands for one that is."""
    inner = getattr(function, "__func__", function)
    if str(type(inner).__module__).startswith("numpy"):
        return True
    if str(getattr(inner, "__module__", "")).startswith("torch."):  # which calls what it is given
        return False
    if type(inner) is types.FunctionType:
        code = inner.__code__
        return not hasattr(inner, "__wrapped__") and RECORD not in code.co_cellvars
    return type(inner) is types.BuiltinFunctionType


def _numpy() -> Any:
    """NumPy, where the program has imported it."""
    return sys.modules.get("numpy")
