"""A value that a traced function takes for a constant.

## What it does
Finds where a function that ``torch.jit.trace`` runs asks for the truth of a tensor: in ``if``,
``while``, ``assert``, ``and``, ``or``, ``not``, or a conditional expression.

## Why it is bad
A trace keeps the operations that ran on the example. A branch is none: the traced function takes
the same one for every input, without a word.

## Example
```python
import torch

def f(x):
    if x.sum() > 0:
        return x * 2
    return x - 100

traced = torch.jit.trace(f, torch.ones(2))
```

## Use instead
```python
import torch

def f(x):
    return torch.where(x.sum() > 0, x * 2, x - 100)

traced = torch.jit.trace(f, torch.ones(2))
```

## When to ignore
When every input takes that branch, as in a check of arguments.

## References
- PyTorch, torch.jit.trace: https://pytorch.org/docs/stable/generated/torch.jit.trace.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Event, Trace
from ..describe import fitting, name_at
from ..model import Finding, Label, Severity
from ..syntax import covers, enclosing, span_of

SEVERITY = Severity.WARNING


def check(trace: Trace) -> Iterator[Finding]:
    """Tests of tensors that were made while a trace was taken, each place once."""
    seen: set[Span] = set()
    for remark in trace.remarks:
        if remark.kind != "traced" or remark.event.site.span in seen:
            continue
        tested = _tested(trace, remark.event)
        if tested is None:
            continue
        seen.add(remark.event.site.span)
        yield _finding(trace, remark.event, tested)


def _tested(trace: Trace, event: Event) -> str | None:
    """The statement or operator that asks for the truth of what an event gave."""
    span = event.site.span
    source = trace.sources[span.path]
    for node in enclosing(source, span):
        here = span_of(source, node) if hasattr(node, "lineno") else None
        if here == span:
            continue
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                if covers(span_of(source, test), span):
                    return "while" if isinstance(node, ast.While) else "if"
            case ast.Assert(test=test) if covers(span_of(source, test), span):
                return "assert"
            case ast.BoolOp(op=op):
                return "and" if isinstance(op, ast.And) else "or"
            case ast.UnaryOp(op=ast.Not()):
                return "not"
        return None
    return None


def _finding(trace: Trace, event: Event, tested: str) -> Finding:
    text = name_at(trace, event.site.span, 30)
    says = (
        f"the trace keeps what {text} was for its example, and never asks again",
        f"the trace keeps what {text} was",
        "the trace keeps what this was for its example",
    )
    called = next((s for s in trace.sites if s.callee.endswith("jit.trace")), None)
    labels = () if called is None else (Label(called.span, "traced here"),)
    return Finding(
        code="baked-constant",
        severity=SEVERITY,
        headline=fitting("warning", "baked-constant", says),
        span=event.site.span,
        at=f"{tested} takes one way for every input",
        labels=labels,
    )
