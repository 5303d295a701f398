"""Executes graphs as the interpreter does, and lets go of each array at its last use.

An array that nothing refers to any more is written over, where the registry says that an op
computes each element from the elements in its place, and for a copy with a part replaced. NumPy
computes the same bits wherever they go. Groups of elementwise ops (``ir.fused``) are computed block
by block: by NumPy, with the same bits, where the arrays have one shape (see ``blocks``), and large
ones of several shapes by numexpr, where it is installed and has the ops (see ``fused``); last
digits may differ then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from . import registry
from .again import Again
from .blocks import Blocks, compile_blocks
from .fused import Group, compile_group
from .graph import STAGE, Node, Region
from .interpreter import ExecutionError, Interpreter, dtype_of, function_of, read
from .module import Graph, Module
from .passes.fuse import FUSED
from .symbol import Symbol
from .types import ArrayType
from .values import Keyword, Pack, Value

__all__ = ["Executor", "execute"]

IN_BLOCKS: Final = 1 << 14
"""From how many elements on ops are computed together; measured by ``./dev bench execute``."""

BY_NUMEXPR: Final = 1 << 18
"""From how many on numexpr computes them: its threads cost more than they give before."""


def execute(
    module: Module,
    graph: Graph,
    inputs: Sequence[Any],
    *,
    fused: bool = True,
    calls: Again | None = None,
) -> tuple[Any, ...]:
    """What a graph returns for these inputs; those that it mutates are changed.

    Without ``fused``, results have the bits that NumPy gives. ``calls`` makes calls of code that
    isn't known here.
    """
    return Executor(module, fused=fused, calls=calls).call(graph, list(inputs))


class Executor(Interpreter):
    """Executes graphs of a module, which don't change while it is in use."""

    def __init__(
        self,
        module: Module,
        functions: Mapping[Symbol, Callable[..., Any]] | None = None,
        *,
        fused: bool = True,
        calls: Again | None = None,
    ) -> None:
        super().__init__(module, functions, calls=calls)
        self.fused: Final = fused
        self._ends: Final[dict[Region, dict[Node, _Ends]]] = {}
        self._groups: Final[dict[Node, tuple[Group | None, Blocks | None]]] = {}
        self._ufuncs: Final[dict[Node, tuple[np.ufunc, np.dtype[Any]] | None]] = {}

    def region(
        self, region: Region, inputs: Sequence[Any], known: dict[Value, Any]
    ) -> tuple[Any, ...]:
        """What the end of a region gives. A list of inputs is emptied, to hold on to nothing."""
        known.update(zip(region.parameters, inputs, strict=True))
        if isinstance(inputs, list):
            inputs.clear()
        ends, end = self._ends_in(region), region.terminator
        for node in region:
            if node.op is STAGE:
                continue
            operands = [read(operand, known) for operand in node.operands]
            here = ends.get(node, _NONE)
            for value in here.before:
                del known[value]
            if node is end:
                return tuple(operands)
            self._step(node, operands, known)
            for value in here.after:
                del known[value]
        return ()

    def _step(self, node: Node, operands: list[Any], known: dict[Value, Any]) -> None:
        """Compute one node. What it gave is held by ``known`` alone afterwards."""
        results = self.node(node, operands, known)
        if len(results) != len(node.results):
            raise ExecutionError(node, f"{len(results)} results for {len(node.results)}")
        for value, result in zip(node.results, results, strict=True):
            if value.uses:
                known[value] = result

    def node(self, node: Node, operands: Sequence[Any], known: dict[Value, Any]) -> tuple[Any, ...]:
        """The results of one node, in the memory of a dead operand where that can be."""
        assert isinstance(operands, list)  # ``region`` made it
        done: Any = None
        if node.op is FUSED:
            done = self._together(node, operands)
        elif node.op is _WITH_ITEM or node.op is _WITH_WRITE:
            done = _written(node, operands)
        elif node.op not in self.functions:
            if node not in self._ufuncs:
                self._ufuncs[node] = _elementwise(node)
            known_ufunc = self._ufuncs[node]
            if known_ufunc is not None:
                try:
                    return (_over_operand(*known_ufunc, operands),)
                except Exception as error:
                    raise ExecutionError(node, f"{type(error).__name__}: {error}") from error
        return super().node(node, operands, known) if done is None else (done,)

    def loop(self, node: Node, operands: Sequence[Any], known: dict[Value, Any]) -> tuple[Any, ...]:
        """The carried values after the loop."""
        count = node.attributes["count"]
        if count is None:
            raise ExecutionError(node, "how often the loop ran isn't known")
        carried = list(operands)
        if isinstance(operands, list):
            operands.clear()
        for index in range(count):
            carried.insert(0, index)
            carried = list(self.region(node.regions[0], carried, known))
        return tuple(carried)

    def _ends_in(self, region: Region) -> dict[Node, _Ends]:
        """Where the values that a region defines are used for the last time."""
        found = self._ends.get(region)
        if found is not None:
            return found
        last: dict[Value, tuple[Node, bool]] = {}
        for node in region:
            for value in node.values():
                last[value] = (node, False)
            for value in (v for each in node.regions for n in each.walk() for v in n.values()):
                last[value] = (node, True)
        found = self._ends[region] = {}
        for value, (node, within) in last.items():
            if value.region is region:
                ends = found.setdefault(node, _Ends([], []))
                (ends.after if within else ends.before).append(value)
        return found

    def _together(self, node: Node, operands: list[Any]) -> Any:
        """A group of elementwise ops at once; None where that can't be or doesn't pay."""
        size = max(map(np.size, operands), default=0)
        if not self.fused or size < IN_BLOCKS:
            return None
        if node not in self._groups:
            self._groups[node] = compile_group(node), compile_blocks(node)
        formula, blocks = self._groups[node]
        groups = (blocks, formula if size >= BY_NUMEXPR else None)
        group = next((g for g in groups if g is not None and g.takes(operands)), None)
        if group is None:
            return None
        places = range(len(operands))
        out = next(
            (operands[k] for k in places if group.fits(operands[k]) and _free(operands, k)), None
        )
        return group(operands, out)


