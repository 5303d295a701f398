"""Arrays that grow by one piece each time around a loop.

## What it does
Reports ``out = np.append(out, x)`` in a loop, and the same with ``np.concatenate``, ``np.hstack``
or ``np.vstack``, where it ran often enough to matter.

## Why it is bad
Each call copies all that is there so far. A thousand pieces are half a million copies; ten thousand
are fifty million.

## Example
```python
import numpy as np

out = np.array([])
for i in range(200):
    out = np.append(out, i * i)
```

## Use instead
```python
import numpy as np

squares = []
for i in range(200):
    squares.append(i * i)
out = np.array(squares, dtype=float)
```

## When to ignore
Where the loop will never be longer.

## Options
- ``iterations``: of a loop, from which on it is reported; 100 unless set.

## References
- NumPy, numpy.append: https://numpy.org/doc/stable/reference/generated/numpy.append.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from ...tracer.trace import Array, Event, LoopRun, Trace
from .. import ops
from ..describe import fitting, size
from ..model import Finding, Fix, Severity
from ..syntax import call_at, numpy_name

SEVERITY = Severity.INFORMATION

_GROWING = frozenset({"append", "concatenate", "hstack", "vstack", "column_stack", "dstack"})
OPTIONS = {"iterations": 100}


def check(trace: Trace, options: Mapping[str, int] = OPTIONS) -> Iterator[Finding]:
    """Each place once."""
    grown = (e for e in trace.events if e.site.loop is not None and _grows(e))
    for _, events in groupby(sorted(grown, key=lambda e: e.site.number), lambda e: e.site.number):
        found = _finding(trace, list(events), options["iterations"])
        if found is not None:
            yield found


def _grows(event: Event) -> bool:
    """Whether the result takes the place of one of the arrays that were joined."""
    if not event.site.targets or ops.name(event) not in _GROWING:
        return False
    return isinstance(event.result, Array) and _grown(event) is not None


def _grown(event: Event) -> Array | None:
    names = {name for name, _ in event.site.targets}
    for operand, value in zip(event.site.operands, event.operands, strict=True):
        if operand.name in names and isinstance(value, Array):
            return value
    return None


def _finding(trace: Trace, events: list[Event], least: int) -> Finding | None:
    last = max(events, key=lambda e: _count(e.result))
    run = _run(trace, last)
    before = _grown(last)
    if run is None or before is None or run.iterations < least:
        return None
    piece = _count(last.result) - _count(before)
    if piece <= 0 or _count(before) < least / 4 * piece:
        return None  # it was emptied in between, or the pieces are what is large
    site, np = last.site, numpy_name(trace)
    name = site.targets[0][0]
    call = call_at(trace, site)
    called = trace.text(site.span).partition("(")[0] if call is not None else "joining"
    times = f"{run.iterations:,} times"
    copied = run.iterations * (run.iterations - 1) // 2 * piece
    total = before.type.nbytes if before.type is not None else None
    volume = f", {size(copied * (total // _count(before)))}" if total else ""
    join = "array" if ops.name(last) == "append" and piece == 1 else "concatenate"
    return Finding(
        code="quadratic-append",
        severity=SEVERITY,
        headline=fitting("information", "quadratic-append", (
            f"{called} copies all of {name} {times}",
            f"all of {name} is copied {times}",
        )),
        span=site.span,
        at=f"{piece:,} new element{'s' if piece > 1 else ''} each time",
        notes=(f"{copied:,} elements were copied in all{volume}",),
        fixes=(Fix(f"append the pieces to a list; {np}.{join}(list) behind the loop"),),
    )  # fmt: skip


def _run(trace: Trace, event: Event) -> LoopRun | None:
    """The execution of the innermost loop that an event is part of."""
    runs = (r for r in trace.loop_runs if r.loop.number == event.site.loop)
    found = (r for r in runs if r.frame is event.frame and event.index in r.events)
    return next(found, None)


def _count(value: object) -> int:
    """The elements of an array."""
    return (value.type.size or 0) if isinstance(value, Array) and value.type is not None else 0
