"""A loss whose gradient leads nowhere.

## What it does
Finds ``backward()`` on a tensor that no computation leads to: one that was made anew from the
number of another, such as ``torch.tensor(loss.item(), requires_grad=True)``. Explains the exception
where the tensor requires no gradient at all, and names the line that cut it off: ``detach``,
``no_grad``, ``argmax`` or another result of whole numbers, a new tensor.

## Why it is bad
The gradient never arrives at the parameters. With ``requires_grad=True`` on the new tensor nothing
even fails: the network just doesn't learn.

## Example
```python
import torch

w = torch.ones(3, requires_grad=True)
raw = ((w - 2) ** 2).sum()
loss = torch.tensor(raw.item(), requires_grad=True)
loss.backward()
```

## Use instead
```python
import torch

w = torch.ones(3, requires_grad=True)
loss = ((w - 2) ** 2).sum()
loss.backward()
```

## When to ignore
When the gradient of the tensor with respect to itself is what you want to see.

## References
- PyTorch, torch.tensor: https://pytorch.org/docs/stable/generated/torch.tensor.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.trace import Array, Failure, Trace
from ..describe import calls_to, fitting, name_at, row
from ..gradients import cut_before, is_call_of, reason
from ..model import Finding, Label, Severity

SEVERITY = Severity.WARNING


def check(trace: Trace) -> Iterator[Finding]:
    """Backward passes of tensors that are leaves."""
    learning = any(
        g.node is not None and g.required for e in trace.events for g in e.gradients.values()
    )
    for event in trace.events if learning else ():
        root = event.operand("self")
        if not is_call_of(event, "backward") or not isinstance(root, Array):
            continue
        known, made = root.gradient, root.made
        if known is None or not known.leaf or not known.required or made is None:
            continue
        name = name_at(trace, event.site.operands[0].span)
        text = name_at(trace, made.site.span, 40)
        says = (
            f"{name} is a new tensor: no path leads from it to what it was made of",
            f"{name} is a new tensor, which no gradient leaves",
        )
        shown = row(name, root)
        yield Finding(
            code="detached-loss",
            severity=SEVERITY,
            headline=fitting("warning", "detached-loss", says),
            span=made.site.span,
            at=f"{text} begins a new graph" if len(text) < 20 else "a new graph begins here",
            labels=(Label(event.site.span, f"computes the gradient of {name} alone"),),
            operands=() if shown is None else (shown,),
        )


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Where the gradient of a tensor that requires none was cut off."""
    if "does not require grad and does not have a grad_fn" not in failure.message:
        return None
    root = next((r for r in failure.roots if isinstance(r, Array)), None)
    if root is None or failure.span is None:
        return None
    name = root.names[-1] if root.names else "the loss"
    cut = cut_before(root)
    here, why = failure.span, ""
    labels: tuple[Label, ...] = ()
    if cut is None:
        says = [f"nothing that {name} was computed from requires a gradient"]
        made = root.made
        if made is not None and made.site.span != here:
            labels = (Label(made.site.span, f"{name} was made here"),)
    else:
        why = reason(trace, cut)
        text = name_at(trace, cut.site.span, 30)
        cuts = f"{text} cuts the gradient off"
        says = [cuts] if text.endswith("detach()") else [f"{text}: {why}", cuts]
        span, labels = cut.site.span, ()
        if span != here:
            labels = (Label(here, "needs it"),)
            here = span
    shown = row(name, root)
    return Finding(
        code="detached-loss",
        severity=Severity.ERROR,
        headline=fitting("error", "detached-loss", says),
        span=here,
        at=why,
        labels=labels,
        operands=() if shown is None else (shown,),
        call_path=calls_to(failure) if cut is None else (),
    )