@dataclass(frozen=True, slots=True)
class _Ends:
    """Values whose last use a node is: as its operands, or within its regions."""

    before: list[Value]
    after: list[Value]


def _elementwise(node: Node) -> tuple[np.ufunc, np.dtype[Any]] | None:
    """The function behind a node that maps elements to elements, and of which type they are."""
    info = registry.get(node.op)
    if info is None or not info.fusible or node.attributes or node.mutated:
        return None
    if len(node.results) != 1 or any(isinstance(o, Keyword | Pack) for o in node.operands):
        return None
    function, type_ = function_of(node.op), node.result.type
    if not isinstance(function, np.ufunc) or not isinstance(type_, ArrayType):
        return None
    return function, dtype_of(type_.element)


def _over_operand(function: np.ufunc, dtype: np.dtype[Any], operands: list[Any]) -> Any:
    """What a function gives, in the memory of an operand where that changes nothing else."""
    largest = 0
    for operand in operands:
        if isinstance(operand, np.ndarray):
            if operand.dtype != dtype or not operand.flags.c_contiguous:
                return function(*operands)
            largest = max(largest, operand.size)
        elif not isinstance(operand, int | float):
            return function(*operands)
    for place in range(len(operands) if largest >= _WORTH_IT else 0):
        if np.size(operands[place]) == largest and _free(operands, place):
            shape = np.broadcast_shapes(*map(np.shape, operands))
            if operands[place].shape == shape:
                return function(*operands, out=operands[place])
    return function(*operands)


def _written(node: Node, operands: list[Any]) -> Any:
    """What ``ir.with_item`` and ``ir.with_write`` give, without a copy if nothing else has it."""
    if any(isinstance(operand, Keyword) for operand in operands) or not _free(operands, 0):
        return None
    array = operands[0]
    if node.op is _WITH_ITEM:
        array[operands[1]] = operands[2]
        return array
    keywords = {name: value for name, value in node.attributes.items() if name != "by"}
    if keywords:
        return None
    function_of(node.attributes["by"])(*operands)
    return array


def _free(operands: list[Any], place: int) -> bool:
    """Whether an operand is a whole array, dense, that only the list refers to."""
    if _references(operands, place) != _ALONE:
        return False
    array = operands[place]
    if not isinstance(array, np.ndarray) or array.base is not None:
        return False
    return bool(array.flags.c_contiguous and array.flags.writeable and not array.dtype.hasobject)


def _references(operands: list[Any], place: int) -> int:
    """How many references there are to an operand; views of an array refer to it too."""
    return sys.getrefcount(operands[place])


_WORTH_IT: Final = 1 << 12
"""From how many elements on it pays to look for memory."""

_ALONE: Final = _references([np.empty(1)], 0)
_NONE: Final = _Ends([], [])
_WITH_ITEM: Final = Symbol("ir", "with_item")
_WITH_WRITE: Final = Symbol("ir", "with_write")
