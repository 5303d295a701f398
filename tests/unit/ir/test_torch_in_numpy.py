"""PyTorch's ops written with NumPy's: what they give, and derivatives, against PyTorch's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from derivatives import close
from with_torch import need_torch

from jit_lsp.ir import (
    ArrayType,
    Keyword,
    Module,
    Operand,
    Symbol,
    as_operand,
    element_name,
    parse,
    print_module,
    registry,
    verify,
)
from jit_lsp.ir.expressions import Writer
from jit_lsp.ir.interpreter import run
from jit_lsp.ir.passes.differentiate import differentiate
from jit_lsp.ir.passes.torch_to_numpy import has_torch, torch_to_numpy

need_torch()
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402


class Call:
    """Arguments of a function, and of the op where it takes more or less."""

    def __init__(self, *args: Any, function: Any = None, op: Any = None, **keywords: Any) -> None:
        self.args, self.keywords = args, keywords
        self.function, self.op = function, op


NUMBERS = np.random.default_rng(2)


def t(*sizes: int) -> Any:
    return torch.tensor(NUMBERS.uniform(0.1, 0.9, sizes))


def n(*numbers: Any) -> Any:
    return torch.tensor(numbers)


def recurrent(name: str, count: int, x: Any, **how: Any) -> Call:
    """A recurrent layer with its weights."""
    torch.manual_seed(1)
    layer = getattr(torch.nn, name)(3, 4, **how).double()
    names = list(dict(layer.named_parameters()))

    def function(x: Any, *, weights: Any) -> Any:
        given = dict(zip(names, weights, strict=True))
        outputs, ends = torch.func.functional_call(layer, given, (x,))
        return (outputs, *ends) if isinstance(ends, tuple) else (outputs, ends)

    keywords = {"input_size": 3, "hidden_size": 4, **how}
    weights = [p.detach() for p in layer.parameters()]
    return Call(x, function=function, weights=weights, op=keywords)


def heads(query: Any, key: Any = None, *, bias: bool = True, batch_first: bool = False,
          **how: Any) -> Call:  # fmt: skip
    """A layer of attention with two heads."""
    torch.manual_seed(1)
    layer = torch.nn.MultiheadAttention(4, 2, bias=bias, batch_first=batch_first).double()
    weights = {name.replace(".", "_"): p.detach() for name, p in layer.named_parameters()}
    numbers = {n: v for n, v in how.items() if not isinstance(v, torch.Tensor)}
    masks = {n: v for n, v in how.items() if isinstance(v, torch.Tensor)}

    def function(query: Any, key: Any, value: Any, **given: Any) -> Any:
        masks = {n: given.pop(n) for n in list(given) if n.endswith("_mask")}
        named = {n.replace("out_proj_", "out_proj."): w for n, w in given.items()}
        with sdpa_kernel(SDPBackend.MATH):  # the quicker ones have no second derivative
            made = torch.func.functional_call(layer, named, (query, key, value), masks | numbers)
        return made[0] if made[1] is None else made

    key = query if key is None else key
    settings = {"num_heads": 2, "batch_first": batch_first, **numbers}
    return Call(query, key, key, function=function, op=settings, **weights, **masks)


CONSTANT = ("weight", "running_mean", "running_var")
MASK = torch.tensor([True, False, True])
CALLS: dict[str, Sequence[Call]] = {
    "add": [Call(t(2, 3), t(3)), Call(t(3), t(3), alpha=2)],
    "sub": [Call(t(2, 3), t(3), alpha=0.5)],
    "div": [Call(t(2, 3), t(3)), Call(t(3) * 9, t(3), rounding_mode="floor")],
    "pow": [Call(t(3), t(3)), Call(t(3), 3)],
    "clamp": [Call(t(3, 4), 0.3, 0.6), Call(t(3), max=0.5)],
    "where": [Call(MASK, t(3), t(3))],
    "masked_fill": [Call(t(3), MASK, 2.0)],
    "zeros_like": [Call(t(3))],
    "std": [Call(t(3, 4)), Call(t(3, 4), 1, correction=0)],
    "var": [Call(t(3, 4), 1, keepdim=True)],
    "max": [Call(t(3, 4)), Call(t(3, 4), 1)],
    "min": [Call(t(3, 4), 0)],
    "logsumexp": [Call(t(3, 4), 1), Call(t(3, 4), 0, keepdim=True)],
    "sort": [Call(t(3, 4)), Call(t(3, 4), 0, descending=True)],
    "topk": [Call(t(3, 4), 2)],
    "reshape": [Call(t(3, 4), (2, 6))],
    "flatten": [Call(t(2, 3, 4), 1)],
    "transpose": [Call(t(2, 3, 4), 0, -1)],
    "permute": [Call(t(2, 3, 4), (2, 0, 1))],
    "squeeze": [Call(t(1, 3, 1))],
    "unsqueeze": [Call(t(3), 0)],
    "repeat": [Call(t(3, 1), 2, 2, function=lambda x, *r: x.repeat(*r))],
    "expand": [Call(t(3, 1), 3, 4, function=lambda x, *s: x.expand(*s))],
    "cat": [Call([t(2, 3), t(1, 3)])],
    "stack": [Call([t(2, 3), t(2, 3)], dim=1)],
    "chunk": [Call(t(5, 3), 2)],
    "split": [Call(t(5, 3), [1, 4])],
    "unbind": [Call(t(2, 3), 1)],
    "flip": [Call(t(2, 3), (0, 1))],
    "roll": [Call(t(2, 3), 1, 1)],
    "tril": [Call(t(3, 3), -1)],
    "getitem": [
        Call(t(2, 3), 1, function=lambda x, i: x[i]),
        Call(t(4, 3), (slice(1, None), n(0, 0, 2)), function=lambda x, i: x[i]),
    ],
    "index_select": [Call(t(2, 3), 1, n(0, 2, 0))],
    "gather": [Call(t(2, 3), 1, n([0, 1], [2, 2]))],
    "mm": [Call(t(2, 3), t(3, 4))],
    "bmm": [Call(t(5, 2, 3), t(5, 3, 4))],
    "mv": [Call(t(2, 3), t(3))],
    "matmul": [Call(t(2, 3), t(3, 4)), Call(t(5, 2, 3), t(3))],
    "einsum": [Call("ij,jk->ik", t(2, 3), t(3, 4))],
    **{name: [Call(t(3), t(3))] for name in ("dot", "outer")},
    **{name: [Call(t(2, 3), t(2, 3))] for name in ("mul", "maximum", "minimum", "atan2")},
    **{name: [Call(t(3, 4)), Call(t(3, 4), 0)] for name in ("sum", "mean", "amax", "amin")},
    "prod": [Call(t(3, 4), 1)],
    **{name: [Call(t(3, 4), 1)] for name in ("cumsum", "cumprod", "softmax", "log_softmax")},
    **{
        name: [Call(t(3) - 0.5)]
        for name in ("neg", "abs", "square", "exp", "expm1", "sin", "cos", "tan", "sinh", "cosh")
    },
    **{name: [Call(t(3) - 0.5)] for name in ("tanh", "sigmoid", "erf", "relu", "clone")},
    **{name: [Call(t(3))] for name in ("log", "log2", "log1p", "sqrt", "rsqrt", "reciprocal")},
    **{name: [Call(t(3) - 0.5, function=getattr(F, name))] for name in ("elu", "softplus", "silu")},
    "leaky_relu": [Call(t(5) - 0.5, 0.2, function=F.leaky_relu)],
    "gelu": [
        Call(t(5) - 0.5, function=F.gelu),
        Call(t(5) - 0.5, approximate="tanh", function=F.gelu),
    ],
    "linear": [Call(t(5, 2, 3), t(4, 3), t(4)), Call(t(2, 3), t(4, 3))],
    "embedding": [Call(n([0, 2], [2, 2]), t(3, 4))],
    "conv1d": [Call(t(2, 3, 9), t(4, 3, 3), None, 2, 1)],
    "conv2d": [
        Call(t(2, 3, 6, 5), t(4, 3, 3, 3), t(4)),
        Call(t(3, 6, 5), t(4, 3, 3, 2), stride=(2, 1), padding=1),
        Call(t(2, 4, 6, 5), t(4, 2, 3, 3), groups=2, dilation=2, padding="same"),
    ],
    "conv3d": [Call(t(2, 2, 4, 3, 3), t(3, 2, 2, 2, 2), t(3), padding=1)],
    "conv_transpose1d": [Call(t(2, 4, 5), t(4, 3, 3), t(3), 2, 1, 1)],
    "conv_transpose2d": [
        Call(t(2, 4, 3, 2), t(4, 3, 3, 2)),
        Call(t(4, 3, 2), t(4, 2, 3, 3), None, (3, 2), 1, (2, 0), 2, 2),
    ],
    "conv_transpose3d": [Call(t(1, 2, 2, 3, 2), t(2, 2, 2, 2, 2), None, 2)],
    "max_pool1d": [Call(t(2, 3, 6), 2)],
    "avg_pool3d": [Call(t(2, 3, 4, 4, 2), 2)],
    "max_pool2d": [Call(t(2, 3, 6, 5), 2), Call(t(2, 3, 6, 5), (3, 2), stride=1, padding=1)],
    "avg_pool2d": [Call(t(2, 3, 6, 5), 2, padding=1)],
    "adaptive_avg_pool2d": [Call(t(2, 3, 6, 4), (1, 2))],
    "layer_norm": [Call(t(2, 3, 4), (3, 4), t(3, 4), t(3, 4)), Call(t(2, 3), (3,))],
    "batch_norm": [
        Call(t(2, 3, 4), running_mean=t(3), running_var=t(3), weight=t(3), bias=t(3)),
        Call(t(2, 3, 4), None, None, t(3), t(3), training=True),
    ],
    "group_norm": [Call(t(2, 6, 4), 3, t(6), t(6))],
    "normalize": [Call(t(2, 6))],
    "scaled_dot_product_attention": [
        Call(t(2, 5, 4), t(2, 6, 4), t(2, 6, 3)),
        Call(t(5, 4), t(5, 4), t(5, 3), is_causal=True),
        Call(t(2, 4), t(3, 4), t(3, 3), attn_mask=torch.tensor([[True, False, True]] * 2)),
    ],
    "cross_entropy": [
        Call(t(4, 3), n(0, 2, 1, 1)),
        Call(t(4, 3, 2), n([0, 2], [1, 1], [0, 0], [2, 1]), reduction="sum"),
        Call(t(4, 3), n(0, 2, 1, 1), weight=t(3)),
        Call(t(4, 3), t(4, 3)),
        Call(t(3), torch.tensor(1)),
    ],
    "nll_loss": [Call(t(4, 3), n(0, 2, 1, 1))],
    "mse_loss": [Call(t(4, 3), t(4, 3)), Call(t(4), t(4), reduction="none")],
    "l1_loss": [Call(t(4, 3), t(4, 3))],
    "smooth_l1_loss": [Call(t(4, 3) * 4, t(4, 3))],
    "binary_cross_entropy": [Call(t(4, 3), t(4, 3))],
    "binary_cross_entropy_with_logits": [Call(t(4, 3) - 0.5, t(4, 3))],
    "nn.LSTM": [
        recurrent("LSTM", 2, t(3, 2, 3)),
        recurrent("LSTM", 2, t(2, 3, 3), num_layers=2, batch_first=True, bidirectional=True),
    ],
    "nn.GRU": [recurrent("GRU", 1, t(3, 2, 3)), recurrent("GRU", 1, t(3, 3), bias=False)],
    "nn.RNN": [recurrent("RNN", 1, t(3, 2, 3), bidirectional=True)],
    "nn.MultiheadAttention": [
        heads(t(3, 2, 4), need_weights=False),
        heads(t(2, 3, 4), t(2, 5, 4), batch_first=True, bias=False),
        heads(t(3, 4), attn_mask=torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)),
        heads(
            t(2, 3, 4),
            batch_first=True,
            average_attn_weights=False,
            attn_mask=t(4, 3, 3),
            key_padding_mask=t(2, 3),
        ),
    ],
    "Tensor.add_": [Call(t(2, 3), t(3), function=lambda x, y: x + y)],
    "Tensor.clamp_": [Call(t(5), 0.3, function=lambda x, y: x.clamp(y))],
    "Tensor.zero_": [Call(t(3), function=torch.zeros_like)],
    "Tensor.index_add_": [Call(t(3, 2), 0, n(0, 2, 0), t(3, 2), function=torch.index_add)],
    "Tensor.scatter_": [Call(t(3, 2), 0, n([0, 2]), t(1, 2), function=torch.scatter)],
}


@pytest.mark.parametrize("name", CALLS)
def test_a_form_gives_what_torch_gives(name: str) -> None:
    places = (f"nn.functional.{name}", name, f"Tensor.{name}")
    op = next(op for each in places if registry.get(op := Symbol("torch", each)) is not None)
    for call in CALLS[name]:
        agree(op, call.function or getattr(F if "functional" in op.name else torch, name), call)


def agree(op: Symbol, function: Callable[..., Any], call: Call) -> None:
    """Values, first derivatives and second ones along a direction are PyTorch's."""
    tensors: list[Any] = []
    module = Module()
    body = module.add_graph("main").body

    def given(value: Any, name: str = "x") -> tuple[Any, Operand]:
        if isinstance(value, torch.Tensor):
            leaf = value.clone().requires_grad_(value.is_floating_point() and name not in CONSTANT)
            tensors.append(leaf)
            type_ = ArrayType(
                element_name(value.numpy().dtype.str), tuple(value.shape), kind="tensor"
            )
            return leaf, body.add_parameter(type_, "x")
        if isinstance(value, list | tuple):
            pairs = [given(each) for each in value]
            kind = type(value)
            return kind(a for a, _ in pairs), as_operand(kind(b for _, b in pairs))
        return value, as_operand(value)

    args = [given(each) for each in call.args]
    keywords = {key: given(each, key) for key, each in call.keywords.items()}
    wanted = function(*(a for a, _ in args), **{key: a for key, (a, _) in keywords.items()})
    results = wanted if isinstance(wanted, tuple | list) else [wanted]
    types = [
        ArrayType(element_name(r.detach().numpy().dtype.str), tuple(r.shape), kind="tensor")
        for r in results
    ]
    attributes = {k: v for k, (_, v) in keywords.items()}
    operands = [b for _, b in args]
    plain = dict(call.op or {})
    for key, operand in attributes.items():
        operands.append(Keyword(key, operand))
    mutated = (0,) if op.name.endswith("_") else ()
    if mutated:
        copied = body.append(Symbol("torch", "clone"), operands[:1], [operands[0].type])  # type: ignore[union-attr]
        operands[0] = copied.result
    node = body.append(op, operands, types, attributes=plain, mutated=mutated)
    body.set_return(node.results)

    lowered = module.copy()
    torch_to_numpy(lowered)
    assert not has_torch(lowered), print_module(lowered)
    assert verify(lowered, types=True) == []
    inputs = [x.detach().numpy() for x in tensors]
    for ours, theirs in zip(run(lowered, *inputs), results, strict=True):
        assert ours.dtype == theirs.detach().numpy().dtype
        close(np.asarray(ours), theirs.detach().numpy(), 1e-12)

    writer, total, loss = Writer(body), None, None
    for result, theirs in zip(node.results, results, strict=True):
        if not theirs.requires_grad:
            continue
        weights = NUMBERS.uniform(0.5, 1.5, theirs.shape)
        data = as_operand(weights.tolist())
        part = writer.np.sum(writer.np.tanh(writer.expr(result)) * writer.np.asarray(data))
        total = part if total is None else total + part
        their = (theirs.tanh() * torch.tensor(weights)).sum()
        loss = their if loss is None else loss + their
    if loss is None:
        return
    body.set_return([total.operand])  # type: ignore[union-attr]
    parameters = module.main.parameters
    leaves = [x for x in tensors if x.requires_grad]
    by = [p for p, x in zip(parameters, tensors, strict=True) if x.requires_grad]
    made = differentiate(module, total.operand, by, num_derivatives=2)  # type: ignore[union-attr]
    assert print_module(parse(print_module(made))) == print_module(made)
    directions = [NUMBERS.uniform(-1, 1, x.shape) for x in leaves]
    _, *found = run(made, *map(np.copy, inputs), *directions)
    first = torch.autograd.grad(loss, leaves, create_graph=True, materialize_grads=True)
    whole = sum((g * torch.tensor(d)).sum() for g, d in zip(first, directions, strict=True))
    second: Any = [torch.zeros_like(x) for x in leaves]
    if whole.requires_grad:  # type: ignore[union-attr]
        second = torch.autograd.grad(whole, leaves, materialize_grads=True)  # type: ignore[arg-type]
    for ours, theirs in zip(found, (*first, *second), strict=True):
        close(ours, theirs.detach().numpy(), 1e-9)
