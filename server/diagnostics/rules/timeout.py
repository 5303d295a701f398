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
    inside = "" if function in ("", "<module>") else f" in {function}()"
    headline = f"still running here{inside} when the time was over"
    seconds = trace.limit_seconds
    if seconds is not None:
        headline += f": {seconds:g} s"
    callers = tuple(f"called from line {outer}" for outer, _ in own[1:4])
    yield Finding("timeout", SEVERITY, headline, line_span(trace, line), notes=callers)


def _last_line(trace: Trace) -> int:
    return trace.events[-1].site.span.line if trace.events else 1
