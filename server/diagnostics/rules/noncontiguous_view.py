"""A view that the order of the elements in memory doesn't allow.

## What it does
Explains the exception of ``view`` on a tensor whose elements don't lie in the order of its axes,
and names the line that turned them: ``permute``, ``transpose``, ``.T``, ``expand``, a slice.

## Why it is bad
The script ended there. ``view`` never copies, so it can join axes only where one follows the other
in memory.

## Example
```python
import torch

x = torch.randn(2, 3, 4)
y = x.permute(0, 2, 1)
flat = y.view(2, -1)
```

## Use instead
```python
import torch

x = torch.randn(2, 3, 4)
y = x.permute(0, 2, 1)
flat = y.reshape(2, -1)
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- PyTorch, torch.Tensor.view: https://pytorch.org/docs/stable/generated/torch.Tensor.view.html
"""

from __future__ import annotations

from ...doc.source import Span
from ...tracer.trace import Array, Failure, Trace
from ..describe import calls_to, fitting, name_at, row
from ..model import Edit, Finding, Fix, Label, Severity

SEVERITY = Severity.ERROR


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Whose order it is, and since when."""
    site = failure.site
    if site is None or "view size is not compatible with input tensor's size" not in (
        failure.message
    ):
        return None
    found = next((o for o in failure.operands if isinstance(o[2], Array)), None)
    if found is None:
        return None
    _, span, array = found
    assert isinstance(array, Array)
    name, text = name_at(trace, span), name_at(trace, site.span, 30)
    labels = []
    value: Array | None = array
    while value is not None and value.made is not None:
        made = value.made
        before = next(
            (v for v in made.operands if isinstance(v, Array) and v.memory is array.memory), None
        )
        contiguous = before is None or before.type is None or before.type.contiguous
        if contiguous:
            if made.site.span != site.span:
                turned = name_at(trace, made.site.span, 24)
                labels.append(Label(made.site.span, f"{turned} left the elements where they were"))
            break
        value = before
    strides = array.type.strides if array.type is not None else None
    note = ""
    if strides is not None:
        note = f"steps of {', '.join(map(str, strides))} bytes"
    shown = row(name, array, note=note)
    says = (
        f"{text}: the elements of {name} don't lie in the order of its axes",
        f"{name} doesn't lie in the order of its axes, which view needs",
        "view needs elements in the order of the axes",
    )
    return Finding(
        code="noncontiguous-view",
        severity=SEVERITY,
        headline=fitting("error", "noncontiguous-view", says),
        span=site.span,
        labels=tuple(labels),
        operands=() if shown is None else (shown,),
        fixes=_fixes(trace, site.span),
        call_path=calls_to(failure),
    )


def _fixes(trace: Trace, span: Span) -> tuple[Fix, ...]:
    text = trace.text(span)
    head, sign, rest = text.rpartition(".view(")
    if not sign:
        return ()
    new = f"{head}.reshape({rest}"
    return (Fix(" ".join(new.split()), (Edit(span, new),), safe=True),)
