"""Every op of PyTorch that has an export: what onnxruntime gives is what PyTorch gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from running import OneOp, run
from with_torch import need_torch

from jit_lsp.export.errors import ExportError
from jit_lsp.export.exporter import export
from jit_lsp.export.registry import exported
from jit_lsp.ir import Operand, Pack, Symbol, as_operand

need_torch()
import torch  # noqa: E402

from tests.unit.ir.test_torch_rules import CALLS, F, c, freeze, one, pair, t, type_of  # noqa: E402

ROUNDS = 4
MOST_ROUNDS = 40
RUNNABLE = (torch.bool, torch.uint8, torch.int32, torch.int64, torch.float32, torch.float64)


def fixed(*calls: Any) -> Callable[[Any], Any]:
    return lambda draw: draw.choice(calls)


def index(high: int, *sizes: int) -> Any:
    return torch.randint(0, high, sizes)


X, IMAGE = t(3, 4), t(2, 4, 8, 8)
ROW, VOLUME = t(2, 4, 8), t(2, 4, 6, 4, 4)
OF_DIMENSIONS = {1: ROW, 2: IMAGE, 3: VOLUME}
MORE: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("pow", "remainder", "fmod", "floor_divide", "logical_xor"), pair),
    **dict.fromkeys(
        ("log2", "log1p", "expm1", "rsqrt", "reciprocal", "cos", "tan", "sinh", "cosh", "erf"), one
    ),
    **dict.fromkeys(("trunc", "bitwise_not"), one),
    **dict.fromkeys(
        ("bitwise_and", "bitwise_or", "bitwise_xor"),
        fixed(c(index(9, 3), index(9, 3)), c(index(2, 3) > 0, index(2, 3) > 0)),
    ),
    **dict.fromkeys(("argmin", "var", "min"), fixed(c(X), c(X, dim=0), c(X, dim=1, keepdim=True))),
    **dict.fromkeys(("cumprod", "log_softmax"), fixed(c(X, 0), c(X, -1))),
    "argsort": fixed(c(torch.randperm(12).reshape(3, 4), 0), c(torch.randperm(5))),
    "Tensor.T": fixed(c(X)),
    "Tensor.mT": fixed(c(t(2, 3, 4))),
    "Tensor.contiguous": fixed(c(X)),
    "flip": fixed(c(X, (0,)), c(X, (0, 1))),
    "roll": fixed(c(X, 1), c(X, (1, -2), (0, 1))),
    **dict.fromkeys(("tril", "triu"), fixed(c(X), c(X, 1), c(t(2, 3, 3), -1))),
    "masked_fill": fixed(c(X, index(2, 3, 4) > 0, 0.5), c(X, index(2, 4) > 0, -1.0)),
    "masked_select": fixed(c(X, index(2, 3, 4) > 0)),
    "Tensor.to": fixed(c(X, torch.float64), c(X, torch.int32)),
    **dict.fromkeys(("Tensor.float", "Tensor.half", "Tensor.int", "Tensor.bool"), fixed(c(X))),
    "Tensor.cpu": fixed(c(X)),
    "getitem": fixed(
        c(X, 1), c(X, (slice(None), -1)), c(X, (slice(0, 2), slice(None, None, 2))),
        c(X, (None, 1)), c(X, index(3, 2)), c(X, (..., 0)), c(X, (index(3, 2), index(4, 2))),
    ),
    "einsum": fixed(c("ij,jk->ik", X, t(4, 2)), c("ij->j", X)),
    "ones_like": one,
    "linspace": fixed(c(0.0, 1.0, 5)),
    F + "elu": fixed(c(X), c(X, 0.5)),
    F + "leaky_relu": fixed(c(X), c(X, 0.3)),
    **dict.fromkeys((F + "sigmoid", F + "tanh"), fixed(c(X))),
    F + "softplus": fixed(c(X), c(X, 2.0)),
    F + "log_softmax": fixed(c(X, 1)),
    F + "dropout": fixed(c(X, 0.5, False)),
    F + "layer_norm": fixed(c(X, (4,)), c(X, (4,), t(4), t(4))),
    F + "batch_norm": fixed(c(IMAGE, t(4), t(4).abs(), t(4), t(4)), c(X, t(4), t(4).abs())),
    F + "group_norm": fixed(c(IMAGE, 2), c(IMAGE, 2, t(4), t(4))),
    F + "normalize": fixed(c(X), c(X, 1.0, 0)),
    **{F + f"conv{n}d": fixed(
        c(x, t(6, 4, *[2] * n)), c(x, t(6, 2, *[3] * n), t(6), 2, 1, 1, 2),
        c(x, t(4, 4, *[3] * n), padding="same"),
    ) for n, x in OF_DIMENSIONS.items()},
    **{F + f"conv_transpose{n}d": fixed(
        c(x, t(4, 3, *[2] * n)), c(x, t(4, 2, *[3] * n), t(4), 2, 1, 1, 2),
    ) for n, x in OF_DIMENSIONS.items()},
    **{F + f"max_pool{n}d": fixed(c(x, 2), c(x, 3, 1, 1)) for n, x in OF_DIMENSIONS.items()},
    **{F + f"avg_pool{n}d": fixed(c(x, 2), c(x, 3, 2, 1)) for n, x in OF_DIMENSIONS.items()},
    **{F + f"adaptive_avg_pool{n}d": fixed(c(x, 1), c(x, 2)) for n, x in OF_DIMENSIONS.items()},
    F + "embedding": fixed(c(index(3, 2, 5), t(3, 4))),
    F + "one_hot": fixed(c(index(3, 2, 5), 3)),
    F + "scaled_dot_product_attention": fixed(
        c(t(2, 3, 5, 4), t(2, 3, 6, 4), t(2, 3, 6, 4)), c(t(2, 5, 4), t(2, 6, 4), t(2, 6, 3)),
        c(t(2, 3, 5, 4), t(2, 3, 5, 4), t(2, 3, 5, 4), is_causal=True),
        c(t(2, 5, 4), t(2, 5, 4), t(2, 5, 4), is_causal=True),
        c(t(2, 3, 5, 4), t(2, 3, 6, 4), t(2, 3, 6, 4), index(2, 5, 6) > -1),
    ),
    **dict.fromkeys(
        (F + "mse_loss", F + "l1_loss", F + "binary_cross_entropy_with_logits"),
        fixed(c(X, X + 1), c(X, X + 1, reduction="none"), c(X, X + 1, reduction="sum")),
    ),
    F + "cross_entropy": fixed(c(X, index(4, 3)), c(X, index(4, 3), reduction="sum")),
    F + "nll_loss": fixed(c(X, index(4, 3))),
}  # fmt: skip
LAYERS: dict[str, Any] = {
    **{f"MaxPool{n}d": ({"kernel_size": 2}, x) for n, x in OF_DIMENSIONS.items()},
    **{f"AvgPool{n}d": ({"kernel_size": 2, "stride": 1}, x) for n, x in OF_DIMENSIONS.items()},
    **{f"AdaptiveAvgPool{n}d": ({"output_size": 1}, x) for n, x in OF_DIMENSIONS.items()},
    "Flatten": ({}, t(2, 3, 4)),
    "Identity": ({}, X),
    **dict.fromkeys(("ReLU", "GELU", "SiLU", "Sigmoid", "Tanh"), ({}, X)),
    **dict.fromkeys(("Softmax", "LogSoftmax"), ({"dim": 1}, X)),
}
RECURRENT = ("nn.LSTM", "nn.GRU", "nn.RNN", "nn.LSTMCell")
ELSEWHERE = {
    *RECURRENT, "nn.MultiheadAttention", "nn.Dropout", "nn.MSELoss", "nn.CrossEntropyLoss",
    "Tensor.bfloat16",
}  # fmt: skip
"""Ops of layers with weights, or of elements that NumPy hasn't."""
OPS = [s.name for s in exported() if s.namespace == "torch" and s.name not in ELSEWHERE]


