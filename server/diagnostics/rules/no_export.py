"""Operations that have no place in an ONNX model.

## What it does
Names the operation, on the way from a function's arguments to what it returns, that
``jit-lsp trace --format onnx`` has no operators for, and why: ONNX has none for it, or none for its
elements or arguments; it draws at random or reads a file; it comes from code that wasn't recorded;
or an array is changed in place that can't be followed.

## Why it is bad
The model that was asked for can't be made. Leaving the operation out would give a wrong one.

## Example
```ir
graph @main(%x.0: f64[3, 3]) {
  %y.1 : f64[3, 3] = np.linalg.inv(%x.0)
  return %y.1
}
```

## Use instead
```ir
graph @main(%x.0: f64[3, 3]) {
  %y.1 : f64[3, 3] = np.multiply(%x.0, 2.0)
  return %y.1
}
```

With ``--allow-custom``, such an operation becomes an operator of the domain ``jit_lsp``, which
whoever runs the model has to give to the runtime.

## When to ignore
Never: it is said only where a model was asked for.

## References
- docs/export.md
"""

from __future__ import annotations

from ...doc.source import Span
from ..model import Finding, Fix, Severity

SEVERITY = Severity.ERROR


def finding(reason: str, span: Span, instead: str) -> Finding:
    """What has no place in a model, why, and the nearest spelling that has, if one is known."""
    fixes = (Fix(instead),) if instead else ()
    return Finding("no-export", SEVERITY, reason, span, fixes=fixes)
