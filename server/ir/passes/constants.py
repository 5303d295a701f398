"""Folds what is known without running the program: sizes, and Python arithmetic on them."""

from __future__ import annotations

from .. import registry
from ..graph import Node
from ..interpreter import ExecutionError, apply
from ..literals import is_atom
from ..module import Module
from ..opinfo import OpError, Unknown
from ..values import Constant, Operand, Pack, as_operand
from .manager import Pass


def run(module: Module) -> None:
    """Replace results that are known by literals, in the order of the text."""
    for node in list(module.walk()):
        if len(node.results) != 1 or not registry.is_pure(node):
            continue
        known = _told_by_types(node) or _computed(node)
        if known is not None:
            node.result.replace_uses(known)


def _told_by_types(node: Node) -> Operand | None:
    info = registry.get(node.op)
    if info is None or info.known is None:
        return None
    try:
        return as_operand(info.known(info.bind(node.operands, node.attributes)))
    except (Unknown, OpError):
        return None


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


def _literal(operand: Operand) -> bool:
    if isinstance(operand, Pack):
        return operand.kind == "tuple" and all(map(_literal, operand.items))
    return isinstance(operand, Constant) and is_atom(operand.value)


def _object(operand: Operand) -> object:
    if isinstance(operand, Pack):
        return tuple(map(_object, operand.items))
    return operand.value if isinstance(operand, Constant) else operand


PASS = Pass("constants", "Folds sizes, and arithmetic on them.", run, order=20)
