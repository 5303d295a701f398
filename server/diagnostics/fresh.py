"""Calls that change an array in place, as calls that give a new one."""

from __future__ import annotations

import ast

from ..tracer.trace import Event, Trace
from . import ops
from .syntax import call_at, numpy_name


def fresh_call(trace: Trace, event: Event) -> str:
    """``np.sort(x)`` for ``x.sort()``, and its like; nothing where there is none."""
    call = call_at(trace, event.site)
    if call is None:
        return ""
    given = ", ".join(map(ast.unparse, [*call.args, *call.keywords]))
    match ops.name(event):
        case "sort" | "partition" as name if isinstance(call.func, ast.Attribute):
            array = ast.unparse(call.func.value)
            return f"{numpy_name(trace)}.{name}({array}{', ' if given else ''}{given})"
        case "random.shuffle" | "random.Generator.shuffle":
            return f"{ast.unparse(call.func).removesuffix('shuffle')}permutation({given})"
    return ""
