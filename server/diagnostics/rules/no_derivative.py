"""Operations that a derivative can't go through.

## What it does
Names the operation, on the way from a value to the loss, that ``jit-lsp trace --grad`` has no
derivative of, and why: there is none, none is known, the code wasn't traced, or an array is
changed in place that can't be followed.

## Why it is bad
The derivative that was asked for can't be computed. Leaving the operation out would give a wrong
one.

## Example
```ir
graph @main(%x.0: f64[3]) {
  %y.1 : f64[2] = np.unique(%x.0)
  %l.2 : f64[] = np.sum(%y.1)
  return %l.2
}
```

## Use instead
```ir
graph @main(%x.0: f64[3]) {
  %y.1 : f64[3] = np.cumsum(%x.0)
  %l.2 : f64[] = np.sum(%y.1)
  return %l.2
}
```

## When to ignore
Never: it is said only where a derivative was asked for.

## References
- docs/ir.md
"""

from __future__ import annotations

from ...doc.source import Span
from ...ir.gradients.reverse import NotDifferentiable
from ..model import Finding, Severity

SEVERITY = Severity.ERROR


def finding(error: NotDifferentiable, path: str) -> Finding:
    """Where a derivative of the program ``path`` ends, and why."""
    span = error.node.span or Span(path, 1, 0, 1, 0)
    headline = f"{error.node.op} can't be differentiated: {error.reason}"
    return Finding("no-derivative", SEVERITY, headline, span)
