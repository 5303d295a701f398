"""What rules ask of two names for one memory: whether somebody takes them for two arrays."""

from __future__ import annotations

from ..doc.source import Span
from ..tracer.trace import Trace
from .syntax import covers

_KEPT = frozenset({"best", "old", "prev", "previous", "last", "initial", "before", "orig",
                   "original", "backup", "saved", "snapshot"})  # fmt: skip
"""Words in names that speak of a state that was."""
TELLS_APART = frozenset({
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "less",
    "less_equal", "greater", "greater_equal", "equal", "not_equal", "maximum", "minimum", "hypot",
    "matmul", "dot", "vdot", "inner", "outer", "concatenate", "stack", "vstack", "hstack", "where",
    "isclose",
})  # fmt: skip
"""What is of no use on one array twice. A call that prints both may be there to show it."""


def speaks_of_before(name: str) -> bool:
    """Whether a name speaks of a state that was: ``best``, ``x_old``."""
    return bool(_KEPT & {*name.lower().replace(".", "_").split("_")})


def in_turn(trace: Trace, named: Span, write: Span, use: Span) -> bool:
    """Whether the second name was made before the write, and the write before the use."""
    a, w, u = ((s.line, s.column) for s in (named, write, use))
    if a < w < u:
        return True
    spans = (named, write, use)
    around = any(all(covers(loop.span, span) for span in spans) for loop in trace.loops)
    return around and (w < u < a or u < a < w)
