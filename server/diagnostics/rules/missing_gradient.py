"""A parameter that the loss can't reach.

## What it does
Finds parameters of an optimizer that no backward pass of the run reached, although their layer ran,
and names the line at which the gradient was cut off on the way: ``detach``, ``no_grad``, a
conversion to whole numbers, ``argmax``, a tensor made anew from numbers.

## Why it is bad
Nothing fails, and those parameters stay what they were when they were made. The rest of the network
learns around them, so that the loss may even go down.

## Example
```python
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
parameters = [*encoder.parameters(), *head.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.1)
features = encoder(torch.randn(16, 4)).detach()
loss = head(features).pow(2).mean()
loss.backward()
optimizer.step()
```

## Use instead
```python
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
parameters = [*encoder.parameters(), *head.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.1)
features = encoder(torch.randn(16, 4))
loss = head(features).pow(2).mean()
loss.backward()
optimizer.step()
```

## When to ignore
When that part is meant to stay as it is. Leaving its parameters out of the optimizer, or
``requires_grad_(False)``, says so.

## References
- PyTorch, Autograd mechanics: https://pytorch.org/docs/stable/notes/autograd.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.trace import Array, Event, Thing, Trace
from ..describe import fitting, name_at, row
from ..gradients import is_call_of, is_cut, operands_of, reason, results_of
from ..model import Edit, Finding, Fix, Label, Severity

SEVERITY = Severity.WARNING


def check(trace: Trace) -> Iterator[Finding]:
    """Parameters that were to be learned and never got a gradient; each cause once."""
    first = next((b.event for b in trace.backwards if b.accumulates), None)
    if first is None:
        return
    reached = {n.leaf for b in trace.backwards for n in b.nodes if n.leaf is not None}
    reached |= {p for e in trace.events for p, gradient in e.updated if isinstance(gradient, Array)}
    known = [b.event.index for b in (*trace.backwards, *trace.repeated)]
    passes = [e for e in trace.events if is_call_of(e, "backward")]
    if len(known) < len(passes) and passes[-1].index not in known:
        return  # a later pass may have reached them
    learned = _learned(trace)
    causes: dict[Event, list[Array]] = {}
    for parameter in learned - reached:
        cut = _cut_behind(trace, parameter, first)
        if cut is not None:
            causes.setdefault(cut, []).append(parameter)
    for cut, parameters in causes.items():
        parameters.sort(key=lambda p: p.number)
        yield _finding(trace, cut, parameters, first)


def _learned(trace: Trace) -> set[Array]:
    """The parameters of optimizers that took a step, as far as they require gradients."""
    optimizers = {e.operand("self") for e in trace.events if is_call_of(e, "step")}
    held = [p for o in optimizers if isinstance(o, Thing) for p in o.parameters.values()]
    return {p for p in held if isinstance(p, Array) and p.gradient and p.gradient.required}


def _cut_behind(trace: Trace, parameter: Array, until: Event) -> Event | None:
    """The event, ahead of the backward pass, at which what was computed with a parameter lost its
    gradient on the way to what is differentiated; None where that isn't on its only way."""
    reached: set[Array] = {parameter}
    behind: dict[Array, Event] = {}
    """What was computed behind a cut, and that cut."""
    first = None
    for event in trace.events[: until.index]:
        taken, given = list(operands_of(event)), list(results_of(event))
        uses = any(t in reached for t in taken) or any(
            parameter in run.layer.parameters.values() for run in event.layers
        )
        through = next((behind[t] for t in taken if t in behind), None)
        if uses and is_cut(event):
            first = first or event
            through = through or event
        elif uses:
            reached.update(given)
        if through is not None:
            for array in given:
                behind.setdefault(array, through)
    root = until.operand("self")
    if root in reached:
        return None
    return behind.get(root, first) if isinstance(root, Array) else first


def _finding(trace: Trace, cut: Event, parameters: list[Array], backward: Event) -> Finding:
    text = name_at(trace, cut.site.span, 30)
    names = [p.parameter or (p.names[-1] if p.names else "?") for p in parameters]
    shown = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    says = (
        f"{shown} can't learn: {text} cuts the gradient off",
        f"{shown} can't learn: the gradient ends here",
        f"{len(names)} parameters can't learn: the gradient ends here",
    )
    rows = [row(n, p) for n, p in zip(names, parameters, strict=True)]
    fixes: tuple[Fix, ...] = ()
    whole = trace.text(cut.site.span)
    if whole.endswith(".detach()"):
        new = whole.removesuffix(".detach()")
        fixes = (Fix(f"{' '.join(new.split())}, without detach()", (Edit(cut.site.span, new),)),)
    return Finding(
        code="missing-gradient",
        severity=SEVERITY,
        headline=fitting("warning", "missing-gradient", says),
        span=cut.site.span,
        at=reason(trace, cut),
        labels=(Label(backward.site.span, "never gets there"),),
        operands=tuple(r for r in rows[:3] if r is not None),
        fixes=fixes,
    )
