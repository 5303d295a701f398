"""Which values may share memory, and which of them some node changes in place.

Values are put in classes: what may share memory is in one class. The answer errs on the safe side:
an op that isn't registered may give back any of its operands, and parameters may be the same array.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from . import registry
from .graph import CALL, LOOP, STAGE, TERMINATORS, Node, Region
from .module import Graph, Module
from .types import ArrayType, ScalarType
from .values import Value, values_of

__all__ = ["Aliasing"]


class Aliasing:
    """The classes of all values of a module as it is now."""

    def __init__(self, module: Module) -> None:
        self._parent: Final[dict[Value, Value]] = {}
        self._changed: Final[set[Value]] = set()
        changed: list[Value] = []
        for graph in module.graphs.values():
            self._join(graph.body.parameters)
            for node in graph.body.walk():
                self._node(node, module)
                changed.extend(node.consumed)
        for value in changed:
            self._changed.add(self._root(value))
        self._members: dict[Value, list[Value]] | None = None

    def changed(self, value: Value) -> bool:
        """Whether memory that the value may share is changed in place anywhere."""
        return self._root(value) in self._changed

    def fixed(self, node: Node) -> bool:
        """Whether nothing that a node takes or gives is ever changed in place."""
        if not self._changed:
            return True
        return not any(map(self.changed, node.values())) and not any(
            map(self.changed, node.results)
        )

    def shared(self, value: Value) -> list[Value]:
        """Every value that may share memory with this one, itself included."""
        if self._members is None:
            self._members = {}
            for member in self._parent:
                self._members.setdefault(self._root(member), []).append(member)
        return self._members.get(self._root(value), [value])

    def _node(self, node: Node, module: Module) -> None:
        for old, new in zip(node.consumed, node.results, strict=False):
            self._join((old, new))
        if node.op in TERMINATORS:
            self._end(node)
        elif node.regions:
            for region in node.regions:
                self._parameters(node, region)
        elif node.op is CALL:
            callee = module.graphs.get(node.attributes["callee"])
            self._join((*node.values(), *node.results, *(_boundary(callee) if callee else ())))
        elif node.op is not STAGE:
            self._plain(node)

    def _plain(self, node: Node) -> None:
        info = registry.get(node.op)
        if info is None:
            self._join((*node.values(), *node.results))
            return
        if any(map(_holds_objects, node.results)):  # such an array may hold any operand itself
            self._join((*node.values(), *node.results))
            return
        if info.shares is not None and registry.shares(node) is False:
            return
        for index in info.aliased(node.operands):
            self._join((*values_of(node.operands[index]), *node.results))

    def _parameters(self, node: Node, region: Region) -> None:
        inside = region.parameters[1:] if node.op is LOOP else region.parameters
        for parameter, operand in zip(inside, node.operands, strict=False):
            self._join((parameter, *values_of(operand)))

    def _end(self, node: Node) -> None:
        owner = node.region.owner
        if isinstance(owner, Graph):
            return
        carried = node.region.parameters[1:] if owner.op is LOOP else [None] * len(owner.results)
        for operand, result, parameter in zip(node.operands, owner.results, carried, strict=False):
            both = (result,) if parameter is None else (result, parameter)
            self._join((*both, *values_of(operand)))

    def _join(self, values: Iterable[Value]) -> None:
        first: Value | None = None
        for value in values:
            if isinstance(value.type, ScalarType):
                continue  # Python scalars have no memory to share
            root = self._root(value)
            if first is None:
                first = root
            elif root is not first:
                self._parent[root] = first

    def _root(self, value: Value) -> Value:
        parent = self._parent
        above = parent.setdefault(value, value)
        while above is not value:
            grand = parent[above]
            parent[value] = grand  # halve the path on the way
            value, above = grand, parent[grand]
        return value


def _holds_objects(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and value.type.element == "object"


def _boundary(graph: Graph) -> Iterable[Value]:
    """What a graph takes and gives."""
    yield from graph.parameters
    if graph.body.terminator is not None:
        yield from graph.body.terminator.values()
