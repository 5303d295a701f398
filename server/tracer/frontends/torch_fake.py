"""PyTorch without computing: PyTorch's own fake tensors have a type, sizes, strides and a graph of
gradients, but no elements. A program that asks for an element ends there."""

from __future__ import annotations

import importlib
import logging
from typing import Any

_held: list[Any] = []
"""The mode that is on, which PyTorch itself doesn't keep."""


def begin(torch: Any) -> tuple[type, ...]:
    """Let all tensors that are made from now on be fake; gives what types they have, none where
    this PyTorch can't."""
    try:
        fake = importlib.import_module(f"{torch.__name__}._subclasses.fake_tensor")
        mode = fake.FakeTensorMode(allow_non_fake_inputs=True)
    except (ImportError, AttributeError):
        return ()
    logging.getLogger(fake.__name__).setLevel(logging.CRITICAL)
    mode.__enter__()
    _held.append(mode)
    return (fake.FakeTensor,)
