"""``jit-lsp trace --format onnx``: from a run to a model, and what is said where there is none."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from .diagnostics.model import Finding
from .diagnostics.rules import no_export
from .ir import Module
from .launch import Unusable
from .tracer.lift import Lifted

if TYPE_CHECKING:
    from .export.prepare import Contents

__all__ = ["onnx_of"]


def onnx_of(module: Module, name: str, lifted: Lifted, *, custom: bool) -> bytes | Finding:
    """The bytes of the model of one graph of a module that was made of what ``lifted`` has; or why
    there is none, at the line that is the reason.

    Raises:
        Unusable: there is none, and no line is to blame.
    """
    try:
        from .export.errors import ExportError
        from .export.exporter import export
    except ImportError as error:
        raise Unusable(
            f"--format onnx needs the package {error.name or 'onnx'}: pip install 'jit-lsp[export]'"
        ) from None
    wrong: ExportError | None = None
    for graph in _graphs_of(module, name):
        try:
            made = export(module, graph, _contents(lifted), custom=custom)
            break
        except ExportError as error:
            wrong = error
    else:
        assert wrong is not None  # there is a graph of that name
        if wrong.span is None:
            raise Unusable(wrong.reason)
        return no_export.finding(wrong.reason, wrong.span, wrong.instead)
    for size, place in made.baked.items():
        print(f"jit-lsp: {size} is a number in the model, because of {place}", file=sys.stderr)
    return bytes(made.model.SerializeToString())


def _graphs_of(module: Module, name: str) -> list[str]:
    """The graphs of a function, one for each way in which it ran: the first that has a model is
    the one that is meant, as of a network that was trained before."""
    return [
        name,
        *(each for each in module.graphs if re.fullmatch(re.escape(name) + r"\.\d+", each)),
    ]


def _contents(lifted: Lifted) -> Contents:
    """What the arrays hold that graphs take from around, as far as the run told."""
    from .export.model import dtype_for

    found: dict[int, np.ndarray[Any, Any]] = {}
    for number, array in lifted.held.items():
        type_, data = array.type, array.contents
        if type_ is None or data is None or len(data) != type_.nbytes:
            continue
        elements = np.frombuffer(data, dtype_for(type_.element))
        found[number] = elements.reshape(type_.sizes)
    return found
