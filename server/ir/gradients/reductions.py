"""Gradients of reductions, scans and statistics."""

from __future__ import annotations

from math import prod
from typing import Any

from ..expressions import Expr
from ..shapes import axis_of, reduced
from .application import Application, Unsupported, conj, is_complex

__all__ = ["extreme", "mean", "product", "scan_of_products", "scan_of_sums", "spread", "total"]


def total(at: Application) -> Any:
    """For ``sum``: every element counts once."""
    at.refuse("initial")
    return _where(at, spread(at, at.g))


def total_but_nan(at: Application) -> Any:
    """For ``nansum``: every element but NaN counts once."""
    at.refuse("initial", "where")
    return at.np.where(at.np.isnan(at["a"]), 0.0, spread(at, at.g))


def mean(at: Application) -> Any:
    """For ``mean``: every element counts by its part."""
    at.refuse("where")
    return spread(at, at.g) / _count(at)


def mean_but_nan(at: Application) -> Any:
    """For ``nanmean``: the elements but NaN count by their part."""
    at.refuse("where")
    there = at.np.logical_not(at.np.isnan(at["a"]))
    number = at.np.sum(there, axis=at.axes("a"), keepdims=True)
    return at.np.where(there, spread(at, at.g) / number, 0.0)


def variance(at: Application) -> Any:
    """For ``var``: by how far an element is from the mean."""
    at.refuse("where", "mean")
    return conj(_away(at)) * (spread(at, at.g) * (2.0 / (_count(at) - at.constant("ddof"))))


def deviation(at: Application) -> Any:
    """For ``std``: as ``var``, by the result."""
    at.refuse("where", "mean")
    each = spread(at, at.g / at.r)
    return conj(_away(at)) * (each * (1.0 / (_count(at) - at.constant("ddof"))))


def product(at: Application) -> Any:
    """For ``prod``: the product of all others, which is taken apart where some are 0."""
    at.refuse("where", "initial")
    np, a, axes = at.np, at["a"], at.axes("a")
    zero = np.equal(a, 0)
    plain = np.where(zero, 1.0, a)
    zeros = np.sum(zero, axis=axes, keepdims=True)
    rest = np.prod(plain, axis=axes, keepdims=True)
    among = np.where(np.equal(zeros, 0), rest / plain, 0.0)
    others = np.where(zero, np.where(np.equal(zeros, 1), rest, 0.0), among)
    return spread(at, at.g) * others


def extreme(at: Application) -> Any:
    """For ``max`` and ``min``: what is equal to the result, in equal parts."""
    at.refuse("where", "initial")
    same = at.np.equal(at["a"], spread(at, at.r))
    return same * (spread(at, at.g) / at.np.sum(same, axis=at.axes("a"), keepdims=True))


def scan_of_sums(at: Application) -> Any:
    """For ``cumsum``: an element counts from its place on."""
    return _rest(at, at.g)


def scan_of_products(at: Application) -> Any:
    """For ``cumprod``, where no element is 0."""
    return _rest(at, at.g * at.r) / at["a"]


def spread(at: Application, reduced_: Expr, name: str = "a") -> Expr:
    """The result of a reduction in the sizes from before it."""
    sizes = at.sizes(name)
    kept = reduced(sizes, at.constant("axis"), True)
    np = at.np
    if reduced_.sizes != kept:
        reduced_ = np.reshape(reduced_, shape=tuple(int(size or 0) for size in kept))
    made = np.broadcast_to(reduced_, sizes) if reduced_.sizes != sizes else reduced_
    assert isinstance(made, Expr)
    return made


def differences(at: Application) -> Any:
    """``diff`` by slices."""
    at.refuse("prepend", "append")
    a = at["a"]
    axis = axis_of(at.constant("axis"), a.ndim)
    before = (slice(None),) * axis
    for _ in range(at.constant("n")):
        a = a[(*before, slice(1, None))] - a[(*before, slice(None, -1))]
    return a


def weighted_mean(at: Application) -> Any:
    """``average`` as a mean, or by weights."""
    at.refuse("returned")
    np, a, axis, keepdims = at.np, at["a"], at.constant("axis"), at.constant("keepdims")
    if not at.given("weights"):
        return np.mean(a, axis=axis, keepdims=keepdims)
    weights = at["weights"]
    if len(at.sizes("weights")) != len(at.sizes("a")):
        if not isinstance(axis, int):
            raise Unsupported("weights in other sizes")
        ones = [1] * len(at.sizes("a"))
        ones[axis] = at.sizes("weights")[0]
        weights = np.broadcast_to(np.reshape(weights, shape=tuple(ones)), at.sizes("a"))
    whole = np.sum(weights, axis=axis, keepdims=keepdims)
    return np.sum(a * weights, axis=axis, keepdims=keepdims) / whole


