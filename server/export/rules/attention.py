"""Attention: the function, and the layer with the products around it."""

from __future__ import annotations

import math

import numpy as np

from ..application import Application
from ..attention import Attention
from ..errors import Refused
from ..registry import exports


def attention(x: Application, found: Attention) -> str:
    """Attention that a program has written out, as one operator."""
    values = [x.of(each) for each in (found.query, found.key, found.value)]
    heads = found.heads or None
    made = x.emit(
        "Attention", *values, is_causal=int(found.causal) or None, scale=found.scale,
        q_num_heads=heads, kv_num_heads=heads,
    )  # fmt: skip
    if found.joined is not None:
        x.exporter.ahead[found.joined] = made
    return made


@exports("torch.nn.functional.scaled_dot_product_attention")
def dot_product_attention(x: Application) -> str:
    """Of four dimensions, one operator; else the products and the softmax between."""
    if x.constant("dropout_p", default=0.0):
        raise Refused("it is in training", "dropout_p=0.0")
    element, causal = x.result.element, int(bool(x.constant("is_causal", default=False)))
    names = ("query", "key", "value")
    values = [x.value(name, element) for name in names]
    mask = x.value("attn_mask")
    width = x.known(x.array("query").sizes[-1:])[0]
    scale = x.constant("scale", default=1 / math.sqrt(width))
    if {x.array(name).ndim for name in names} == {4}:
        return x.emit("Attention", *values, mask, is_causal=causal or None, scale=float(scale))
    ndim = x.array("key").ndim
    turned = x.transposed(values[1], [*range(ndim - 2), ndim - 1, ndim - 2])
    scores = x.emit("MatMul", values[0], turned)
    scores = x.emit("Mul", scores, x.number(scale, element))
    if causal:
        sizes = x.known((x.array("query").sizes[-2], x.array("key").sizes[-2]))
        lower = x.array_constant(np.tril(np.ones(sizes, bool)))
        scores = x.where(lower, scores, x.number(-math.inf, element))
    if mask and x.array("attn_mask").element == "bool":
        scores = x.where(mask, scores, x.number(-math.inf, element))
    elif mask:
        scores = x.emit("Add", scores, mask)
    return x.emit("MatMul", x.emit("Softmax", scores, axis=-1), values[2])


@exports("torch.nn.MultiheadAttention")
def multihead_attention(x: Application) -> str:
    """One product for queries, keys and values that are of the same; one operator for what is
    between the products."""
    if x.constant("training", default=False) and x.constant("dropout", default=0.0):
        raise Refused("it is in training", "eval() on the model first")
    if x.constant("add_zero_attn", default=False) or x.given("bias_k"):
        raise Refused("keys that it adds itself", "keys with these in them")
    if any(value.uses for value in x.node.results[1:]):
        raise Refused("its weights are wanted", "need_weights=False")
    if x.array("query").ndim != 3:
        raise Refused("an input without a batch", "input[None]")
    element, heads = x.result.element, x.constant("num_heads")
    first = x.constant("batch_first", default=False)
    made = x.emit(
        "Attention", *_projected(x, turned=not first), _mask(x),
        q_num_heads=heads, kv_num_heads=heads,
    )  # fmt: skip
    made = _product(x, made, x.value("out_proj_weight", element), x.value("out_proj_bias", element))
    return made if first else x.transposed(made, (1, 0, 2))


def _projected(x: Application, *, turned: bool) -> list[str]:
    """Queries, keys and values, batches first."""
    element, names = x.result.element, ("query", "key", "value")
    weight, bias = x.value("in_proj_weight", element), x.value("in_proj_bias", element)
    given = [x.args[name] for name in names]
    width = x.known(x.array("query").sizes[-1:])[0]
    thirds = x.ints([width] * 3)

    def input_of(name: str) -> str:
        value = x.value(name, element)
        return x.transposed(value, (1, 0, 2)) if turned else value

    if given[0] is given[1] is given[2]:
        whole = _product(x, input_of("query"), weight, bias)
        return x.emit_many("Split", 3, whole, thirds, axis=-1)
    weights = [x.part(weight, place * width, width) for place in range(3)]
    biases = [x.part(bias, place * width, width) if bias else "" for place in range(3)]
    return [
        _product(x, input_of(n), *each) for n, *each in zip(names, weights, biases, strict=True)
    ]


def _product(x: Application, value: str, weight: str, bias: str) -> str:
    made = x.emit("MatMul", value, x.transposed(weight, (1, 0)))
    return x.emit("Add", made, bias) if bias else made


def _mask(x: Application) -> str:
    """What may be looked at: the layer's masks say what may not."""
    found = ""
    if x.given("attn_mask"):
        found = x.value("attn_mask")
        if x.array("attn_mask").ndim == 3:
            raise Refused("a mask for each head", "one mask for all heads")
        if x.array("attn_mask").element == "bool":
            found = x.emit("Not", found)
    if x.given("key_padding_mask"):
        hidden = x.value("key_padding_mask")
        if x.array("key_padding_mask").element != "bool" or (
            x.given("attn_mask") and x.array("attn_mask").element != "bool"
        ):
            raise Refused("masks of numbers and of keys together", "one attn_mask=")
        seen = x.emit("Unsqueeze", x.emit("Not", hidden), x.ints([1, 2]))
        found = x.emit("And", found, seen) if found else seen
    return found
