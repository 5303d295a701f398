"""Softmax ahead of a loss that applies it itself.

## What it does
Finds ``cross_entropy`` that is given the result of a softmax, ``binary_cross_entropy_with_logits``
that is given that of a sigmoid, and ``nll_loss`` that is given probabilities where it takes their
logarithms; as functions, or as layers.

## Why it is bad
Nothing fails. The loss takes its input for scores of any size and applies softmax to them again:
what it sees then lies between 0 and 1, so that even a perfect prediction has a large loss and the
gradients are small. The network learns slowly, or stops short.

## Example
```python
import torch
import torch.nn.functional as F

scores = torch.tensor([[4.0, 0.5, -1.0], [0.2, 3.0, 0.1]])
target = torch.tensor([0, 1])
loss = F.cross_entropy(torch.softmax(scores, dim=1), target)
```

## Use instead
```python
import torch
import torch.nn.functional as F

scores = torch.tensor([[4.0, 0.5, -1.0], [0.2, 3.0, 0.1]])
target = torch.tensor([0, 1])
loss = F.cross_entropy(scores, target)
```

## When to ignore
When smoothing of that kind is meant.

## References
- PyTorch, torch.nn.CrossEntropyLoss:
  https://pytorch.org/docs/stable/generated/torch.nn.CrossEntropyLoss.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.tensors import called_layer, symbol_of
from ...tracer.trace import Array, Event, LayerRun, Trace
from ..describe import fitting, name_at, repetition, row
from ..gradients import operands_of, tensors_in
from ..model import Edit, Finding, Fix, Label, Severity

SEVERITY = Severity.WARNING

_LOSSES = {
    "cross_entropy": "softmax", "CrossEntropyLoss": "softmax",
    "binary_cross_entropy_with_logits": "sigmoid", "BCEWithLogitsLoss": "sigmoid",
    "nll_loss": "softmax", "NLLLoss": "softmax",
}  # fmt: skip
"""Losses, and what they must not be given the result of."""
_PASSING = frozenset({
    "view", "reshape", "squeeze", "unsqueeze", "transpose", "permute", "flatten", "getitem", "T",
    "contiguous",
})  # fmt: skip
_MOST_STEPS = 6


def check(trace: Trace) -> Iterator[Finding]:
    """Losses of what was normalised already, each place once."""
    seen = set()
    for event in trace.events:
        loss = _name(event)
        wrong = _LOSSES.get(loss)
        given = operands_of(event)
        if wrong is None or not given or event.site in seen:
            continue
        maker = _maker(given[0], wrong)
        if maker is not None:
            seen.add(event.site)
            yield _finding(trace, event, loss, wrong, maker)


def _maker(array: Array, wanted: str) -> Event | None:
    """The event that normalised a tensor, looked for through views of it."""
    value: Array | None = array
    for _ in range(_MOST_STEPS):
        made = value.made if value is not None else None
        if made is None or value is None:
            return None
        name = _name(made)
        if name.lower() == wanted or _ends_with(made, value, wanted):
            return made
        if name not in _PASSING:
            return None
        value = next(iter(operands_of(made)), None)
    return None


def _ends_with(event: Event, value: Array, wanted: str) -> bool:
    """Whether a layer inside gave the value, and is one that normalises."""
    return any(
        run.layer.name.lower() == wanted and value in tensors_in(run.result) for run in event.layers
    )


def _name(event: Event) -> str:
    """The bare name of what an event applied."""
    run: LayerRun | None = called_layer(event)
    if run is not None and run.layer.kind.startswith("torch.nn."):
        return run.layer.name
    found = symbol_of(event) if operands_of(event) else None
    return found.name.rpartition(".")[2] if found is not None else ""


def _finding(trace: Trace, event: Event, loss: str, wrong: str, maker: Event) -> Finding:
    if loss in ("nll_loss", "NLLLoss"):
        says = [f"{loss} takes logarithms of probabilities; these are the probabilities"]
        at = "takes logarithms"
    else:
        says = [
            f"{loss} applies {wrong} itself: what it is given went through {wrong} before",
            f"{loss} applies {wrong} itself; this is the second time",
            f"{wrong} is applied twice",
        ]
        at = f"applies {wrong} once more"
    inner = maker.site.span
    label = () if inner == event.site.span else (Label(inner, f"{wrong} is applied here"),)
    shown = row(name_at(trace, event.site.operands[0].span), operands_of(event)[0])
    note = repetition(trace, event)
    return Finding(
        code="double-softmax",
        severity=SEVERITY,
        headline=fitting("warning", "double-softmax", says),
        span=event.site.span,
        at=at,
        labels=label,
        operands=() if shown is None else (shown,),
        notes=(note,) if note else (),
        fixes=tuple(_fixes(trace, loss, maker)),
    )


def _fixes(trace: Trace, loss: str, maker: Event) -> Iterator[Fix]:
    """The scores as they were; their logarithms for a loss that takes those."""
    site = maker.site
    text = trace.text(site.span)
    if loss in ("nll_loss", "NLLLoss"):
        if "softmax(" in text:
            new = text.replace("softmax(", "log_softmax(", 1)
            yield Fix(" ".join(new.split()), (Edit(site.span, new),))
        return
    first = next((o for o in site.operands if o.role in ("self", "0")), None)
    if first is not None and called_layer(maker) is None and "\n" not in text:
        scores = trace.text(first.span)
        yield Fix(f"{scores} in place of {name_at(trace, site.span)}", (Edit(site.span, scores),))
