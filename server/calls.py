"""Calls of code that isn't recorded, made again by the worker that has run the program.

The worker runs it, in its sandbox; what comes back is checked against what the graph has, and
nothing of it is believed.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from .ir import ArrayType, ScalarType, Type, Value, element_name
from .ir.again import KEPT, CallError, Handle
from .ir.gradients.reverse import AUTOGRAD
from .ir.graph import Node
from .ir.interpreter import dtype_of
from .ir.values import Keyword
from .supervisor import Exchange
from .tracer import passed, wire
from .tracer.again import pieces

__all__ = ["Calls"]


class Calls:
    """Makes calls again, by ``exchange``: it sends frames and gives those that answer."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange: Final = exchange
        self.notes: Final[dict[Node, str]] = {}
        """What is to be known of derivatives, by the nodes that evaluate them."""
        self._note = ""

    def __call__(self, node: Node, operands: Sequence[Any]) -> tuple[Any, ...]:
        """What a call gives; arrays that it writes into are changed.

        Raises:
            CallError: it can't be made again, or what comes back isn't what the graph has.
        """
        values = [_sent(o) for o in operands if not isinstance(o, Keyword)]
        named = {o.name: _sent(o.item) for o in operands if isinstance(o, Keyword)}
        named |= {name: _sent(v) for name, v in node.attributes.items() if name != "grad_fn"}
        written = [
            operands[place].item if isinstance(operands[place], Keyword) else operands[place]
            for place in node.mutated
        ]
        request: dict[str, object] = {"number": node.call, "mutates": bool(written)}
        results = self._made(request, values, named, written)
        wanted = node.results[len(written) :]
        if wanted:
            _check(results, wanted)
        return *written, *(_as(v.type, r) for v, r in zip(wanted, results, strict=False))

    def derivative(self, handle: Handle, more: Sequence[Sequence[Any]], of: Node) -> list[Any]:
        """What the node ``of`` gives that evaluates a handle with these gradients."""
        assert handle.node is not None  # else it has a function
        taken = (handle.node.attributes.get("of") or [len(handle.operands)])[0]
        pairs = list(zip(handle.names, map(_sent, handle.operands), strict=True))
        values = [value for name, value in pairs[:taken] if name is None]
        named = {name: value for name, value in pairs[:taken] if name is not None}
        first = [value for _, value in pairs[taken:]]
        by = handle.node.attributes["by"]
        request: dict[str, object] = {
            "number": handle.node.call, "mutates": False,
            "by": None if by.namespace == AUTOGRAD else by.name,
            "wanted": of.attributes["places"],
        }  # fmt: skip
        levels = [list(gradients) for gradients in ([first, *more] if first else more)]
        found = self._made(request, values, named, (), levels)
        if self._note:
            self.notes[of] = self._note
        if len(found) != len(of.results):
            raise CallError(f"its derivative has {len(found)} parts, not {len(of.results)}")
        return [_gradient(part, v.type) for part, v in zip(found, of.results, strict=True)]

    def _made(
        self,
        request: dict[str, object],
        values: Sequence[Any],
        named: dict[str, Any],
        written: Sequence[Any],
        levels: Sequence[list[Any]] = (),
    ) -> list[Any]:
        """What the worker answers; what it wrote into ``written`` is there then."""
        packer = passed.Packer(np)
        try:
            said = packer.pack([*values, *named.values(), *levels])
        except passed.Unpassable as error:
            raise CallError(f"it can't be given what it takes: {error}") from None
        blocks = packer.blocks
        frame: dict[str, object] = {
            "t": "call", **request,
            "values": said[: len(values)],
            "named": [[name, v] for name, v in zip(named, said[len(values) :], strict=False)],
            "levels": said[len(values) + len(named) :],
            "blocks": [[memory.bytes.nbytes, memory.phase] for memory in blocks],
        }  # fmt: skip
        sent = (piece for memory in blocks for piece in pieces(memory.bytes))
        frames = self._exchange(_with_first(wire.pack(frame), sent))
        try:
            answer = next(frames)
            self._note = str(answer.get("note", ""))[:200]
            return _answered(answer, frames, blocks, written)
        except (wire.WireError, ArithmeticError, LookupError, MemoryError, TypeError,
                ValueError) as error:  # fmt: skip
            raise CallError(f"what came back is no answer: {error}"[:300]) from None


