"""Reductions and scans: over ``axis`` (``dim``), with ``keepdims`` (``keepdim``)."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...ir.shapes import total
from ..application import FLOATING, Application
from ..errors import Refused
from ..registry import exports
from .shapes import diagonal

AXIS, KEEP = ("axis", "dim"), ("keepdims", "keepdim")


def _source(x: Application) -> str:
    return x.first("a", "input", "x")


def _kept(x: Application) -> bool:
    return bool(x.constant(*KEEP, default=False))


def _axes(x: Application) -> tuple[int, ...]:
    return x.axes(*AXIS, ndim=x.array(_source(x)).ndim)


def _plain(x: Application) -> None:
    for name in ("where", "initial"):
        if x.given(name) and x.constant(name) is not True:
            raise Refused(f"{name}=")


def reduce(x: Application, operator: str, value: str, *, keep: bool | None = None) -> str:
    """One operator over the axes that are asked for."""
    _plain(x)
    axes = _axes(x)
    if not axes:  # of an array without dimensions, it is the array
        return value
    keep = _kept(x) if keep is None else keep
    every = len(axes) == x.array(_source(x)).ndim
    return x.emit(operator, value, "" if every else x.ints(axes), keepdims=int(keep))


def _reduction(operator: str) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        element = x.result.element
        return reduce(x, operator, x.value(_source(x), element))

    return rule


exports("np.sum", "torch.sum")(_reduction("ReduceSum"))
exports("np.prod", "torch.prod")(_reduction("ReduceProd"))
exports("np.mean", "torch.mean")(_reduction("ReduceMean"))
exports("torch.logsumexp")(_reduction("ReduceLogSumExp"))


def _extreme(operator: str) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        element = x.result.element
        value = x.value(_source(x), element)
        if element == "bool":  # which have an operator, but not in every runtime
            return x.cast(reduce(x, operator, x.cast(value, "bool", "u8")), "u8", "bool")
        return reduce(x, operator, value)

    return rule


exports("np.max", "np.amax", "torch.amax")(_extreme("ReduceMax"))
exports("np.min", "np.amin", "torch.amin")(_extreme("ReduceMin"))


def _with_place(largest: str, place: str) -> Callable[[Application], str | list[str]]:
    """PyTorch's ``max`` and ``min``: with a dimension, the places are the second result."""

    def rule(x: Application) -> str | list[str]:
        if not x.given("dim"):
            return _extreme(largest)(x)
        if not isinstance(x.constant("dim"), int):
            raise Refused("of two tensors", f"torch.{x.node.op.name}imum")
        return [_extreme(largest)(x), _place(place)(x)]

    return rule


def _place(operator: str) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        name = _source(x)
        type_ = x.array(name)
        value = x.value(name, "u8" if type_.element == "bool" else None)
        keep, ndim = _kept(x), type_.ndim
        if not x.given(x.first(*AXIS)):
            value = x.emit("Reshape", value, x.ints([-1]))
            found = x.emit(operator, value, axis=0, keepdims=0)
            return x.emit("Reshape", found, x.ints([1] * ndim)) if keep and ndim else found
        return x.emit(operator, value, axis=x.axis(*AXIS, ndim=ndim), keepdims=int(keep))

    return rule


exports("np.argmax", "torch.argmax")(_place("ArgMax"))
exports("np.argmin", "torch.argmin")(_place("ArgMin"))
exports("torch.max")(_with_place("ReduceMax", "ArgMax"))
exports("torch.min")(_with_place("ReduceMin", "ArgMin"))


@exports("np.ptp")
def ptp(x: Application) -> str:
    """The largest less the smallest."""
    value = x.value(_source(x), x.result.element)
    return x.emit("Sub", reduce(x, "ReduceMax", value), reduce(x, "ReduceMin", value))


def _of_truth(operator: str) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        value = x.cast(x.truth(_source(x)), "bool", "u8")
        return x.cast(reduce(x, operator, value), "u8", x.result.element)

    return rule


exports("np.all", "torch.all")(_of_truth("ReduceMin"))
exports("np.any", "torch.any")(_of_truth("ReduceMax"))


@exports("np.count_nonzero")
def count_nonzero(x: Application) -> str:
    """How many are not 0."""
    return reduce(x, "ReduceSum", x.cast(x.truth(_source(x)), "bool", "i64"))


@exports("np.var", "torch.var")
def variance(x: Application) -> str:
    """The mean square of what is apart from the mean."""
    element = x.result.element
    value = x.value(_source(x), element)
    centred = x.emit("Sub", value, reduce(x, "ReduceMean", value, keep=True))
    squares = x.emit("Mul", centred, centred)
    less = x.constant("ddof", "correction", default=1 if x.torch else 0)
    if not less:
        return reduce(x, "ReduceMean", squares)
    sizes = x.array(_source(x)).sizes
    count = total(x.known(tuple(sizes[axis] for axis in _axes(x)))) or 0
    if count <= less:
        raise Refused("the variance of one element")
    return x.emit("Div", reduce(x, "ReduceSum", squares), x.number(count - less, element))


