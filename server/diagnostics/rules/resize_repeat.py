"""``np.resize`` to a larger size, which repeats the array.

## What it does
Reports ``np.resize(x, n)`` that gave more elements than ``x`` has, where ``x`` has more than one.

## Why it is bad
The function fills the new elements with copies of the old ones, from the start. The method
``x.resize(n)`` fills them with zeros, and so does ``np.pad``; who wants padding gets a pattern.

## Example
```python
import numpy as np

taps = np.array([1, 2, 3])
padded = np.resize(taps, 6)
```

## Use instead
```python
import numpy as np

taps = np.array([1, 2, 3])
padded = np.pad(taps, (0, 6 - taps.size))
```

## When to ignore
Where the repetition is wanted; ``np.tile`` says so better. Names that speak of a pattern or a cycle
are never reported, nor is what is only printed.

## References
- NumPy, numpy.resize: https://numpy.org/doc/stable/reference/generated/numpy.resize.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...tracer.trace import Array, Event, Trace
from .. import ops
from ..describe import fitting, name_at, only_printed, origin, row
from ..model import Edit, Finding, Fix, Severity
from ..syntax import argument, call_at, numpy_name

SEVERITY = Severity.WARNING

_WANTED = re.compile(r"pattern|cycl|period|tile|repeat|palette|colou?rs|mask|key", re.I)


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once."""
    seen = set()
    for event in trace.events:
        if event.site.number in seen or not event.site.certain or ops.name(event) != "resize":
            continue
        before, after = event.operand("0"), event.result
        if not isinstance(before, Array) or not isinstance(after, Array):
            continue
        old, new = _count(before), _count(after)
        meant = _WANTED.search(_names(trace, event)) or only_printed(trace, event)
        if 1 < old < new and not meant:
            seen.add(event.site.number)
            yield _finding(trace, event, before, (old, new))


def _count(array: Array) -> int:
    return (array.type.size or 0) if array.type is not None else 0


def _names(trace: Trace, event: Event) -> str:
    """All that the line calls the values by, and the function that it is in."""
    targets = " ".join(name for name, _ in event.site.targets)
    return f"{trace.text(event.site.span)} {targets} {event.frame.scope.name}"


def _finding(trace: Trace, event: Event, before: Array, counts: tuple[int, int]) -> Finding:
    span, operand = event.site.span, event.site.operands[0]
    name = name_at(trace, operand.span)
    old, new = counts
    fact = f"{new - old:,} new elements repeat the {old:,} of {name}"
    made = origin(trace, name, before, other_than=span)
    rows = (row(name, before), row("⇒", event.result))
    return Finding(
        code="resize-repeat",
        severity=SEVERITY,
        headline=fitting("warning", "resize-repeat", (
            f"{name_at(trace, span, 32)}: {fact}", f"np.resize(): {fact}", f"{new - old:,} new "
            f"elements are repetitions")),
        span=span,
        labels=() if made is None else (made,),
        operands=tuple(r for r in rows if r is not None),
        fixes=tuple(_fixes(trace, event, before)),
    )  # fmt: skip


def _fixes(trace: Trace, event: Event, before: Array) -> Iterator[Fix]:
    call, np = call_at(trace, event.site), numpy_name(trace)
    array, result = argument(call, 0, "a"), event.result
    one_axis = isinstance(result, Array) and result.type is not None and result.type.ndim == 1
    if array is None or not one_axis or before.type is None or before.type.ndim != 1:
        return
    name = trace.text(event.site.operands[0].span)
    size = trace.text(event.site.operands[1].span) if len(event.site.operands) > 1 else ""
    if size.isidentifier() or size.isdigit():
        new = f"{np}.pad({name}, (0, {size} - len({name})))"
        yield Fix(new, (Edit(event.site.span, new),))
