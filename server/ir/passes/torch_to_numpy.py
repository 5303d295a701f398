"""Writes what PyTorch does with NumPy's ops: what can be differentiated and executed without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..expressions import Expr, Untyped, Writer
from ..gradients.application import Application, Through, Unsupported, evaluate
from ..graph import Node
from ..in_numpy import form_of
from ..module import Module
from ..opinfo import OpError, Unknown
from ..registry import get
from ..shapes import ShapeError
from ..symbol import Symbol
from ..types import ArrayType, ParameterType, Type
from ..values import Constant, Operand, Value, type_of

__all__ = ["has_torch", "torch_to_numpy"]


def has_torch(module: Module) -> bool:
    """Whether a module has ops of PyTorch."""
    return any(node.op.namespace == "torch" for node in module.walk())


def torch_to_numpy(module: Module, chosen: Callable[[Node], bool] = lambda node: True) -> None:
    """Let ops of PyTorch that are ``chosen`` be written with NumPy's, at their places and by their
    names.

    Tensors become arrays. An op without a form, or whose form refuses its arguments, stays as it
    is; its note says why.
    """
    if not any(node.op.namespace == "torch" and chosen(node) for node in module.walk()):
        return
    for graph in module.graphs.values():
        for value in graph.body.values():
            value.type = _array(value.type)
    for node in list(module.walk()):
        form = form_of(node.op)
        if node.op is _TORCH_SETITEM and chosen(node):
            _give(node.result, _written(node, *node.operands))
            node.erase()
        if form is None or not chosen(node):
            continue
        try:
            _rewrite(node, Through(form))
        except (Unsupported, Untyped, Unknown, OpError, ShapeError, KeyError) as error:
            node.note = f"not written with NumPy: {error}"


def _rewrite(node: Node, through: Through) -> None:
    info = get(node.op)
    if info is None or len(node.mutated) > 1 or "out" in node.attributes:
        return
    writer = Writer(node.region, node)
    writer.at(node)
    args = info.bind(node.operands, node.attributes)
    at = Application(node, info, args, [None] * len(node.results), writer, lambda value: value)
    made: Any = evaluate(through.form, at)
    if node.mutated:
        target = node.operands[node.mutated[0]]
        new = _written(node, target, Constant(...), writer.operand(made))
        made = [new] * len(node.results)
    else:
        made = list(made) if isinstance(made, tuple) else [made]
    for result, new in zip(node.results, made, strict=True):
        _give(result, new if isinstance(new, Value) else _fitting(new, result.type))
    node.erase()


def _written(node: Node, target: Operand, index: Operand, value: Operand) -> Value:
    """A write into what an index selects, in the place of one that a node does."""
    return node.region.append(
        _SETITEM,
        (target, index, value),
        [type_of(target)],
        [node.results[0].hint],
        span=node.span,
        call_path=node.call_path,
        mutated=(0,),
        before=node,
    ).result


def _fitting(made: Expr, wanted: Type) -> Value:
    """What a form gave, of the elements that PyTorch gives."""
    if isinstance(wanted, ArrayType) and made.type.element != wanted.element:
        made = made.writer.apply("np.ndarray.astype", [made], {"dtype": wanted.element})
    if not isinstance(made.operand, Value):
        made = made.writer.np.asarray(made)
    assert isinstance(made.operand, Value)  # an op's result
    return made.operand


def _give(result: Value, new: Value) -> None:
    """Let everything use the new value, which takes the name, the names of dimensions and the
    layout: what shares memory in PyTorch is told by that."""
    if new.hint is None:
        new.hint = result.hint
    old, type_ = result.type, new.type
    if isinstance(old, ArrayType) and isinstance(type_, ArrayType) and old.sizes == type_.sizes:
        new.type = type_.with_(names=old.names, strides=old.strides)
    result.replace_uses(new)


def _array(type_: Type) -> Type:
    match type_:
        case ArrayType(kind="tensor"):
            return type_.with_(kind="array", device=None)
        case ParameterType(array=array):
            return _array(array)
    return type_


_SETITEM: Final = Symbol("np", "setitem")
_TORCH_SETITEM: Final = Symbol("torch", "setitem")
