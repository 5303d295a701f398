"""Groups of elementwise ops computed by NumPy itself, block by block, each block in the cache, and
many blocks by several threads: NumPy lets others run while it computes.

The bits are those of each op on whole arrays: an element depends on those in its place alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np

from . import registry
from .graph import Node
from .interpreter import dtype_of, function_of
from .symbol import Symbol
from .types import ArrayType
from .values import Constant, Operand, Value

__all__ = ["Blocks", "compile_blocks"]

BLOCK: Final = 1 << 19
"""Bytes of a block of the widest elements: a few of them fit in the caches near a core, and each is
worth many times the call of a function."""
BLOCKS_EACH: Final = 2
"""Blocks that are worth a thread of their own."""
_CORES: Final = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@cache
def _threads() -> ThreadPoolExecutor:
    """Those that compute beside the one that asks."""
    return ThreadPoolExecutor(_CORES, thread_name_prefix="blocks")


@dataclass(frozen=True, slots=True)
class _Step:
    """One op: the places of what it takes, among operands, numbers and results, and of which type
    its results are. They go into one of a few buffers, the last ones into the result."""

    function: Any
    taken: tuple[int, ...]
    dtype: np.dtype[Any]
    buffer: int


class Blocks:
    """A group, ready to be computed. Operands are arrays of one shape in C order, or numbers."""

    def __init__(self, steps: Sequence[_Step], numbers: Sequence[Any]) -> None:
        self._steps: Final = steps
        self._numbers: Final = numbers
        self._buffers: Final[list[dict[int, Any]]] = []
        """Those of each thread. They are kept: new memory would cost more than what is computed in
        it."""
        self._gives: Final[dict[tuple[np.dtype[Any], ...], bool]] = {}
        """Whether operands of such types give those that are expected."""
        self.dtype: Final = steps[-1].dtype
        self.shape: tuple[int, ...] = ()

    def takes(self, operands: Sequence[Any]) -> bool:
        """Whether these have one shape and lie in C order, and give the types that are expected."""
        shapes = {np.shape(operand) for operand in operands if np.ndim(operand)}
        if len(shapes) != 1 or not all(_is_plain(operand) for operand in operands):
            return False
        (self.shape,) = shapes
        kinds = tuple(o.dtype for o in operands)
        if kinds not in self._gives:
            self._gives[kinds] = self._gives_what_is_expected(operands)
        return self._gives[kinds]

    def _gives_what_is_expected(self, operands: Sequence[Any]) -> bool:
        first = [o.reshape(-1)[:1] if np.ndim(o) else o for o in operands] + [*self._numbers]
        count = len(first)
        with np.errstate(all="ignore"):  # what there is to warn of comes with all elements
            for step in self._steps:
                first.append(step.function(*[first[place] for place in step.taken]))
        wanted = [step.dtype for step in self._steps]
        return [each.dtype for each in first[count:]] == wanted

    def fits(self, operand: Any) -> bool:
        """Whether what it gives has the sizes and type of this array."""
        return bool(np.shape(operand) == self.shape and operand.dtype == self.dtype)

    def __call__(self, operands: Sequence[Any], out: Any = None) -> Any:
        """What the group gives for operands that it takes."""
        out = np.empty(self.shape, self.dtype) if out is None else out
        flat, whole = out.reshape(-1), [o.reshape(-1) if np.ndim(o) else o for o in operands]
        length = BLOCK // max(step.dtype.itemsize for step in self._steps)
        threads = max(1, min(_CORES, -(-flat.size // length) // BLOCKS_EACH))
        while len(self._buffers) < threads:
            self._buffers.append({s.buffer: np.empty(length, s.dtype) for s in self._steps[:-1]})
        part = -(-flat.size // (threads * length)) * length
        starts = range(0, flat.size, part)

        def compute(thread: int, start: int) -> None:
            for first in range(start, min(start + part, flat.size), length):
                block = slice(first, min(first + length, flat.size))
                self._block(block, whole, flat[block], self._buffers[thread])

        others = [
            _threads().submit(copy_context().run, compute, k, start)  # as it treats NaNs here
            for k, start in enumerate(starts)
            if k
        ]
        try:
            compute(0, 0)
        finally:
            wait(others)
        for other in others:
            other.result()
        return out

    def _block(self, block: slice, whole: list[Any], result: Any, buffers: dict[int, Any]) -> None:
        known = [o[block] if np.ndim(o) else o for o in whole] + [*self._numbers]
        parts = {number: buffer[: result.size] for number, buffer in buffers.items()}
        parts[_RESULT] = result
        for step in self._steps:
            target = parts[step.buffer]
            step.function(*[known[place] for place in step.taken], out=target)
            known.append(target)


def compile_blocks(node: Node) -> Blocks | None:
    """The steps of an ``ir.fused`` node; None where one isn't a function of elements."""
    (body,) = node.regions
    inside = [node for node in body if node is not body.terminator]
    numbers = [o.value for node in inside for o in node.operands if isinstance(o, Constant)]
    places: dict[Operand, int] = {value: k for k, value in enumerate(body.parameters)}
    first, steps = len(places), list[_Step]()
    for inner in inside:
        info, function = registry.get(inner.op), function_of(inner.op)
        type_ = inner.result.type
        if info is None or inner.attributes or not isinstance(type_, ArrayType):
            return None
        if inner.op is _WHERE:
            function = _where
        elif not isinstance(function, np.ufunc):
            return None
        taken: list[int] = []
        for operand in inner.operands:
            if isinstance(operand, Value):
                taken.append(places[operand])
            elif isinstance(operand, Constant):
                taken.append(first)
                first += 1
            else:
                return None
        steps.append(_Step(function, tuple(taken), dtype_of(type_.element), _RESULT))
        places[inner.result] = len(body.parameters) + len(numbers) + len(steps) - 1
    end = body.terminator
    last = end.operands[0] if end is not None and len(end.operands) == 1 else None
    if not steps or last is None or last is not inside[-1].result:
        return None
    return Blocks(_with_buffers(steps, len(body.parameters) + len(numbers)), numbers)


