"""PyTorch's functions of layers, and layers.

A layer is an op of its input, with the arguments of its constructor as attributes.
"""

from __future__ import annotations

from typing import Any

from ..opinfo import OpInfo, TypeRule, op
from ..torch_rules import (
    adaptive,
    along,
    attention,
    convolution,
    embedding,
    flatten,
    linear,
    loss,
    multihead_attention,
    one_hot,
    pooling,
    recurrent,
    same_sizes,
    shaped,
    transposed_convolution,
)


def _function(
    name: str, signature: str, rule: TypeRule | None, sentence: str, **more: Any
) -> list[OpInfo]:
    return op(f"torch.nn.functional.{name}", signature, rule, sentence, **more)


def _layer(
    name: str, signature: str, rule: TypeRule | None, sentence: str, **more: Any
) -> list[OpInfo]:
    signature = f"input, {signature}" if signature else "input"
    return op(f"torch.nn.{name}", signature, rule, sentence, **more)


_X = "torch.ones(2, 3)"
_VIEW = (0,)
_CONV = (
    "in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True"
)
_CONVOLVE = "input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1"
_CONVOLVE_BACK = (
    "input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1"
)
_HEADS = (
    "query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, "
    "average_attn_weights=True, is_causal=False, *, num_heads, in_proj_weight, out_proj_weight, "
    "in_proj_bias=None, out_proj_bias=None, batch_first=False, dropout=0.0, "
    "add_zero_attn=False, bias_k=None, bias_v=None, training=False"
)
_POOL = "kernel_size, stride=None, padding=0"
_RANDOM: dict[str, Any] = {"effects": "random"}
_RNN = (
    "hx=None, *, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, "
    "dropout=0.0, bidirectional=False, training=False, weights=()"
)
_CELL = "hx=None, *, input_size, hidden_size, weight_ih, weight_hh, bias_ih=None, bias_hh=None"

