"""Groups of elementwise ops computed by NumPy itself, block by block, each block in the cache.

The bits are those of each op on whole arrays: an element depends on those in its place alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from . import registry
from .graph import Node
from .interpreter import dtype_of, function_of
from .symbol import Symbol
from .types import ArrayType
from .values import Constant, Operand, Value

__all__ = ["Blocks", "compile_blocks"]

BLOCK: Final = 1 << 13
"""Elements of a block: a few of them fit in the cache of a core."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One op: what it takes (a place among operands and results, or a number), and of which type
    its results are."""

    function: Any
    taken: tuple[tuple[int | None, Any], ...]
    dtype: np.dtype[Any]


class Blocks:
    """A group, ready to be computed. Operands are arrays of one shape in C order, or numbers."""

    def __init__(self, steps: Sequence[_Step], count: int) -> None:
        self._steps: Final = steps
        self._count: Final = count
        self.dtype: Final = steps[-1].dtype
        self.shape: tuple[int, ...] = ()

    def takes(self, operands: Sequence[Any]) -> bool:
        """Whether these have one shape and lie in C order, and give the types that are expected."""
        shapes = {np.shape(operand) for operand in operands if np.ndim(operand)}
        if len(shapes) != 1 or not all(_is_plain(operand) for operand in operands):
            return False
        (self.shape,) = shapes
        first = [o.reshape(-1)[:1] if np.ndim(o) else o for o in operands]
        with np.errstate(all="ignore"):  # what there is to warn of comes with all elements
            for step in self._steps:
                first.append(step.function(*_arguments(step, first)))
        wanted = [step.dtype for step in self._steps]
        return [each.dtype for each in first[self._count :]] == wanted

    def fits(self, operand: Any) -> bool:
        """Whether what it gives has the sizes and type of this array."""
        return bool(np.shape(operand) == self.shape and operand.dtype == self.dtype)

    def __call__(self, operands: Sequence[Any], out: Any = None) -> Any:
        """What the group gives for operands that it takes."""
        out = np.empty(self.shape, self.dtype) if out is None else out
        flat, whole = out.reshape(-1), [o.reshape(-1) if np.ndim(o) else o for o in operands]
        buffers = [np.empty(BLOCK, step.dtype) for step in self._steps[:-1]]
        for start in range(0, flat.size, BLOCK):
            end = min(start + BLOCK, flat.size)
            known = [o[start:end] if np.ndim(o) else o for o in whole]
            targets = [*(buffer[: end - start] for buffer in buffers), flat[start:end]]
            for step, target in zip(self._steps, targets, strict=True):
                _into(target, step, known)
                known.append(target)
        return out


def compile_blocks(node: Node) -> Blocks | None:
    """The steps of an ``ir.fused`` node; None where one isn't a function of elements."""
    (body,) = node.regions
    places: dict[Operand, int] = {value: k for k, value in enumerate(body.parameters)}
    steps: list[_Step] = []
    for inner in body:
        if inner is body.terminator:
            break
        info, function = registry.get(inner.op), function_of(inner.op)
        type_ = inner.result.type
        if info is None or inner.attributes or not isinstance(type_, ArrayType):
            return None
        if inner.op is not _WHERE and not isinstance(function, np.ufunc):
            return None
        if not all(isinstance(o, Value | Constant) for o in inner.operands):
            return None
        taken = tuple(
            (places[o], None) if isinstance(o, Value) else (None, getattr(o, "value", None))
            for o in inner.operands
        )
        steps.append(_Step(function, taken, dtype_of(type_.element)))
        places[inner.result] = len(places)
    end = body.terminator
    last = end.operands[0] if end is not None and len(end.operands) == 1 else None
    if not steps or last is None or places.get(last) != len(places) - 1:
        return None
    return Blocks(steps, len(body.parameters))


def _into(target: Any, step: _Step, known: Sequence[Any]) -> None:
    arguments = _arguments(step, known)
    if isinstance(step.function, np.ufunc):
        step.function(*arguments, out=target)
        return
    condition, yes, no = arguments
    np.copyto(target, no)
    np.copyto(target, yes, where=condition)


def _arguments(step: _Step, known: Sequence[Any]) -> list[Any]:
    return [value if place is None else known[place] for place, value in step.taken]


def _is_plain(operand: Any) -> bool:
    if not isinstance(operand, np.ndarray):
        return isinstance(operand, np.generic)
    return bool(operand.flags.c_contiguous) and not operand.dtype.hasobject


_WHERE: Final = Symbol("np", "where")
