"""Gradients of what reads and writes by index, and of what chooses."""

from __future__ import annotations

from math import prod
from typing import Any

from .. import registry
from ..expressions import Expr, known_sizes
from ..opinfo import Unknown, array_of
from ..shapes import axis_of
from ..symbol import Symbol
from ..values import Keyword, Operand, Pack
from .application import Application, Unsupported

__all__ = ["read", "scattered", "written", "written_over"]

ADD_AT = Symbol("np", "add.at")


def read(at: Application) -> Any:
    """By an array of which an index took something."""
    source, index = at.args["a"], at.args["index"]
    if isinstance(source, Pack):  # an item of a tuple or list
        place = at.constant("index")
        if not isinstance(place, int):
            raise Unsupported("a slice of a list")
        return [at.g if k == place % len(source.items) else None for k in range(len(source.items))]
    zeros = at.writer.zeros(at.type("a").with_(element=at.g.type.element))
    if registry.shares(at.node):
        return at.writer.apply("ir.with_item", [zeros, index, at.g])
    return scattered(zeros, index, at.g)


def scattered(zeros: Expr, index: object, values: Expr) -> Expr:
    """Values added up at the places that an index selects."""
    made = zeros.writer.apply("ir.with_write", [zeros, index, values], {"by": ADD_AT})
    assert isinstance(made, Expr)
    return made


def written_over(at: Application) -> Any:
    """By an array of which ``ir.with_item`` replaced a part."""
    return at.writer.apply("ir.with_item", [at.g, at.args["index"], 0.0])


def written(at: Application) -> Any:
    """By what ``ir.with_item`` wrote: where several went to one place, the last one counts."""
    index = at.args["index"]
    part = at.g[index]
    if _once(index):
        return part
    sizes = at.sizes("value")
    count = prod(sizes)
    numbers = at.np.reshape(at.np.arange(1, count + 1), shape=sizes)
    nowhere = at.writer.zeros(at.type("a").with_(element="i64"))
    places = at.writer.apply("ir.with_item", [nowhere, index, numbers])
    zeros = at.np.zeros((count + 1,), dtype=at.g.type.element)
    summed = scattered(zeros, at.np.reshape(places, shape=(-1,)), at.np.reshape(at.g, shape=(-1,)))
    return at.np.reshape(summed[1:], shape=sizes)


def written_to(at: Application) -> Any:
    """By an array to which ``ir.with_write`` added, or of which it replaced a part."""
    if at.constant("by") in _SUMS:
        return at.g
    ones = at.np.ones_like(at["a"])
    return at.g * _rewritten(at, ones, 0.0)


def put(at: Application) -> Any:
    """By what ``ir.with_write`` added or wrote."""
    items = at.items("args")
    given: list[Any] = [None] * len(items)
    place = _place_of_value(at)
    if at.constant("by") in _SUMS:
        part = at.g[items[0]]
        given[place] = part if at.constant("by") is ADD_AT else -part
        return given
    sizes = tuple(map(int, known_sizes(array_of(items[place]))))
    count = prod(sizes)
    numbers = at.np.reshape(at.np.arange(1, count + 1), shape=sizes)
    nowhere = at.writer.zeros(at.type("a").with_(element="i64"))
    places = at.np.reshape(_rewritten(at, nowhere, numbers), shape=(-1,))
    zeros = at.np.zeros((count + 1,), dtype=at.g.type.element)
    summed = scattered(zeros, places, at.np.reshape(at.g, shape=(-1,)))
    given[place] = at.np.reshape(summed[1:], shape=sizes)
    return given


def sorted_(at: Application) -> Any:
    """By an array that was sorted along an axis."""
    if at.constant("axis") is None:
        flat = at.np.reshape(at["a"], shape=(-1,))
        return at.np.reshape(_put_back(flat, at.g, 0), shape=at.sizes("a"))
    a = at["a"]
    return _put_back(a, at.g, axis_of(at.constant("axis"), a.ndim))