@pytest.mark.parametrize("name", [name for name in OPS if not name.startswith("nn.") or F in name])
def test_a_model_computes_what_torch_does(name: str) -> None:
    plain = name.removeprefix("Tensor.")
    make = MORE.get(name) or MORE.get(plain) or CALLS.get(name) or CALLS.get(plain)
    assert make is not None, "there are no arguments for this op"
    compared = 0
    for seed in range(MOST_ROUNDS):
        if compared and seed >= ROUNDS:
            break
        args, keywords = make(random.Random(seed))
        compared += computes(name, filled(args, seed), keywords)
    assert compared, "no random call was exported and run"


@pytest.mark.parametrize("name", [n[3:] for n in OPS if n.startswith("nn.") and F not in n])
def test_a_model_computes_what_a_layer_does(name: str) -> None:
    settings, given = LAYERS[name]
    (given,) = filled((given,), 0)
    layer = getattr(torch.nn, name)(**settings).eval()
    assert computes(f"nn.{name}", (given,), settings, lambda x, **_: layer(x))


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("settings", [{}, {"num_layers": 2, "bidirectional": True}])
def test_recurrent_layers(kind: str, settings: dict[str, Any]) -> None:
    torch.manual_seed(0)
    layer = getattr(torch.nn, kind)(3, 4, batch_first=True, **settings).eval()
    count = settings.get("num_layers", 1) * (1 + settings.get("bidirectional", False))
    state = torch.randn(count, 2, 4)
    states = (state, state + 1) if kind == "LSTM" else state
    weights = [w.detach() for w in layer.parameters()]
    keywords = {"input_size": 3, "hidden_size": 4, "batch_first": True, **settings}

    def call(x: Any, hx: Any, weights: Any = (), **_: Any) -> list[Any]:
        out, last = layer(x, hx)
        return [out, *(last if isinstance(last, tuple) else [last])]

    assert computes(f"nn.{kind}", (torch.randn(2, 5, 3), states), keywords, call, weights)


