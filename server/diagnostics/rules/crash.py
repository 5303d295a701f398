"""Signals that end the script: a crash in compiled code, or an end from outside.

## What it does
Reports a script whose process was ended by a signal, at the line that was running.

## Why it is bad
Python says nothing then: no exception, no traceback. A segmentation fault is a fault of compiled
code, such as an extension that was given an array of another shape or type than it expects.

## Example
```python
import ctypes

ctypes.string_at(0)
```

## Use instead
```python
import ctypes

text = ctypes.create_string_buffer(b"kept alive")
ctypes.string_at(text)
```

## When to ignore
When the signal is the point of the script.

## References
- Python, faulthandler: https://docs.python.org/3/library/faulthandler.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.trace import Trace
from ..describe import line_span, signal_name
from ..model import Finding, Severity

SEVERITY = Severity.ERROR


def check(trace: Trace) -> Iterator[Finding]:
    """The line that was running when the signal came; else the last that was recorded."""
    outcome = trace.outcome
    if outcome.status != "killed":
        return
    running = next((line for path, line, _ in outcome.stack if path == trace.path), None)
    last = trace.events[-1].site.span.line if trace.events else None
    headline = f"ended by {signal_name(outcome.code)}"
    if running is not None:
        headline += " while this ran"
    elif last is not None:
        headline += " after this ran"
    notes = (_OUT_OF_MEMORY,) if outcome.code == _KILLED else ()
    yield Finding("crash", SEVERITY, headline, line_span(trace, running or last or 1), notes=notes)


_KILLED = 9  # SIGKILL, which not every system's signal module has
_OUT_OF_MEMORY = "the system ends a process in this way when memory has run out"
