"""Statistics that ignore NaN, as those of what is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..expressions import Expr
from ..shapes import axis_of
from .application import Application, Unsupported, conj

__all__ = ["deviation", "filled", "median", "quantile", "variance"]


def filled(name: str, fill: float) -> Callable[[Application], Any]:
    """``np.<name>`` of an array with ``fill`` for NaN."""

    def form(at: Application) -> Any:
        at.refuse("initial", "where")
        keywords = {key: at.constant(key) for key in ("axis", "keepdims") if key in at.args}
        a = at["a"]
        return getattr(at.np, name)(at.np.where(at.np.isnan(a), fill, a), **keywords)

    return form


def variance(at: Application) -> Any:
    """``nanvar`` by how far elements are from their mean."""
    at.refuse("where", "mean")
    np, a, how = at.np, at["a"], {"axis": at.constant("axis"), "keepdims": at.constant("keepdims")}
    there = np.logical_not(np.isnan(a))
    known = np.where(there, a, 0.0)
    number = np.sum(there, axis=how["axis"], keepdims=True)
    away = np.where(there, a - np.sum(known, axis=how["axis"], keepdims=True) / number, 0.0)
    squares = np.real(conj(away) * away)
    return np.sum(squares, **how) / (np.sum(there, **how) - at.constant("ddof"))


def deviation(at: Application) -> Any:
    """``nanstd`` as the root of the variance."""
    return at.np.sqrt(variance(at))


def median(at: Application) -> Any:
    """``nanmedian`` from what is sorted."""
    return _between(at, 0.5)


def quantile(scale: float) -> Callable[[Application], Any]:
    """``nanquantile`` and ``nanpercentile`` from what is sorted; ``scale`` is the whole."""

    def form(at: Application) -> Any:
        at.refuse("method", "weights")
        q = at.constant("q")
        if not isinstance(q, int | float):
            raise Unsupported("more than one quantile")
        return _between(at, q / scale)

    return form


def _between(at: Application, q: float) -> Any:
    """NaN is sorted to the end, so how many numbers there are tells the place."""
    np, axis, a = at.np, at.constant("axis"), at["a"]
    if isinstance(axis, tuple):
        raise Unsupported("several axes")
    place = 0 if axis is None else axis_of(axis, a.ndim)
    ordered = np.sort(np.reshape(a, shape=(-1,)) if axis is None else a, axis=place)
    number = np.sum(np.logical_not(np.isnan(ordered)), axis=place, keepdims=True)
    exact = (number - 1) * q
    low = _whole(np.floor(exact))
    high = np.minimum(low + 1, number - 1)
    part = exact - low
    below, above = (np.take_along_axis(ordered, which, axis=place) for which in (low, high))
    made = below * (1.0 - part) + above * part
    return np.reshape(made, shape=tuple(map(int, at.r.sizes)))


def _whole(expr: Expr) -> Any:
    return expr.writer.apply("np.ndarray.astype", [expr], {"dtype": "i64"})
