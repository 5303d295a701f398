"""Fractions that are lost in an array of whole numbers.

## What it does
Reports ``w[i] = x`` and ``w[i] += x`` where ``x`` has a fraction and ``w`` holds integers, and
points at the line that made ``w`` so.

## Why it is bad
An item assignment converts to the element type of the array without a word: 0.5 becomes 0, 2.9
becomes 2. ``np.array([1, 2, 3])`` and ``np.arange(3)`` are arrays of integers.

## Example
```python
import numpy as np

w = np.array([1, 2, 3])
total = 2.0
for i in range(3):
    w[i] = w[i] / total
```

## Use instead
```python
import numpy as np

w = np.array([1.0, 2.0, 3.0])
total = 2.0
for i in range(3):
    w[i] = w[i] / total
```

## When to ignore
Where rounding towards zero is meant; ``int(x)`` or ``x.astype(int)`` on the right say so. Arrays of
``uint8`` and other small types, which the program asked for, are never reported.

## References
- NumPy, Assigning values to indexed arrays:
  https://numpy.org/doc/stable/user/basics.indexing.html#assigning-values-to-indexed-arrays
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import isfinite, trunc

from ...tracer.trace import Array, Constant, Event, Remark, Scalar, SiteOperand, Trace
from .. import ops
from ..conflicts import target_span
from ..describe import fitting, name_at, shortened
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import call_at, expression, literal

SEVERITY = Severity.WARNING

_WHOLE = frozenset({"i32", "i64"})
_FRACTION = 1e-6
"""Fractions smaller than that, for the size of the number, come from rounding."""


def check(trace: Trace) -> Iterator[Finding]:
    """The first store of each array's place of making."""
    seen: set[object] = set()
    for event, number, count in _cuts(trace):
        array = event.operands[0]
        if not isinstance(array, Array) or array.type is None or array.type.element not in _WHOLE:
            continue
        made = _made(array)
        key = made.site.number if made is not None else ("unknown", event.site.number)
        if key not in seen and not event.lost:
            seen |= {key}
            yield _finding(trace, event, made, number, count)


def _cuts(trace: Trace) -> Iterator[tuple[Event, float, int]]:
    """Each store of a fraction: the event, the first number, and how many there were."""
    found = [_of_remark(trace, remark) for remark in trace.remarks if remark.kind == "cut"]
    found += [_of_number(trace, event) for event in trace.events if event.kind == "store"]
    yield from sorted((f for f in found if f is not None), key=lambda f: f[0].index)


def _of_remark(trace: Trace, remark: Remark) -> tuple[Event, float, int] | None:
    """The store of an array of floats: the remark's own event, or the next one of its result."""
    count, number = remark.details[:2]
    if type(count) is not int or type(number) is not float:
        return None
    event = remark.event
    for later in trace.events[event.index :]:
        own = later is event or (
            later.frame is event.frame
            and any(o.role == "value" and o.site == event.site.number for o in later.site.operands)
        )
        if later.kind == "store" and own:
            return later, number, count
    return None


def _of_number(trace: Trace, event: Event) -> tuple[Event, float, int] | None:
    """The store of one number, as it is or added to what is there."""
    sign = ops.operator(event.site)
    if event.site.kind != "setitem" and not (sign in ("Add", "Sub") and _item(event)):
        return None
    values = [p for p in zip(event.site.operands, event.operands, strict=True)
              if p[0].role == "value"]  # fmt: skip
    if len(values) != 1:
        return None
    operand, value = values[0]
    number = value.value if isinstance(value, Constant | Scalar) else _literal(trace, operand)
    if type(number) is not float or not isfinite(number):
        return None
    lost = abs(number - trunc(number))
    return (event, number, 1) if lost > _FRACTION * max(abs(number), 1.0) else None


def _item(event: Event) -> bool:
    return event.site.kind.endswith(":item")


def _literal(trace: Trace, operand: SiteOperand) -> object:
    return literal(expression(trace.text(operand.span))) if operand.form == "literal" else None


def _made(array: Array) -> Event | None:
    """The event that made the memory."""
    return array.memory.made


def _finding(trace: Trace, event: Event, made: Event | None, number: float, count: int) -> Finding:
    site, span = event.site, event.site.span
    array = event.operands[0]
    name = name_at(trace, site.operands[0].span)
    target = name_at(trace, target_span(trace, site), 30)
    element = array.type.element if isinstance(array, Array) and array.type is not None else ""
    more = f", and {count - 1:,} more lose their fraction" if count > 1 else ""
    stored = f"{number:.6g} becomes {trunc(number)}"
    if ops.operator(site):
        stored = f"the fraction of {number:.6g} is lost"
    says = (
        f"{target}: {stored}, {name} holds {element}{more}",
        f"{target}: {stored}, {name} holds {element}",
        f"{shortened(name)} holds {element}: {stored}",
    )
    label = None
    if made is not None and made.site.span.line != span.line:
        label = Label(made.site.span, f"{name} is {element} from here on")
    return Finding(
        code="truncating-write",
        severity=SEVERITY,
        headline=fitting("warning", "truncating-write", says),
        span=span,
        labels=() if label is None else (label,),
        fixes=tuple(_fixes(trace, made)),
    )


def _fixes(trace: Trace, made: Event | None) -> Iterator[Fix]:
    """A constructor that is told to make floats."""
    call = call_at(trace, made.site) if made is not None else None
    if made is None or call is None or not made.site.certain:
        return
    dtype = next((k for k in call.keywords if k.arg == "dtype"), None)
    if dtype is not None:
        dtype.value = ast.Name("float", ast.Load())
        new = ast.unparse(call)
    elif ops.name(made) in ("array", "asarray", "arange", "full") and len(call.args) < 3:
        new = f"{trace.text(made.site.span)[:-1].rstrip().rstrip(',')}, dtype=float)"
    else:
        return
    yield Fix(" ".join(new.split()), (Edit(made.site.span, new),))
