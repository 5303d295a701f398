"""Tensors on different devices that meet in an operation.

## What it does
Explains the exception of an operation whose tensors, or whose layer's parameters, are on different
devices, and names the line that made the odd one.

## Why it is bad
The script ended there. PyTorch never moves tensors between devices by itself. The usual cause is a
tensor that is made inside ``forward`` without ``device=``, or a batch that isn't moved.

## Example
```python
import torch

weights = torch.ones(3, 2, device="meta")
batch = torch.ones(3, 2)
scores = batch + weights
```

## Use instead
```python
import torch

weights = torch.ones(3, 2, device="meta")
batch = torch.ones(3, 2)
scores = batch.to(weights.device) + weights
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- PyTorch, Device-agnostic code: https://pytorch.org/docs/stable/notes/cuda.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Failure, Trace
from ..describe import calls_to, fitting, name_at, origin, row
from ..gradients import tensors_in
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import primary

SEVERITY = Severity.ERROR

_SAID = re.compile(r"same device|not on the expected device|device (type )?of|on device")


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which tensor is where."""
    site = failure.site
    if site is None or not _SAID.search(failure.message):
        return None
    sides = list(_sides(trace, failure))
    devices = [_device(array) for _, _, array in sides]
    if len(set(devices)) < 2:
        return None
    odd = min(range(len(sides)), key=lambda i: (devices.count(devices[i]), devices[i] != "cpu"))
    name, _, _ = sides[odd]
    other = next(i for i, device in enumerate(devices) if device != devices[odd])
    text = name_at(trace, site.span, 30)
    both = f"{name} is on {devices[odd]}, {sides[other][0]} on {devices[other]}"
    labels: list[Label] = []
    for i in (odd, other):
        label = origin(trace, sides[i][0], sides[i][2], other_than=site.span,
                       verb=f"is on {devices[i]}")  # fmt: skip
        if label is not None and label.span not in [known.span for known in labels]:
            labels.append(label)
    pairs = zip(sides, devices, strict=True)
    rows = [row(n, array, note=f"on {device}") for (n, _, array), device in pairs]
    return Finding(
        code="device-mismatch",
        severity=SEVERITY,
        headline=fitting("error", "device-mismatch", (f"{text}: {both}", both)),
        span=site.span,
        labels=tuple(labels),
        operands=tuple(r for r in rows[:4] if r is not None),
        fixes=tuple(_fixes(trace, sides, odd, other)),
        call_path=calls_to(failure),
    )


def _sides(trace: Trace, failure: Failure) -> Iterator[tuple[str, Span | None, Array]]:
    known: set[Array] = set()
    for _, span, value in failure.operands:
        for array in tensors_in(value):
            known.add(array)
            yield name_at(trace, span), span, array
    if failure.layers:
        layer, given = failure.layers[-1]
        for value in given:
            for array in tensors_in(value):
                if array not in known:
                    yield f"input of {layer.path or layer.name}", None, array
        for name, value in layer.parameters.items():
            if isinstance(value, Array):
                yield value.parameter or name, None, value
                break


def _device(array: Array) -> str:
    return (array.type.device if array.type is not None else None) or "cpu"


def _fixes(trace: Trace, sides: list[tuple[str, Span | None, Array]], odd: int,
           other: int) -> Iterator[Fix]:  # fmt: skip
    span, target = sides[odd][1], sides[other][1]
    if span is None:
        return
    to = (
        f"{primary(trace.text(target))}.device"
        if target is not None
        else '"' + _device(sides[other][2]) + '"'
    )
    new = f"{primary(trace.text(span))}.to({to})"
    yield Fix(" ".join(new.split()), (Edit(span, new),))
