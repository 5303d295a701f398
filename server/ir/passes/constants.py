"""Folds what is known without running the program: sizes, and Python arithmetic on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .. import registry
from ..graph import Node
from ..interpreter import ExecutionError, apply
from ..literals import is_atom
from ..module import Module
from ..symbol import Symbol
from ..types import ArrayType
from ..values import Constant, Operand, Pack, Value, as_operand
from .manager import Pass


def run(module: Module) -> None:
    """Replace results that are known by literals, in the order of the text."""
    for node in list(module.walk()):
        if len(node.results) != 1 or not registry.is_pure(node):
            continue
        known = _SIZES[node.op](node) if node.op in _SIZES else _computed(node)
        if known is not None:
            node.result.replace_uses(known)


def _computed(node: Node) -> Operand | None:
    """The result of a Python op on literals, if it is a literal too."""
    if node.op.namespace != "py" or not node.operands:
        return None
    if not all(_literal(operand) for operand in node.operands):
        return None
    try:
        (result,) = apply(node, [_object(operand) for operand in node.operands])
    except (ExecutionError, AttributeError, TypeError, ValueError, ArithmeticError, LookupError):
        return None  # the program will say so itself
    small = is_atom(result) or (isinstance(result, tuple) and all(map(is_atom, result)))
    return as_operand(result) if small else None


def _shape(node: Node) -> Operand | None:
    sizes = _known_sizes(node)
    return None if sizes is None else Pack("tuple", map(Constant, sizes))


def _length(node: Node) -> Operand | None:
    sizes = _known_sizes(node)
    return Constant(sizes[0]) if sizes else None


def _known_sizes(node: Node) -> tuple[int, ...] | None:
    (operand,) = node.operands
    if not isinstance(operand, Value) or not isinstance(operand.type, ArrayType):
        return None
    sizes = operand.type.sizes
    return None if None in sizes else tuple(size for size in sizes if size is not None)


def _literal(operand: Operand) -> bool:
    if isinstance(operand, Pack):
        return operand.kind == "tuple" and all(map(_literal, operand.items))
    return isinstance(operand, Constant) and is_atom(operand.value)


def _object(operand: Operand) -> object:
    if isinstance(operand, Pack):
        return tuple(map(_object, operand.items))
    return operand.value if isinstance(operand, Constant) else operand


_SIZES: Final[dict[Symbol, Callable[[Node], Operand | None]]] = {
    Symbol("np", "ndarray.shape"): _shape,
    Symbol("py", "len"): _length,
}

PASS = Pass("constants", "Folds sizes, and arithmetic on them.", run, order=20)
