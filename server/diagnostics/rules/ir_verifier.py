"""Graphs that contradict themselves.

## What it does
Checks the graph of a traced program: every value is defined once and before it is used, no value
is used after an operation changed it in place, calls and loops fit what they call and carry, and
what the registry says of an operation holds. ``jit-lsp trace`` checks every graph that it shows.

## Why it is bad
A graph that is wrong here would compute something else than the program. The fault is jit-lsp's,
not the program's: please report it.

## Example
```ir
graph @update(%x.0: f32[8], %i.1: i64[]) {
  %x.2 : f32[8] = np.setitem!(%x.0, %i.1, 1.0)
  %y.3 : f32[8] = np.add(%x.0, %x.0)
  return %y.3
}
```

## Use instead
```ir
graph @update(%x.0: f32[8], %i.1: i64[]) {
  %x.2 : f32[8] = np.setitem!(%x.0, %i.1, 1.0)
  %y.3 : f32[8] = np.add(%x.2, %x.2)
  return %y.3
}
```

## When to ignore
Never; but nothing else that is said of the program depends on it.

## References
- docs/ir.md
"""

from __future__ import annotations

from collections.abc import Iterator

from ...doc.source import Span
from ...ir import Module, verify
from ...ir.window import window
from ..model import Finding, Severity

SEVERITY = Severity.ERROR


def findings(module: Module, path: str) -> Iterator[Finding]:
    """What is wrong with a graph of the program ``path``, each with the graph around it."""
    for error in verify(module):
        span = error.span or Span(path, 1, 0, 1, 0)
        yield Finding("ir-verifier", SEVERITY, error.message, span, notes=(window(error),))