@exports("np.std", "torch.std")
def deviation(x: Application) -> str:
    """The root of the variance."""
    return x.emit("Sqrt", variance(x))


def _without_nan(operator: str, instead: float) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        element = x.result.element
        value = x.value(_source(x), element)
        if element in FLOATING:
            value = x.where(x.emit("IsNaN", value), x.number(instead, element), value)
        return reduce(x, operator, value)

    return rule


exports("np.nansum")(_without_nan("ReduceSum", 0))
exports("np.nanprod")(_without_nan("ReduceProd", 1))
exports("np.nanmax")(_without_nan("ReduceMax", -math.inf))
exports("np.nanmin")(_without_nan("ReduceMin", math.inf))


@exports("np.nanmean")
def nanmean(x: Application) -> str:
    """The mean of those that are numbers."""
    element = x.result.element
    value = x.value(_source(x), element)
    if element not in FLOATING or x.array(_source(x)).element not in FLOATING:
        return reduce(x, "ReduceMean", value)
    missing = x.emit("IsNaN", value)
    there = x.cast(x.emit("Not", missing), "bool", element)
    known = x.where(missing, x.number(0, element), value)
    return x.emit("Div", reduce(x, "ReduceSum", known), reduce(x, "ReduceSum", there))


@exports("np.average")
def average(x: Application) -> str:
    """The mean, perhaps weighted."""
    element = x.result.element
    value = x.value("a", element)
    if not x.given("weights"):
        return reduce(x, "ReduceMean", value)
    weights = x.value("weights", element)
    type_, given = x.array("a"), x.array("weights")
    if given.sizes != type_.sizes:
        (axis,) = _axes(x)
        wide = [1] * type_.ndim
        wide[axis] = -1
        weights = x.emit("Reshape", weights, x.ints(wide))
        weights = x.emit("Expand", weights, x.emit("Shape", value))
    product = reduce(x, "ReduceSum", x.emit("Mul", value, weights))
    return x.emit("Div", product, reduce(x, "ReduceSum", weights))


@exports("np.cumsum", "torch.cumsum")
def cumsum(x: Application) -> str:
    """Sums of all up to here."""
    return _scan(x, "CumSum")


@exports("np.cumprod", "torch.cumprod")
def cumprod(x: Application) -> str:
    """Products of all up to here."""
    return _scan(x, "CumProd")


def _scan(x: Application, operator: str) -> str:
    element = x.result.element
    value, ndim = x.value(_source(x), element), x.array(_source(x)).ndim
    if not x.given(x.first(*AXIS)):
        value, ndim = x.emit("Reshape", value, x.ints([-1])), 1
    axis = x.axis(*AXIS, ndim=ndim)
    return x.emit(operator, value, x.number(axis, "i64"))


@exports("np.diff")
def diff(x: Application) -> str:
    """The differences of neighbours."""
    if x.constant("n", default=1) != 1 or x.given("prepend") or x.given("append"):
        raise Refused("n, prepend or append", "np.diff without them")
    type_ = x.array("a")
    value = x.value("a")
    axis = x.axis("axis", ndim=type_.ndim, default=-1)
    ends = (x.ints([0]), x.ints([-1]), x.ints([1]), x.ints([2**62]))
    before = x.emit("Slice", value, ends[0], ends[1], x.ints([axis]))
    after = x.emit("Slice", value, ends[2], ends[3], x.ints([axis]))
    return x.emit("Xor" if type_.element == "bool" else "Sub", after, before)


@exports("np.linalg.norm")
def norm(x: Application) -> str:
    """The roots of sums of squares, and sums of sizes."""
    order, element = x.constant("ord"), x.result.element
    value = x.value("x", element)
    axes = _axes(x)
    if order in (None, "fro") or (order == 2 and len(axes) == 1):
        return reduce(x, "ReduceL2", value)
    if order == 1 and len(axes) == 1:
        return reduce(x, "ReduceL1", value)
    if order == math.inf and len(axes) == 1:
        return reduce(x, "ReduceMax", x.emit("Abs", value))
    raise Refused(f"ord={order!r}", "np.linalg.norm of order 2")


@exports("np.trace")
def trace(x: Application) -> str:
    """The sum of the diagonal."""
    return x.emit(
        "ReduceSum", x.cast(diagonal(x), x.array("a").element, x.result.element), keepdims=0
    )
