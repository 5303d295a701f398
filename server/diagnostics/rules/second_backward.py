"""A backward pass through a graph that is gone.

## What it does
Explains the exception of a second backward pass through the same part of a graph. It names the pass
before, and, where a value that was carried over from before it is the cause, the line that took it
up: the hidden state of a recurrent network, a running average.

## Why it is bad
The script ended there. A backward pass frees what it used. What is carried from one iteration to
the next brings the whole graph behind it along.

## Example
```python
import torch

cell = torch.nn.RNNCell(2, 3)
h = torch.zeros(1, 3)
for batch in torch.randn(2, 1, 2):
    h = cell(batch, h)
    h.sum().backward()
```

## Use instead
```python
import torch

cell = torch.nn.RNNCell(2, 3)
h = torch.zeros(1, 3)
for batch in torch.randn(2, 1, 2):
    h = cell(batch, h.detach())
    h.sum().backward()
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- PyTorch, torch.Tensor.backward:
  https://pytorch.org/docs/stable/generated/torch.Tensor.backward.html
"""

from __future__ import annotations

from ...tracer.trace import Array, Event, Failure, Trace
from ..describe import calls_to, fitting, name_at, row
from ..gradients import is_call_of, operands_of
from ..model import Edit, Finding, Fix, Label, Operand, Severity
from ..syntax import primary

SEVERITY = Severity.ERROR


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which pass freed the graph, and what brought it along."""
    if "backward through the graph a second time" not in failure.message or failure.span is None:
        return None
    before = [e for e in trace.events if is_call_of(e, "backward", "grad")]
    if not before:
        return None
    last = before[-1]
    carried = _carried(trace, failure, last)
    labels: list[Label] = []
    fixes: list[Fix] = []
    operands: tuple[Operand, ...] = ()
    says = ["this graph was freed by the backward pass before"]
    if carried is not None:
        event, array, name = carried
        says = [
            f"{name} still belongs to the graph that the backward pass before has freed",
            f"{name} belongs to the graph of the pass before, which is freed",
            f"{name} belongs to a graph that is freed",
        ]
        labels.append(Label(event.site.span, f"{name} is taken over from before that pass"))
        shown = row(name, array)
        operands = () if shown is None else (shown,)
        fixes.append(_detached(trace, event, array))
    elif not calls_to(failure):
        same = last.site.span == failure.span
        if not same:
            labels.append(Label(last.site.span, "freed here"))
        text = trace.text(last.site.span)
        if text.endswith("backward()"):
            new = text[:-1] + "retain_graph=True)"
            fixes.append(Fix(new, () if same else (Edit(last.site.span, new),)))
    if last.site.span != failure.span and carried is not None:
        labels.append(Label(last.site.span, "freed here"))
    return Finding(
        code="second-backward",
        severity=SEVERITY,
        headline=fitting("error", "second-backward", says),
        span=failure.span,
        at="needs what is gone",
        labels=tuple(labels),
        operands=operands,
        fixes=tuple(fixes),
        call_path=calls_to(failure),
    )


def _carried(trace: Trace, failure: Failure, last: Event) -> tuple[Event, Array, str] | None:
    """The first use, after the pass before, of a tensor that was computed ahead of it."""
    numbers = {node.number for node in failure.graph}
    for event in trace.events[last.index + 1 :]:
        for where, value in zip(event.site.operands, event.operands, strict=True):
            if not isinstance(value, Array) or value not in operands_of(event):
                continue
            known = value.gradient
            made = value.made
            if known is None or known.node is None or known.node not in numbers or made is None:
                continue
            if made.index < last.index:
                return event, value, name_at(trace, where.span)
    return None


def _detached(trace: Trace, event: Event, array: Array) -> Fix:
    """The use of its numbers alone."""
    where = next(o for o, v in zip(event.site.operands, event.operands, strict=True) if v is array)
    new = primary(trace.text(where.span)) + ".detach()"
    return Fix(f"{new}, in line {where.span.line}", (Edit(where.span, new),))
