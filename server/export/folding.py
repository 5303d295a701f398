"""A factor and a summand for each channel, as batches are normalised by: they go into the weights
of the convolution or product before."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from ..ir.values import Value
from .application import Application

__all__ = ["folded"]

_WEIGHED = {"Conv", "Gemm"}
"""Operators whose first axis of weights is that of channels, and their third input a summand."""


def folded(x: Application, name: str, factor: Any, summand: Any) -> str | None:
    """The operator that gives the argument ``name``, with other weights; None where something else
    wants what it gives, or its weights aren't known."""
    value = x.args[name]
    if not isinstance(value, Value) or sum(value.uses.values()) > 1:
        return None
    if value in x.exporter.prepared.outputs:
        return None
    known = x.exporter.names[value]
    place = next((i for i, n in enumerate(x.scope.nodes) if known in n.output), -1)
    if place < 0:
        return None
    maker, constants = x.scope.nodes[place], x.scope.model.constants
    if maker.op_type not in _WEIGHED or maker.input[1] not in constants:
        return None
    if any(given not in constants for given in maker.input[2:]):
        return None
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in maker.attribute}
    if maker.op_type == "Gemm" and not attributes.get("transB"):
        return None
    weight = constants[maker.input[1]]
    wide = np.reshape(factor, (-1, *[1] * (weight.ndim - 1)))
    bias = constants[maker.input[2]].astype(np.float64) if len(maker.input) > 2 else 0.0
    new = (
        x.scope.model.weight((weight * wide).astype(weight.dtype), f"{maker.input[1]}/scaled"),
        x.scope.model.weight((bias * factor + summand).astype(weight.dtype), f"{x.base}/shift"),
    )
    del x.scope.nodes[place]
    return x.emit(maker.op_type, maker.input[0], *new, **attributes)
