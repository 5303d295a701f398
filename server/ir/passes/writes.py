"""What a write in place does, as an op that gives a new array."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final

from .. import registry
from ..graph import Node
from ..opinfo import OpError, OpInfo
from ..symbol import Symbol
from ..types import ArrayType, ListType, TupleType
from ..values import Attribute, Constant, Keyword, Operand, Value, type_of

__all__ = [
    "Form",
    "append_plain",
    "array_type",
    "form_of",
    "written_over",
]


@dataclass(frozen=True, slots=True)
class Form:
    """The op that computes what a node writes into all of its target.

    ``left_out`` is the position of an operand that the op doesn't take. ``alike`` says that the new
    array surely lies in memory as a dense target does; sums depend on that in their last bits.
    """

    op: Symbol
    attributes: Mapping[str, Attribute]
    target: ArrayType
    type: ArrayType
    left_out: int | None
    alike: bool

    @property
    def fits_scalars(self) -> bool:
        """Whether it does the same to one of NumPy's scalars, of which ``+=`` makes a new one."""
        info = registry.get(self.op)
        inplace = info is not None and info.inplace and self.left_out is None
        return inplace and self.type.element == self.target.element


def form_of(node: Node, members: Container[Value]) -> Form | None:
    """The form of a node that writes; None where none is known to do the same.

    ``members`` are the values that may share memory with its target.
    """
    info = registry.get(node.op)
    if info is None or len(node.mutated) != 1 or len(node.results) != 1:
        return None
    (place,) = node.mutated
    target = array_type(node.operands[place])
    if target is None:
        return None
    if place == _place_of_out(info, node):
        return _into_out(info, node, place, target, members)
    if place != 0 or any(isinstance(operand, Keyword) for operand in node.operands):
        return None
    if info.functional is not None:
        op = Symbol.parse(info.functional)
        if _takes_writer(op) and not _is_apart(node, members):
            return None  # what it reads may change while it writes
        return _checked(node, op, target, None, True)
    if not info.inplace or len(node.operands) != 2 or node.attributes:
        return None
    alike = _keeps_layout(target, [node.operands[1]])
    if not alike and not info.fusible:
        return None  # how a product is computed may depend on where it goes
    return _checked(node, node.op, target, None, alike)


def append_plain(form: Form, node: Node, operands: list[Operand]) -> Value:
    """Compute, before a node that writes, what it writes; ``operands`` stand for those it has."""
    if form.left_out is not None:
        del operands[form.left_out]
    return node.region.append(
        form.op,
        operands,
        [form.type],
        [node.results[0].hint],
        form.attributes,
        node.span,
        node.call_path,
        note=node.note,
        before=node,
    ).result


def written_over(old: Value, type_: ArrayType, value: Value, alike: bool, before: Node) -> Value:
    """``old`` after ``value`` was written over all of it, with the elements and layout it had."""
    given = array_type(value)
    assert given is not None  # forms and views are of arrays
    if alike and given.element == type_.element:
        return value
    return before.region.append(
        _ASTYPE if alike else _WITH_ITEM,
        [value] if alike else [old, Constant(...), value],
        [laid_out(type_)],
        [value.hint],
        {"dtype": type_.element} if alike else {},
        before.span,
        before.call_path,
        before=before,
    ).result


def array_type(operand: Operand) -> ArrayType | None:
    """The type of an array of NumPy that is an operand, also one passed by name."""
    type_ = type_of(operand)
    return type_ if isinstance(type_, ArrayType) and type_.kind == "array" else None


def laid_out(type_: ArrayType) -> ArrayType:
    """The type of a new array in the layout of one of this type."""
    return type_ if type_.contiguous else type_.with_(strides=None)


def _checked(
    node: Node, op: Symbol, target: ArrayType, left_out: int | None, alike: bool
) -> Form | None:
    """The form, if the type of its result is known and has the sizes of the target."""
    operands = [operand for i, operand in enumerate(node.operands) if i != left_out]
    attributes = {"by": node.op, **node.attributes} if _takes_writer(op) else node.attributes
    try:
        given = registry.infer(op, operands, attributes)
    except OpError:
        return None
    if not given or not isinstance(given[0], ArrayType) or given[0].sizes != target.sizes:
        return None
    element = given[0].element
    same = alike and element == target.element
    type_ = laid_out(target) if same else target.with_(element=element, strides=None)
    return Form(op, attributes, target, type_, left_out, alike)


def _takes_writer(op: Symbol) -> bool:
    """Whether an op is told by which other op it writes."""
    info = registry.get(op)
    return info is not None and "by" in info.parameters


def _into_out(
    info: OpInfo, node: Node, place: int, target: ArrayType, members: Container[Value]
) -> Form | None:
    """``np.add(a, b, out=c)`` without ``out``, if what it makes then surely has the same bits."""
    others = [operand for i, operand in enumerate(node.operands) if i != place]
    if "where" in node.attributes or any(isinstance(operand, Keyword) for operand in others):
        return None
    alike = _keeps_layout(target, others)
    if not info.fusible:  # the order in which it adds may depend on where it writes
        alike = bool(target.contiguous) and (target.ndim <= 1 or info.transposing is not None)
        if not alike or target.element == "f16" or not _is_apart(node, members):
            return None
    form = _checked(node, node.op, target, place, alike)
    return form if form is not None and form.type.element == target.element else None


def _is_apart(node: Node, members: Container[Value]) -> bool:
    """Whether no operand but the target may share memory with it."""
    return sum(value in members for value in node.values()) == 1


def _place_of_out(info: OpInfo, node: Node) -> int | None:
    """The position of the operand that is the argument ``out``."""
    names = [name for name in info.parameters if name != "*"]
    for place, operand in enumerate(node.operands):
        if isinstance(operand, Keyword):
            if operand.name == "out":
                return place
        elif names[place : place + 1] == ["out"]:
            return place
    return None


def _keeps_layout(target: ArrayType, others: list[Operand]) -> bool:
    """Whether an op on elements of these surely gives the layout of a target that is dense."""
    types = [type_of(other) for other in others]
    if any(isinstance(type_, ListType | TupleType) for type_ in types):
        return False
    arrays = [type_ for type_ in types if isinstance(type_, ArrayType) and type_.ndim]
    if target.ndim <= 1 or not arrays:
        return True
    return bool(target.contiguous) and all(array.contiguous for array in arrays)


_ASTYPE: Final = Symbol("np", "ndarray.astype")
_WITH_ITEM: Final = Symbol("ir", "with_item")
