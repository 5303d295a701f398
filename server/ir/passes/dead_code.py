"""Removes what only computes results that nothing uses, and what loops carry in vain."""

from __future__ import annotations

from collections.abc import Iterator

from .. import registry
from ..graph import CALL, LOOP, STAGE, TERMINATORS, Node, Region
from ..module import Module
from ..values import Value, values_of
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
            if node.op is LOOP:
                _carry_less(node, effects)
        node = before


def _carry_less(loop: Node, effects: _Effects) -> None:
    """Take out of a loop the values that it only carries round for themselves."""
    (region,) = loop.regions
    end, carried = region.terminator, region.parameters[1:]
    needed = _needed(loop, region, effects)
    kept = [place for place, parameter in enumerate(carried) if parameter in needed]
    if end is None or len(kept) == len(carried):
        return
    end.set_operands([end.operands[place] for place in kept])
    _sweep(region, effects)  # now nothing uses what computed the others
    region.parameters[1:] = [carried[place] for place in kept]
    loop.set_operands([loop.operands[place] for place in kept])
    loop.results = tuple(loop.results[place] for place in kept)


def _needed(loop: Node, region: Region, effects: _Effects) -> set[Value]:
    """Everything in a loop that its used results or its effects depend on."""
    end, carried = region.terminator, region.parameters[1:]
    following = dict(zip(carried, end.operands if end else (), strict=False))
    todo: list[Value] = [p for p, r in zip(carried, loop.results, strict=True) if r.uses]
    for node in region:
        if node is not end and not effects.none_of(node):
            todo.extend(_taken(node))
    needed: set[Value] = set()
    while todo:
        value = todo.pop()
        if value in needed:
            continue
        needed.add(value)
        if value in following:
            todo.extend(values_of(following[value]))
        elif value.node is not None:
            todo.extend(_taken(value.node))
    return needed


def _taken(node: Node) -> Iterator[Value]:
    """What a node and those inside it take."""
    yield from node.values()
    for region in node.regions:
        for inner in region.walk():
            yield from inner.values()


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
