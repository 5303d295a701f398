"""Removes nodes whose results nothing uses, if they do nothing else."""

from __future__ import annotations

from .. import registry
from ..graph import CALL, LOOP, STAGE, TERMINATORS, Module, Node, Region
from .manager import Pass


def run(module: Module) -> None:
    """Remove dead nodes, the last first, so that what only they used is dead as well."""
    effects = _Effects(module)
    for graph in module.graphs.values():
        _sweep(graph.body, effects)


def _sweep(region: Region, effects: _Effects) -> None:
    node = region.last
    while node is not None:
        before = node.prev
        if not any(result.uses for result in node.results) and effects.none_of(node):
            node.erase()
        else:
            for inner in node.regions:
                _sweep(inner, effects)
        node = before


class _Effects:
    """Whether nodes do anything but compute their results; remembers the answer for graphs."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.graphs: dict[str, bool] = {}

    def none_of(self, node: Node) -> bool:
        """Whether leaving a node out changes nothing else."""
        if node.mutated or node.op in TERMINATORS or node.op is STAGE:
            return False
        if node.op is CALL:
            return self.none_of_graph(node.attributes["callee"])
        if node.regions:
            known = node.op is LOOP or registry.get(node.op) is not None
            return known and all(self.none_within(region) for region in node.regions)
        info = registry.get(node.op)
        return info is not None and info.removable

    def none_within(self, region: Region) -> bool:
        """Whether all nodes of a region, but its end, could be left out."""
        return all(node.op in TERMINATORS or self.none_of(node) for node in region)

    def none_of_graph(self, name: str) -> bool:
        """Whether calls of a graph could be left out; a graph that calls itself may never end."""
        if name not in self.graphs:
            self.graphs[name] = False
            self.graphs[name] = self.none_within(self.module.graphs[name].body)
        return self.graphs[name]


PASS = Pass("dead-code", "Removes what computes only what nothing uses.", run, order=90)
