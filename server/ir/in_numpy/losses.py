"""Losses of predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..elements import FLOATS
from ..expressions import Expr
from ..gradients.application import Application, Unsupported
from .reductions import log_softmax

__all__ = ["FORMS"]


def _of_classes(at: Application) -> Any:
    """The cross entropy with the numbers of classes, or with their probabilities."""
    x, target = at["input"], at["target"]
    axis = 1 if x.ndim > 1 else 0
    logarithms = log_softmax(x, axis)
    if target.type.element in FLOATS:
        if _weight(at) is not None:
            raise Unsupported("weights of probabilities")
        each = -at.np.sum(logarithms * target, axis=axis)
        return _over_batch(at, each, axis)
    return _picked(at, logarithms, axis)


def _likelihood(at: Application) -> Any:
    return _picked(at, at["input"], 1 if at["input"].ndim > 1 else 0)


def _picked(at: Application, logarithms: Expr, axis: int) -> Any:
    """The negative of what a class number says, along ``axis``."""
    np, target = at.np, at["target"]
    places = np.expand_dims(target, axis)
    each = -np.reshape(np.take_along_axis(logarithms, places, axis=axis), shape=target.sizes)
    weight = _weight(at)
    if weight is None:
        return _over(at, each)
    weights = np.take(weight, target, axis=0)
    summed = np.sum(each * weights)
    if at["reduction"] == "mean":
        return summed / np.sum(weights)
    return summed if at["reduction"] == "sum" else each * weights


def _over_batch(at: Application, each: Expr, axis: int) -> Any:
    """Means are by examples, not by classes."""
    return _over(at, each) if each.ndim or axis == 0 else each


def _of_elements(each: Callable[[Any, Expr, Any], Any]) -> Callable[[Application], Any]:
    def form(at: Application) -> Any:
        if _weight(at) is not None:
            raise Unsupported("weights of elements")
        return _over(at, each(at.np, at["input"], at["target"]))

    return form


def _over(at: Application, each: Expr) -> Any:
    reduction = at["reduction"]
    return each if reduction == "none" else getattr(at.np, reduction)(each)


def _weight(at: Application) -> Any:
    return at["weight"] if "weight" in at.args and at.given("weight") else None


def _smooth(np: Any, x: Expr, y: Any) -> Any:
    size = np.absolute(x - y)
    return np.where(size < 1.0, size * size * 0.5, size - 0.5)


def _entropy(np: Any, x: Expr, y: Any) -> Any:
    """Logarithms are held above -100, as PyTorch holds them."""
    yes, no = (np.maximum(np.log(p), -100.0) for p in (x, 1.0 - x))
    return -(y * yes + (1.0 - y) * no)


def _entropy_of_logits(np: Any, x: Expr, y: Any) -> Any:
    return np.maximum(x, 0.0) - x * y + np.log1p(np.exp(-np.absolute(x)))


FORMS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("cross_entropy", "nn.CrossEntropyLoss"), _of_classes),
    "nll_loss": _likelihood,
    **dict.fromkeys(("mse_loss", "nn.MSELoss"), _of_elements(lambda np, x, y: np.square(x - y))),
    "l1_loss": _of_elements(lambda np, x, y: np.absolute(x - y)),
    "smooth_l1_loss": _of_elements(_smooth),
    "binary_cross_entropy": _of_elements(_entropy),
    "binary_cross_entropy_with_logits": _of_elements(_entropy_of_logits),
}
