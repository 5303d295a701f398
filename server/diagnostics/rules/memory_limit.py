"""Arrays for which there is no room.

## What it does
Reports an operation that failed for want of memory, with how much it asked for and how much a run
may use.

## Why it is bad
What stands below the line never ran. Most often one size is not what it seems: a product of two
lengths, a table of all pairs, 8 bytes an element where 1 would do.

## Example
```python
import numpy as np

points = np.zeros(10_000_000)
pairs = points[:, None] - points
```

## Use instead
```python
import numpy as np

points = np.zeros(10_000)
gaps = np.diff(np.sort(points))
```

## When to ignore
Where the program needs that much and has it when it runs by itself: ``memory`` in the table
``[tool.jit-lsp.sandbox]`` of pyproject.toml lets a run have more.

## References
- Python, resource.RLIMIT_AS: https://docs.python.org/3/library/resource.html#resource.RLIMIT_AS
"""

from __future__ import annotations

import re

from ...tracer.trace import Failure, Trace
from ..describe import calls_to, fitting, name_at, row
from ..model import Finding, Severity

SEVERITY = Severity.ERROR

_ASKED = re.compile(
    r"Unable to allocate (?P<size>[\d.]+ \w+) for an array with shape \((?P<shape>[\d, ]+)\) and "
    r"data type (?P<element>\w+)"
)
_TOO_BIG = ("array is too big", "Maximum allowed dimension exceeded")


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """How much was asked for, and by what."""
    too_big = failure.type == "ValueError" and failure.message.startswith(_TOO_BIG)
    out = failure.type in ("MemoryError", "_ArrayMemoryError")
    if failure.span is None or not (too_big or out):
        return None
    asked = _ASKED.search(failure.message)
    fact = "is more than any memory holds" if too_big else "finds no room"
    notes = []
    if asked is not None:
        fact = f"needs {asked['size'].replace('. ', ' ')}"
        shape = ", ".join(filter(None, map(str.strip, asked["shape"].split(","))))
        notes.append(f"that is [{shape}] of {asked['element']}")
    if out and trace.limit_bytes is not None:
        may = f"the run may use {trace.limit_bytes / 2**30:.3g} GiB"
        notes.append(f"{may}; memory in [tool.jit-lsp.sandbox] allows more")
    says = [f"{name_at(trace, failure.span, most)} {fact}" for most in (40, 24)]
    rows = (row(name_at(trace, span), value) for _, span, value in failure.operands)
    return Finding(
        code="memory-limit",
        severity=SEVERITY,
        headline=fitting("error", "memory-limit", says),
        span=failure.span,
        operands=tuple(dict.fromkeys(found for found in rows if found is not None)),
        notes=tuple(notes),
        call_path=calls_to(failure),
    )
