"""Small rewrites of one node and what feeds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..aliasing import Aliasing
from ..graph import Node
from ..matcher import Anything, Apply, Pattern, match
from ..module import Module
from ..symbol import Symbol
from ..types import ArrayType, Type
from ..values import Constant, Operand, Value
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
    if node.op not in _PRODUCTS or len(node.operands) != 2:
        return False
    flags = dict(node.attributes)
    operands = list(node.operands)
    for place, flag in enumerate(("transpose_a", "transpose_b")):
        found = match(_TRANSPOSED, operands[place])
        if found is not None and not flags.get(flag, False):
            turned = found["turned"]
            assert isinstance(turned, Value) and turned.node is not None  # by the pattern
            operands[place], flags[flag] = turned.node.operands[0], True
    if operands == list(node.operands):
        return False
    new = node.region.append(
        MATMUL,
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
    """The transpose of a transpose is what it was."""
    found = match(_TWICE, node.result)
    if found is None or not _same_array(found["x"], node.result.type):
        return False
    _replace(node, found["x"])
    return True


def without_effect(node: Node) -> bool:
    """A reshape to the same sizes, or a cast to the same type, is what it was."""
    if node.op not in _RESHAPES | _CASTS or not node.operands:
        return False
    source = node.operands[0]
    if not isinstance(source, Value) or not _same_array(source, node.result.type):
        return False
    _replace(node, source)
    return True


MATMUL: Final = Symbol("ir", "matmul")
_PRODUCTS: Final = frozenset({Symbol("np", "matmul"), MATMUL})
_RESHAPES: Final = frozenset({Symbol("np", "reshape"), Symbol("np", "ndarray.reshape")})
_CASTS: Final = frozenset({Symbol("np", "astype"), Symbol("np", "ndarray.astype")})
_TRANSPOSES: Final = frozenset(
    Symbol("np", name)
    for name in (
        "transpose",
        "ndarray.transpose",
        "permute_dims",
        "ndarray.T",
        "ndarray.mT",
        "matrix_transpose",
        "swapaxes",
        "ndarray.swapaxes",
    )
)
_REWRITES: Final[tuple[Callable[[Node], bool], ...]] = (
    transpose_into_product,
    double_transpose,
    without_effect,
)


def _turns(node: Node) -> bool:
    """Whether a node exchanges the last two axes and leaves the others."""
    source = node.operands[0]
    if not isinstance(source, Value) or not isinstance(source.type, ArrayType):
        return False
    ndim = source.type.ndim
    name = node.op.name.removeprefix("ndarray.")
    rest = tuple(_whole(operand) for operand in node.operands[1:])
    if name in ("mT", "matrix_transpose"):
        return ndim >= 2
    if name == "swapaxes":
        return (
            ndim >= 2
            and not node.attributes
            and {axis % ndim for axis in rest}
            == {
                ndim - 2,
                ndim - 1,
            }
        )
    return ndim == 2 and not node.attributes and not rest


def _whole(operand: Operand) -> int:
    if isinstance(operand, Constant) and type(operand.value) is int:
        return operand.value
    return 0


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


_TRANSPOSED: Final[Pattern] = Apply(_TRANSPOSES, where=_turns, name="turned")
_TWICE: Final[Pattern] = Apply(
    _TRANSPOSES, [Apply(_TRANSPOSES, [Anything("x")], where=_turns)], where=_turns
)

PASS = Pass(
    "peephole",
    "A transpose becomes a flag of the product; what changes nothing goes.",
    run,
    order=60,
)
