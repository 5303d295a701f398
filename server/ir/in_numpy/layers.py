"""Layers of networks: convolutions, windows, norms and attention.

A convolution is a sum of products of the weights with windows of its input, and a pooling is a
reduction of windows. ``windows`` takes them by lists of indices, one for each dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from string import ascii_lowercase
from typing import Any, Final

from ..expressions import Expr
from ..gradients.application import Application, Unsupported
from .reductions import softmax

__all__ = ["FORMS"]


def convolution(ndim: int) -> Callable[[Application], Any]:
    """A convolution over the last ``ndim`` dimensions."""

    def form(at: Application) -> Any:
        np, x, weight = at.np, at["input"], at["weight"]
        alone = x.ndim == ndim + 1
        x = np.expand_dims(x, 0) if alone else x
        kernel = tuple(map(int, weight.sizes[2:]))
        stride, dilation = (_each(at[name], ndim) for name in ("stride", "dilation"))
        padding = _padding(at["padding"], kernel, dilation)
        made = _convolved(x, weight, at["groups"], stride, padding, dilation)
        if at.given("bias"):
            made = made + np.reshape(at["bias"], shape=(int(weight.sizes[0]), *(1,) * ndim))
        return made[0] if alone else made

    return form


def transposed(ndim: int) -> Callable[[Application], Any]:
    """What a convolution over the last ``ndim`` dimensions leads back from: one of the input with
    zeros between its elements, by weights that are turned round."""

    def form(at: Application) -> Any:
        np, x, weight, groups = at.np, at["input"], at["weight"], at["groups"]
        alone = x.ndim == ndim + 1
        x = np.expand_dims(x, 0) if alone else x
        stride, dilation, pads, more = (
            _each(at[name], ndim) for name in ("stride", "dilation", "padding", "output_padding")
        )
        inputs, outputs, *kernel = map(int, weight.sizes)
        edges = [d * (k - 1) - p for k, d, p in zip(kernel, dilation, pads, strict=True)]
        if min(edges) < 0:
            raise Unsupported("padding= is wider than the kernel")
        for k in range(ndim):
            x = _apart(x, 2 + k, stride[k])
        spatial = tuple(range(3, 3 + ndim))
        turned = np.reshape(weight, shape=(groups, inputs // groups, outputs, *kernel))
        turned = np.flip(np.swapaxes(turned, 1, 2), axis=spatial)
        turned = np.reshape(turned, shape=(groups * outputs, inputs // groups, *kernel))
        padding = tuple((e, e + extra) for e, extra in zip(edges, more, strict=True))
        made = _convolved(x, turned, groups, (1,) * ndim, padding, dilation)
        if at.given("bias"):
            made = made + np.reshape(at["bias"], shape=(groups * outputs, *(1,) * ndim))
        return made[0] if alone else made

    return form


def _convolved(
    x: Expr,
    weight: Expr,
    groups: int,
    stride: tuple[int, ...],
    padding: tuple[tuple[int, int], ...],
    dilation: tuple[int, ...],
) -> Any:
    np, ndim = x.writer.np, x.ndim - 2
    taken = windows(x, tuple(map(int, weight.sizes[2:])), stride, padding, dilation, 0.0)
    batch, channels, *rest = map(int, taken.sizes)
    grouped = np.reshape(taken, shape=(batch, groups, channels // groups, *rest))
    outputs, *inner = map(int, weight.sizes)
    weights = np.reshape(weight, shape=(groups, outputs // groups, *inner))
    inside, along = ascii_lowercase[:ndim], ascii_lowercase[ndim : 2 * ndim]
    pairs = "".join(k + o for k, o in zip(inside, along, strict=True))
    made = np.einsum(f"zyx{pairs},ywx{inside}->zyw{along}", grouped, weights)
    return np.reshape(made, shape=(batch, outputs, *map(int, made.sizes[3:])))


def _apart(x: Expr, axis: int, step: int) -> Any:
    """Zeros between elements along an axis, so that every ``step``-th is one of them."""
    if step == 1:
        return x
    np, sizes = x.writer.np, [int(size) for size in x.sizes]
    zeros = np.zeros((*sizes[: axis + 1], step - 1, *sizes[axis + 1 :]), dtype=x.type.element)
    wide = np.concatenate([np.expand_dims(x, axis + 1), zeros], axis=axis + 1)
    sizes[axis] *= step
    wide = np.reshape(wide, shape=tuple(sizes))
    return np.take(wide, np.arange(sizes[axis] - step + 1), axis=axis)


def pooling(reduction: str, ndim: int) -> Callable[[Application], Any]:
    """The largest or the mean of each window."""

    def form(at: Application) -> Any:
        for name in ("ceil_mode", "return_indices"):
            if at.info.defaults.get(name) is not None and at[name]:
                raise Unsupported(f"{name}= is given")
        np, x = at.np, at["input"]
        alone = x.ndim == ndim + 1
        x = np.expand_dims(x, 0) if alone else x
        kernel, padding = (_each(at[name], ndim) for name in ("kernel_size", "padding"))
        stride = _each(at["stride"], ndim) if at.given("stride") else kernel
        dilation = _each(at["dilation"] if "dilation" in at.info.defaults else 1, ndim)
        outside = float("-inf") if reduction == "max" else 0.0
        pairs = tuple((p, p) for p in padding)
        taken = windows(x, kernel, stride, pairs, dilation, outside)
        made = getattr(np, reduction)(taken, axis=tuple(range(2, 2 + 2 * ndim, 2)))
        return made[0] if alone else made

    return form


def adaptive(ndim: int) -> Callable[[Application], Any]:
    """Means of as many windows as wanted, where they are all of one size."""

    def form(at: Application) -> Any:
        x, wanted = at["input"], at.r.sizes[-ndim:]
        given = x.sizes[-ndim:]
        if any(size % count for size, count in zip(given, wanted, strict=True)):
            raise Unsupported("windows of different sizes")
        split: list[int] = [int(size) for size in x.sizes[:-ndim]]
        for size, count in zip(given, wanted, strict=True):
            split += [int(count), int(size // count)]
        first = len(split) - 2 * ndim
        axes = tuple(range(first + 1, len(split), 2))
        return at.np.mean(at.np.reshape(x, shape=tuple(split)), axis=axes)

    return form


def windows(
    x: Expr,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[tuple[int, int], ...],
    dilation: tuple[int, ...],
    outside: float,
) -> Expr:
    """Windows of the dimensions after the first two, each as two: the place within, the window."""
    np, made = x.writer.np, x
    if any(sum(each) for each in padding):
        made = _padded(made, padding, outside)
    for k in reversed(range(len(kernel))):
        axis, reach = 2 + k, dilation[k] * (kernel[k] - 1) + 1
        count = (int(made.sizes[axis]) - reach) // stride[k] + 1
        inside = np.reshape(np.arange(kernel[k]) * dilation[k], shape=(-1, 1))
        made = np.take(made, inside + np.arange(count) * stride[k], axis=axis)
    return made


def _padded(x: Expr, padding: tuple[tuple[int, int], ...], outside: float) -> Expr:
    np, made = x.writer.np, x
    for k, pair in enumerate(padding):
        parts = []
        for extra in pair:
            sizes = tuple(extra if a == 2 + k else int(s) for a, s in enumerate(made.sizes))
            parts.append(np.full(sizes, outside, dtype=made.type.element))
        made = np.concatenate([parts[0], made, parts[1]], axis=2 + k)
    return made


def _linear(at: Application) -> Any:
    made = at.np.matmul(at["input"], at["weight"].T)
    return made + at["bias"] if at.given("bias") else made


def _embedded(at: Application) -> Any:
    return at.np.take(at["weight"], at["input"], axis=0)


def _classes(at: Application) -> Any:
    numbers = at.np.arange(int(at.r.sizes[-1]))
    return at.np.equal(at.np.expand_dims(at["input"], -1), numbers)


def _over_layer(at: Application) -> Any:
    sizes = at["normalized_shape"]
    count = len(sizes) if isinstance(sizes, tuple | list) else 1
    axes = tuple(range(-count, 0))
    return _scaled(at, _normal(at["input"], axes, at["eps"]), None)


def _over_batch(at: Application) -> Any:
    np, x = at.np, at["input"]
    sizes = (1, int(x.sizes[1]), *(1,) * (x.ndim - 2))
    if at["training"] or not at.given("running_mean"):
        axes = tuple(a for a in range(x.ndim) if a != 1)
        return _scaled(at, _normal(x, axes, at["eps"]), sizes)
    mean, variance = (np.reshape(at[name], shape=sizes) for name in ("running_mean", "running_var"))
    return _scaled(at, (x - mean) / np.sqrt(variance + at["eps"]), sizes)


def _over_groups(at: Application) -> Any:
    np, x, groups = at.np, at["input"], at["num_groups"]
    batch, channels, *rest = map(int, x.sizes)
    inner = (batch, groups, channels // groups * prod(rest))
    made = _normal(np.reshape(x, shape=inner), (-1,), at["eps"])
    made = np.reshape(made, shape=(batch, channels, *rest))
    return _scaled(at, made, (1, channels, *(1,) * len(rest)))


def _normal(x: Expr, axes: tuple[int, ...], epsilon: float) -> Any:
    np = x.writer.np
    away = x - np.mean(x, axis=axes, keepdims=True)
    return away / np.sqrt(np.mean(away * away, axis=axes, keepdims=True) + epsilon)


def _scaled(at: Application, x: Any, sizes: tuple[int, ...] | None) -> Any:
    """Times the weight, plus the bias, where a layer has them."""
    for name, operator in (("weight", at.np.multiply), ("bias", at.np.add)):
        if name in at.info.parameters and at.given(name):
            x = operator(x, at[name] if sizes is None else at.np.reshape(at[name], shape=sizes))
    return x


def _unit(at: Application) -> Any:
    np, x, order = at.np, at["input"], at["p"]
    sized = np.absolute(x) ** order
    length = np.sum(sized, axis=at["dim"], keepdims=True) ** (1.0 / order)
    return x / np.maximum(length, at["eps"])


def _attention(at: Application) -> Any:
    if at["dropout_p"]:
        raise Unsupported("dropout_p= is given")
    np, query, key = at.np, at["query"], at["key"]
    scores = query @ np.swapaxes(key, -1, -2) * (int(query.sizes[-1]) ** -0.5)
    if at["is_causal"]:
        here, there = map(int, scores.sizes[-2:])
        scores = np.where(np.tri(here, there, dtype="bool"), scores, float("-inf"))
    if at.given("attn_mask"):
        mask = at["attn_mask"]
        hides = mask.type.element == "bool"
        scores = np.where(mask, scores, float("-inf")) if hides else scores + mask
    return softmax(scores, -1) @ at["value"]


def _heads(at: Application) -> Any:
    """Queries, keys and values by parts of one weight, each split into heads."""
    for name in ("bias_k", "bias_v", "add_zero_attn"):
        if at.given(name) and at[name]:
            raise Unsupported(f"{name}= is given")
    if at["training"] and at["dropout"]:
        raise Unsupported("dropout= is given")
    np, heads, first = at.np, at["num_heads"], at["batch_first"]
    given = [at[name] for name in ("query", "key", "value")]
    alone = given[0].ndim == 2
    given = [np.expand_dims(x, 0) if alone else x if first else np.swapaxes(x, 0, 1) for x in given]
    width = int(given[0].sizes[-1])
    split = []
    for place, x in enumerate(given):
        part = slice(place * width, (place + 1) * width)
        made = np.matmul(x, at["in_proj_weight"][part].T)
        made = made + at["in_proj_bias"][part] if at.given("in_proj_bias") else made
        batch, time = map(int, made.sizes[:2])
        split.append(np.swapaxes(np.reshape(made, shape=(batch, time, heads, -1)), 1, 2))
    query, key, value = split
    scores = query @ np.swapaxes(key, -1, -2) * ((width // heads) ** -0.5)
    for name in ("attn_mask", "key_padding_mask"):
        if at.given(name):
            scores = _hidden(scores, at[name], name)
    weights = softmax(scores, -1)
    made = np.reshape(np.swapaxes(weights @ value, 1, 2), shape=(int(query.sizes[0]), -1, width))
    made = np.matmul(made, at["out_proj_weight"].T)
    made = made + at["out_proj_bias"] if at.given("out_proj_bias") else made
    made = made[0] if alone else made if first else np.swapaxes(made, 0, 1)
    if len(at.node.results) == 1:
        return made
    weights = np.mean(weights, axis=1) if at["average_attn_weights"] else weights
    return made, weights[0] if alone else weights


def _hidden(scores: Any, mask: Any, name: str) -> Any:
    """Scores without those that a mask of a layer is true for, or with what it adds to them."""
    np, sizes = scores.writer.np, [int(size) for size in scores.sizes]
    if name == "key_padding_mask":
        mask = np.reshape(mask, shape=(-1, 1, 1, sizes[-1]))
    elif mask.ndim == 3:  # one for each head of each item of the batch
        mask = np.reshape(mask, shape=tuple(sizes))
    hides = mask.type.element == "bool"
    return np.where(mask, float("-inf"), scores) if hides else scores + mask


def _padding(
    given: Any, kernel: tuple[int, ...], dilation: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    if given == "same":
        extra = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
        return tuple((each // 2, each - each // 2) for each in extra)
    if given == "valid":
        given = 0
    return tuple((p, p) for p in _each(given, len(kernel)))


def _each(given: Any, ndim: int) -> tuple[int, ...]:
    """One number for each dimension."""
    numbers = tuple(given) if isinstance(given, tuple | list) else (given,)
    return numbers * (ndim // len(numbers))


FORMS: Final[Mapping[str, Any]] = {
    "linear": _linear,
    "embedding": _embedded,
    "one_hot": _classes,
    **{f"conv{n}d": convolution(n) for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": transposed(n) for n in (1, 2, 3)},
    **{f"max_pool{n}d": pooling("max", n) for n in (1, 2, 3)},
    **{f"avg_pool{n}d": pooling("mean", n) for n in (1, 2, 3)},
    **{f"adaptive_avg_pool{n}d": adaptive(n) for n in (1, 2, 3)},
    **{f"nn.MaxPool{n}d": pooling("max", n) for n in (1, 2, 3)},
    **{f"nn.AvgPool{n}d": pooling("mean", n) for n in (1, 2, 3)},
    **{f"nn.AdaptiveAvgPool{n}d": adaptive(n) for n in (1, 2, 3)},
    "nn.MultiheadAttention": _heads,
    "layer_norm": _over_layer,
    "batch_norm": _over_batch,
    "group_norm": _over_groups,
    "normalize": _unit,
    "scaled_dot_product_attention": _attention,
}
