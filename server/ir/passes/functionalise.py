"""Turns writes in place into ops that give a new array, where nobody could tell the difference."""

from __future__ import annotations

from typing import Final

from .. import registry
from ..aliasing import Aliasing
from ..graph import CALL, LOOP, Node
from ..module import Graph, Module
from ..symbol import Symbol
from ..types import ArrayType, ListType, TupleType
from ..values import Keyword, Operand, Value, type_of
from .manager import Pass


def run(module: Module) -> None:
    """Rewrite every write into an array that has no other view and that no caller holds."""
    aliasing = Aliasing(module)
    private: dict[Value, bool] = {}
    for node in [node for node in module.walk() if node.mutated]:
        (target, *others) = node.consumed or (None,)
        if target is None or others or not isinstance(target.type, ArrayType):
            continue
        if target.type.kind != "array" or not target.type.sizes:
            continue  # writing to one of NumPy's scalars makes a new one anyway
        members = aliasing.shared(target)
        if members[0] not in private:
            private[members[0]] = all(map(_only_a_version, members))
        if private[members[0]]:
            _rewrite(node, target)


def _only_a_version(value: Value) -> bool:
    """Whether a value is an array just made, or a later version of one, but no view of one."""
    node = value.node
    if node is None:
        return not isinstance(value.region.owner, Graph) and value.region.owner.op is LOOP
    if node.op is LOOP or value in node.results[: len(node.mutated)]:
        return True
    info = registry.get(node.op)
    return info is not None and not info.aliases and not node.regions and node.op is not CALL


def _rewrite(node: Node, target: Value) -> None:
    info = registry.get(node.op)
    if info is None or node.mutated != (0,) or _named(node):
        return
    op, operands = node.op, list(node.operands)
    if info.functional is not None:
        op = Symbol.parse(info.functional)
    elif not (info.inplace and len(operands) == 2 and _keeps_layout(*operands)):
        return
    old = node.results[0]
    plain = registry.infer(op, operands, node.attributes)
    if not plain or not isinstance(plain[0], ArrayType) or not isinstance(old.type, ArrayType):
        return
    if plain[0].sizes != old.type.sizes:
        return
    made = node.region.append(
        op,
        operands,
        [old.type.with_(element=plain[0].element, strides=None)],
        [old.hint],
        node.attributes,
        node.span,
        node.call_path,
        note=node.note,
        before=node,
    )
    result = made.result
    if plain[0].element != old.type.element:  # writing in place casts to the type of the target
        cast = node.region.append(
            _ASTYPE,
            [result],
            [old.type.with_(strides=None)],
            [old.hint],
            {"dtype": old.type.element},
            node.span,
            node.call_path,
            before=node,
        )
        result = cast.result
    old.replace_uses(result)
    node.erase()


def _keeps_layout(target: Operand, other: Operand) -> bool:
    """Whether a new array surely has the layout of the target, on which sums of it may depend."""
    first, second = type_of(target), type_of(other)
    if not isinstance(first, ArrayType) or not isinstance(second, ArrayType):
        return not isinstance(second, ListType | TupleType)
    return first.ndim <= 1 or second.ndim == 0 or bool(first.contiguous and second.contiguous)


def _named(node: Node) -> bool:
    return any(isinstance(operand, Keyword) for operand in node.operands)


_ASTYPE: Final = Symbol("np", "ndarray.astype")

PASS = Pass("functionalise", "Writes in place become new arrays.", run, level=2, order=30)
