"""Scripts that are still running when their time is over.

## What it does
Reports the line that was running when a script was stopped for reaching the wall-clock limit. What
it did until then is judged as usual.

## Why it is bad
Nothing is known of what stands below that line. The cause is an endless loop, a wait for something
that does not come, or honest work that takes longer than the limit.

## Example
```python
# timeout: 1
while True:
    pass
```

## Use instead
```python
# timeout: 5
for attempt in range(3):
    pass
```

## When to ignore
A training script is expected to take long: its first seconds are judged, and this finding is only
information about where it was. Raise the limit to see more.

## References
- ``jit-lsp check --timeout SECONDS``
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...tracer.trace import Trace
from ..describe import line_span
from ..model import Finding, Severity

SEVERITY = Severity.WARNING


def check(trace: Trace) -> Iterator[Finding]:
    """The line that was running at the end."""
    if trace.outcome.status != "timeout":
        return
    own = [(line, function) for path, line, function in trace.outcome.stack if path == trace.path]
    line, function = own[0] if own else (_last_line(trace), "")
    after = "" if trace.limit_seconds is None else f" after {trace.limit_seconds:g} s"
    where = f"in {function}()" if _named(function) else "at this line"
    callers = tuple(
        (line_span(trace, outer), inner)
        for (_, inner), (outer, _) in reversed(list(pairwise(own)))
        if _named(inner)
    )
    yield Finding(
        code="timeout",
        severity=SEVERITY,
        headline=f"stopped{after}, still running {where}",
        span=line_span(trace, line),
        notes=tuple(_loops(trace, line)),
        call_path=callers,
    )


def _named(function: str) -> bool:
    return bool(function) and not function.startswith("<")


def _loops(trace: Trace, line: int) -> Iterator[str]:
    """How far the innermost loop round the line had come, as far as that was recorded."""
    around = [
        run for run in trace.loop_runs if run.loop.span.line <= line <= run.loop.span.end_line
    ]
    if around:
        run = max(around, key=lambda run: (run.loop.span, run.events.start))
        counted = f"{run.iterations:,} iteration{'s' if run.iterations > 1 else ''}"
        yield f"the loop at line {run.loop.span.line} had begun at least {counted}"


def _last_line(trace: Trace) -> int:
    return trace.events[-1].site.span.line if trace.events else 1
