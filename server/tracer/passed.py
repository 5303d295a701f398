"""Values between the server and a worker: numbers as JSON has them, arrays as views of blocks of
memory. Both sides use this; neither believes the other.

Arrays that share memory are views of one block, so that what is written into one shows in the other
there too. A block begins at the place in a cache line where it was: what NumPy computes may depend
on that in its last bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

KEPT = type("Kept", (), {"__slots__": (), "__repr__": lambda self: "KEPT"})()
"""In the place of an argument: what the call was made with in the run."""

MOST_BYTES = 128 << 20
"""Of all blocks of one call, or of its answer."""
MOST_ITEMS = 100_000
MOST_LEVELS = 20
_LINE = 64
_ELEMENTS = re.compile(r"[<>|=][biufc]\d{1,2}")


class Unpassable(Exception):
    """A value isn't made of numbers and arrays of numbers, or is too large; the text says what."""


class Memory:
    """The bytes from one place to another that some arrays show, as an array of bytes."""

    def __init__(self, low: int, high: int, shown: Sequence[Any], np: Any) -> None:
        self.low, self.high, self.shown = low, high, shown
        self.writeable = any(array.flags.writeable for array in shown)
        self.__array_interface__ = {
            "version": 3, "typestr": "|u1", "shape": (high - low,),
            "data": (low, not self.writeable),
        }  # fmt: skip
        self.bytes = np.asarray(self) if high > low else np.empty(0, np.uint8)

    @property
    def phase(self) -> int:
        """Where in a cache line it begins."""
        return self.low % _LINE


def memories(arrays: Iterable[Any], np: Any) -> list[Memory]:
    """The stretches of memory that arrays show; those that overlap are one."""
    found: list[tuple[int, int, list[Any]]] = []
    for low, high, array in sorted(((*extent(a), a) for a in arrays), key=lambda each: each[:2]):
        if found and low < found[-1][1] and high > low:
            first, last, shown = found[-1]
            found[-1] = first, max(last, high), [*shown, array]
        else:
            found.append((low, high, [array]))
    return [Memory(low, high, shown, np) for low, high, shown in found]


def extent(array: Any) -> tuple[int, int]:
    """Where the memory of an array begins and ends."""
    begin: int = array.__array_interface__["data"][0]
    if not array.size:
        return begin, begin
    reach = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
    low = sum(step for step in reach if step < 0)
    return begin + low, begin + sum(step for step in reach if step > 0) + array.itemsize


class Packer:
    """Says values in JSON, with the arrays in them as views of ``blocks``."""

    def __init__(self, np: Any, known: Sequence[Memory] = ()) -> None:
        self.np, self.known = np, known
        self.blocks: list[Memory] = []
        """Those that ``known`` doesn't have."""

    def pack(self, values: Sequence[Any]) -> list[Any]:
        """What the other side gets for these values.

        Raises:
            Unpassable: one can't be passed on.
        """
        arrays = _arrays(values, self.np)
        new = [a for a in arrays if not any(_holds(memory, a) for memory in self.known)]
        self.blocks = memories(new, self.np)
        size = sum(block.high - block.low for block in self.blocks)
        if size > MOST_BYTES:
            raise Unpassable(f"{size:,} bytes of arrays are more than {MOST_BYTES:,}")
        return [self._said(value, 0) for value in values]

    def _said(self, value: Any, level: int) -> Any:
        if value is KEPT:
            return ["kept"]
        kind = type(value)
        if kind is bool or kind is str or value is None or kind is float:
            return ["is", value]
        if kind is int:
            return ["int", str(value)]
        if kind is complex:
            return ["complex", value.real, value.imag]
        if isinstance(value, self.np.generic):
            return ["number", *self._array(self.np.asarray(value), with_data=True)]
        if kind is self.np.ndarray:
            return ["array", *self._array(value)]
        if kind is slice:
            return ["slice", [self._said(v, level) for v in (value.start, value.stop, value.step)]]
        if value is Ellipsis:
            return ["ellipsis"]
        if kind in (tuple, list) and level < MOST_LEVELS:
            return [kind.__name__, [self._said(item, level + 1) for item in value]]
        raise Unpassable(f"a {kind.__name__} is no number and no array")

    def _array(self, array: Any, *, with_data: bool = False) -> list[Any]:
        if array.dtype.kind not in "biufc":
            raise Unpassable(f"elements of the type {array.dtype} are no numbers")
        if with_data:
            return [array.dtype.str, array.tobytes().hex()]
        places = [*self.known, *self.blocks]
        block = next(i for i, memory in enumerate(places) if _holds(memory, array))
        begin = array.__array_interface__["data"][0] - places[block].low
        return [array.dtype.str, list(array.shape), list(array.strides), block,
                begin if array.size else 0, bool(array.flags.writeable)]  # fmt: skip


def unpack(said: Any, blocks: Sequence[Any], np: Any, level: int = 0) -> Any:
    """The value that ``pack`` said. ``blocks`` are arrays of bytes.

    Raises:
        ValueError, TypeError, IndexError: it is nothing that ``pack`` says.
    """
    if level > MOST_LEVELS:
        raise ValueError("values too deep in one another")
    match said:
        case ["kept"]:
            return KEPT
        case ["is", bool() | str() | float() | None as value]:
            return value
        case ["int", str(digits)] if len(digits) < 1000:
            return int(digits)
        case ["complex", float(real), float(imaginary)]:
            return complex(real, imaginary)
        case ["number", str(dtype), str(data)] if _ELEMENTS.fullmatch(dtype):
            return np.frombuffer(bytes.fromhex(data), dtype)[0]
        case ["array", str(dtype), list(shape), list(strides), int(block), int(begin), bool(write)]:
            if not _ELEMENTS.fullmatch(dtype) or block < 0:
                raise ValueError("no array of numbers")
            array = np.ndarray(tuple(shape), dtype, blocks[block], begin, tuple(strides))
            if not write:
                array.flags.writeable = False
            return array
        case ["slice", [start, stop, step]]:
            return slice(*(unpack(part, blocks, np, level + 1) for part in (start, stop, step)))
        case ["ellipsis"]:
            return ...
        case ["tuple" | "list" as kind, list(items)] if len(items) <= MOST_ITEMS:
            made = [unpack(item, blocks, np, level + 1) for item in items]
            return tuple(made) if kind == "tuple" else made
    raise ValueError(f"no value: {str(said)[:80]}")


def room(sizes: Iterable[tuple[int, int]], np: Any) -> list[Any]:
    """Memory for blocks of these sizes, each at its place in a cache line."""
    made = []
    for size, phase in sizes:
        whole = np.empty(size + 2 * _LINE, np.uint8)
        begin = (phase - whole.__array_interface__["data"][0]) % _LINE
        made.append(whole[begin : begin + size])
    return made


def _holds(memory: Memory, array: Any) -> bool:
    low, high = extent(array)
    return memory.low <= low and high <= memory.high and (high > low or memory.low == low)


def _arrays(values: Iterable[Any], np: Any, level: int = 0) -> Iterator[Any]:
    for value in values:
        if type(value) is np.ndarray:
            yield value
        elif type(value) in (tuple, list) and level < MOST_LEVELS:
            yield from _arrays(value, np, level + 1)
