"""Functions that PyTorch compiles from their bytecode have to be as they were written.

``torch.compile`` and ``torch.export`` read the code of a function, and of all that it calls. When
one of them is called, every function of the program gets its plain code back, as do calls of
layers: from then on they are opaque, and only what stands in no function is still recorded. Where
what is compiled had to be broken up, and why, is PyTorch's to know, and is read from it at the end.
"""

from __future__ import annotations

import ast
import gc
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

from ..recorder import Break, Recorder
from ..sites import Program
from . import torch_hooks, torch_layers
from .plain import PlainCodes
from .recompiled import recompiled

MAX_BREAKS = 200
"""Breaks that are told of."""
MAX_REASON = 2000
"""Characters of why."""
_START = b"\0jit-lsp:start"


def install(recorder: Recorder, torch: Any) -> None:
    """Let the functions that compile begin with giving plain code back."""
    plain = _Plain(recorder, torch)
    recorder.breaks = lambda error: list(_breaks(error, recorder.programs))
    entries = [torch.compile]
    export = getattr(torch, "export", None)
    if isinstance(export, types.ModuleType):
        entries.append(vars(export).get("export"))
    for function in entries:
        if isinstance(function, types.FunctionType):
            recompiled(function, _at_start, {_START: plain})


def _breaks(error: BaseException | None, programs: Mapping[str, Program]) -> Iterator[Break]:
    """Where graphs broke, in files that are recorded; last what ``error`` says of itself."""
    known = sys.modules.get("torch._dynamo.utils")
    for found in getattr(known, "graph_break_reasons", ())[:MAX_BREAKS]:
        yield from _break(found.user_stack, found.reason, programs)
    yield from _break(getattr(error, "real_stack", None) or (), str(error), programs)


def _break(stack: Any, reason: str, programs: Mapping[str, Program]) -> Iterator[Break]:
    """One break, at the innermost line of the program."""
    for frame in reversed(stack):
        if frame.filename in programs:
            first, end = getattr(frame, "colno", None), getattr(frame, "end_colno", None)
            last = getattr(frame, "end_lineno", None) or frame.lineno
            place = (frame.lineno, first or 0, last, first or 0 if end is None else end)
            yield frame.filename, place, reason[:MAX_REASON]
            return


def _at_start(function: ast.FunctionDef) -> bool:
    """Call ours ahead of the first statement behind the docstring."""
    body = function.body
    first = 1 if len(body) > 1 and ast.get_docstring(function, clean=False) is not None else 0
    call = ast.Expr(ast.Call(ast.Constant(_START), [], []))
    ast.copy_location(call, body[first])
    ast.fix_missing_locations(call)
    body.insert(first, call)
    return True


class _Plain:
    """Gives functions their plain code back."""

    def __init__(self, recorder: Recorder, torch: Any) -> None:
        self.codes, self.torch = PlainCodes(recorder), torch

    def __call__(self) -> None:
        torch_layers.unwatch(self.torch.nn.Module)
        torch_hooks.unwatch(self.torch)
        for value in gc.get_objects():
            plain = self.codes.of(value.__code__) if type(value) is types.FunctionType else None
            if plain is not None:
                value.__code__ = plain
