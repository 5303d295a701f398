"""Layers of PyTorch that were given what they are not made for, in terms of the layer: what it is
configured for, what came in, and what made that."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..doc.source import Span
from ..tracer.layers import settings_of
from ..tracer.trace import Array, Event, Failure, LayerRun, Thing, Trace
from .describe import name_at
from .model import Edit, Fix, Label, Operand
from .syntax import expression

Settings = Mapping[str, object]
_Account = Callable[[Settings, tuple[int, ...]], "tuple[int, int, str, str] | None"]
"""From settings and the sizes of the input: the axis that doesn't fit, its size, what it is called,
and the setting that says what it must be."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """What a layer was given that it isn't made for."""

    says: tuple[str, ...]
    operands: tuple[Operand, ...]
    labels: tuple[Label, ...]
    fixes: tuple[Fix, ...]


def misfit(trace: Trace, failure: Failure) -> Misfit | None:
    """The account of a failure inside a layer of PyTorch's own; None where none is sure."""
    if not failure.layers:
        return None
    layer, given = failure.layers[-1]
    value = given[0] if given else None
    account = _ACCOUNTS.get(layer.name)
    if account is None or not isinstance(value, Array) or value.type is None:
        return None
    sizes = tuple(size or 0 for size in value.type.sizes)
    settings = settings_of(layer)
    found = account(settings, sizes)
    if found is None:
        return None
    axis, size, what, setting = found
    wanted = settings[setting]
    name = f"{layer.shown}, {layer.name}," if layer.shown else f"the layer {layer.name}"
    says = (
        f"{name} takes {wanted} {what}, it got {size}: axis {axis} of its input",
        f"{name} takes {wanted} {what}, it got {size}",
        f"{layer.name} takes {wanted} {what}, it got {size}",
    )
    kind = value.type
    shown = Operand("its input", kind.element, tuple(map(str, kind.sizes)), frozenset({axis}),
                    f"must be {wanted}")  # fmt: skip
    rows = [shown]
    held = next((v for v in layer.parameters.values() if isinstance(v, Array)), None)
    if held is not None and held.type is not None:
        rows.append(Operand(held.parameter or "its weight", held.type.element,
                            tuple(map(str, held.type.sizes))))  # fmt: skip
    labels = [*_made(trace, layer, f"{layer.name} is made for {wanted} {what}")]
    labels += _input(trace, failure, value)
    return Misfit(says, tuple(rows), tuple(labels), tuple(_fixes(trace, layer, setting, size)))


# ---------------------------------------------------------------------- what layers are made for


def _last(setting: str, what: str) -> _Account:
    """The last axis is fixed."""

    def account(settings: Settings, sizes: tuple[int, ...]) -> tuple[int, int, str, str] | None:
        wanted = settings.get(setting)
        if not isinstance(wanted, int) or not sizes or sizes[-1] == wanted:
            return None
        return len(sizes) - 1, sizes[-1], what, setting

    return account


def _channels(setting: str, dimensions: int | None) -> _Account:
    """The axis of channels is fixed: the second, or the first of an input that is no batch."""

    def account(settings: Settings, sizes: tuple[int, ...]) -> tuple[int, int, str, str] | None:
        wanted = settings.get(setting)
        axis = 0 if dimensions is not None and len(sizes) == dimensions + 1 else 1
        if dimensions is not None and len(sizes) not in (dimensions + 1, dimensions + 2):
            return None
        if not isinstance(wanted, int) or len(sizes) <= axis or sizes[axis] == wanted:
            return None
        return axis, sizes[axis], "channels", setting

    return account


def _normalised(settings: Settings, sizes: tuple[int, ...]) -> tuple[int, int, str, str] | None:
    """The last axes are fixed."""
    wanted = settings.get("normalized_shape")
    if not isinstance(wanted, tuple) or len(wanted) > len(sizes):
        return None
    for back in range(1, len(wanted) + 1):
        if sizes[-back] != wanted[-back]:
            return len(sizes) - back, sizes[-back], "features", "normalized_shape"
    return None


_ACCOUNTS: Mapping[str, _Account] = {
    "Linear": _last("in_features", "features"),
    "Conv1d": _channels("in_channels", 1),
    "Conv2d": _channels("in_channels", 2),
    "Conv3d": _channels("in_channels", 3),
    "BatchNorm1d": _channels("num_features", None),
    "BatchNorm2d": _channels("num_features", 2),
    "BatchNorm3d": _channels("num_features", 3),
    "GroupNorm": _channels("num_channels", None),
    "LayerNorm": _normalised,
    "MultiheadAttention": _last("embed_dim", "features"),
    **dict.fromkeys(
        ("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"), _last("input_size", "features")
    ),
}


# ---------------------------------------------------------------------- where it came from


def _made(trace: Trace, layer: Thing, says: str) -> list[Label]:
    return [Label(layer.made.site.span, says)] if layer.made is not None else []


def _input(trace: Trace, failure: Failure, value: Array) -> list[Label]:
    """The line that decided the size of the input: the layer before, or an operation."""
    before = [r for r in trace.layer_runs if r.before == len(trace.events) and r.result is value]
    if before:
        run: LayerRun = before[-1]
        kind = value.type
        return _made(trace, run.layer, f"{run.layer.shown or run.layer.name} gave {kind}")
    made: Event | None = value.made
    site = failure.site
    if made is None or site is None or made.site.span.line == site.span.line:
        return []
    name = value.names[-1] if value.names else name_at(trace, made.site.span)
    return [Label(made.site.span, f"{name} got its shape here")]


def _fixes(trace: Trace, layer: Thing, setting: str, size: int) -> list[Fix]:
    """The layer made for what it gets."""
    made = layer.made
    if made is None or setting == "normalized_shape":
        return []
    operands = made.site.operands
    place = next((o for o in operands if o.role == setting), None) or next(
        (o for o in operands if o.role == "0" and setting != "num_channels"), None
    )
    text = trace.text(made.site.span)
    if place is None or not isinstance(expression(text), ast.Call) or "\n" in text:
        return []
    at: Span = place.span
    start = at.column - made.site.span.column
    new = text[:start] + str(size) + text[start + at.end_column - at.column :]
    return [Fix(f"{new}, in line {at.line}", (Edit(at, str(size)),))]
