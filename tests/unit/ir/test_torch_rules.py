"""Type rules of PyTorch's ops against PyTorch, where it is installed."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from with_torch import need_torch

from jit_lsp.ir import ArrayType, Module, Operand, Symbol, TupleType, Type, as_operand, registry
from jit_lsp.ir.opinfo import OpError

need_torch()
import torch  # noqa: E402

DTYPES = {
    torch.bool: "bool",
    torch.uint8: "u8",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.complex64: "c64",
    torch.complex128: "c128",
}
REAL = [dtype for dtype in DTYPES if not dtype.is_complex]
F, N = "nn.functional.", "nn."
Draw = random.Random
Call = tuple[tuple[Any, ...], dict[str, Any]]


def t(*sizes: int, dtype: Any = torch.float32) -> Any:
    return torch.ones(sizes, dtype=dtype)


def pair(draw: Draw) -> Call:
    shape = tuple(draw.choice((1, 2, 3)) for _ in range(draw.randint(0, 3)))
    other = tuple(1 if draw.random() < 0.3 else size for size in shape)[draw.randint(0, 2) :]
    second: Any = t(*other, dtype=draw.choice(list(DTYPES)))
    if draw.random() < 0.2:
        second = draw.choice((2, 0.5, True))
    return (t(*shape, dtype=draw.choice(list(DTYPES))), second), {}


def one(draw: Draw) -> Call:
    return (t(*(draw.randint(0, 3) for _ in range(draw.randint(0, 3))), dtype=any_type(draw)),), {}


def over(draw: Draw) -> Call:
    (x,), _ = one(draw)
    dim = draw.choice((None, 0, -1, (0, 1)))
    return (x,), {} if dim is None else {"dim": dim, "keepdim": draw.random() < 0.5}


def any_type(draw: Draw) -> Any:
    return draw.choice(list(DTYPES))


def fixed(*calls: Call) -> Callable[[Draw], Call]:
    return lambda draw: draw.choice(calls)


def c(*args: Any, **keywords: Any) -> Call:
    return args, keywords


INDEX = torch.tensor([0, 1])
CALLS: dict[str, Callable[[Draw], Call]] = {
    **dict.fromkeys(
        [
            "add",
            "sub",
            "mul",
            "div",
            "maximum",
            "minimum",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "logical_and",
            "logical_or",
            "atan2",
        ],
        pair,
    ),
    **dict.fromkeys(
        [
            "neg",
            "abs",
            "square",
            "sign",
            "floor",
            "ceil",
            "round",
            "exp",
            "log",
            "sqrt",
            "sin",
            "tanh",
            "sigmoid",
        ],
        one,
    ),
    **dict.fromkeys(["isnan", "isfinite", "logical_not", "relu", "clone", "detach"], one),
    **dict.fromkeys(["sum", "mean", "prod", "amax", "amin", "all", "any"], over),
    "std": fixed(c(t(3, 4)), c(t(3, 4), dim=0)),
    "argmax": fixed(c(t(3, 4)), c(t(3, 4), dim=1, keepdim=True)),
    "max": fixed(c(t(3, 4)), c(t(3, 4), dim=1)),
    "logsumexp": fixed(c(t(3, 4), 0), c(t(3, 4, dtype=torch.int64), 1)),
    "cumsum": fixed(c(t(3, 4), 0), c(t(3, 4, dtype=torch.int32), -1)),
    "softmax": fixed(c(t(3, 4), 0), c(t(3, 4), -1)),
    "sort": fixed(c(t(3, 4))),
    "topk": fixed(c(t(3, 4), 2)),
    "clamp": fixed(c(t(3), 0, 1), c(t(3, dtype=torch.int32), 0.5)),
    "where": fixed(c(t(3) > 0, t(3), 0.0), c(t(3) > 0, t(3, 1), t(3, dtype=torch.float64))),
    "reshape": fixed(c(t(3, 4), (2, 6)), c(t(3, 4), (-1, 2)), c(t(3, 4), (5,))),
    "Tensor.view": fixed(c(t(3, 4), 2, 6), c(t(3, 4), -1)),
    "flatten": fixed(c(t(2, 3, 4)), c(t(2, 3, 4), 1), c(t())),
    "transpose": fixed(c(t(2, 3, 4), 0, -1)),
    "permute": fixed(c(t(2, 3, 4), (2, 0, 1))),
    "Tensor.permute": fixed(c(t(2, 3, 4), 2, 0, 1)),
    "t": fixed(c(t(2, 3)), c(t(2))),
    "squeeze": fixed(c(t(1, 3, 1)), c(t(1, 3, 1), 0), c(t(1, 3, 1), 1)),
    "unsqueeze": fixed(c(t(3), 0), c(t(3), -1)),
    "Tensor.expand": fixed(c(t(3, 1), 3, 4), c(t(3, 1), 2, -1, 4), c(t(3, 1), 4, 4)),
    "Tensor.repeat": fixed(c(t(3, 1), 2, 2, 2)),
    "cat": fixed(c([t(2, 3), t(4, 3)]), c([t(2, 3), t(2, 1, dtype=torch.int64)], dim=1)),
    "stack": fixed(c([t(2, 3), t(2, 3)], dim=1)),
    "chunk": fixed(c(t(5, 3), 2), c(t(6, 3), 3)),
    "split": fixed(c(t(5, 3), 2), c(t(5, 3), [1, 4])),
    "unbind": fixed(c(t(2, 3), 1)),
    "index_select": fixed(c(t(2, 3), 1, INDEX)),
    "gather": fixed(c(t(2, 3), 1, torch.zeros(2, 1, dtype=torch.int64))),
    "Tensor.double": one,
    "Tensor.long": fixed(c(t(3))),
    "matmul": fixed(c(t(2, 3), t(3, 4)), c(t(5, 2, 3), t(3)), c(t(2, 3), t(2, 3)), c(t(3), t(3))),
    "mm": fixed(c(t(2, 3), t(3, 4)), c(t(2, 3), t(3))),
    "bmm": fixed(c(t(5, 2, 3), t(5, 3, 4))),
    "mv": fixed(c(t(2, 3), t(3))),
    "dot": fixed(c(t(3), t(3))),
    "outer": fixed(c(t(3), t(4, dtype=torch.int64))),
    "tensor": fixed(c([1, 2]), c([[1.0], [2.0]]), c(True), c(3)),
    "zeros": fixed(c(2, 3), c((2, 3))),
    "ones": fixed(c(2)),
    "full": fixed(c((2, 3), 7), c((2,), 0.5), c((2,), True)),
    "randn": fixed(c(2, 3)),
    "zeros_like": one,
    "arange": fixed(c(5), c(1, 5), c(0, 1, 0.25), c(5, 0, -2)),
    "eye": fixed(c(3), c(3, 4)),
    **dict.fromkeys((F + "relu", F + "gelu", F + "silu", F + "softplus"), fixed(c(t(2, 3)))),
    F + "softmax": fixed(c(t(2, 3), 1)),
    F + "dropout": fixed(c(t(2, 3), 0.5)),
    F + "layer_norm": fixed(c(t(2, 3), (3,))),
    F + "linear": fixed(c(t(5, 2, 3), t(4, 3)), c(t(2, 3), t(4, 3), t(4)), c(t(2, 4), t(4, 3))),
    F + "conv1d": fixed(c(t(2, 3, 9), t(4, 3, 3)), c(t(2, 3, 9), t(4, 3, 3), None, 2, 1)),
    F + "conv2d": fixed(
        c(t(2, 3, 9, 8), t(4, 3, 3, 3)),
        c(t(3, 9, 8), t(4, 3, 3, 2), stride=(2, 1), padding=1),
        c(t(2, 4, 9, 8), t(4, 2, 3, 3), groups=2, dilation=2),
        c(t(2, 5, 9, 8), t(4, 3, 3, 3)),
        c(t(2, 3, 2, 2), t(4, 3, 3, 3)),
    ),
    F + "conv3d": fixed(c(t(2, 3, 5, 6, 4), t(4, 3, 3, 2, 1), t(4), 2, 1)),
    F + "conv_transpose1d": fixed(c(t(2, 4, 9), t(4, 3, 3), None, 2, 1, 1)),
    F + "conv_transpose2d": fixed(
        c(t(2, 4, 9, 8), t(4, 3, 3, 2)),
        c(t(4, 9, 8), t(4, 3, 3, 3), None, (3, 2), 1, (2, 0), 2, 2),
        c(t(2, 5, 9, 8), t(4, 3, 3, 3)),
    ),
    F + "conv_transpose3d": fixed(c(t(2, 3, 5, 6, 4), t(3, 4, 3, 2, 1), t(4), 2)),
    F + "max_pool1d": fixed(c(t(2, 3, 9), 2), c(t(3, 9), 3, 1, 1)),
    F + "max_pool2d": fixed(c(t(2, 3, 9, 8), 2), c(t(2, 3, 9, 8), (3, 2), stride=1, padding=1)),
    F + "avg_pool2d": fixed(c(t(2, 3, 9, 8), 2)),
    F + "adaptive_avg_pool2d": fixed(c(t(2, 3, 9, 8), (1, 1)), c(t(2, 3, 9, 8), (None, 2))),
    F + "embedding": fixed(c(torch.tensor([[0, 1]]), t(3, 4))),
    F + "one_hot": fixed(c(INDEX, 3)),
    F + "scaled_dot_product_attention": fixed(c(t(2, 5, 4), t(2, 6, 4), t(2, 6, 3))),
    F + "cross_entropy": fixed(c(t(2, 3), INDEX)),
    F + "mse_loss": fixed(c(t(2, 3), t(2, 3)), c(t(2, 3), t(2, 3), reduction="none")),
}
LAYERS: list[tuple[str, dict[str, Any], Any]] = [
    ("Linear", {"in_features": 3, "out_features": 4}, t(2, 3)),
    ("Conv1d", {"in_channels": 3, "out_channels": 4, "kernel_size": 3}, t(2, 3, 9)),
    (
        "Conv2d",
        {"in_channels": 3, "out_channels": 4, "kernel_size": 3, "stride": 2, "padding": 1},
        t(2, 3, 9, 8),
    ),
    ("MaxPool2d", {"kernel_size": 2}, t(2, 3, 9, 8)),
    ("AvgPool2d", {"kernel_size": 2, "stride": 1}, t(2, 3, 9, 8)),
    ("AdaptiveAvgPool2d", {"output_size": 1}, t(2, 3, 9, 8)),
    ("Embedding", {"num_embeddings": 5, "embedding_dim": 4}, torch.tensor([[0, 1]])),
    ("MaxPool3d", {"kernel_size": 2}, t(2, 3, 9, 8, 4)),
    ("AvgPool1d", {"kernel_size": 2}, t(2, 3, 9)),
    ("Flatten", {}, t(2, 3, 4)),
    ("Identity", {}, t(2, 3)),
    ("Dropout", {"p": 0.5}, t(2, 3)),
    ("LayerNorm", {"normalized_shape": 3}, t(2, 3)),
    ("BatchNorm1d", {"num_features": 3}, t(2, 3)),
    ("ReLU", {}, t(2, 3)),
    ("Softmax", {"dim": 1}, t(2, 3)),
    ("LSTM", {"input_size": 3, "hidden_size": 4}, t(5, 2, 3)),
    ("LSTM", {"input_size": 3, "hidden_size": 4, "num_layers": 2, "batch_first": True}, t(5, 2, 3)),
    ("GRU", {"input_size": 3, "hidden_size": 4}, t(5, 3)),
    ("RNN", {"input_size": 3, "hidden_size": 4}, t(5, 2, 3)),
]


@pytest.mark.parametrize("name", CALLS)
def test_rule_agrees_with_torch(name: str) -> None:
    function: Any = torch
    for part in name.split("."):
        function = getattr(function, part)
    answered = 0
    for seed in range(40):
        args, keywords = CALLS[name](random.Random(seed))
        actual = results(lambda: function(*args, **keywords))  # noqa: B023 -- called at once
        attributes = {key: freeze(value) for key, value in keywords.items()}
        try:
            found = registry.infer(Symbol("torch", name), [*map(operand, args)], attributes)
        except OpError:
            assert actual is None, f"torch takes {describe(args)} {keywords}"
            continue
        if found is None or actual is None:
            continue
        answered += 1
        assert [*map(on_processor, found)] == [*actual], f"{describe(args)} {keywords}"
    assert answered


@pytest.mark.parametrize(
    "name, arguments, given", LAYERS, ids=lambda x: x if isinstance(x, str) else ""
)
def test_layers_agree_with_torch(name: str, arguments: dict[str, Any], given: Any) -> None:
    actual = results(lambda: getattr(torch.nn, name)(**arguments)(given))
    found = registry.infer(Symbol("torch", f"nn.{name}"), [operand(given)], arguments)
    assert found == actual


def test_examples_run() -> None:
    for info in registry.all_ops().values():
        if info.symbol.namespace == "torch" and info.example:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(info.example, {"torch": torch})


def results(call: Callable[[], Any]) -> tuple[Type, ...] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call()
    except (RuntimeError, TypeError, ValueError, IndexError):
        return None
    items = result if isinstance(result, tuple | list) else (result,)
    return tuple(map(type_of, items))


def on_processor(found: Type) -> Type:
    """Where a new tensor goes isn't known from its arguments; here it is the processor."""
    return found.with_(device="cpu") if isinstance(found, ArrayType) else found


def type_of(value: Any) -> Type:
    if isinstance(value, tuple):
        return TupleType(tuple(map(type_of, value)))
    return ArrayType(DTYPES[value.dtype], tuple(value.shape), device="cpu", kind="tensor")


def operand(value: Any) -> Operand:
    if isinstance(value, torch.Tensor):
        return BODY.add_parameter(type_of(value))
    if isinstance(value, list):
        return as_operand([operand(item) for item in value])
    return as_operand(value)


def freeze(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def describe(args: Any) -> str:
    return ", ".join(str(type_of(a)) if isinstance(a, torch.Tensor) else repr(a) for a in args)


BODY = Module().add_graph("main").body
