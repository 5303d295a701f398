"""The operation whose gradient was the first to be NaN.

## What it does
Looks at gradients as they come out of the nodes of a backward pass, and reports the operation that
made the first NaN: gradients without one went in, one with it came out. Where the forward pass had
made a NaN already, ``first-nan`` tells of that, and this rule is silent.

## Why it is bad
One NaN in a gradient is in all parameters after the next step, and the loss shows it one step
later. The usual cause is 0 times infinity: the branch that ``torch.where`` doesn't take has an
infinite derivative, ``sqrt`` or a norm at 0, ``0 * log(0)``.

## Example
```python
import torch

deg = torch.tensor([0.0, 4.0, 9.0], requires_grad=True)
inv = torch.where(deg > 0, deg.rsqrt(), torch.ones(3))
inv.sum().backward()
```

## Use instead
```python
import torch

deg = torch.tensor([0.0, 4.0, 9.0], requires_grad=True)
inv = torch.where(deg > 0, deg.clamp(min=1e-12).rsqrt(), torch.ones(3))
inv.sum().backward()
```

## When to ignore
When those gradients are thrown away.

## References
- PyTorch, torch.where and NaN gradients: https://github.com/pytorch/pytorch/issues/10729
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.trace import Array, Backward, Event, Trace
from ..describe import fitting, name_at, row
from ..gradients import nodes_of, operands_of
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import primary

SEVERITY = Severity.WARNING

_AT_ZERO = frozenset({"rsqrt", "sqrt", "log", "reciprocal", "log2", "log10", "norm"})
_OF_DIVISION = frozenset({"div", "pow", "norm", "linalg_vector_norm", "std", "atan2"})


def check(trace: Trace) -> Iterator[Finding]:
    """The first node of each kind of place that made a NaN."""
    seen: set[object] = set()
    for backward in trace.backwards:
        if backward.blame is None or _before(trace, backward):
            continue
        event = nodes_of(trace).event(backward.blame)
        if event is None or event.site in seen or event.index > backward.event.index:
            continue
        seen.add(event.site)
        yield _finding(trace, event, backward)


def _before(trace: Trace, backward: Backward) -> bool:
    """Whether the forward computation had a NaN already."""
    return any(found.event.index < backward.event.index for found in trace.not_finite)


def _finding(trace: Trace, event: Event, backward: Backward) -> Finding:
    text = name_at(trace, event.site.span, 30)
    name = next((n.name for n in backward.nodes if n.number == backward.blame), "")
    op = name.partition("Backward")[0].lower()
    says = (
        f"the gradient of {text} is NaN: the first of the run",
        f"the gradient of {text} is the first NaN",
        "the gradient of this is the first NaN of the run",
    )
    masked = next(
        (e for e in trace.events[event.index + 1 : backward.event.index]
         if e.site.callee.endswith("where") and event.result in operands_of(e)), None,
    )  # fmt: skip
    labels = [Label(backward.event.site.span, "computed here")]
    if masked is not None and masked.site.span.line != event.site.span.line:
        labels.insert(0, Label(masked.site.span, "left out here in part"))
    notes = ("where() gives 0 to what it leaves out, and 0 · inf is NaN",) if masked else ()
    shown = [
        row(name_at(trace, where.span), value)
        for where, value in zip(event.site.operands, event.operands, strict=True)
        if isinstance(value, Array)
    ]
    return Finding(
        code="nan-gradient",
        severity=SEVERITY,
        headline=fitting("warning", "nan-gradient", says),
        span=event.site.span,
        at=f"the derivative of {op}" if op else "",
        labels=tuple(labels),
        operands=tuple(r for r in shown if r is not None),
        notes=notes,
        fixes=tuple(_fixes(trace, event, op)),
    )


def _fixes(trace: Trace, event: Event, op: str) -> Iterator[Fix]:
    """A value kept away from where the derivative is infinite."""
    operands = event.site.operands
    if op not in _AT_ZERO or not operands or not event.site.is_call:
        return
    inner = trace.text(operands[0].span)
    new = f"{primary(inner)}.clamp(min=1e-12)"
    yield Fix(f"{new} in place of {inner}", (Edit(operands[0].span, new),))
