"""Parts of graphs as graphs of their own: one turn of a loop, or what follows from some values."""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Region, copy_into
from .module import Graph
from .values import Operand, Value

__all__ = ["begin_at", "keep_used_parameters", "outline"]


def outline(region: Region, last: Value) -> tuple[Graph, Value]:
    """A new graph of the same module that does what one turn of a loop does, up to ``last``, which
    it returns, and ``last`` in it. What the turn takes from around it are parameters."""
    module = region.module
    graph = module.add_graph(f"{region.graph.name}.turn", getattr(region.owner, "span", None))
    inside = set(region.values())
    new: dict[Value, Operand] = {}
    for node in region.walk():
        for value in node.values():
            if value not in inside and value not in new:
                new[value] = graph.body.add_parameter(value.type, value.hint)
    copy_into(region, graph.body, new)
    copied = new[last]
    assert isinstance(copied, Value)  # it is computed in the region
    for node in reversed(list(graph.body)):
        if node is copied.node:
            break
        node.erase()
    graph.body.set_return([copied])
    return graph, copied


def begin_at(graph: Graph, values: Sequence[Value]) -> Value:
    """Let a graph take one value in the places of these, instead of computing them."""
    first = values[0]
    if first.node is None and first.region is graph.body:
        return first
    parameter = graph.body.add_parameter(first.type, first.hint)
    for value in values:
        value.replace_uses(parameter)
    return parameter


def keep_used_parameters(graph: Graph, also: Sequence[Value] = ()) -> None:
    """Take out the parameters that nothing uses."""
    graph.body.parameters[:] = [p for p in graph.parameters if p.uses or p in also]