OPS: list[OpInfo] = [
    # functions of layers
    *(
        info
        for name, signature in {
            "relu": "input, inplace=False",
            "gelu": "input, approximate='none'",
            "silu": "input, inplace=False",
            "elu": "input, alpha=1.0, inplace=False",
            "leaky_relu": "input, negative_slope=0.01, inplace=False",
            "softplus": "input, beta=1.0, threshold=20.0",
            "sigmoid": "input",
            "tanh": "input",
        }.items()
        for info in _function(
            name,
            signature,
            same_sizes(),
            f"The activation {name}.",
            fusible=True,
            mutates_when=("inplace", True),
        )
    ),
    *_function(
        "softmax",
        "input, dim=None, dtype=None",
        along,
        "exp(x) as parts of their sum.",
    ),
    *_function(
        "log_softmax",
        "input, dim=None, dtype=None",
        along,
        "The logarithm of softmax.",
    ),
    *_function(
        "dropout",
        "input, p=0.5, training=True, inplace=False",
        same_sizes(),
        "Some elements set to 0.",
        mutates_when=("inplace", True),
        **_RANDOM,
    ),
    *_function(
        "layer_norm",
        "input, normalized_shape, weight=None, bias=None, eps=1e-05",
        same_sizes(),
        "Normalised over the last dimensions.",
    ),
    *_function(
        "batch_norm",
        "input, running_mean, running_var, weight=None, bias=None, training=False, "
        "momentum=0.1, eps=1e-05",
        same_sizes(),
        "Normalised over the batch.",
    ),
    *_function(
        "group_norm",
        "input, num_groups, weight=None, bias=None, eps=1e-05",
        same_sizes(),
        "Normalised over groups of channels.",
    ),
    *_function("normalize", "input, p=2.0, dim=1, eps=1e-12", same_sizes(), "Divided by the norm."),
    *_function("linear", "input, weight, bias=None", linear, "x @ weight.T + bias."),
    *(
        info
        for ndim, dimensions in enumerate(
            ("one dimension", "two dimensions", "three dimensions"), 1
        )
        for info in (
            *_function(
                f"conv{ndim}d", _CONVOLVE, convolution(ndim), f"A convolution over {dimensions}."
            ),
            *_function(
                f"conv_transpose{ndim}d",
                _CONVOLVE_BACK,
                transposed_convolution(ndim),
                f"What a convolution over {dimensions} leads back from.",
            ),
            *_function(
                f"max_pool{ndim}d",
                "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
                "return_indices=False",
                pooling(ndim),
                "The largest in each window.",
            ),
            *_function(
                f"avg_pool{ndim}d",
                "input, kernel_size, stride=None, padding=0, ceil_mode=False",
                pooling(ndim),
                "The mean of each window.",
            ),
            *_function(
                f"adaptive_avg_pool{ndim}d",
                "input, output_size",
                adaptive(ndim),
                "Means of as many windows as wanted.",
            ),
        )
    ),
    *_function(
        "embedding",
        "input, weight, padding_idx=None",
        embedding,
        "Rows of a table.",
    ),
    *_function(
        "one_hot",
        "input, num_classes=-1",
        one_hot,
        "1 at the place of each class.",
    ),
    *_function(
        "scaled_dot_product_attention",
        "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False",
        attention,
        "Attention.",
        effects="",
    ),
    *(
        info
        for name in (
            "cross_entropy",
            "nll_loss",
            "mse_loss",
            "l1_loss",
            "smooth_l1_loss",
            "binary_cross_entropy",
            "binary_cross_entropy_with_logits",
        )
        for info in _function(
            name, "input, target, weight=None, reduction='mean'", loss, f"The loss {name}."
        )
    ),
    # layers
    *_layer(
        "Linear",
        "in_features, out_features, bias=True",
        linear,
        "x @ weight.T + bias.",
    ),
    *(
        info
        for ndim, dimensions in enumerate(
            ("one dimension", "two dimensions", "three dimensions"), 1
        )
        for info in (
            *_layer(f"Conv{ndim}d", _CONV, convolution(ndim), f"A convolution over {dimensions}."),
            *_layer(
                f"MaxPool{ndim}d",
                f"{_POOL}, dilation=1, return_indices=False, ceil_mode=False",
                pooling(ndim),
                "The largest in each window.",
            ),
            *_layer(
                f"AvgPool{ndim}d",
                f"{_POOL}, ceil_mode=False",
                pooling(ndim),
                "The mean of each window.",
            ),
            *_layer(
                f"AdaptiveAvgPool{ndim}d",
                "output_size",
                adaptive(ndim),
                "Means of as many windows as wanted.",
            ),
        )
    ),
    *op(
        "torch.nn.MultiheadAttention",
        _HEADS,
        multihead_attention,
        "Attention of several heads, with the products around it.",
        outputs=None,
    ),
    *_layer(
        "Embedding",
        "num_embeddings, embedding_dim",
        embedding,
        "Rows of a table.",
    ),
    *_layer(
        "Flatten",
        "start_dim=1, end_dim=-1",
        shaped(flatten),
        "Dimensions made one.",
        aliases=_VIEW,
    ),
    *_layer("Identity", "", same_sizes(), "The input.", aliases=_VIEW),
    *_layer(
        "Dropout",
        "p=0.5, inplace=False",
        same_sizes(),
        "Some elements set to 0.",
        **_RANDOM,
    ),
    *_layer(
        "LayerNorm",
        "normalized_shape, eps=1e-05",
        same_sizes(),
        "Normalised over the last dimensions.",
    ),
    *(
        info
        for ndim in (1, 2, 3)
        for info in _layer(
            f"BatchNorm{ndim}d",
            "num_features, eps=1e-05, momentum=0.1",
            same_sizes(),
            "Normalised over the batch.",
            effects="statistics",
        )
    ),
    *_layer(
        "GroupNorm",
        "num_groups, num_channels, eps=1e-05",
        same_sizes(),
        "Normalised over groups of channels.",
    ),
    *(
        info
        for name in ("ReLU", "GELU", "SiLU", "Sigmoid", "Tanh")
        for info in _layer(
            name,
            "inplace=False",
            same_sizes(),
            f"The activation {name}.",
            fusible=True,
            mutates_when=("inplace", True),
        )
    ),
    *_layer("Softmax", "dim=None", along, "exp(x) as parts of their sum."),
    *_layer("LogSoftmax", "dim=None", along, "The logarithm of softmax."),
    *_layer("LSTM", _RNN, recurrent, "A recurrent layer with cells.", outputs=None),
    *_layer("GRU", _RNN, recurrent, "A recurrent layer with gates.", outputs=2),
    *_layer("RNN", _RNN, recurrent, "A recurrent layer.", outputs=2),
    *_layer("LSTMCell", _CELL, None, "A step of a recurrent layer with cells.", outputs=2),
    *_layer("MSELoss", "target, reduction='mean'", loss, "The mean squared error."),
    *_layer(
        "CrossEntropyLoss",
        "target, reduction='mean'",
        loss,
        "The cross entropy.",
    ),
]