def parted(at: Application) -> Any:
    """By an array that was partitioned along an axis."""
    at.refuse("kind", "order")
    a, kth, axis = at["a"], at.constant("kth"), at.constant("axis")
    flat = at.np.reshape(a, shape=(-1,)) if axis is None else a
    place = 0 if axis is None else axis_of(axis, a.ndim)
    order = at.np.argpartition(flat, kth, axis=place)
    return at.np.reshape(_put_back(flat, at.g, place, order), shape=at.sizes("a"))


def below(at: Application) -> Any:
    """By the array that was clipped: nothing where it went beyond."""
    a, low, high = at["a"], *_bounds(at)
    g = at.g
    if low is not None:
        g = at.np.where(a < low, 0.0, g)
    return at.np.where(a > high, 0.0, g) if high is not None else g


def low_bound(at: Application) -> Any:
    """By the lower bound of a clip."""
    low, high = _bounds(at)
    inside = at["a"] < low
    if high is not None:
        inside = at.np.logical_and(inside, low <= high)
    return at.np.where(inside, at.g, 0.0)


def high_bound(at: Application) -> Any:
    """By the upper bound of a clip."""
    low, high = _bounds(at)
    reached = at["a"] if low is None else at.np.maximum(at["a"], low)
    return at.np.where(reached > high, at.g, 0.0)


def _bounds(at: Application) -> tuple[Any, Any]:
    names = [("a_min", "min"), ("a_max", "max")]
    return tuple(  # type: ignore[return-value]
        next((at[name] for name in pair if at.given(name)), None) for pair in names
    )


def _put_back(a: Expr, g: Expr, axis: int, order: Expr | None = None) -> Expr:
    """The gradient of what was sorted, or put in an ``order``, in the order from before."""
    np = a.writer.np
    sizes = tuple(map(int, a.sizes))
    places = np.reshape(np.arange(prod(sizes)), shape=sizes)
    by = np.argsort(a, axis=axis) if order is None else order
    came_from = np.take_along_axis(places, by, axis=axis)
    zeros = np.zeros((prod(sizes),), dtype=g.type.element)
    flat = scattered(zeros, np.reshape(came_from, shape=(-1,)), np.reshape(g, shape=(-1,)))
    made = np.reshape(flat, shape=sizes)
    assert isinstance(made, Expr)
    return made


def _once(index: Operand) -> bool:
    """Whether an index selects no place twice: no arrays of numbers are in it."""
    parts = index.items if isinstance(index, Pack) and index.kind == "tuple" else (index,)
    return not any(_is_list(part) for part in parts)


def _is_list(part: Operand) -> bool:
    if isinstance(part, Keyword) or (isinstance(part, Pack) and part.kind == "slice"):
        return False
    try:
        type_ = array_of(part)
    except Unknown:  # None, ... and slices
        return False
    return type_.ndim > 0 and type_.element != "bool"


def _rewritten(at: Application, array: Expr, value: object) -> Expr:
    """What the same write makes of another array, with another value."""
    items: list[object] = list(at.items("args"))
    items[_place_of_value(at)] = value
    made = at.writer.apply("ir.with_write", [array, *items], at.node.attributes)
    assert isinstance(made, Expr)
    return made


def _place_of_value(at: Application) -> int:
    """Which of the arguments besides the array it writes."""
    place = _VALUES.get(str(at.constant("by")))
    if place is None:
        raise Unsupported(f"the derivative of {at.constant('by')} isn't known")
    return place


_SUBTRACT_AT = Symbol("np", "subtract.at")
_SUMS = (ADD_AT, _SUBTRACT_AT)
_VALUES = {
    "np.add.at": 1,
    "np.subtract.at": 1,
    "np.put": 1,
    "np.ndarray.put": 1,
    "np.put_along_axis": 1,
    "np.place": 1,
    "np.putmask": 1,
    "np.copyto": 0,
    "np.fill_diagonal": 0,
}
"""Ops that write what they are given: the argument it is, after the array."""
