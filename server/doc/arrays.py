"""Arrays and tensors as type, shape and a short summary: never as a wall of numbers."""

from __future__ import annotations

import re
from typing import Any

from .algebra import annotate, concat
from .frame import trimmed
from .nodes import Doc
from .style import Style

FEW = 6  # elements of an array that is shown with its values
MANY = 1_000_000  # elements of an array that is too large to be looked at


def is_array(value: object) -> bool:
    """Whether ``value`` looks like an array of any library: by its shape and element type."""
    kind = type(value)
    return hasattr(kind, "shape") and hasattr(kind, "dtype") and not isinstance(value, type)


def array_summary(value: Any) -> Doc:
    """``f64[3] [0.0, 0.5, 1.0]``, or the range of the values if they are many.

    >>> import numpy as np
    >>> show(array_summary(np.linspace(0, 1, 3)), 80)
    f64[3] [0.0, 0.5, 1.0]
    >>> show(array_summary(np.zeros((64, 784), "f4")), 80)
    f32[64, 784] 0.0 to 0.0
    """
    shape = ", ".join(str(size) for size in value.shape)
    head = annotate(Style.TYPE, f"{element_name(value.dtype)}[{shape}]")
    said = _values(value)
    return concat(head, " ", annotate(Style.VALUE, said)) if said else head


def element_name(dtype: object) -> str:
    """The short name of an element type: ``f32`` for ``float32``.

    >>> [element_name(name) for name in ("float32", "torch.int64", "bool", "bfloat16", "<U3")]
    ['f32', 'i64', 'bool', 'bf16', '<U3']
    """
    name = str(dtype).removeprefix("torch.")
    match = re.fullmatch(r"(b?f)loat(\d+)|(i|u)n?t?(?:int)?(\d+)|(c)omplex(\d+)", name)
    return "".join(part for part in match.groups() if part) if match else trimmed(name, 40)


def _values(value: Any) -> str:
    """What can be said cheaply of the values of a NumPy array of numbers; else nothing."""
    if type(value).__module__ != "numpy" or value.dtype.kind not in "biuf" or not value.size:
        return ""
    if value.size <= FEW and value.ndim <= 1:
        return str(value.tolist())
    if value.size > MANY or value.dtype.kind == "b":
        return ""
    low, high = value.min().item(), value.max().item()
    return (
        "holds NaN" if low != low else f"{low:.6} to {high:.6}" if low % 1 else f"{low} to {high}"
    )
