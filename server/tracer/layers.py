"""Layers of PyTorch as operations of a graph: what they compute, of what, with which parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..doc.parsing import parse
from ..ir import Symbol, registry
from .trace import Array, LayerRun, Pack, Thing, Value

_CONV = ("stride", "padding", "dilation", "groups")
_FUNCTIONS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "Linear": ("linear", ("weight", "bias"), ()),
    "Embedding": ("embedding", ("weight",), ("padding_idx",)),
    **{
        f"{kind}{n}d": (f"{name}{n}d", ("weight", "bias"), settings)
        for kind, name, settings in (
            ("Conv", "conv", _CONV), ("ConvTranspose", "conv_transpose", (*_CONV, "output_padding"))
        )
        for n in (1, 2, 3)
    },
    "LayerNorm": ("layer_norm", ("weight", "bias"), ("normalized_shape", "eps")),
    "GroupNorm": ("group_norm", ("weight", "bias"), ("num_groups", "eps")),
    **{
        f"BatchNorm{n}d": ("batch_norm", ("running_mean", "running_var", "weight", "bias"),
                           ("momentum", "eps", "training"))
        for n in (1, 2, 3)
    },
    "Dropout": ("dropout", (), ("p", "training", "inplace")),
    "ReLU": ("relu", (), ("inplace",)),
    "GELU": ("gelu", (), ("approximate",)),
    "ELU": ("elu", (), ("alpha",)),
    "LeakyReLU": ("leaky_relu", (), ("negative_slope",)),
    "Softplus": ("softplus", (), ("beta", "threshold")),
    "SiLU": ("silu", (), ("inplace",)),
    "Sigmoid": ("sigmoid", (), ()),
    "Tanh": ("tanh", (), ()),
    "Softmax": ("softmax", (), ("dim",)),
    "LogSoftmax": ("log_softmax", (), ("dim",)),
}  # fmt: skip
"""Layers whose function is known: its name, the layer's tensors that it takes by name, and what of
the configuration."""
_INNER = {"MultiheadAttention": "out_proj"}
"""Layers that apply one that they hold without calling it."""
_POSITIONAL = {
    **dict.fromkeys(
        (f"{kind}{n}d" for kind in ("Conv", "ConvTranspose") for n in (1, 2, 3)),
        ("in_channels", "out_channels"),
    ),
    "Embedding": ("num_embeddings", "embedding_dim"), "LayerNorm": ("normalized_shape",),
    "GroupNorm": ("num_groups", "num_channels"),
    **{f"BatchNorm{n}d": ("num_features",) for n in (1, 2, 3)},
    **dict.fromkeys(
        (f"{kind}{cell}" for kind in ("LSTM", "GRU", "RNN") for cell in ("", "Cell")),
        ("input_size", "hidden_size"),
    ),
}  # fmt: skip
"""What a layer shows of its configuration without a name."""


@dataclass(frozen=True, slots=True)
class Applied:
    """One layer as an operation: of tensors by position, of others by name, and its attributes."""

    symbol: Symbol
    operands: tuple[Value, ...]
    tensors: tuple[tuple[str, Value], ...]
    attributes: dict[str, object]


def applied(run: LayerRun) -> Applied:
    """What a layer of PyTorch's own did in one run."""
    layer = run.layer
    known = _FUNCTIONS.get(layer.name)
    settings = {**settings_of(layer), "training": run.training}
    held = {**layer.parameters, **layer.buffers}
    if settings.get("padding_mode", "zeros") != "zeros":  # no argument of the function
        known = None
    if known is not None:
        name, tensors, wanted = known
        given = tuple((n, v) for n in tensors if isinstance(v := held.get(n), Array))
        return Applied(
            Symbol("torch", f"nn.functional.{name}"), run.operands, given,
            {n: settings[n] for n in wanted if settings.get(n) not in (None, False)},
        )  # fmt: skip
    symbol = Symbol("torch", layer.kind.removeprefix("torch."))
    info = registry.get(symbol)
    if layer.name in _INNER:
        of = layer.layers.get(_INNER[layer.name])
        held |= {f"{_INNER[layer.name]}_{n}": v for n, v in of.parameters.items()} if of else {}
    taken = {n: v for n, v in settings.items() if info is not None and n in info.parameters}
    takes = held if info is None else info.parameters
    named = tuple((n, v) for n, v in held.items() if isinstance(v, Array) and n in takes)
    if info is not None and "weights" in info.parameters:  # as many as there are
        taken["training"] = run.training
        if run.operands and isinstance(run.operands[0], Pack):  # a sequence that is packed
            symbol = Symbol("torch", f"{symbol.name}.packed")
        return Applied(
            symbol, run.operands, (("weights", Pack(tuple(held.values()), True)),), taken
        )
    return Applied(symbol, run.operands, named, taken)


def settings_of(layer: Thing) -> dict[str, object]:
    """What a layer shows of its configuration, by name."""
    try:
        call = parse(f"_({layer.settings})", mode="eval").body
    except (SyntaxError, ValueError):
        return {}
    if not isinstance(call, ast.Call):
        return {}
    names = _POSITIONAL.get(layer.name, ())
    pairs = [*zip(names, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
    found: dict[str, object] = {}
    for name, node in pairs:
        try:
            found[name or ""] = ast.literal_eval(node)
        except (ValueError, TypeError):
            continue
    return found
