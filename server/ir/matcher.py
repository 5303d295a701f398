"""Patterns of nodes: what is applied to what. Passes say what they look for; this finds it.

A transpose that only a product takes::
    Apply(products, [Apply(transposes, [Anything("x")], uses=1), Anything("y")])
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from .graph import Node
from .symbol import Symbol
from .values import Attribute, Constant, Operand, Value, same_attribute

__all__ = ["Anything", "Apply", "Literal", "Match", "Pattern", "match"]

Match = dict[str, Operand]
"""What the named parts of a pattern stand for."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any operand that ``where`` holds for. The same name twice means the same operand."""

    name: str = ""
    where: Callable[[Operand], bool] | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """One constant."""

    value: Attribute


@dataclass(frozen=True, slots=True)
class Apply:
    """The only result of a node with one of ``ops``.

    ``operands`` are patterns for its first operands, ``attributes`` must be there with these
    values, ``uses`` is how many nodes take the result, ``where`` is asked last. The name stands for
    the value.
    """

    ops: Collection[Symbol]
    operands: Sequence[Pattern] = ()
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    uses: int | None = None
    where: Callable[[Node], bool] | None = None
    name: str = ""


Pattern = Anything | Literal | Apply


def match(pattern: Pattern, operand: Operand) -> Match | None:
    """What the names in a pattern stand for if ``operand`` fits it, else None."""
    found: Match = {}
    return found if _fits(pattern, operand, found) else None


def _fits(pattern: Pattern, operand: Operand, found: Match) -> bool:
    match pattern:
        case Anything(name=name, where=where):
            return (where is None or where(operand)) and _named(name, operand, found)
        case Literal(value=value):
            return isinstance(operand, Constant) and same_attribute(operand.value, value)
        case Apply():
            return _applied(pattern, operand, found)


def _applied(pattern: Apply, operand: Operand, found: Match) -> bool:
    node = operand.node if isinstance(operand, Value) else None
    if node is None or node.op not in pattern.ops or node.mutated or len(node.results) != 1:
        return False
    if pattern.uses is not None and len(node.result.uses) != pattern.uses:
        return False
    for name, wanted in pattern.attributes.items():
        if name not in node.attributes or not same_attribute(node.attributes[name], wanted):
            return False
    if len(pattern.operands) > len(node.operands):
        return False
    for part, inner in zip(pattern.operands, node.operands, strict=False):
        if not _fits(part, inner, found):
            return False
    return (pattern.where is None or pattern.where(node)) and _named(pattern.name, operand, found)


def _named(name: str, operand: Operand, found: Match) -> bool:
    return not name or found.setdefault(name, operand) == operand
