"""What every model has to hold to before anyone gets it: the checker of ONNX with full inference of
shapes, and that these are the shapes that the program had."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import onnx
from onnx import shape_inference

from ..ir.shapes import Dimension
from ..ir.types import ArrayType
from ..ir.values import Value
from .application import type_of
from .errors import ExportError
from .model import CUSTOM, value_info

__all__ = ["Unfit", "checked"]

_UNFIT = re.compile(r"op_type:(\w+), node name: ([^)]*)\).*unsupported type: tensor\((\w+)\)")
MOST_CHECKED = 1 << 31
"""Bytes of a model that protobuf, and so the checker, can take."""


class Unfit(Exception):
    """An operator, by the name of its node, doesn't take what it is given."""

    def __init__(self, node: str, reason: str) -> None:
        super().__init__(reason)
        self.node, self.reason = node, reason


def checked(
    model: onnx.ModelProto,
    types: Mapping[str, ArrayType],
    open_: Mapping[str, Dimension],
    outputs: Sequence[Value],
) -> onnx.ModelProto:
    """The model with the inferred shapes of its values and outputs.

    Raises:
        ExportError: it is too large, or not right. The latter is a fault of ours.
        Unfit: an operator doesn't take elements of a type.
    """
    if sum(len(tensor.raw_data) for tensor in model.graph.initializer) >= MOST_CHECKED - (1 << 20):
        raise ExportError("the weights are larger than an ONNX file can be, 2 GiB")
    try:
        inferred = _inferred(model)
    except shape_inference.InferenceError as error:
        unfit = _UNFIT.search(str(error))
        if unfit is not None:
            raise Unfit(unfit[2], f"ONNX's {unfit[1]} doesn't take {unfit[3]}") from None
        raise ExportError(f"jit-lsp made a model that isn't valid: {error}") from None
    own = any(domain.domain == CUSTOM for domain in model.opset_import)
    for info in (*inferred.graph.value_info, *inferred.graph.output):
        type_ = types.get(info.name)
        if type_ is not None:
            _compare(info, type_, open_)
    for place, (info, value) in enumerate(zip(inferred.graph.output, outputs, strict=True)):
        _complete(inferred.graph.output[place], info, type_of(value), open_)
    try:
        onnx.checker.check_model(inferred, full_check=not own)
    except (onnx.checker.ValidationError, shape_inference.InferenceError) as error:
        raise ExportError(f"jit-lsp made a model that isn't valid: {error}") from None
    return inferred


def _inferred(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with shapes. What values hold is followed too, for those that are sizes; ONNX takes
    any list of numbers for some, and what is added to that for an error where it is a column."""
    try:
        return shape_inference.infer_shapes(
            model, check_type=True, strict_mode=True, data_prop=True
        )
    except shape_inference.InferenceError:
        return shape_inference.infer_shapes(model, check_type=True, strict_mode=True)


def _compare(info: Any, type_: ArrayType, open_: Mapping[str, Dimension]) -> None:
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return
    sizes = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim]
    pairs = zip(sizes, type_.sizes, strict=False)
    wrong = len(sizes) != type_.ndim or any(a != b for a, b in pairs if None not in (a, b))
    known = value_info("", type_.element, None).type.tensor_type.elem_type
    if wrong or tensor.elem_type not in (0, known):
        raise ExportError(f"jit-lsp made a model in which {info.name} isn't {type_}, but {sizes}")


def _complete(target: Any, info: Any, type_: ArrayType, open_: Mapping[str, Dimension]) -> None:
    """Say the shape of an output as far as inference or, where nothing is open, the trace does."""
    if info.type.tensor_type.HasField("shape"):
        found = info.type.tensor_type.shape.dim
        if not open_:
            for dim, size in zip(found, type_.sizes, strict=True):
                if not dim.HasField("dim_value") and size is not None:
                    dim.dim_value = size
        return
    if not open_:
        target.CopyFrom(value_info(info.name, type_.element, type_.sizes))
