"""Small rewrites of one node and what feeds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .. import registry
from ..aliasing import Aliasing
from ..graph import Node
from ..matcher import Anything, Apply, Pattern, match
from ..module import Module
from ..symbol import Symbol
from ..types import ArrayType, Type
from ..values import Operand, Value
from .manager import Pass


def run(module: Module) -> None:
    """Apply every rewrite once to each node, in the order of the text.

    Memory that something changes in place is left alone: a view or a copy of it isn't the array.
    """
    aliasing = Aliasing(module)
    for node in list(module.walk()):
        if len(node.results) != 1 or node.mutated or not aliasing.fixed(node):
            continue
        for rewrite in _REWRITES:
            if rewrite(node):
                break


def transpose_into_product(node: Node) -> bool:
    """A transpose that feeds a product becomes a flag of the product."""
    info = registry.get(node.op)
    if info is None or info.transposing is None or len(node.operands) != 2:
        return False
    flags = dict(node.attributes)
    operands = list(node.operands)
    for place, flag in enumerate(("transpose_a", "transpose_b")):
        found = match(_TURNED, operands[place])
        if found is not None and not flags.get(flag, False):
            operands[place], flags[flag] = found["x"], True
    if operands == list(node.operands):
        return False
    new = node.region.append(
        Symbol.parse(info.transposing),
        operands,
        [node.result.type],
        [node.result.hint],
        flags,
        node.span,
        node.call_path,
        note=node.note,
        before=node,
    )
    _replace(node, new.result)
    return True


def double_transpose(node: Node) -> bool:
    """Two transposes that cancel out."""
    found = match(_TWICE, node.result)
    if found is None or not _same_array(found["x"], node.result.type):
        return False
    inner = node.operands[0]
    first = registry.permutation(inner.node) if isinstance(inner, Value) and inner.node else None
    second = registry.permutation(node)
    if not first or not second or any(first[axis] != i for i, axis in enumerate(second)):
        return False
    _replace(node, found["x"])
    return True


def without_effect(node: Node) -> bool:
    """A reshape to the same sizes, or a cast to the same type, is what it was."""
    info = registry.get(node.op)
    if info is None or not info.neutral or not node.operands:
        return False
    source = node.operands[0]
    if not isinstance(source, Value) or not _same_array(source, node.result.type):
        return False
    _replace(node, source)
    return True


_REWRITES: Final[tuple[Callable[[Node], bool], ...]] = (
    transpose_into_product,
    double_transpose,
    without_effect,
)


def _turns(node: Node) -> bool:
    """Whether a node exchanges the last two axes and leaves the others."""
    order = registry.permutation(node)
    if order is None or len(order) < 2:
        return False
    return order == (*range(len(order) - 2), len(order) - 1, len(order) - 2)


def _same_array(operand: Operand, wanted: Type) -> bool:
    """Whether an operand is surely an array of the same elements and sizes."""
    if not isinstance(operand, Value):
        return False
    type_ = operand.type
    if not (isinstance(type_, ArrayType) and isinstance(wanted, ArrayType)):
        return False
    same = (type_.element, type_.sizes, type_.kind) == (wanted.element, wanted.sizes, wanted.kind)
    return same and None not in type_.sizes and bool(type_.sizes)


def _replace(node: Node, new: Operand) -> None:
    node.result.replace_uses(new)
    node.erase()


_PERMUTING: Final = frozenset(s for s, info in registry.all_ops().items() if info.permutes)
_TURNED: Final[Pattern] = Apply(_PERMUTING, [Anything("x")], where=_turns)
_TWICE: Final[Pattern] = Apply(_PERMUTING, [Apply(_PERMUTING, [Anything("x")])])

PASS = Pass(
    "peephole",
    "A transpose becomes a flag of the product; what changes nothing goes.",
    run,
    order=60,
)
