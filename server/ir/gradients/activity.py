"""Which values change smoothly with others: what a derivative has to go through."""

from __future__ import annotations

from collections.abc import Iterable

from ..context import keeps_gradients
from ..elements import COMPLEX, FLOATS
from ..graph import LOOP, STAGE, TERMINATORS, Node, Region
from ..types import ArrayType, ParameterType, ScalarType, Type
from ..values import Operand, Value, values_of

__all__ = ["active_in", "is_smooth"]


def active_in(nodes: Iterable[Node], seeds: Iterable[Value]) -> set[Value]:
    """Everything that ``nodes`` compute from ``seeds`` by way of numbers that aren't whole."""
    active = set(seeds)
    for node in nodes:
        _through(node, active)
    return active


def is_smooth(type_: Type) -> bool:
    """Whether values of a type can change by a little. Objects are taken to hold some that can."""
    match type_:
        case ArrayType(element=element):
            return element in FLOATS or element in COMPLEX or element in ("bf16", "object")
        case ScalarType(name=name):
            return name in ("float", "complex")
        case ParameterType(array=array):
            return is_smooth(array)
    return True


def _through(node: Node, active: set[Value]) -> None:
    if node.op in TERMINATORS or node.op is STAGE or not keeps_gradients(node.under):
        return
    if node.op is LOOP:
        _around(node, node.regions[0], active)
    elif node.regions:
        for region in node.regions:
            _enter(node.operands, region.parameters, active)
            for inner in region:
                _through(inner, active)
            end = region.terminator
            _enter(end.operands if end else (), node.results, active)
    elif any(value in active for value in node.values()):
        active.update(result for result in node.results if is_smooth(result.type))


def _around(loop: Node, body: Region, active: set[Value]) -> None:
    """A loop goes round until no more of what it carries is active."""
    carried, end = body.parameters[1:], body.terminator
    following = end.operands if end is not None else ()
    _enter(loop.operands, carried, active)
    before = -1
    while before != len(active):
        before = len(active)
        for node in body:
            _through(node, active)
        _enter(following, carried, active)
    _enter(carried, loop.results, active)
    _enter(following, loop.results, active)


def _enter(given: Iterable[Operand], taken: Iterable[Value], active: set[Value]) -> None:
    for operand, value in zip(given, taken, strict=False):
        if is_smooth(value.type) and any(v in active for v in values_of(operand)):
            active.add(value)
