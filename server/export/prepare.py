"""One graph by itself: what it calls written out in it, and writes in place turned into new arrays.

A model has values and no memory. So an array that a function changes for its caller becomes one
more result of the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..ir import registry
from ..ir.aliasing import Aliasing
from ..ir.graph import CALL, LOOP, Node
from ..ir.module import Graph, Module
from ..ir.passes.manager import Pass, all_passes, run_passes
from ..ir.passes.torch_to_numpy import torch_to_numpy
from ..ir.symbol import Symbol
from ..ir.types import ArrayType
from ..ir.values import Operand, Value, values_of
from .errors import ExportError
from .registry import rule_for

__all__ = ["Contents", "Prepared", "prepare"]

Contents = Mapping[int, "np.ndarray[Any, Any]"]
"""What values are known to hold, by their numbers: weights, and other arrays from around."""

_PASSES: Final = ("inline", "constants", "functionalise", "peephole", "common-subexpressions")
_SOURCES: Final = ("random", "outside", "io", "uninitialised")
"""Effects of what gives a program its data."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A graph to export: its values of interest, and the nodes that lead from the ones to the
    others, outermost ones only."""

    graph: Graph
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    needed: frozenset[Node]


def prepare(module: Module, name: str) -> Prepared:
    """The graph ``name`` of a module, which doesn't change.

    Raises:
        ExportError: it has nothing to export, or depends on a write that can't be followed.
    """
    own = _with_callees(module, name)
    chosen = [_IN_NUMPY, _COPIES, *(all_passes()[each] for each in _PASSES)]
    prepared = run_passes(own, chosen).module
    graph = prepared.graphs[name]
    outputs = _outputs(graph, module.graphs[name])
    needed = _needed(outputs)
    _check_writes(prepared, graph, needed)
    inputs = [p for p in graph.parameters if any(u in needed for u in p.uses) or p in outputs]
    if name == "main":
        inputs += [
            v for node in graph.body if node in needed and _gives(node) for v in node.results
        ]
    return Prepared(graph, tuple(inputs), outputs, frozenset(needed))


def is_source(node: Node) -> bool:
    """Whether a node gives what a model can only be given."""
    return node.region.graph.name == "main" and _gives(node)


def _gives(node: Node) -> bool:
    info = registry.get(node.op)
    if info is None or info.effects not in _SOURCES or not node.results:
        return False
    taken = any(isinstance(value.type, ArrayType) for value in node.values())
    return not taken and all(isinstance(value.type, ArrayType) for value in node.results)


def _with_callees(module: Module, name: str) -> Module:
    """A module of one graph and all that it calls, by whatever detour."""
    kept, todo = Module(), [name]
    while todo:
        graph = module.graphs[todo.pop()]
        if graph.name not in kept.graphs:
            kept.graphs[graph.name] = graph
            todo += [n.attributes["callee"] for n in graph.body.walk() if n.op is CALL]
    kept.reserve(max((value.number for g in kept.graphs.values() for value in g.body.values()),
                     default=-1))  # fmt: skip
    return kept


def _copies(module: Module) -> None:
    """Let functions change copies of what they are given: a model's inputs aren't changed."""
    aliasing = Aliasing(module)
    called = {n.attributes["callee"] for n in module.walk() if n.op is CALL}
    for graph in module.graphs.values():
        if graph.name in called or not any(map(aliasing.changed, graph.parameters)):
            continue
        for parameter in graph.parameters:
            if isinstance(parameter.type, ArrayType) and graph.body.first is not None:
                users = list(parameter.uses)
                copy = graph.body.append(
                    _COPY[parameter.type.kind],
                    [parameter],
                    [parameter.type.with_(strides=None)],
                    [parameter.hint],
                    before=graph.body.first,
                ).result
                for node in users:
                    node.set_operands([_swapped(o, parameter, copy) for o in node.operands])


def _in_numpy(module: Module) -> None:
    """Write with NumPy's ops what has no operator for PyTorch's, and, where tensors are changed in
    place, what shows them: those writes can be followed."""
    writes = any(node.mutated and node.op.namespace == "torch" for node in module.walk())

    def chosen(node: Node) -> bool:
        info = registry.get(node.op)
        if node.mutated or info is None or rule_for(node.op) is None:
            return True
        return writes and bool(info.aliases)

    torch_to_numpy(module, chosen)


def _swapped(operand: Operand, old: Value, new: Value) -> Operand:
    from ..ir.values import substitute

    return substitute(operand, {old: new})


def _outputs(graph: Graph, original: Graph) -> tuple[Value, ...]:
    """What a graph gives: what it returns; else what it wrote to its parameters; a program, what it
    computed and used no further."""
    end = graph.body.terminator
    returned = [v for o in (end.operands if end else ()) for v in values_of(o)]
    found = [value for value in returned if isinstance(value.type, ArrayType)]
    if not found:
        found = list(_sinks(graph))
    if not found:
        where = original.span
        raise ExportError(f"{graph.name} gives no array, so there is nothing to export", where)
    return tuple(dict.fromkeys(found))


def _sinks(graph: Graph) -> Iterator[Value]:
    """Results that nothing uses, of ops that compute."""
    for node in graph.body:
        info = registry.get(node.op)
        for value in node.results:
            if value.uses or not isinstance(value.type, ArrayType) or _gives(node):
                continue
            if info is not None and (info.pure or node.op is LOOP):
                yield value


def _needed(outputs: tuple[Value, ...]) -> set[Node]:
    """The nodes that outputs depend on, those inside others included."""
    found: set[Node] = set()
    todo = [value.node for value in outputs]
    while todo:
        node = todo.pop()
        if node is None or node in found:
            continue
        found.add(node)
        todo += [value.node for value in node.values()]
        for region in node.regions:
            end = region.terminator
            if end is not None:
                todo.append(end)
        owner = node.region.owner
        if isinstance(owner, Node):
            todo.append(owner)
    return found


def _check_writes(module: Module, graph: Graph, needed: set[Node]) -> None:
    """Refuse a write in place that is left, if it may be seen in what is exported."""
    aliasing = Aliasing(module)
    shown = {value for node in needed for value in (*node.values(), *node.results)}
    for node in graph.body.walk():
        for target in node.consumed:
            if node in needed or any(value in shown for value in aliasing.shared(target)):
                raise ExportError(
                    f"{node.op} writes in place, into memory that other values may show",
                    node.span,
                    "a new array",
                )


_COPY: Final = {"array": Symbol("np", "ndarray.copy"), "tensor": Symbol("torch", "Tensor.clone")}
_IN_NUMPY: Final = Pass("in-numpy", "", _in_numpy)
_COPIES: Final = Pass("copies", "Parameters that are changed are copied first.", _copies)
