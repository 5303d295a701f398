"""Reductions, scans and order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..expressions import Expr
from ..gradients.application import Application

__all__ = ["FORMS", "log_softmax", "softmax"]


def softmax(x: Expr, axis: int) -> Any:
    """exp(x) as parts of their sum, without overflow."""
    np = x.writer.np
    parts = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return parts / np.sum(parts, axis=axis, keepdims=True)


def log_softmax(x: Expr, axis: int) -> Any:
    """The logarithm of softmax."""
    np = x.writer.np
    away = x - np.max(x, axis=axis, keepdims=True)
    return away - np.log(np.sum(np.exp(away), axis=axis, keepdims=True))


def _reduced(name: str, **more: str) -> Callable[[Application], Any]:
    """``np.<name>`` over ``dim``; ``more`` says which arguments are others of it."""

    def form(at: Application) -> Any:
        others = {theirs: at[ours] for theirs, ours in more.items()}
        return getattr(at.np, name)(at["input"], **_over(at), **others)

    return form


def _extreme(name: str) -> Callable[[Application], Any]:
    """``max`` and ``min``: along a dimension with the places, or of two tensors."""

    def form(at: Application) -> Any:
        made = getattr(at.np, name)(at["input"], **_over(at))
        if len(at.node.results) == 1:
            return made
        return made, getattr(at.np, f"arg{name}")(at["input"], **_over(at))

    return form


def _log_sum(at: Application) -> Any:
    np, x, over = at.np, at["input"], _over(at)
    top = np.max(x, axis=over["axis"], keepdims=True)
    summed = np.log(np.sum(np.exp(x - top), **over))
    return summed + (top if over["keepdims"] else np.reshape(top, shape=summed.sizes))


def _sorted(at: Application) -> Any:
    order = _order(at)
    return at.np.take_along_axis(at["input"], order, axis=at["dim"]), order


def _topmost(at: Application) -> Any:
    axis, x = at["dim"], at["input"]
    order = at.np.argsort(-x if at["largest"] else x, axis=axis)
    places = at.np.take(order, list(range(at["k"])), axis=axis)
    return at.np.take_along_axis(x, places, axis=axis), places


def _order(at: Application) -> Any:
    x = -at["input"] if at["descending"] else at["input"]
    return at.np.argsort(x, axis=at["dim"])


def _along(function: Callable[[Expr, int], Any]) -> Callable[[Application], Any]:
    def form(at: Application) -> Any:
        axis, ndim = at["dim"], at["input"].ndim
        if axis is None:  # what PyTorch takes, though it says not to rely on it
            axis = 0 if ndim in (0, 1, 3) else 1
        return function(at["input"], axis)

    return form


def _over(at: Application) -> dict[str, Any]:
    axis = at["dim"] if "dim" in at.info.parameters else None
    axis = tuple(axis) if isinstance(axis, list) else axis
    return {"axis": axis, "keepdims": at["keepdim"]}


FORMS: Final[Mapping[str, Any]] = {
    **{n: _reduced(n) for n in ("sum", "mean", "prod", "argmax", "argmin", "all", "any")},
    "std": _reduced("std", ddof="correction"),
    "var": _reduced("var", ddof="correction"),
    "amax": _reduced("max"),
    "amin": _reduced("min"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "logsumexp": _log_sum,
    "cumsum": "np.cumsum(input, axis=dim)",
    "cumprod": "np.cumprod(input, axis=dim)",
    **dict.fromkeys(("softmax", "nn.Softmax"), _along(softmax)),
    **dict.fromkeys(("log_softmax", "nn.LogSoftmax"), _along(log_softmax)),
    "sort": _sorted,
    "argsort": _order,
    "topk": _topmost,
}
