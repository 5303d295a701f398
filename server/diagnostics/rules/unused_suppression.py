"""Comments that ignore nothing.

## What it does
Points out a ``# jit: ignore`` comment that covered no finding of the last run, where the run came
to its end.

## Why it is bad
A comment that outlived its cause hides the next finding on that line.

## Example
```python
total = 1 + 2  # jit: ignore[first-nan]
```

## Use instead
```python
total = 1 + 2
```

## When to ignore
When the finding depends on the data, and another run has it.

## References
- docs/configuration.md
"""

from __future__ import annotations

from ..model import Severity

SEVERITY = Severity.HINT
