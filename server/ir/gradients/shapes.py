"""Gradients of what only moves elements: into other sizes, another order, together, apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..expressions import Expr, known_sizes
from ..opinfo import array_of
from ..shapes import axis_of
from ..values import Keyword, Operand, Pack
from .application import Application, Unsupported
from .indexing import scattered

__all__ = ["all_of", "blocks", "diagonal_matrix", "joined", "moved", "parts", "reshaped", "turned"]


def reshaped(at: Application) -> Expr:
    """For an op that gives the same elements in other sizes."""
    at.refuse("order")
    return _reshape(at.g, at.sizes(next(iter(at.args))))


def turned(at: Application) -> Expr:
    """For an op that gives the axes in another order."""
    name = next(iter(at.args))
    assert at.info.permutes is not None
    order = at.info.permutes(at.args, len(at.sizes(name)))
    back = tuple(sorted(range(len(order)), key=order.__getitem__))
    return _expr(at.np.transpose(at.g, axes=back))


def moved(name: str) -> Callable[[Application], Any]:
    """For an op whose elements are some of those of ``name``, or come from elsewhere.

    The op itself says which: it is applied to the places of the elements, counted from 1, where
    all else is 0.
    """

    def rule(at: Application) -> Any:
        operand = at.args[name]
        items = operand.items if isinstance(operand, Pack) else (operand,)
        types = [array_of(item) for item in items]
        sizes = [tuple(map(int, known_sizes(type_))) for type_ in types]
        count = sum(map(prod, sizes))
        places, start = [], 1
        for each in sizes:
            part = at.np.arange(start, start + prod(each))
            places.append(_reshape(part, each))
            start += prod(each)
        moved = at.np.reshape(_applied(at, name, operand, places), shape=(-1,))
        zeros = at.np.zeros((count + 1,), dtype=at.g.type.element)
        flat = at.np.reshape(at.g, shape=(-1,))
        summed = scattered(zeros, moved, flat)
        found, start = [], 1
        for each in sizes:
            part = summed[start : start + prod(each)]
            found.append(_reshape(part, each))
            start += prod(each)
        return found if isinstance(operand, Pack) else found[0]

    return rule


def joined(axis: int | None, least: int = 0) -> Callable[[Application], list[Expr]]:
    """For an op that puts a list of arrays one after the other along ``axis`` (None: the argument),
    each with ``least`` dimensions at least."""

    def rule(at: Application) -> list[Expr]:
        items = at.items(next(iter(at.args)))
        along = at.constant("axis") if axis is None else axis
        gradient, found, start = at.g, [], 0
        for item in items:
            sizes = tuple(map(int, known_sizes(array_of(item))))
            if along is None:
                length = prod(sizes)
            else:
                whole = _at_least(sizes, least)
                place = axis_of(min(along, len(whole) - 1), len(whole))
                length = whole[place]
            at_axis = 0 if along is None else place
            index = (*(slice(None),) * at_axis, slice(start, start + length))
            found.append(_reshape(gradient[index], sizes))
            start += length
        return found

    return rule


def stacked(at: Application) -> list[Expr]:
    """For an op that puts a list of arrays along a new axis."""
    axis = axis_of(at.constant("axis"), at.g.ndim)
    count = len(at.items(next(iter(at.args))))
    return [at.g[(*(slice(None),) * axis, k)] for k in range(count)]


def columns(at: Application) -> list[Expr]:
    """For vectors and matrices that become columns."""
    found, start = [], 0
    for item in at.items("tup"):
        sizes = tuple(map(int, known_sizes(array_of(item))))
        width = sizes[1] if len(sizes) > 1 else 1
        found.append(_reshape(at.g[:, start : start + width], sizes))
        start += width
    return found


def parts(axis: int | None) -> Callable[[Application], Expr]:
    """For an op that cuts an array in parts along ``axis`` (None: the argument)."""

    def rule(at: Application) -> Expr:
        along = at.constant("axis") if axis is None else axis
        if axis == 1 and len(at.sizes("ary")) == 1:
            along = 0
        return _expr(at.np.concatenate(at.gs, axis=along))

    return rule


def all_of(at: Application) -> list[Expr]:
    """For an op that has a result for each of its arguments."""
    operand = at.args[next(iter(at.args))]
    given = operand.items if isinstance(operand, Pack) else (operand,)
    return [
        _reshape(g, known_sizes(array_of(item))) if prod(g.sizes) == _count(item) else g
        for g, item in zip(at.gs, given, strict=True)
    ]


def grid(at: Application) -> list[Expr]:
    """For ``meshgrid``: each argument lies along an axis of its own."""
    items, found = at.items("xi"), []
    for k, (item, gradient) in enumerate(zip(items, at.gs, strict=True)):
        along = k
        if at.constant("indexing") == "xy" and len(items) > 1 and k < 2:
            along = 1 - k
        others = tuple(a for a in range(gradient.ndim) if a != along)
        summed = at.np.sum(gradient, axis=others) if others else gradient
        found.append(_reshape(summed, known_sizes(array_of(item))))
    return found


def blocks(at: Application) -> Any:
    """``block`` as nested lists put together, the inner ones along the last axis."""
    nested, ndim = at["arrays"], at.r.ndim

    def depth(item: Any) -> int:
        return 1 + depth(item[0]) if isinstance(item, list) else 0

    def joined(item: Any, axis: int) -> Any:
        if not isinstance(item, list):
            array = at.np.asarray(item)
            return _reshape(array, (1,) * (ndim - array.ndim) + tuple(array.sizes))
        parts = [joined(each, axis + 1) for each in item]
        return at.np.concatenate(parts, axis=axis) if len(parts) > 1 else parts[0]

    return joined(nested, -depth(nested))


def diagonal_matrix(at: Application) -> Expr:
    """For a matrix made from its diagonal."""
    return _reshape(at.np.diag(at.g, at.constant("k")), at.sizes("v"))


def diagonal(at: Application) -> Any:
    """For ``diag``, which goes both ways."""
    return diagonal_matrix(at) if len(at.sizes("v")) == 1 else moved("v")(at)


def rolled(at: Application) -> Expr:
    """For ``roll``: the other way."""
    shift = at.constant("shift")
    back = tuple(-each for each in shift) if isinstance(shift, tuple | list) else -shift
    return _expr(at.np.roll(at.g, back, axis=at.constant("axis")))


def padded(at: Application) -> Any:
    """For ``pad``: what isn't border."""
    at.refuse("constant_values")
    return moved("array")(at)


