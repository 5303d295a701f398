"""Layers of networks, and the functions that they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..application import FLOATING, Application
from ..errors import Refused
from ..folding import folded
from ..model import dtype_for
from ..registry import exports


def _input(x: Application) -> str:
    return x.value("input", x.result.element)


def _unary(operator: str, **renamed: str) -> Callable[[Application], str]:
    """An operator of one input, with attributes by the names that PyTorch has for them."""

    def rule(x: Application) -> str:
        given = {ours: x.constant(theirs) for ours, theirs in renamed.items()}
        return x.emit(operator, _input(x), **{k: v for k, v in given.items() if v is not None})

    return rule


exports("torch.relu", "torch.nn.ReLU")(_unary("Relu"))
exports("torch.sigmoid", "torch.nn.Sigmoid")(_unary("Sigmoid"))
exports("torch.tanh", "torch.nn.Tanh")(_unary("Tanh"))
exports("torch.nn.functional.gelu", "torch.nn.GELU")(_unary("Gelu", approximate="approximate"))
exports("torch.nn.functional.elu", "torch.nn.ELU")(_unary("Elu", alpha="alpha"))
exports("torch.nn.functional.leaky_relu", "torch.nn.LeakyReLU")(
    _unary("LeakyRelu", alpha="negative_slope")
)


@exports("torch.nn.functional.silu", "torch.nn.SiLU")
def silu(x: Application) -> str:
    """x sigmoid(x): the operator for it, ``Swish``, is younger than most runtimes."""
    value = _input(x)
    return x.emit("Mul", value, x.emit("Sigmoid", value))


@exports("torch.nn.functional.softplus")
def softplus(x: Application) -> str:
    """log(1 + exp(beta x)) / beta."""
    beta, value = x.constant("beta", default=1.0), _input(x)
    if beta == 1:
        return x.emit("Softplus", value)
    scaled = x.emit("Mul", value, x.number(beta, x.result.element))
    return x.emit("Div", x.emit("Softplus", scaled), x.number(beta, x.result.element))


def _along(operator: str) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        ndim = x.result.ndim
        if not x.given("dim"):
            return x.emit(operator, _input(x), axis=0 if ndim in (0, 1, 3) else 1)
        return x.emit(operator, _input(x), axis=x.axis("dim", ndim=ndim))

    return rule


exports("torch.softmax", "torch.nn.functional.softmax", "torch.nn.Softmax")(_along("Softmax"))
exports("torch.log_softmax", "torch.nn.functional.log_softmax", "torch.nn.LogSoftmax")(
    _along("LogSoftmax")
)


@exports("torch.nn.functional.dropout", "torch.nn.Dropout")
def dropout(x: Application) -> str:
    """Nothing, in evaluation."""
    default = x.node.op.name == "nn.functional.dropout" and not x.node.note
    if x.constant("training", default=default) and x.constant("p", default=0.5):
        raise Refused("it is in training", "eval() on the model first")
    return _input(x)


@exports("torch.nn.functional.batch_norm")
def batch_norm(x: Application) -> str:
    """By the statistics that training left."""
    if x.constant("training", default=False) or not x.given("running_mean"):
        raise Refused("it is in training", "eval() on the model first")
    element, (channels,) = x.result.element, x.known(x.array("input").sizes[1:2])
    scale = x.value("weight", element) or x.number([1.0] * channels, element)
    bias = x.value("bias", element) or x.number([0.0] * channels, element)
    statistics = [x.value(name, element) for name in ("running_mean", "running_var")]
    epsilon = x.constant("eps", default=1e-5)
    known = [x.scope.model.constants.get(name) for name in (scale, bias, *statistics)]
    if all(array is not None for array in known):
        weight, shift, mean, variance = (np.asarray(array, np.float64) for array in known)
        factor = weight / np.sqrt(variance + epsilon)
        found = folded(x, "input", factor, shift - mean * factor)
        if found is not None:
            return found
    return x.emit("BatchNormalization", _input(x), scale, bias, *statistics, epsilon=epsilon)


@exports("torch.nn.functional.layer_norm")
def layer_norm(x: Application) -> str:
    """Over the last dimensions."""
    element, sizes = x.result.element, x.numbers("normalized_shape")
    scale = x.value("weight", element)
    if not scale:
        scale = x.array_constant(np.ones(sizes, dtype_for(element)))
    bias = x.value("bias", element)
    epsilon = x.constant("eps", default=1e-5)
    return x.emit("LayerNormalization", _input(x), scale, bias, axis=-len(sizes), epsilon=epsilon)


@exports("torch.nn.functional.group_norm")
def group_norm(x: Application) -> str:
    """Over groups of channels."""
    element, (channels,) = x.result.element, x.known(x.array("input").sizes[1:2])
    scale = x.value("weight", element) or x.number([1.0] * channels, element)
    bias = x.value("bias", element) or x.number([0.0] * channels, element)
    return x.emit(
        "GroupNormalization", _input(x), scale, bias,
        num_groups=x.constant("num_groups"), epsilon=x.constant("eps", default=1e-5),
    )  # fmt: skip


@exports("torch.nn.functional.normalize")
def normalize(x: Application) -> str:
    """Divided by the norm."""
    element, order = x.result.element, x.constant("p", default=2.0)
    if order not in (1, 2):
        raise Refused(f"p={order}", "p=2")
    axis = x.axis("dim", ndim=x.result.ndim, default=1)
    value = _input(x)
    length = x.emit(f"ReduceL{int(order)}", value, x.ints([axis]), keepdims=1)
    least = x.number(x.constant("eps", default=1e-12), element)
    return x.emit("Div", value, x.emit("Max", length, least))


def _each(value: Any, dims: int) -> list[int]:
    return [int(v) for v in value] if isinstance(value, tuple | list) else [int(value)] * dims


def _unless(default: int, values: list[int]) -> list[int] | None:
    """Numbers of an attribute; None, which leaves it out, where it would say what is so anyway."""
    return None if set(values) == {default} else values


def _convolution(dims: int, *, back: bool = False) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        element, padding = x.result.element, x.constant("padding", default=0)
        dilation = _each(x.constant("dilation", default=1), dims)
        if x.array("input").ndim != dims + 2:
            raise Refused("an input without a batch", "input[None]")
        kernel = list(x.known(x.array("weight").sizes[2:]))
        if padding == "same":
            whole = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
            pads = [*(w // 2 for w in whole), *(w - w // 2 for w in whole)]
        else:
            pads = _each(0 if padding == "valid" else padding, dims) * 2
        more = _unless(0, _each(x.constant("output_padding", default=0), dims)) if back else None
        return x.emit(
            "ConvTranspose" if back else "Conv",
            _input(x), x.value("weight", element), x.value("bias", element),
            kernel_shape=kernel, pads=_unless(0, pads), dilations=_unless(1, dilation),
            strides=_unless(1, _each(x.constant("stride", default=1), dims)),
            group=None if x.constant("groups", default=1) == 1 else x.constant("groups"),
            output_padding=more,
        )  # fmt: skip

    return rule


def _pooling(operator: str, dims: int) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        if x.array("input").ndim != dims + 2:
            raise Refused("an input without a batch", "input[None]")
        if x.constant("return_indices", default=False):
            raise Refused("return_indices=True", "without indices")
        kernel = _each(x.constant("kernel_size"), dims)
        stride = _each(x.constant("stride", default=kernel), dims)
        attributes: dict[str, Any] = {
            "kernel_shape": kernel,
            "strides": stride or kernel,
            "pads": _unless(0, _each(x.constant("padding", default=0), dims) * 2),
            "ceil_mode": int(bool(x.constant("ceil_mode", default=False))) or None,
        }
        if operator == "MaxPool":
            attributes["dilations"] = _unless(1, _each(x.constant("dilation", default=1), dims))
        else:
            attributes["count_include_pad"] = 1
        return x.emit(operator, _input(x), **attributes)

    return rule


def _adaptive(dims: int) -> Callable[[Application], str]:
    """As many windows as wanted, where they divide the image."""

    def rule(x: Application) -> str:
        given = x.known(x.array("input").sizes[-dims:])
        wanted = x.result.sizes[-dims:]
        if x.array("input").ndim != dims + 2:
            raise Refused("an input without a batch", "input[None]")
        if set(wanted) == {1}:
            return x.emit("GlobalAveragePool", _input(x))
        if any(size % (count or 1) for size, count in zip(given, wanted, strict=True)):
            raise Refused("windows of different sizes", "an output size that divides the input's")
        kernel = [size // (count or 1) for size, count in zip(given, wanted, strict=True)]
        return x.emit("AveragePool", _input(x), kernel_shape=kernel, strides=kernel)

    return rule


for _dims in (1, 2, 3):
    _function, _layer = f"torch.nn.functional.{{}}{_dims}d", f"torch.nn.{{}}{_dims}d"
    exports(_function.format("conv"))(_convolution(_dims))
    exports(_function.format("conv_transpose"))(_convolution(_dims, back=True))
    exports(_function.format("max_pool"), _layer.format("MaxPool"))(_pooling("MaxPool", _dims))
    exports(_function.format("avg_pool"), _layer.format("AvgPool"))(_pooling("AveragePool", _dims))
    exports(_function.format("adaptive_avg_pool"), _layer.format("AdaptiveAvgPool"))(
        _adaptive(_dims)
    )


@exports("torch.nn.functional.embedding")
def embedding(x: Application) -> str:
    """Rows of a table."""
    return x.emit("Gather", x.value("weight"), x.value("input"), axis=0)


def _loss(x: Application, value: str) -> str:
    """Elements of a loss, reduced as asked."""
    match x.constant("reduction", default="mean"):
        case "none":
            return value
        case "sum":
            return x.emit("ReduceSum", value, keepdims=0)
    return x.emit("ReduceMean", value, keepdims=0)


def _unweighted(x: Application) -> Sequence[str]:
    if x.given("weight"):
        raise Refused("weight=", "the weighted mean of the losses")
    return x.value("input", x.result.element), x.value("target", x.result.element)


@exports("torch.nn.functional.mse_loss", "torch.nn.MSELoss")
def mse_loss(x: Application) -> str:
    """The mean square of the differences."""
    apart = x.emit("Sub", *_unweighted(x))
    return _loss(x, x.emit("Mul", apart, apart))


@exports("torch.nn.functional.l1_loss")
def l1_loss(x: Application) -> str:
    """The mean size of the differences."""
    return _loss(x, x.emit("Abs", x.emit("Sub", *_unweighted(x))))


@exports("torch.nn.functional.binary_cross_entropy_with_logits", "torch.nn.BCEWithLogitsLoss")
def bce_with_logits(x: Application) -> str:
    """softplus(x) - x y."""
    value, target = _unweighted(x)
    return _loss(x, x.emit("Sub", x.emit("Softplus", value), x.emit("Mul", value, target)))


@exports("torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss")
def cross_entropy(x: Application) -> str:
    """Of class numbers, which ONNX has as one operator."""
    if x.array("target").element in FLOATING:
        raise Refused("probabilities as targets", "class numbers")
    return x.emit(
        "SoftmaxCrossEntropyLoss", x.value("input", x.result.element), x.value("target", "i64"),
        x.value("weight", x.result.element), reduction=x.constant("reduction", default="mean"),
    )  # fmt: skip


@exports("torch.nn.functional.nll_loss")
def nll_loss(x: Application) -> str:
    """Of class numbers and logarithms of probabilities."""
    return x.emit(
        "NegativeLogLikelihoodLoss", x.value("input", x.result.element), x.value("target", "i64"),
        x.value("weight", x.result.element), reduction=x.constant("reduction", default="mean"),
    )  # fmt: skip
