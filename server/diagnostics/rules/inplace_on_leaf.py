"""A write into a tensor whose gradient is wanted.

## What it does
Explains the exception of an in-place operation on a leaf that requires a gradient, or on a view of
one, and names the line that made it.

## Why it is bad
The script ended there. A leaf is where gradients arrive: were it written under the eyes of
autograd, its old value, which they are for, would be gone. An update of a parameter is no part of
the computation that gradients are taken of, so it belongs under ``torch.no_grad()``.

## Example
```python
import torch

p = torch.ones(3, requires_grad=True)
(p ** 2).sum().backward()
p -= 0.1 * p.grad
```

## Use instead
```python
import torch

p = torch.ones(3, requires_grad=True)
(p ** 2).sum().backward()
with torch.no_grad():
    p -= 0.1 * p.grad
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- PyTorch, Locally disabling gradient computation:
  https://pytorch.org/docs/stable/notes/autograd.html
"""

from __future__ import annotations

import ast
import re

from ...tracer.trace import Failure, Trace
from ..describe import calls_to, fitting, name_at, origin, row, target_of
from ..model import Edit, Finding, Fix, Severity
from ..syntax import enclosing, span_of

SEVERITY = Severity.ERROR

_MESSAGE = re.compile(r"(a view of )?a leaf Variable that requires grad")


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which leaf it was, and where it was made."""
    site = failure.site
    said = _MESSAGE.match(failure.message)
    if site is None or said is None:
        return None
    found = target_of(failure)
    if found is None:
        return None
    span, array = found
    name, written = name_at(trace, span), name_at(trace, site.span, 40)
    what = "shows a leaf whose gradient is wanted" if said[1] else "a leaf whose gradient is wanted"
    verb = f"{name} {what}" if said[1] else f"{name} is {what}"
    says = (f"{written}: {verb}", f"{written} writes into {what}", verb)
    since = "requires a gradient from here on"
    label = origin(trace, name, array, other_than=site.span, verb=since)
    shown = row(name, array)
    return Finding(
        code="inplace-on-leaf",
        severity=SEVERITY,
        headline=fitting("error", "inplace-on-leaf", says),
        span=site.span,
        at=f"{name} can't be written here",
        labels=() if label is None else (label,),
        operands=() if shown is None else (shown,),
        fixes=_fixes(trace, failure),
        call_path=calls_to(failure),
    )


def _fixes(trace: Trace, failure: Failure) -> tuple[Fix, ...]:
    """The statement under ``no_grad``."""
    assert failure.site is not None
    source = trace.sources[failure.site.span.path]
    for node in enclosing(source, failure.site.span):
        if isinstance(node, ast.stmt):
            span = span_of(source, node)
            line = source.line(span.line)
            indent = line[: span.column]
            if indent.strip() or span.line != span.end_line:
                break
            new = f"with torch.no_grad():\n{indent}    {source.at(span)}"
            return (Fix("with torch.no_grad(): around it", (Edit(span, new),)),)
    return (Fix("with torch.no_grad(): around it"),)
