"""A write into memory that an array shows more than once.

## What it does
Finds writes into a part of an array whose axis repeats the same memory (a stride of 0), as a tensor
by ``expand`` has it, and writes of different values into windows that overlap, as ``as_strided``
makes them. Points at the line that made such an array. Explains the exception where PyTorch
notices.

## Why it is bad
All that the axis shows is one and the same: a write into one row is a write into all of them, and
of several values for one element any may stay. PyTorch refuses when the written part itself repeats
memory, but not when a single row is written. NumPy refuses what ``broadcast_to`` gave; what
``as_strided`` gave can be written, without a promise of what comes out.

## Example
```python
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

signal = np.arange(10.0)
windows = sliding_window_view(signal, 3, writeable=True)
windows -= windows.mean(axis=1, keepdims=True)
```

## Use instead
```python
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

signal = np.arange(10.0)
windows = sliding_window_view(signal, 3)
windows = windows - windows.mean(axis=1, keepdims=True)
```

## When to ignore
When all of it is to change.

## References
- NumPy, numpy.lib.stride_tricks.as_strided:
  https://numpy.org/doc/stable/reference/generated/numpy.lib.stride_tricks.as_strided.html
- PyTorch, torch.Tensor.expand:
  https://pytorch.org/docs/stable/generated/torch.Tensor.expand.html
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from math import gcd

from ...ir import ArrayType
from ...ir.types import itemsize
from ...tracer.operations import written_by
from ...tracer.trace import Array, Event, Failure, Trace
from .. import ops
from ..conflicts import target_span
from ..describe import calls_to, fitting, name_at, row
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import behind, expression

SEVERITY = Severity.WARNING

_IDEMPOTENT = frozenset({"BitAnd", "BitOr"})
"""Operators that an element survives more than once."""
_ARITHMETIC = frozenset({"add", "subtract", "multiply", "divide", "power"})
_ROWS = (
    "{text} writes {size} rows of {name} at once: they are one memory",
    "{text} writes all of {name}: axis {axis} repeats one memory",
    "axis {axis} of {name} repeats one memory",
)
_WINDOWS = (
    "{text}: elements change twice, windows of {name} overlap",
    "elements of {name} change twice: its windows overlap",
    "elements change twice: these windows overlap",
)
_REFUSED = re.compile(r"more than one element of the written-to tensor refers to a single memory")


def check(trace: Trace) -> Iterator[Finding]:
    """Writes into arrays that repeat memory, each line that made one once."""
    seen = set()
    for event in trace.events:
        for array in written_by(event):
            shown = _shown_by(array, event)
            axis = repeated_axis(shown)
            several = axis is None and overlaps(array.type) and _differing(trace, event)
            maker = _maker(array, repeated_axis if axis is not None else _overlapping)
            if maker is None or maker.site in seen or maker is event:
                continue
            if several or (axis is not None and not _whole_to_one(trace, event, array, shown)):
                seen.add(maker.site)
                yield _finding(trace, event, array if axis is None else shown, axis, maker)


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
    if kind is None or kind.strides is None or not itemsize(kind.element) or 0 in kind.sizes:
        return None
    pairs = zip(kind.sizes, kind.strides, strict=True)
    return next((i for i, (n, step) in enumerate(pairs) if step == 0 and n is not None and n > 1),
                None)  # fmt: skip


def overlaps(kind: ArrayType | None) -> bool:
    """Whether some steps along one axis surely lead to where some along another do."""
    if kind is None or kind.strides is None or kind.contiguous or 0 in kind.sizes:
        return False
    axes = [(size or 1, abs(step)) for size, step in zip(kind.sizes, kind.strides, strict=True)]
    return any(
        a and b and b // gcd(a, b) < m and a // gcd(a, b) < n
        for (m, a), (n, b) in combinations(axes, 2)
    )


def _overlapping(array: Array) -> int | None:
    return 0 if overlaps(array.type) else None


def _differing(trace: Trace, event: Event) -> bool:
    """Whether an element that is written more than once may get more than one value."""
    if event.in_place:
        return ops.operator(event.site) not in _IDEMPOTENT
    if event.site.is_call:
        return ops.name(event) in _ARITHMETIC
    values = [
        value
        for where, value in zip(event.site.operands, event.operands, strict=True)
        if where.role == "value"
    ]
    sizes = [v.type.size or 0 for v in values if isinstance(v, Array) and v.type is not None]
    return event.kind == "store" and any(n > 1 for n in sizes) and _everywhere(trace, event)


def _whole_to_one(trace: Trace, event: Event, array: Array, shown: Array) -> bool:
    """Whether all that the array shows gets one value, as it would without repetition."""
    value = event.operand("value")
    one = not isinstance(value, Array) or value.type is None or value.type.size == 1
    return array is shown and event.kind == "store" and one and _everywhere(trace, event)


def _everywhere(trace: Trace, event: Event) -> bool:
    """Whether a store is into the whole array."""
    node = expression(trace.text(event.site.span))
    return isinstance(node, ast.Subscript) and ast.unparse(node.slice) in (":", "...")


def _maker(array: Array, shows: Callable[[Array], int | None]) -> Event | None:
    """The event that gave the axis, followed back through views."""
    seen: set[int] = set()
    found: Event | None = None
    value: Array | None = array
    while value is not None and value.number not in seen and value.made is not None:
        seen.add(value.number)
        if shows(value) is not None:
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
            maker = _maker(value, repeated_axis)
            found = _finding(trace, Event(0, "op", site, trace.frames[0], None, ()), value, axis,
                             maker)  # fmt: skip
            return Finding(
                found.code, Severity.ERROR, found.headline, found.span, found.at, found.labels,
                found.operands, found.notes, found.fixes, calls_to(failure),
            )  # fmt: skip
    return None


def _finding(
    trace: Trace, event: Event, array: Array, axis: int | None, maker: Event | None
) -> Finding:
    site = event.site
    name = array.names[-1] if array.names else "it"
    whole = target_span(trace, site) if not site.is_call else site.span
    text = name_at(trace, whole, 30)
    size = array.type.sizes[axis] if array.type is not None and axis is not None else None
    if axis is None:
        ways, under, lies = (
            _WINDOWS,
            "gives some elements several values",
            "has windows that overlap",
        )
        steps = ", ".join(map(str, (array.type and array.type.strides) or ()))
        shown = row(name, array, note=f"steps of {steps} bytes")
    else:
        ways, under, lies = _ROWS, "changes all of them", "repeats its memory"
        shown = row(name, array, marked=frozenset({axis}), note="is the same memory throughout")
    says = [
        way.format(text=text, name=name, axis=axis, size=size)
        for way in ways
        if text != name or "{text}" not in way
    ]
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
        at=under,
        labels=() if maker is None else (Label(maker.site.span, f"{name} {lies}"),),
        operands=() if shown is None else (shown,),
        fixes=fixes,
    )
