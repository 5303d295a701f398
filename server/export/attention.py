"""Attention that a program writes out, found to be one operator: products, scale, mask and softmax,
and the heads that are split before and joined after."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from ..ir import registry
from ..ir.graph import Node
from ..ir.opinfo import Arguments, OpError, Unknown
from ..ir.types import ArrayType
from ..ir.values import Value

__all__ = ["Attention", "attention_at"]


@dataclass(frozen=True, slots=True)
class Attention:
    """Queries, keys and values, each with its heads apart; ``causal`` hides what is later.

    ``joined`` is what the program makes of the result by joining its heads, where it does, and
    where ``query``, ``key`` and ``value`` are what heads were split from.
    """

    query: Value
    key: Value
    value: Value
    scale: float
    causal: bool
    heads: int = 0
    joined: Value | None = None


def attention_at(node: Node) -> Attention | None:
    """What attention a product of weights and values ends, if it ends one. Masks are followed where
    each row is left something: what a runtime makes of a row without is not the same everywhere."""
    weights, value = _pair(node)
    soft = _made(weights, "softmax")
    if soft is None or weights is None or value is None or len(_sizes(value)) != 4:
        return None
    if soft.constant("dim", None) not in (-1, len(_sizes(weights)) - 1):
        return None
    scores, causal = _unmasked(_value(soft, "input"))
    if causal and len(set(_sizes(weights)[-2:])) > 1:
        return None
    scores, scale = _unscaled(scores)
    product = scores.node if scores is not None else None
    query, turned = _pair(product) if product is not None else (None, None)
    key = _swapped(turned, -2, -1)
    if query is None or key is None or len({_element(v) for v in (query, key, value)}) > 1:
        return None
    if len(_sizes(query)) != 4 or len(_sizes(key)) != 4:
        return None
    found = Attention(query, key, value, scale, causal)
    return _with_heads(found, node.results[0]) or found


def _with_heads(found: Attention, result: Value) -> Attention | None:
    """The same where heads are split off just before, and joined just after."""
    apart = [_split(each) for each in (found.query, found.key, found.value)]
    one, two, three = apart
    joined = _joined(result)
    if one is None or two is None or three is None or joined is None:
        return None
    heads = int(_sizes(found.query)[1] or 0)
    if any(_sizes(each)[1] != heads for each in (found.key, found.value)) or not heads:
        return None
    return Attention(one, two, three, found.scale, found.causal, heads, joined)


def _unmasked(scores: Value | None) -> tuple[Value | None, bool]:
    """Scores before what is later was hidden; and whether that was."""
    masked = _made(scores, "masked_fill")
    if masked is not None and masked.constant("value", None) == -math.inf:
        seen = _made(_value(masked, "mask"), "bitwise_not", "logical_not", once=False)
        if seen is not None and _lower(_value(seen, "input"), _sizes(scores)):
            return _value(masked, "input"), True
    return scores, False


def _lower(mask: Value | None, sizes: tuple[Any, ...]) -> bool:
    """Whether a mask is true below the diagonal and on it, and nowhere else."""
    lower = _made(mask, "tril", once=False)
    if lower is None or lower.constant("diagonal", 0) or _sizes(mask) != sizes[-2:]:
        return False
    return _made(_value(lower, "input"), "ones", once=False) is not None


def _unscaled(scores: Value | None) -> tuple[Value | None, float]:
    """Scores before a factor, and the factor."""
    for name, inverse in (("div", True), ("mul", False)):
        scaled = _made(scores, name)
        other = _constant(scaled, "other") if scaled is not None else None
        rounded = scaled is not None and scaled.given("rounding_mode")
        if scaled is not None and isinstance(other, int | float) and other and not rounded:
            return _value(scaled, "input"), 1 / other if inverse else float(other)
    return scores, 1.0


def _split(value: Value) -> Value | None:
    """[b, t, heads d] that a program made [b, heads, t, d] of."""
    apart = _swapped(value, 1, 2)
    reshaped = _made(apart, "view", "reshape", once=False)
    source = _value(reshaped, "input") if reshaped is not None else None
    if source is None or apart is None or len(_sizes(source)) != 3:
        return None
    return source if _sizes(source)[:2] == _sizes(apart)[:2] else None


def _joined(value: Value) -> Value | None:
    """[b, t, heads d] that a program makes of [b, heads, t, d], if that is all it does with it."""
    (user,) = list(value.uses) if len(value.uses) == 1 else [None]
    if user is None or _swapped(user.results[0], 1, 2) is not value:
        return None
    turned = user.results[0]
    (then,) = list(turned.uses) if len(turned.uses) == 1 else [None]
    if then is not None and then.results and _named(then, "contiguous"):
        turned = then.results[0]
        (then,) = list(turned.uses) if len(turned.uses) == 1 else [None]
    if then is None or not _named(then, "view", "reshape"):
        return None
    sizes, given = _sizes(then.results[0]), _sizes(turned)
    whole = then.results[0]
    return whole if len(sizes) == 3 and sizes[:2] == given[:2] else None


def _swapped(value: Value | None, one: int, other: int) -> Value | None:
    """What a value is the transpose of, by these two of its four dimensions."""
    turned = _made(value, "transpose", once=False)
    if turned is None or value is None:
        return None
    ndim = len(_sizes(value))
    axes = {_constant(turned, name) for name in ("dim0", "dim1")}
    if not all(isinstance(axis, int) for axis in axes):
        return None
    same = {axis % ndim for axis in axes} == {one % ndim, other % ndim}
    return _value(turned, "input") if same else None


def _pair(node: Node) -> tuple[Value | None, Value | None]:
    """The operands of a product."""
    arguments = _arguments(node) if _named(node, "matmul") else None
    if arguments is None:
        return None, None
    return _value(arguments, "input"), _value(arguments, "other")


def _made(value: Value | None, *names: str, once: bool = True) -> Arguments | None:
    """The arguments of the op of one of these names that made a value; with ``once``, of a value
    that is used no more than once."""
    node = value.node if value is not None else None
    if value is None or node is None or not _named(node, *names):
        return None
    return None if once and sum(value.uses.values()) != 1 else _arguments(node)


def _named(node: Node, *names: str) -> bool:
    return node.op.namespace == "torch" and node.op.name.rpartition(".")[2] in names


def _arguments(node: Node) -> Arguments | None:
    info = registry.get(node.op)
    try:
        return info.bind(node.operands, node.attributes) if info is not None else None
    except OpError:
        return None


def _value(arguments: Arguments, name: str) -> Value | None:
    found = arguments[name] if arguments.given(name) else None
    return found if isinstance(found, Value) else None


def _constant(arguments: Arguments, name: str) -> Any:
    try:
        return arguments.constant(name, None)
    except Unknown:
        return None


def _sizes(value: Value | None) -> tuple[Any, ...]:
    return value.type.sizes if value is not None and isinstance(value.type, ArrayType) else _NONE


def _element(value: Value) -> str:
    return value.type.element if isinstance(value.type, ArrayType) else ""


_NONE: Final[tuple[Any, ...]] = ()
