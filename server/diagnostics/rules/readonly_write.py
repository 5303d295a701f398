"""Writes into arrays that are read-only.

## What it does
Explains the exception of a write into a read-only array, and names the line that made it so: a view
by ``np.broadcast_to``, whose rows all are the same memory, ``np.diagonal``, a buffer of ``bytes``,
or a flag that the program set.

## Why it is bad
The script ended there. A view by ``np.broadcast_to`` looks like a table, but has one row in memory:
were it writable, a change of one row would change all of them.

## Example
```python
import numpy as np

prices = np.array([9.5, 3.0])
table = np.broadcast_to(prices, (12, 2))
table[6:] *= 0.9
```

## Use instead
```python
import numpy as np

prices = np.array([9.5, 3.0])
table = np.broadcast_to(prices, (12, 2)).copy()
table[6:] *= 0.9
```

## When to ignore
When the exception is the point of the script. An exception that is caught is never reported.

## References
- NumPy, numpy.broadcast_to: https://numpy.org/doc/stable/reference/generated/numpy.broadcast_to.html
- NumPy, ndarray.flags: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.flags.html
"""

from __future__ import annotations

import ast
import re

from ...doc.source import Span
from ...tracer.trace import Array, Event, Failure, Trace
from .. import ops
from ..conflicts import target_span
from ..describe import calls_to, fitting, name_at, origin, row, target_of
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import behind, expression, span_of, tree

SEVERITY = Severity.ERROR

_MESSAGE = re.compile(r"(output array|assignment destination|array) is read-only")
_MAKERS = frozenset({
    "broadcast_to", "broadcast_arrays", "diagonal", "diag", "frombuffer", "fromstring", "load",
    "memmap", "lib.stride_tricks.sliding_window_view", "lib.stride_tricks.as_strided",
})  # fmt: skip


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which array it was, and since when it is read-only."""
    site = failure.site
    if site is None or _MESSAGE.search(failure.message) is None:
        return None
    found = target_of(failure)
    if found is None:
        return None
    span, array = found
    name = name_at(trace, span)
    label: Label | None
    made = _maker(array)
    flag = _flag(trace, name, site.span) if made is None else None
    written = name_at(trace, target_span(trace, site) if not site.is_call else site.span, 40)
    if made is not None:
        called = trace.text(made.site.span).partition("(")[0]
        why = f"{name} is a read-only view by {called}"
        label = Label(made.site.span, f"{name} is read-only from here on")
    else:
        why = f"{name} is read-only"
        known = flag and Label(flag, f"{name} is read-only from here on")
        label = known or origin(trace, name, array, other_than=site.span)
    shown = row(name, array, note=_shared(array))
    return Finding(
        code="readonly-write",
        severity=SEVERITY,
        headline=fitting("error", "readonly-write", (f"{written} can't be written: {why}", why)),
        span=site.span,
        at=f"{name} can't be written",
        labels=() if label is None else (label,),
        operands=() if shown is None else (shown,),
        fixes=_fixes(trace, name, made),
        call_path=calls_to(failure),
    )


def _maker(array: Array) -> Event | None:
    """The event that gave a read-only view, followed back through views of it."""
    seen: set[int] = set()
    value: Array | None = array
    while value is not None and value.made is not None and value.number not in seen:
        seen.add(value.number)
        made = value.made
        if ops.name(made) in _MAKERS:
            return made
        shown = [v for v in made.operands if isinstance(v, Array)]
        value = next((v for v in shown if v.memory is value.memory), None)
    return None


def _flag(trace: Trace, name: str, before: Span) -> Span | None:
    """The last line above that takes the right to write away by a flag."""
    source = trace.sources[before.path]
    found = None
    for node in ast.walk(tree(source.text) or ast.Module([], [])):
        text = ast.unparse(node) if isinstance(node, ast.Assign | ast.Call) else ""
        off = text in (f"{name}.flags.writeable = False", f"{name}.setflags(write=False)")
        if off and span_of(source, node).line < before.line:
            found = span_of(source, node)
    return found


def _shared(array: Array) -> str:
    """Which axis repeats the same memory."""
    kind = array.type
    if kind is None or kind.strides is None:
        return ""
    pairs = zip(kind.sizes, kind.strides, strict=True)
    same = [i for i, (size, stride) in enumerate(pairs) if stride == 0 and size != 1]
    return f"along axis {same[0]} all is the same memory" if same else ""


def _fixes(trace: Trace, name: str, made: Event | None) -> tuple[Fix, ...]:
    if made is None:
        return (Fix(f"{name} = {name}.copy(), ahead of this line"),)
    call = expression(trace.text(made.site.span))
    if ops.name(made) == "broadcast_arrays" or not isinstance(call, ast.Call):
        return ()
    at, text = behind(trace, made.site.span, ".copy()")
    alone = ops.name(made) not in ("diagonal", "diag") and made.site.operands
    return (Fix(" ".join(text.split()), (Edit(at, text),), safe=bool(alone)),)