def _applied(at: Application, name: str, operand: Operand, places: Sequence[Expr]) -> Expr:
    """The op on ``places`` in the stead of one argument, and on 0 for all else that has a rule."""
    rules = at.rules()
    operands: list[object] = []
    for given in at.node.operands:
        item = given.item if isinstance(given, Keyword) else given
        meant = next(known for known, bound in at.args.items() if bound is item)
        new: object = item
        if meant == name:
            new = list(places) if isinstance(operand, Pack) else places[0]
        elif rules.get(meant) is not None:
            new = at.writer.zeros(array_of(item).with_(element="i64"))
        if isinstance(given, Keyword):
            new = Keyword(given.name, at.writer.operand(new))
        operands.append(new)
    type_ = array_of(at.node.result).with_(element="i64", strides=None)
    return _expr(at.writer.apply(at.node.op, operands, at.node.attributes, [type_]))


def _reshape(expr: Expr, sizes: Sequence[int | None]) -> Expr:
    if tuple(expr.sizes) == tuple(sizes):
        return expr
    return _expr(expr.writer.np.reshape(expr, shape=tuple(int(s or 0) for s in sizes)))


def _at_least(sizes: tuple[int, ...], least: int) -> tuple[int, ...]:
    """The sizes that ``atleast_1d``, ``_2d`` and ``_3d`` give."""
    if len(sizes) >= least:
        return sizes
    if least == 3:
        return {0: (1, 1, 1), 1: (1, *sizes, 1), 2: (*sizes, 1)}[len(sizes)]
    return (1,) * (least - len(sizes)) + sizes


def _count(operand: Operand) -> int:
    return prod(known_sizes(array_of(operand)))


def _expr(made: Any) -> Expr:
    if not isinstance(made, Expr):
        raise Unsupported("it has several results")
    return made
