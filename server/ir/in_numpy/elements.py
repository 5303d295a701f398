"""Arithmetic, functions of elements, and what makes tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, Final

from ..expressions import Expr
from ..gradients.application import Application, Unsupported

__all__ = ["FORMS", "gelu"]


def gelu(at: Application) -> Any:
    """By the error function, or by the hyperbolic tangent."""
    x = at["input"]
    if "approximate" in at.info.parameters and at["approximate"] == "tanh":
        inner = (x + x * x * x * 0.044715) * sqrt(2 / 3.141592653589793)
        return x * (at.np.tanh(inner) + 1.0) * 0.5
    return x * (at.writer.apply("ir.erf", [x * sqrt(0.5)]) + 1.0) * 0.5


def softplus(at: Application) -> Any:
    """log(1 + exp(beta x)) / beta; x itself where that is no different."""
    x, beta = at["input"], at["beta"]
    scaled = x * beta
    curve = at.np.log1p(at.np.exp(at.np.minimum(scaled, at["threshold"]))) / beta
    return at.np.where(scaled > at["threshold"], x, curve)


def _scaled(name: str) -> Callable[[Application], Any]:
    """A sum or difference with ``alpha`` times the second."""

    def form(at: Application) -> Any:
        other = at["other"] if at["alpha"] == 1 else at["other"] * at["alpha"]
        return getattr(at.np, name)(at["input"], other)

    return form


def _divided(at: Application) -> Any:
    mode = at["rounding_mode"]
    if mode == "floor":
        return at.np.floor_divide(at["input"], at["other"])
    made = at.np.true_divide(at["input"], at["other"])
    return at.np.trunc(made) if mode == "trunc" else made


def _clamped(at: Application) -> Any:
    made = at["input"]
    if at.given("min"):
        made = at.np.where(at.np.less(made, at["min"]), at["min"], made)
    if at.given("max"):
        made = at.np.where(at.np.greater(made, at["max"]), at["max"], made)
    return made


def _filled(value: float | None) -> Callable[[Application], Any]:
    """A new tensor of one value, which is ``fill_value`` if none is given."""

    def form(at: Application) -> Any:
        given = at["fill_value"] if value is None else value
        return at.np.full(whole(at.r), given, dtype=at.r.type.element)

    return form


def _made(at: Application) -> Any:
    data = next(iter(at.args))
    return at.np.asarray(at[data], dtype=at.r.type.element)


def _range(at: Application) -> Any:
    start, end = (at["start"], at["end"]) if at.given("end") else (0, at["start"])
    return at.np.arange(start, end, at["step"], dtype=at.r.type.element)


def _eye(at: Application) -> Any:
    return at.np.eye(*whole(at.r), dtype=at.r.type.element)


def _given(at: Application) -> Any:
    """The argument: memory and devices are no matter here, its type is the caller's."""
    return at["input"]


def _drawn(at: Application) -> Any:
    training = at["training"] if "training" in at.info.defaults else not at.node.note
    if training and at["p"]:
        raise Unsupported("it is in training, and which elements it kept isn't known")
    return at["input"]


def _copied(at: Application) -> Any:
    return at.np.broadcast_to(at["src"], whole(at["input"]))


def _full(at: Application) -> Any:
    value = at["value"] if "value" in at.args else 0
    return at.np.full(whole(at["input"]), value, dtype=at["input"].type.element)


def whole(expr: Expr) -> tuple[int, ...]:
    """The sizes, without names."""
    return tuple(map(int, expr.sizes))


_SAME = (
    "square sign trunc floor ceil exp log log2 log1p expm1 sqrt reciprocal sin cos tan sinh cosh "
    "tanh isnan isfinite logical_not"
)
_OF_ONE = {
    **{name: name for name in _SAME.split()},
    "neg": "negative",
    "abs": "absolute",
    "bitwise_not": "invert",
    "round": "rint",
}
_SAME_OF_TWO = (
    "fmod floor_divide maximum minimum logical_and logical_or logical_xor bitwise_and bitwise_or "
    "bitwise_xor remainder"
)
_OF_TWO = {
    **{name: name for name in _SAME_OF_TWO.split()},
    "mul": "multiply",
    "pow": "power",
    "atan2": "arctan2",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
_CASTS = "contiguous cpu cuda numpy to float double half long int bool nn.Identity"
_RELU = "np.where(input <= 0, 0, input)"
_SIGMOID = "1.0 / (1.0 + np.exp(-input))"
_SILU = "input / (1.0 + np.exp(-input))"

FORMS: Final[Mapping[str, Any]] = {
    **{name: f"np.{other}(input)" for name, other in _OF_ONE.items()},
    **{name: f"np.{other}(input, other)" for name, other in _OF_TWO.items()},
    **dict.fromkeys(_CASTS.split(), _given),
    "erf": lambda at: at.writer.apply("ir.erf", [at["input"]]),
    "detach": lambda at: at.writer.apply("ir.detached", [at["input"]]),
    "clone": "np.copy(input)",
    "add": _scaled("add"),
    "sub": _scaled("subtract"),
    "div": _divided,
    "rsqrt": "1.0 / np.sqrt(input)",
    "clamp": _clamped,
    "where": "np.where(condition, input, other)",
    "masked_fill": "np.where(mask, value, input)",
    # activations
    **dict.fromkeys(("relu", "nn.ReLU"), _RELU),
    **dict.fromkeys(("sigmoid", "nn.Sigmoid"), _SIGMOID),
    **dict.fromkeys(("silu", "nn.SiLU"), _SILU),
    **dict.fromkeys(("gelu", "nn.GELU"), gelu),
    "nn.Tanh": "np.tanh(input)",
    "elu": "np.where(input > 0, input, alpha * np.expm1(np.minimum(input, 0)))",
    "leaky_relu": "np.where(input > 0, input, input * negative_slope)",
    "softplus": softplus,
    **dict.fromkeys(("dropout", "nn.Dropout"), _drawn),
    # new tensors
    **dict.fromkeys(("tensor", "from_numpy"), _made),
    **dict.fromkeys(("zeros", "zeros_like"), _filled(0)),
    **dict.fromkeys(("ones", "ones_like"), _filled(1)),
    "full": _filled(None),
    "arange": _range,
    "eye": _eye,
    "copy_": _copied,
    **dict.fromkeys(("fill_", "zero_"), _full),
}