def _answered(
    answer: dict[str, Any],
    frames: Iterator[dict[str, Any]],
    blocks: Sequence[passed.Memory],
    written: Sequence[Any],
) -> list[Any]:
    """What an answer says, as far as it fits what was sent."""
    if answer["t"] == "refused":
        raise CallError(str(answer["reason"])[:1000])
    changed, sizes = answer["changed"], [size for size, _ in answer["blocks"]]
    if not all(type(number) is int and number >= 0 for number in (*changed, *sizes)):
        raise ValueError("a size that is none")
    if sum(sizes) > passed.MOST_BYTES or len(set(changed)) != len(changed):
        raise ValueError(f"more than {passed.MOST_BYTES:,} bytes")
    for place, size in zip(changed, sizes, strict=False):
        if size != blocks[place].bytes.nbytes:
            raise ValueError("memory of another size than was sent")
        if not any(np.may_share_memory(blocks[place].bytes, array) for array in written):
            raise CallError("it wrote into an array that it left alone in the run")
    came = [_bytes(frames, size) for size in sizes]
    for place, block in zip(changed, came, strict=False):
        blocks[place].bytes[:] = block
    known = [*(memory.bytes for memory in blocks), *came[len(changed) :]]
    return [passed.unpack(value, known, np) for value in answer["values"]]


def _bytes(frames: Iterator[dict[str, Any]], size: int) -> Any:
    block, at = np.empty(size, np.uint8), 0
    while at < size:
        data = base64.b64decode(next(frames)["data"], validate=True)
        if not 0 < len(data) <= size - at:
            raise ValueError("a piece of another size than was said")
        block[at : at + len(data)] = np.frombuffer(data, np.uint8)
        at += len(data)
    return block


def _check(results: Sequence[Any], wanted: Sequence[Value]) -> None:
    """Raise ``CallError`` where results aren't of the types that the graph has."""
    if len(results) != len(wanted):
        raise CallError(f"it gave {len(results)} values; it gave {len(wanted)} in the run")
    for result, value in zip(results, wanted, strict=True):
        if not _fits(result, value.type):
            raise CallError(f"it gave {_described(result)}; it gave {value.type} in the run")


def _fits(result: Any, type_: Type) -> bool:
    match type_:
        case ArrayType(element=element, sizes=sizes):
            return (
                isinstance(result, np.ndarray | np.generic)
                and element_name(result.dtype.str) == element
                and len(sizes) == result.ndim
                and all(s in (None, n) for s, n in zip(sizes, result.shape, strict=True))
            )
        case ScalarType(name=name):
            return type(result).__name__ == name
    return False


def _gradient(part: Any, type_: Type) -> Any:
    """A part of a derivative, as the graph has it."""
    assert isinstance(type_, ArrayType)  # nothing else has a derivative
    sizes, dtype = [size or 0 for size in type_.sizes], dtype_of(type_.element)
    if part is None:
        return np.zeros(sizes, dtype)
    numbers = isinstance(part, float | int | np.ndarray | np.generic)
    if not numbers or list(np.shape(part)) != sizes:
        raise CallError(f"its derivative is {_described(part)}, not {type_}")
    return np.asarray(part).astype(dtype)


def _as(type_: Type, result: Any) -> Any:
    """A result in the form that the graph has it in."""
    scalar = isinstance(type_, ArrayType) and type_.kind == "scalar"
    return result[()] if scalar and isinstance(result, np.ndarray) else result


def _described(result: Any) -> str:
    if isinstance(result, np.ndarray | np.generic):
        return f"{element_name(result.dtype.str)}{list(result.shape)}"
    return f"a {type(result).__name__}"


def _sent(value: Any) -> Any:
    """What stands for an operand: itself, or what the call was made with in the run."""
    if value is KEPT:
        return passed.KEPT
    if isinstance(value, tuple | list):
        return type(value)(map(_sent, value))
    plain = value is None or value is ... or isinstance(value, _PLAIN)
    return value if plain else passed.KEPT


def _with_first(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


_PLAIN: Final[tuple[type, ...]] = (
    bool, int, float, complex, str, slice, np.generic, np.ndarray,
)  # fmt: skip
