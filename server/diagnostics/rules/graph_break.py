"""A line that PyTorch can't compile into one graph with the rest.

## What it does
Shows where ``torch.compile`` had to end a graph and go on with another, and why; and explains the
exception where a whole graph was asked for, by ``fullgraph=True`` or ``torch.export``.

## Why it is bad
Between two graphs Python runs as ever: what stands on both sides of a break can't be fused, and
each call enters compiled code once more. An exported program has no Python to go back to.

## Example
```python
import torch

def f(x):
    if x.sum() > 0:
        return x * 2
    return x - 100

fast = torch.compile(f, backend="eager")
fast(torch.ones(2))
```

## Use instead
```python
import torch

def f(x):
    return torch.where(x.sum() > 0, x * 2, x - 100)

fast = torch.compile(f, backend="eager")
fast(torch.ones(2))
```

## When to ignore
Where a break costs little: around a line of a log, or beside much work.

## References
- PyTorch, torch.compile: https://pytorch.org/docs/stable/torch.compiler.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...doc.source import Span
from ...tracer.trace import Failure, Trace
from ..describe import fitting, name_at
from ..model import Finding, Fix, Label, Severity

SEVERITY = Severity.INFORMATION
_BRANCH = re.compile(r"data-dependent (?:branching|expression|control)|generic_jump", re.I)
_EXPLANATION = re.compile(
    r"Explanation: (.+?)(?: with argument types.*)?(?:\. |\.?$)", re.MULTILINE
)
_REFUSED = ("torch._dynamo", "torch.fx.experimental")


def check(trace: Trace) -> Iterator[Finding]:
    """The places at which graphs broke, each once."""
    if trace.failure is not None and _is_refused(trace.failure):
        return
    seen: set[Span] = set()
    for broken in trace.breaks:
        span = _span(trace, broken.span)
        if span in seen:
            continue
        seen.add(span)
        text = name_at(trace, span, 34)
        says = (f"the compiled graph breaks at {text}", "the compiled graph breaks here")
        yield _finding(SEVERITY, says, span, broken.reason, text)


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """The line that a whole graph could not be made of."""
    if not _is_refused(failure) or failure.span is None:
        return None
    last = trace.breaks[-1] if trace.breaks else None
    span = _span(trace, failure.span if last is None else last.span)
    reason = failure.message if last is None else last.reason
    text = name_at(trace, span, 34)
    says = (
        f"no whole graph can be made: it breaks at {text}",
        "no whole graph can be made of this",
    )
    asked = next((c.span for c in failure.calls if c.known), failure.span)
    labels = () if asked.line == span.line else (Label(asked, "asked for here"),)
    return replace(_finding(Severity.ERROR, says, span, reason, text), labels=labels)


def _is_refused(failure: Failure) -> bool:
    return failure.module.startswith(_REFUSED) and not failure.type.startswith("Backend")


def _finding(
    severity: Severity, says: tuple[str, ...], span: Span, reason: str, text: str
) -> Finding:
    branch = _BRANCH.search(reason) is not None
    told = _EXPLANATION.search(reason)
    return Finding(
        code="graph-break",
        severity=severity,
        headline=fitting(severity, "graph-break", says),
        span=span,
        at="which way it goes is known only from the numbers" if branch else "",
        fixes=(Fix(f"torch.where({text}, .., ..), with both sides"),) if branch else (),
        notes=() if branch or told is None else (f"PyTorch says: {told[1]}",),
    )


def _span(trace: Trace, span: Span) -> Span:
    """The place, or the text of its line where only that is known."""
    source = trace.sources.get(span.path)
    if span.end_column > span.column or span.end_line > span.line or source is None:
        return span
    line = source.text.split("\n")[span.line - 1]
    start = len(line) - len(line.lstrip())
    return replace(span, column=start, end_column=len(line.rstrip()))