def computes(
    name: str,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    function: Callable[..., Any] | None = None,
    weights: list[Any] | None = None,
) -> bool:
    """Whether an op was exported and run; what came out is compared."""
    try:
        with torch.no_grad():
            result = (function or function_of(name))(*args, **keywords)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return False
    results = list(result) if isinstance(result, tuple | list) else [result]
    graph = OneOp()
    operands = [operand(graph, arg) for arg in args]
    attributes = {n: frozen(v) for n, v in keywords.items()}
    if weights is not None:
        from jit_lsp.ir import Keyword

        operands.append(Keyword("weights", operand(graph, weights)))
    graph.apply(Symbol("torch", name), operands, attributes, [type_of(r) for r in results])
    try:
        made = export(graph.module, "main")
    except ExportError as error:
        assert f"torch.{name}" in error.reason, error.reason
        return False
    found = run(made.model, graph.feeds)
    if found is None:
        return False
    for one_, other in zip(found, results, strict=True):
        wanted = other.float().numpy() if other.dtype is torch.bfloat16 else other.numpy()
        assert one_.shape == wanted.shape
        np.testing.assert_allclose(one_.astype(wanted.dtype), wanted, rtol=1e-4, atol=1e-5)
    return True


def function_of(name: str) -> Callable[..., Any]:
    if name == "getitem":
        return lambda x, at: x[at]
    owner: Any = torch
    for part in name.split("."):
        owner = getattr(owner, part)
    return owner if callable(owner) else lambda x: getattr(x, name.removeprefix("Tensor."))


def filled(args: Any, seed: int) -> tuple[Any, ...]:
    """The same arguments with random numbers in tensors of floats, none of them empty."""
    torch.manual_seed(seed)

    def fill(value: Any) -> Any:
        if isinstance(value, list):
            return [fill(v) for v in value]
        if not isinstance(value, torch.Tensor):
            return value
        if not value.numel():
            value = torch.ones((2, 3), dtype=value.dtype)
        if value.dtype.is_floating_point and value.dtype in RUNNABLE:
            return torch.rand_like(value) * 0.8 + 0.1
        return value

    return tuple(map(fill, args))


def operand(graph: OneOp, value: Any) -> Operand:
    if isinstance(value, torch.Tensor):
        return graph.array(type_of(value), as_numpy(value))
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return Pack(kind, [operand(graph, item) for item in value])
    return as_operand(frozen(value))


def as_numpy(value: Any) -> np.ndarray[Any, Any]:
    if value.dtype is not torch.bfloat16:
        return np.asarray(value)
    from ml_dtypes import bfloat16

    return np.asarray(value.float()).astype(bfloat16)


def frozen(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return Symbol("torch", str(value).removeprefix("torch."))
    return freeze(value)