def _with_buffers(steps: Sequence[_Step], count: int) -> list[_Step]:
    """The same steps, each with a buffer that holds nothing which is taken later. It may be that of
    an operand: elements are computed in their places."""
    last = {place: k for k, step in enumerate(steps) for place in step.taken}
    free: dict[np.dtype[Any], list[int]] = {}
    placed: list[_Step] = []
    made = 0
    for k, step in enumerate(steps[:-1]):
        over = isinstance(step.function, np.ufunc)  # else it is written before all was read
        gone = {place for place in step.taken if place >= count and last[place] == k}
        ended = [(placed[p - count].dtype, placed[p - count].buffer) for p in gone]
        ours = free.setdefault(step.dtype, [])
        if over:
            for dtype, buffer in ended:
                free.setdefault(dtype, []).append(buffer)
        chosen = ours.pop() if ours else made
        made += chosen == made
        placed.append(replace(step, buffer=chosen))
        if not over:
            for dtype, buffer in ended:
                free.setdefault(dtype, []).append(buffer)
    return [*placed, steps[-1]]


def _where(condition: Any, yes: Any, no: Any, out: Any = None) -> Any:
    """``np.where``, which has no ``out``."""
    if out is None:
        return np.where(condition, yes, no)
    np.copyto(out, no)
    np.copyto(out, yes, where=condition)
    return out


def _is_plain(operand: Any) -> bool:
    if not isinstance(operand, np.ndarray):
        return isinstance(operand, np.generic)
    return bool(operand.flags.c_contiguous) and not operand.dtype.hasobject


_RESULT: Final = -1
"""The buffer that is the result."""
_WHERE: Final = Symbol("np", "where")