def area(at: Application) -> Any:
    """``trapezoid`` by slices."""
    np, y = at.np, at["y"]
    axis = axis_of(at.constant("axis"), y.ndim)
    before = (slice(None),) * axis
    heights = (y[(*before, slice(1, None))] + y[(*before, slice(None, -1))]) / 2.0
    if not at.given("x"):
        return np.sum(heights * at["dx"], axis=axis)
    x = at["x"]
    if len(at.sizes("x")) == 1:
        widths = np.reshape(x[1:] - x[:-1], shape=(-1, *(1,) * (y.ndim - axis - 1)))
    else:
        widths = x[(*before, slice(1, None))] - x[(*before, slice(None, -1))]
    return np.sum(heights * widths, axis=axis)


def middle(at: Application) -> Any:
    """``median`` from what is sorted."""
    return _between(at, at["a"], 0.5)


def quantile(scale: float) -> Any:
    """``quantile`` and ``percentile`` from what is sorted; ``scale`` is the whole."""

    def form(at: Application) -> Any:
        at.refuse("method", "weights")
        q = at.constant("q")
        if not isinstance(q, int | float):
            raise Unsupported("more than one quantile")
        return _between(at, at["a"], q / scale)

    return form


def covariance(at: Application) -> Any:
    """``cov`` of rows or columns."""
    at.refuse("y", "fweights", "aweights", "bias")
    np, m = at.np, at["m"]
    if len(at.sizes("m")) != 2:
        raise Unsupported("one variable alone")
    rows = m if at.constant("rowvar") else m.T
    ddof = 1 if at.constant("ddof") is None else at.constant("ddof")
    away = rows - np.mean(rows, axis=1, keepdims=True)
    made = away @ (conj(away.T) / float(rows.sizes[1] - ddof))
    return made if at.r.ndim == 2 else np.reshape(made, shape=())


def correlation(at: Application) -> Any:
    """``corrcoef`` as covariances by deviations."""
    at.refuse("y")
    np = at.np
    if at.r.ndim != 2:
        raise Unsupported("one variable alone")
    cov = np.cov(at["x"], rowvar=at.constant("rowvar"))
    deviations = np.sqrt(np.real(np.diagonal(cov)))
    return cov / deviations / np.expand_dims(deviations, 1)


def norm(at: Application) -> Any:
    """``norm`` of vectors, and Frobenius's of matrices."""
    np, x, axis = at.np, at["x"], at.constant("axis")
    order, keepdims = at.constant("ord"), at.constant("keepdims")
    of_vectors = isinstance(axis, int) or (axis is None and x.ndim == 1)
    how = {"axis": axis, "keepdims": keepdims}
    if order in (None, "fro") or (order == 2 and of_vectors):
        square = np.real(conj(x) * x) if is_complex(x) else x * x
        return np.sqrt(np.sum(square, **how))
    if not of_vectors:
        raise Unsupported(f"the norm {order!r} of matrices")
    size = np.absolute(x)
    if order == 1:
        return np.sum(size, **how)
    if order in (float("inf"), float("-inf")):
        return (np.max if order > 0 else np.min)(size, **how)
    if not isinstance(order, int | float) or order == 0:
        raise Unsupported(f"the norm {order!r}")
    return np.sum(size**order, **how) ** (1.0 / order)


def _between(at: Application, a: Expr, q: float) -> Any:
    np, axis = at.np, at.constant("axis")
    if isinstance(axis, tuple):
        raise Unsupported("several axes")
    place = 0 if axis is None else axis_of(axis, a.ndim)
    ordered = np.sort(np.reshape(a, shape=(-1,)) if axis is None else a, axis=place)
    exact = q * (ordered.sizes[place] - 1)
    low = int(exact)
    high = min(low + 1, ordered.sizes[place] - 1)
    before = (slice(None),) * place
    made = ordered[(*before, low)] * (1.0 - (exact - low)) + ordered[(*before, high)] * (
        exact - low
    )
    return np.reshape(made, shape=tuple(map(int, at.r.sizes)))


def _away(at: Application) -> Any:
    return at["a"] - at.np.mean(at["a"], axis=at.axes("a"), keepdims=True)


def _rest(at: Application, g: Expr) -> Any:
    """The sum of each element and all behind it, in the sizes of the argument."""
    axis = at.constant("axis")
    place = 0 if axis is None else axis
    summed = at.np.flip(at.np.cumsum(at.np.flip(g, axis=place), axis=place), axis=place)
    return at.np.reshape(summed, shape=at.sizes("a")) if axis is None else summed


def _count(at: Application) -> int:
    sizes = at.sizes("a")
    return prod(int(sizes[axis]) for axis in at.axes("a"))


def _where(at: Application, g: Expr) -> Any:
    return at.np.where(at["where"], g, 0.0) if at["where"] is not True else g
