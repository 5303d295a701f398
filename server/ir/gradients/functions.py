"""Functions of one variable that are given by numbers: polynomials, points, slopes, spaced numbers.

Each is written as NumPy's documentation defines it.
"""

from __future__ import annotations

from math import pi
from typing import Any

from ..expressions import Expr
from ..values import Pack
from .application import Application, Unsupported, is_complex

__all__ = ["angle", "evenly", "fitted", "horner", "interpolated", "powers", "slopes", "steps"]


def interpolated(at: Application) -> Any:
    """``interp`` as lines between the points to the left and to the right."""
    at.refuse("period")
    np, x = at.np, at["x"]
    xs, ys = np.asarray(at["xp"]), np.asarray(at["fp"])
    if xs.sizes[0] < 2:
        raise Unsupported("a single point")
    left = np.clip(np.searchsorted(xs, x, side="right") - 1, 0, xs.sizes[0] - 2)
    x0, y0 = np.take(xs, left), np.take(ys, left)
    slope = (np.take(ys, left + 1) - y0) / (np.take(xs, left + 1) - x0)
    made = y0 + slope * (x - x0)
    before = at["left"] if at.given("left") else ys[0]
    behind = at["right"] if at.given("right") else ys[-1]
    return np.where(np.less(x, xs[0]), before, np.where(np.greater(x, xs[-1]), behind, made))


def horner(at: Application) -> Any:
    """``polyval`` by Horner's scheme."""
    p, x = at.np.asarray(at["p"]), at["x"]
    made = p[0]
    for k in range(1, p.sizes[0]):
        made = made * x + p[k]
    return made


def fitted(at: Application) -> Any:
    """``polyfit`` as the solution of least squares, by a factorisation."""
    at.refuse("full", "cov", "rcond")
    np, y, degree = at.np, at.np.asarray(at["y"]), at.constant("deg")
    if not isinstance(degree, int):
        raise Unsupported("a list of degrees")
    table = np.vander(np.asarray(at["x"]) * 1.0, degree + 1)
    if at.given("w"):
        weights = np.expand_dims(np.asarray(at["w"]), 1)
        table = table * weights
        y = y * (weights if y.ndim == 2 else at["w"])
    q, r = np.linalg.qr(table)
    return np.linalg.solve(r, q.T @ y)


def powers(at: Application) -> Any:
    """``vander`` as products, column by column."""
    x, n = at["x"], at.constant("N")
    columns = [at.np.ones_like(x)]
    for _ in range(1, x.sizes[0] if n is None else n):
        columns.append(columns[-1] * x)
    return at.np.stack(columns if at.constant("increasing") else columns[::-1], axis=-1)


def steps(at: Application) -> Any:
    """``ediff1d`` by slices."""
    np, flat = at.np, at.np.ravel(at["ary"])
    parts = [flat[1:] - flat[:-1]]
    if at.given("to_begin"):
        parts.insert(0, np.ravel(np.asarray(at["to_begin"])))
    if at.given("to_end"):
        parts.append(np.ravel(np.asarray(at["to_end"])))
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def slopes(at: Application) -> Any:
    """``gradient`` by slices: one result for each axis."""
    at.refuse("edge_order")
    f = at["f"]
    axes = range(f.ndim) if at.constant("axis") is None else at.axes("f")
    given = at["varargs"] if "varargs" in at.args else (1.0,)
    distances = given * len(axes) if len(given) == 1 else given
    made = tuple(_slope(at, f, axis, d) for axis, d in zip(axes, distances, strict=True))
    return made if len(at.node.results) > 1 else made[0]


def evenly(at: Application) -> Any:
    """``linspace`` and its kin as steps from the start."""
    at.refuse("retstep", "axis")
    np, count = at.np, at.constant("num")
    start, stop = np.asarray(at["start"]), np.asarray(at["stop"])
    ndim = max(start.ndim, stop.ndim)
    number = np.reshape(np.arange(count), shape=(count, *(1,) * ndim))
    parts = max(count - bool(at.constant("endpoint")), 1)
    if at.info.symbol.name == "geomspace":
        return start * (stop / start) ** (number * (1.0 / parts))
    made = start + (stop - start) * (number * (1.0 / parts))
    return at["base"] ** made if at.info.symbol.name == "logspace" else made


def angle(at: Application) -> Any:
    """By a complex number whose angle was taken; that of a real one is 0 or π."""
    z, scale = at["z"], 180 / pi if at.constant("deg") else 1.0
    return at.g * -1j * scale / z if is_complex(z) else None


def range_start(at: Application) -> Any:
    """By where ``arange`` begins; alone, that argument is where it ends."""
    return at.g if at.given("stop") else None


def element(at: Application) -> Any:
    """By an array of which ``item`` gave an element."""
    index = at.items("args") if "args" in at.args else ()
    if len(index) == 1 and isinstance(index[0], Pack):
        index = index[0].items
    if not index:
        return at.np.reshape(at.np.asarray(at.g), shape=at.sizes("a"))
    zeros, ndim = at.writer.zeros(at.type("a")), len(at.sizes("a"))
    if len(index) == 1 and ndim > 1:
        flat = at.np.ravel(zeros)
        made = at.writer.apply("ir.with_item", [flat, index[0], at.g])
        return at.np.reshape(made, shape=at.sizes("a"))
    return at.writer.apply("ir.with_item", [zeros, index, at.g])


def _slope(at: Application, f: Expr, axis: int, distance: Any) -> Any:
    np, before = at.np, (slice(None),) * axis

    def part(start: int | None, stop: int | None) -> Expr:
        return f[(*before, slice(start, stop))]

    if not isinstance(distance, Expr) or distance.ndim == 0:
        inner = (part(2, None) - part(None, -2)) / (2.0 * distance)
        first = (part(1, 2) - part(None, 1)) / distance
        last = (part(-1, None) - part(-2, -1)) / distance
        return np.concatenate([first, inner, last], axis=axis)
    steps = np.reshape(distance[1:] - distance[:-1], shape=(-1, *(1,) * (f.ndim - axis - 1)))
    one, two = steps[:-1], steps[1:]
    inner = (
        part(None, -2) * (-two / (one * (one + two)))
        + part(1, -1) * ((two - one) / (one * two))
        + part(2, None) * (one / (two * (one + two)))
    )
    first = (part(1, 2) - part(None, 1)) / steps[:1]
    last = (part(-1, None) - part(-2, -1)) / steps[-1:]
    return np.concatenate([first, inner, last], axis=axis)
