"""Updates of selected elements where some are selected more than once.

## What it does
Reports ``hist[labels] += 1`` and ``-=`` where ``labels`` holds an index several times.

## Why it is bad
The elements are read, changed, and written back, each of those for all at once. An element that is
selected three times is changed once, so counts and sums come out too small.

## Example
```python
import numpy as np

labels = np.array([0, 1, 1, 2, 1])
hist = np.zeros(3, dtype=int)
hist[labels] += 1
```

## Use instead
```python
import numpy as np

labels = np.array([0, 1, 1, 2, 1])
hist = np.zeros(3, dtype=int)
np.add.at(hist, labels, 1)
```

## When to ignore
Where one change for each element is what is meant; ``hist[np.unique(labels)] += 1`` says so.

## References
- NumPy, ufunc.at: https://numpy.org/doc/stable/reference/generated/numpy.ufunc.at.html
- NumPy, Assigning values to indexed arrays:
  https://numpy.org/doc/stable/user/basics.indexing.html#assigning-values-to-indexed-arrays
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Constant, Event, Pack, Remark, Trace
from .. import ops
from ..conflicts import target_span
from ..describe import fitting, name_at, origin
from ..model import Edit, Finding, Fix, Severity
from ..syntax import expression, literal, numpy_name

SEVERITY = Severity.WARNING

_UFUNCS = {"Add": "add", "Sub": "subtract"}
"""Operators that are meant to be applied as often as an index occurs."""
_Counts = tuple[int, int, int, tuple[int, ...]]
"""How many elements were updated, how many different ones, the most times, and of which."""


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once."""
    seen = set()
    for remark in trace.remarks:
        event = _update(trace, remark) if remark.kind == "repeated" else None
        counts = _counts(remark)
        if event is None or counts is None or event.site.number in seen:
            continue
        seen.add(event.site.number)
        if _matters(trace, event):
            yield _finding(trace, event, counts)
    for event in trace.events:
        if event.site.number not in seen and _matters(trace, event):
            counts = _written_out(trace, event)
            if counts is not None:
                seen.add(event.site.number)
                yield _finding(trace, event, counts)


def _update(trace: Trace, remark: Remark) -> Event | None:
    """The update that a remark is about: its own event, or the next that the index went to."""
    event = remark.event
    if event.kind == "store":
        return event
    for later in trace.events[event.index + 1 :]:
        if (
            later.kind == "store"
            and later.frame is event.frame
            and any(o.role == "index" and o.site == event.site.number for o in later.site.operands)
        ):
            return later
    return None


def _counts(remark: Remark) -> _Counts | None:
    numbers = [n for n in remark.details if type(n) is int]
    if len(numbers) != len(remark.details) or len(numbers) < 4:
        return None
    return numbers[0], numbers[1], numbers[2], tuple(numbers[3:])


def _written_out(trace: Trace, event: Event) -> _Counts | None:
    """The same for a list of numbers."""
    node = _subscript(trace, event)
    value = literal(node.slice) if node is not None else None
    indices = [v for o, v in zip(event.site.operands, event.operands, strict=True)
               if o.role == "index"]  # fmt: skip
    if value is None and len(indices) == 1 and isinstance(indices[0], Pack):
        value = [v.value if isinstance(v, Constant) else None for v in indices[0].items]
    if not isinstance(value, list) or not value or any(type(n) is not int for n in value):
        return None
    ((most, times),) = Counter(value).most_common(1)
    return (len(value), len({*value}), times, (most,)) if times > 1 else None


def _matters(trace: Trace, event: Event) -> bool:
    """Whether it is an update that should be made once for each occurrence of an index.

    ``x[i] -= y[i]`` is one change for each element, however often it is selected.
    """
    if event.kind != "store" or ops.operator(event.site) not in _UFUNCS or event.lost:
        return False
    node = _subscript(trace, event) if event.site.kind.endswith(":item") else None
    if node is None or not isinstance(event.operands[0], Array):
        return False
    value = expression(_value(trace, event))
    return value is None or f"[{ast.unparse(node.slice)}]" not in ast.unparse(value)


def _value(trace: Trace, event: Event) -> str:
    """What is added, as written."""
    span, target = event.site.span, target_span(trace, event.site)
    behind = Span(span.path, target.end_line, target.end_column, span.end_line, span.end_column)
    return trace.text(behind).partition("=")[2].strip()


def _subscript(trace: Trace, event: Event) -> ast.Subscript | None:
    node = expression(trace.text(target_span(trace, event.site)))
    return node if isinstance(node, ast.Subscript) else None


def _finding(trace: Trace, event: Event, counts: _Counts) -> Finding:
    site, span = event.site, event.site.span
    total, distinct, times, where = counts
    index = ", ".join(map(str, where)) if len(where) > 1 else str(where[0])
    node = _subscript(trace, event)
    array = name_at(trace, site.operands[0].span, 20)
    selects = name_at(trace, _index_span(event) or span, 20)
    often = "twice" if times == 2 else f"{times:,} times"
    says = (
        f"{array}[{index}] is selected {often} and changes once",
        f"[{index}] is selected {often} and changes once",
    )
    made = next(
        (
            found
            for o, v in zip(site.operands, event.operands, strict=True)
            if o.role == "index" and (found := origin(trace, name_at(trace, o.span), v,
                                                      other_than=span)) is not None
        ),
        None,
    )  # fmt: skip
    return Finding(
        code="duplicate-index-update",
        severity=SEVERITY,
        headline=fitting("warning", "duplicate-index-update", says),
        span=span,
        labels=() if made is None else (made,),
        notes=(f"{selects} has {total:,} entries, {distinct:,} of them different",),
        fixes=tuple(_fixes(trace, event, node)),
    )


def _index_span(event: Event) -> Span | None:
    return next((o.span for o in event.site.operands if o.role == "index"), None)


def _fixes(trace: Trace, event: Event, node: ast.Subscript | None) -> Iterator[Fix]:
    span, np = event.site.span, numpy_name(trace)
    value = _value(trace, event)
    if node is None or expression(value) is None:
        return
    ufunc = f"{np}.{_UFUNCS[ops.operator(event.site)]}.at"
    where = ast.unparse(node.slice)
    where = f"({where})" if isinstance(node.slice, ast.Tuple) and where[:1] != "(" else where
    new = f"{ufunc}({ast.unparse(node.value)}, {where}, {value})"
    yield Fix(" ".join(new.split()), (Edit(span, new),), safe=True)
