"""Results that a line computes and throws away.

## What it does
Reports a statement that only calls a function which gives a new array and changes none:
``np.append(a, b)``, ``np.sort(x)``, ``x.reshape(2, -1)``, ``np.sqrt(x)``. With ``out=`` the
function does change an array, and is not reported.

## Why it is bad
Nothing fails, and nothing changes. Unlike ``list.append``, ``np.append`` leaves its argument as it
was; so do all of NumPy's functions of that kind.

## Example
```python
import numpy as np

mins = np.array([])
for a, b in zip([3.0, 1.0], [2.0, 5.0]):
    np.append(mins, min(a, b))
```

## Use instead
```python
import numpy as np

mins = []
for a, b in zip([3.0, 1.0], [2.0, 5.0]):
    mins.append(min(a, b))
mins = np.array(mins)
```

## When to ignore
Where only the time or the exception of the call matters. Calls inside ``with`` and ``try``, between
looks at a clock, in tests, and in cells of a notebook are never reported.

## References
- NumPy, numpy.append: https://numpy.org/doc/stable/reference/generated/numpy.append.html
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Event, Trace
from .. import ops
from ..describe import fitting, name_at, repetition
from ..model import Edit, Finding, Fix, Severity
from ..syntax import call_at, enclosing

SEVERITY = Severity.WARNING

_LOOKS_LIKE_A_CHANGE = frozenset({
    "append", "insert", "delete", "sort", "partition", "roll", "rot90", "flip", "fliplr", "flipud",
    "reshape", "resize", "ravel", "flatten", "transpose", "swapaxes", "moveaxis", "squeeze",
    "expand_dims", "astype", "round", "clip", "repeat", "tile", "pad", "concatenate", "stack",
    "vstack", "hstack", "dstack", "column_stack", "unique", "cumsum", "cumprod", "nan_to_num",
    "trim_zeros", "where",
})  # fmt: skip
"""Besides elementwise ops: what a reader may take for a change of the argument."""
_MEASURED = re.compile(
    r"perf_counter|monotonic|process_time|\btime\(|timeit|bench|warm|profile|^test", re.I
)
_CELL = re.compile(r"^# ?(%%|In ?\[)", re.MULTILINE)


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once."""
    seen = set()
    for event in trace.events:
        site = event.site
        if not site.discarded or not site.is_call or site.number in seen:
            continue
        seen.add(site.number)
        if _only_gives(event) and not _meant(trace, site.span):
            yield _finding(trace, event)


def _only_gives(event: Event) -> bool:
    """Whether it made a new array of another, and did nothing else."""
    known = ops.info(event)
    if known is None or not known.pure or not isinstance(event.result, Array):
        return False
    pairs = list(zip(event.site.operands, event.operands, strict=True))
    named = [v for o, v in pairs if isinstance(v, Array) and o.name]
    if not named or event.result in named or ops.written(event):
        return False
    if any(o.role in ("out", "*") for o in event.site.operands):
        return False
    return known.fusible or ops.name(event) in _LOOKS_LIKE_A_CHANGE


def _meant(trace: Trace, span: Span) -> bool:
    """Whether the call is made for its exception, its time, or to be shown by a notebook."""
    source = trace.sources[span.path]
    around = enclosing(source, span)
    if any(isinstance(node, ast.With | ast.Try | ast.Lambda) for node in around):
        return True
    for node in around:
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        beside = (s for s in body if isinstance(s, ast.Assign | ast.Expr))
        if any(_MEASURED.search(ast.unparse(s)) for s in beside):
            return True
        if isinstance(node, ast.FunctionDef) and (
            _MEASURED.search(node.name) or _is_thunk(node, around)
        ):
            return True
    return _CELL.search(source.text) is not None


def _is_thunk(function: ast.FunctionDef, around: list[ast.AST]) -> bool:
    """Whether it is a function inside another that takes and gives nothing: it is there to be run
    by somebody who looks at what happens."""
    outer = any(isinstance(n, ast.FunctionDef) and n is not function for n in around)
    gives = any(isinstance(n, ast.Return) and n.value for n in ast.walk(function))
    return outer and not gives and not function.args.args


def _finding(trace: Trace, event: Event) -> Finding:
    site = event.site
    call = call_at(trace, site)
    called = ast.unparse(call.func) if call is not None else name_at(trace, site.span)
    pairs = zip(site.operands, event.operands, strict=True)
    array = next(o for o, v in pairs if isinstance(v, Array) and o.name)
    name = name_at(trace, array.span)
    stays = f"{name} stays as it was"
    says = (
        f"{name_at(trace, site.span, 40)} is thrown away; {stays}",
        f"{called}() gives a new array, which is thrown away; {stays}",
        f"the new array is thrown away; {stays}",
        "the new array is thrown away",
    )
    again = repetition(trace, event)
    return Finding(
        code="discarded-result",
        severity=SEVERITY,
        headline=fitting("warning", "discarded-result", says),
        span=site.span,
        at="gives a new array",
        notes=(again,) if again else (),
        fixes=tuple(_fixes(trace, event, name)),
    )


def _fixes(trace: Trace, event: Event, name: str) -> Iterator[Fix]:
    text = trace.text(event.site.span)
    if name.isidentifier():
        new = f"{name} = {text}"
        yield Fix(" ".join(new.split()), (Edit(event.site.span, new),))
