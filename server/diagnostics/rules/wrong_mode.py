"""Layers that run in the wrong mode: training as in evaluation, or the other way round.

## What it does
Finds layers that behave differently in training, dropout and batch normalisation, where a network
that was trained is evaluated without gradients and still in training mode, and where training goes
on after ``eval()`` and nobody called ``train()`` again.

## Why it is bad
In training mode dropout sets random elements to 0 and batch normalisation uses the numbers of the
batch, and changes its running ones: an evaluation is then random, depends on the batch, and changes
the network. In evaluation mode neither does what it is there for.

## Example
```python
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
optimizer.zero_grad()
nn.functional.mse_loss(net(x), y).backward()
optimizer.step()
with torch.no_grad():
    error = nn.functional.mse_loss(net(x), y)
```

## Use instead
```python
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
optimizer.zero_grad()
nn.functional.mse_loss(net(x), y).backward()
optimizer.step()
net.eval()
with torch.no_grad():
    error = nn.functional.mse_loss(net(x), y)
```

## When to ignore
When dropout in evaluation is meant, as in Monte Carlo dropout, or batch statistics are computed
anew.

## References
- PyTorch, torch.nn.Module.eval:
  https://pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.eval
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.layers import settings_of
from ...tracer.tensors import outermost
from ...tracer.trace import Event, LayerRun, Thing, Trace
from ..describe import fitting, name_at
from ..gradients import is_call_of, needs_gradient, tensors_in
from ..model import Finding, Fix, Label, Severity

SEVERITY = Severity.WARNING

_DIFFERENT = ("Dropout", "BatchNorm", "AlphaDropout", "FeatureAlphaDropout")


def check(trace: Trace) -> Iterator[Finding]:
    """The first evaluation in training mode, and the first training in evaluation mode."""
    steps = [e.index for e in trace.events if is_call_of(e, "step")]
    if not steps or not trace.backwards:
        return
    trained: dict[Thing, Event] = {}
    told: set[tuple[Thing, bool]] = set()
    for event in trace.events:
        for run in outermost(event):
            network = _root(run.layer)
            special = _special(run.layer)
            if special is None or network is not run.layer:
                continue
            learning = _learning(run)
            if learning and run.training:
                trained.setdefault(network, event)
            elif network in trained and (network, learning) not in told:
                wrong = learning != run.training
                stepped = any(trained[network].index < step < event.index for step in steps)
                if wrong and stepped and (not learning or _goes_back(trace, event)):
                    told.add((network, learning))
                    yield _finding(trace, event, special, learning)


def _root(layer: Thing) -> Thing:
    while layer.owner is not None:
        layer = layer.owner
    return layer


def _special(layer: Thing) -> Thing | None:
    """The first layer inside that knows two modes."""
    if layer.name.startswith(_DIFFERENT):
        rate = settings_of(layer).get("p", 1)
        return layer if rate else None
    return next((found for part in layer.layers.values() if (found := _special(part))), None)


def _learning(run: LayerRun) -> bool:
    """Whether its result takes part in a graph of gradients."""
    given = tensors_in(run.result)
    return bool(given) and needs_gradient(given[0])


def _goes_back(trace: Trace, event: Event) -> bool:
    """Whether a backward pass and a step follow."""
    after = trace.events[event.index :]
    return any(is_call_of(e, "backward") for e in after) and any(
        is_call_of(e, "step") for e in after
    )


def _finding(trace: Trace, event: Event, special: Thing, learning: bool) -> Finding:
    site = event.site
    text, kind = name_at(trace, site.span, 30), special.name
    net = site.callee.lstrip(".")
    path = f" ({special.path})" if special.path else ""
    labels: tuple[Label, ...] = ()
    if learning:
        says = (f"{text} trains in evaluation mode: {kind} does nothing for it",
                f"this trains in evaluation mode: {kind}")  # fmt: skip
        call = next((s for s in trace.sites if s.callee.endswith(".eval")), None)
        if call is not None:
            labels = (Label(call.span, "evaluation mode from here on"),)
        fix = Fix(f"{net}.train(), ahead of it")
    else:
        says = (f"{text} is evaluated in training mode: {kind} is at work",
                f"this is evaluated in training mode: {kind}")  # fmt: skip
        fix = Fix(f"{net}.eval(), ahead of it")
    return Finding(
        code="wrong-mode",
        severity=SEVERITY,
        headline=fitting("warning", "wrong-mode", says),
        span=site.span,
        at=f"{kind}{path} is in {'evaluation' if learning else 'training'} mode",
        labels=labels,
        fixes=(fix,),
    )
