"""Derivatives: what a graph computes, by which of its values, as further stages of it.

The graph is brought into a form without calls and without writes in place as far as that goes; then
each stage sweeps over all before it. Stage 1 gives the gradients of one number. A stage after that
gives the derivatives of what the stage before gave, along directions that are new parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ..aliasing import Aliasing
from ..elements import COMPLEX, FLOATS, default
from ..expressions import Expr, Writer
from ..gradients.activity import active_in
from ..gradients.application import conj
from ..gradients.reverse import NotDifferentiable, Reverse
from ..graph import Node
from ..module import Graph, Module
from ..opinfo import Unknown, array_of
from ..symbol import Symbol
from ..values import GraphError, Value
from .manager import Pass, PassError, all_passes, run_passes
from .torch_to_numpy import torch_to_numpy

__all__ = ["differentiate"]


def differentiate(
    module: Module,
    loss: Value,
    by: Sequence[Value],
    *,
    num_derivatives: int = 1,
    backward: Mapping[Symbol, Symbol] = MappingProxyType({}),
) -> Module:
    """A module in which the graph of ``loss`` returns it, and its derivatives by other values.

    All are values of one graph, outside of loops. The result has as many further stages as there
    are to be derivatives; what each gives is returned too. By a complex x + iy that is
    dL/dx + i dL/dy, as in PyTorch. ``backward`` has, for calls of code that wasn't traced, the
    functions that give the gradients of their arguments.

    Raises:
        GraphError: ``loss`` isn't one real number, or a value is of whole numbers or no array.
        NotDifferentiable: an op on the way has no derivative.
    """
    graph = _graph_of(loss)
    _check_element(loss, FLOATS, "of real numbers")
    for value in (loss, *by):
        _check_element(value, FLOATS + COMPLEX, "of real or complex numbers")
        if _graph_of(value) is not graph:
            raise GraphError(f"{value} isn't a value of @{graph.name}")
    if array_of(loss).size != 1:
        raise GraphError(f"{loss} is {loss.type}, not one number")
    numbers = [value.number for value in (loss, *by)]
    known = all_passes()
    steps = [
        Pass("reached", "", lambda m: m.keep_reached(graph.name)),
        Pass("watch", "", lambda m: _watch(m.graphs[graph.name], m, numbers)),
        Pass("torch-to-numpy", "", torch_to_numpy),
        known["inline"],
        known["functionalise"],
        Pass("reverse", "", lambda m: _stages(m.graphs[graph.name], m, num_derivatives, backward)),
        known["dead-code"],
    ]
    try:
        return run_passes(module, steps).module
    except PassError as error:
        if isinstance(error.cause, NotDifferentiable):
            raise error.cause from None
        raise


def _watch(graph: Graph, module: Module, numbers: Sequence[int]) -> None:
    """Mark the values with these numbers, and let the graph change only what it made."""
    values = {value.number: value for value in graph.body.values()}
    changed = list(filter(Aliasing(module).changed, graph.parameters))
    first = graph.body.first
    for place, number in enumerate(numbers):
        value = values[number]
        before = first if value.node is None else value.node.next
        values[number] = _replaced(graph, value, "ir.watch", before, place)
    for parameter in changed:
        _replaced(graph, values[parameter.number], "np.copy", first)


def _replaced(
    graph: Graph, value: Value, op: str, before: Node | None, place: int | None = None
) -> Value:
    """Let everything use what ``op`` makes of a value in its stead."""
    node = value.node
    made = graph.body.append(
        Symbol.parse(op),
        [value],
        [value.type],
        [value.hint],
        {} if place is None else {"place": place},
        node.span if node is not None else graph.span,
        node.call_path if node is not None else (),
        before=before,
    )
    value.replace_uses(made.result)
    made.set_operands([value])
    return made.result


def _stages(graph: Graph, module: Module, count: int, backward: Mapping[Symbol, Symbol]) -> None:
    """Append the stages, and return what they give."""
    watched: dict[int, Value] = {}
    for node in graph.body:
        if node.op is _WATCH:  # views are taken anew after writes; the first is meant
            watched.setdefault(node.attributes["place"], node.result)
    loss, *by = (value for _, value in sorted(watched.items()))
    returned = outputs = [loss]
    last = max((n.attributes["stage"] for n in graph.body if "stage" in n.attributes), default=0)
    for stage in range(1, count + 1):
        suffix = "grad" if stage == 1 else f"grad{stage}"
        outputs = _stage(graph, module, outputs, by, last + stage, suffix, backward)
        returned = [*returned, *outputs]
    graph.body.set_return(returned)
    for node in [node for node in graph.body.walk() if node.op is _WATCH]:
        node.result.replace_uses(node.operands[0])
        node.erase()


def _stage(
    graph: Graph,
    module: Module,
    outputs: Sequence[Value],
    by: Sequence[Value],
    stage: int,
    suffix: str,
    backward: Mapping[Symbol, Symbol],
) -> list[Value]:
    """One more stage: the derivatives of ``outputs`` by ``by``."""
    nodes = [node for node in graph.body if node is not graph.body.terminator]
    active = active_in(nodes, by)
    graph.body.mark_stage(stage)
    writer = Writer(graph.body, graph.body.terminator)
    reverse = Reverse(writer, active, Aliasing(module), suffix, backward)
    for output in outputs:
        if output.node is not None:
            writer.at(output.node)
        if suffix == "grad":
            seed: Expr = writer.np.ones_like(writer.expr(output))
        else:
            type_ = array_of(output).with_(strides=None)
            seed = conj(writer.expr(graph.body.add_parameter(type_, f"{output.hint}.direction")))
        if output in active:
            reverse.add(output, seed)
    reverse.sweep(nodes)
    found: list[Value] = []
    for value in by:
        if value.node is not None:
            writer.at(value.node)
        gradient = conj(reverse.of(value)).operand
        assert isinstance(gradient, Value)
        if gradient.hint is None and value.hint is not None:
            gradient.hint = f"{value.hint}.{suffix}"
        found.append(gradient)
    return found


def _graph_of(value: Value) -> Graph:
    if value.region.outer is not None:
        raise GraphError(f"{value} is computed in a loop")
    return value.region.graph


def _check_element(value: Value, elements: Sequence[str], what: str) -> None:
    try:
        element = default(array_of(value).element)
    except Unknown:
        raise GraphError(f"{value} is {value.type}, not an array") from None
    if element not in elements:
        raise GraphError(f"{value} is {value.type}, not {what}")


_WATCH: Final = Symbol("ir", "watch")
