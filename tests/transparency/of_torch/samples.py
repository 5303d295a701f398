"""What generated tests of PyTorch call: the inputs that PyTorch has in its own databases for its
tests, and a digest of what came out. It is not recorded itself."""

from __future__ import annotations

import hashlib
import itertools
import unittest
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import torch
from torch.testing._internal.autograd_function_db import autograd_function_db
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db

MOST = 4
"""Samples of one operation, of the many that there are."""
MAX_DIGEST = 1 << 20
"""Bytes of one tensor that count."""


class Case(unittest.TestCase):
    """A test whose outcome tells what was seen, bit by bit."""

    def setUp(self) -> None:
        torch.manual_seed(0)
        warnings.simplefilter("ignore")
        self.hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        """Of all that was seen."""
        return self.hash.hexdigest()[:12]

    def seen(self, *values: object) -> None:
        """Count ``values``: elements, types, sizes, strides, and how they stand to gradients."""
        for value in values:
            self.hash.update(repr(list(_described(value))).encode())


def _described(value: Any) -> Iterator[object]:
    if isinstance(value, torch.Tensor):
        node = value.grad_fn
        yield str(value.dtype), tuple(value.shape), value.requires_grad
        yield None if node is None else type(node).__name__
        with torch.no_grad():
            yield _elements(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _described(item)
    elif isinstance(value, BaseException):
        yield type(value).__name__
    else:
        yield type(value).__name__, value if isinstance(value, (int, float, str)) else None


def _elements(value: torch.Tensor) -> object:
    try:
        plain = value.detach().to_dense() if value.layout != torch.strided else value.detach()
        flat = plain.resolve_conj().resolve_neg().contiguous().reshape(-1)
        return hashlib.sha256(flat.view(torch.uint8).numpy().tobytes()[:MAX_DIGEST]).hexdigest()
    except (RuntimeError, TypeError):  # of a layout, or a type, that has no bytes of its own
        return repr(value)


@cache
def _operations() -> dict[tuple[str, str], Any]:
    return {(op.name, op.variant_test_name): op for op in (*op_db, *autograd_function_db)}


def operation(name: str, variant: str) -> Any:
    """What a database calls by a name, where PyTorch has it under none."""
    return _operations()[name, variant].op


def samples(
    name: str, variant: str, dtype: torch.dtype, *, gradient: bool = False
) -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any]]]:
    """Inputs of an operation: the first, the others, and those by name."""
    known = _operations()[name, variant]
    found = known.sample_inputs("cpu", dtype, requires_grad=gradient)
    for sample in itertools.islice(found, MOST):
        yield sample.input, sample.args, sample.kwargs


def copied(value: Any) -> Any:
    """Another tensor with the same elements, which may be written."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def wanting(*values: Any) -> list[torch.Tensor]:
    """The tensors among values that a gradient can be asked of."""
    return [t for t in tensors(values) if t.requires_grad]


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors of a value, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)


def layers(name: str, *, training: bool) -> Iterator[tuple[Any, Any]]:
    """How to make a layer, and what to call it with."""
    (known,) = (info for info in module_db if info.name == name)
    found = known.module_inputs_func(
        known, device="cpu", dtype=torch.float32, requires_grad=True, training=training
    )
    for sample in itertools.islice(found, MOST):
        yield sample.constructor_input, sample.forward_input


def options(name: str, number: int) -> dict[str, Any]:
    """One configuration of an optimizer."""
    (known,) = (info for info in optim_db if info.optim_cls.__name__ == name)
    chosen: dict[str, Any] = known.optim_inputs_func(device="cpu")[number].kwargs
    return chosen
