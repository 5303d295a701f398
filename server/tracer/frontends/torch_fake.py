"""PyTorch without computing: PyTorch's own fake tensors have a type, sizes, strides and a graph of
gradients, but no elements. A program that asks for an element ends there."""

from __future__ import annotations

import logging
from typing import Any

_held: list[Any] = []
"""The mode that is on, which PyTorch itself doesn't keep."""


def begin(torch: Any) -> tuple[type, ...]:
    """Let all tensors that are made from now on be fake; gives what types they have, none where
    this PyTorch can't."""
    try:
        from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
    except ImportError:
        return ()
    logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    mode.__enter__()
    _held.append(mode)
    return (FakeTensor,)
