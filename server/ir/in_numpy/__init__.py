"""What PyTorch's ops do, written with NumPy's: one table a module, by the names of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..gradients.application import Application
from ..symbol import Symbol
from . import elements, layers, losses, reductions, sequences, shapes

__all__ = ["Form", "form_of"]

Form = str | Callable[[Application], Any]
"""An expression in the arguments of an op, or a function that makes one, as of ``Through``."""

_FORMS: Final[dict[str, Form]] = {
    **elements.FORMS,
    **layers.FORMS,
    **losses.FORMS,
    **reductions.FORMS,
    **sequences.FORMS,
    **shapes.FORMS,
}


def form_of(op: Symbol) -> Form | None:
    """How NumPy's ops give what an op of PyTorch does, or what one in place writes."""
    if op.namespace != "torch":
        return None
    name = op.name.removeprefix("Tensor.").removeprefix("nn.functional.")
    return _FORMS.get(name) or _FORMS.get(name.removesuffix("_"))
