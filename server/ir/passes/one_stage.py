"""One stage of graphs, by itself: what it takes from the others comes from outside."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph import STAGE, TERMINATORS, Node, Region
from ..module import Module
from ..symbol import Symbol

OUTSIDE = Symbol("ir", "outside")


def stages_of(module: Module) -> list[int]:
    """The stages that there are, in order: 0, and those that are marked."""
    marked = {node.attributes["stage"] for node in module.walk() if node.op is STAGE}
    return sorted({0} | marked)


def only_stage(module: Module, number: int) -> None:
    """Take out of all graphs what belongs to another stage; and of all but stage 0, graphs that
    have nothing of it."""
    for name, graph in list(module.graphs.items()):
        kept = set(_of_stage(graph.body, 0, number))
        if number and not kept:
            del module.graphs[name]
        else:
            _trim(graph.body, kept)


def _of_stage(region: Region, current: int, number: int) -> Iterator[Node]:
    """The nodes of a stage, and those that have one of it inside."""
    for node in region:
        if node.op is STAGE:
            current = node.attributes["stage"]
        elif node.op in TERMINATORS:
            continue
        inside = [kept for inner in node.regions for kept in _of_stage(inner, current, number)]
        yield from inside
        if inside or (current == number and (number or node.op is not STAGE)):
            yield node


def _trim(region: Region, kept: set[Node]) -> None:
    """Take out what isn't kept, the last first; a value that is still used comes from outside."""
    node = region.last
    while node is not None:
        before = node.prev
        if node in kept or node.op in TERMINATORS:
            for inner in node.regions:
                _trim(inner, kept)
        else:
            for value in node.results:
                if value.uses:
                    new = region.append(
                        OUTSIDE, (), [value.type], [value.hint], span=node.span, before=node
                    )
                    new.result.number = value.number
                    value.replace_uses(new.result)
            node.erase()
        node = before
