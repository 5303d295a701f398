"""A write into memory that an array shows more than once.

## What it does
Finds writes into a part of an array whose axis repeats the same memory (a stride of 0), as a tensor
by ``expand`` has it, and points at the line that made it. Explains the exception where PyTorch
notices.

## Why it is bad
All that the axis shows is one and the same: a write into one row is a write into all of them.
PyTorch refuses when the written part itself repeats memory, but not when a single row is written.

## Example
```python
import torch

mask = torch.tril(torch.ones(4, 4)).expand(2, 4, 4)
mask[0] = 0
```

## Use instead
```python
import torch

mask = torch.tril(torch.ones(4, 4)).expand(2, 4, 4).clone()
mask[0] = 0
```

## When to ignore
When all of it is to change.

## References
- PyTorch, torch.Tensor.expand:
  https://pytorch.org/docs/stable/generated/torch.Tensor.expand.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...tracer.operations import written_by
from ...tracer.trace import Array, Event, Failure, Trace
from ..conflicts import target_span
from ..describe import calls_to, fitting, name_at, row
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import behind

SEVERITY = Severity.WARNING

_REFUSED = re.compile(r"more than one element of the written-to tensor refers to a single memory")


def check(trace: Trace) -> Iterator[Finding]:
    """Writes into arrays that repeat memory, each line that made one once."""
    seen = set()
    for event in trace.events:
        for array in written_by(event):
            axis = repeated_axis(_shown_by(array, event))
            maker = _maker(array)
            if axis is None or maker is None or maker.site in seen or maker is event:
                continue
            seen.add(maker.site)
            yield _finding(trace, event, _shown_by(array, event), axis, maker)


def _shown_by(array: Array, event: Event) -> Array:
    """The array that is written through: what an item of it was taken of, where it is a view."""
    made = array.made
    if repeated_axis(array) is not None or made is None or made.site.kind != "getitem":
        return array
    source = made.operands[0] if made.operands else None
    return source if isinstance(source, Array) and source.memory is array.memory else array


def repeated_axis(array: Array) -> int | None:
    """The first axis along which all is the same memory."""
    kind = array.type
    if kind is None or kind.strides is None:
        return None
    pairs = zip(kind.sizes, kind.strides, strict=True)
    return next((i for i, (n, step) in enumerate(pairs) if step == 0 and n is not None and n > 1),
                None)  # fmt: skip


def _maker(array: Array) -> Event | None:
    """The event that gave the axis, followed back through views."""
    seen: set[int] = set()
    found: Event | None = None
    value: Array | None = array
    while value is not None and value.number not in seen and value.made is not None:
        seen.add(value.number)
        if repeated_axis(value) is not None:
            found = value.made
        shown = [v for v in value.made.operands if isinstance(v, Array)]
        value = next((v for v in shown if v.memory is value.memory and v is not value), None)
    return found


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """The write that PyTorch refused."""
    site = failure.site
    if site is None or not _REFUSED.search(failure.message):
        return None
    for _, _, value in failure.operands:
        axis = repeated_axis(value) if isinstance(value, Array) else None
        if isinstance(value, Array) and axis is not None:
            maker = _maker(value)
            found = _finding(trace, Event(0, "op", site, trace.frames[0], None, ()), value, axis,
                             maker)  # fmt: skip
            return Finding(
                found.code, Severity.ERROR, found.headline, found.span, found.at, found.labels,
                found.operands, found.notes, found.fixes, calls_to(failure),
            )  # fmt: skip
    return None


def _finding(trace: Trace, event: Event, array: Array, axis: int, maker: Event | None) -> Finding:
    site = event.site
    name = array.names[-1] if array.names else "it"
    whole = target_span(trace, site) if not site.is_call else site.span
    text = name_at(trace, whole, 30)
    size = array.type.sizes[axis] if array.type is not None else None
    says = (
        f"{text} writes {size} rows of {name} at once: they are one memory",
        f"{text} writes all of {name}: axis {axis} repeats one memory",
        f"axis {axis} of {name} repeats one memory",
    )
    shown = row(name, array, marked=frozenset({axis}), note="is the same memory throughout")
    fixes: tuple[Fix, ...] = ()
    if maker is not None:
        at, new = behind(trace, maker.site.span, ".clone()")
        if array.type is not None and array.type.kind != "tensor":
            at, new = behind(trace, maker.site.span, ".copy()")
        fixes = (Fix(" ".join(new.split()), (Edit(at, new),)),)
    return Finding(
        code="overlapping-write",
        severity=SEVERITY,
        headline=fitting("warning", "overlapping-write", says),
        span=site.span,
        at="changes all of them",
        labels=() if maker is None else (Label(maker.site.span, f"{name} repeats its memory"),),
        operands=() if shown is None else (shown,),
        fixes=fixes,
    )
