"""``reshape`` in the place of ``transpose``.

## What it does
Reports a reshape of an array of two or more dimensions to a shape that only has the same sizes in
another order: (2, 2, 3) to (3, 2, 2), (h, w, c) to (c, h, w).

## Why it is bad
The sizes come out as wanted and the elements don't: ``reshape`` leaves them in their order in
memory and draws the borders anew, so a channel of the result holds a mixture of all channels.

## Example
```python
import numpy as np

img = np.arange(12).reshape(2, 2, 3)
chw = img.reshape(3, 2, 2)
red = chw[0]
```

## Use instead
```python
import numpy as np

img = np.arange(12).reshape(2, 2, 3)
chw = img.transpose(2, 0, 1)
red = chw[0]
```

## When to ignore
Where the elements are meant to be dealt out anew in the order of memory. A reshape with ``order=``
and one of an array such as ``np.zeros`` makes, whose elements are all the same, are never reported,
nor is what is only printed.

## References
- NumPy, numpy.reshape: https://numpy.org/doc/stable/reference/generated/numpy.reshape.html
- NumPy, numpy.transpose: https://numpy.org/doc/stable/reference/generated/numpy.transpose.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...tracer.trace import Array, Event, SiteOperand, Trace
from .. import ops
from ..describe import fitting, name_at, only_printed, origin, row, shape_of
from ..model import Edit, Finding, Fix, Severity
from ..syntax import call_at, literal, numpy_name, primary

SEVERITY = Severity.WARNING

_UNIFORM = frozenset({"zeros", "ones", "full", "empty", "zeros_like", "ones_like", "full_like",
                      "empty_like"})  # fmt: skip
"""What makes arrays to which any order of elements is the same."""


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once."""
    seen = set()
    for event in trace.events:
        if event.site.number in seen or ops.name(event) != "reshape":
            continue
        before, after = _operand(event), event.result
        if before is None or not isinstance(after, Array):
            continue
        order = _order(before[1], after)
        if order is None or _meant(trace, event, before[1]) or only_printed(trace, event):
            continue
        seen.add(event.site.number)
        yield _finding(trace, event, before, order)


def _operand(event: Event) -> tuple[SiteOperand, Array] | None:
    pairs = zip(event.site.operands, event.operands, strict=True)
    first = next(pairs, None)
    if first is None or not isinstance(first[1], Array):
        return None
    return first[0], first[1]


def _order(before: Array, after: Array) -> tuple[int, ...] | None:
    """The axes of ``before`` in the order of ``after``; None unless sizes alone changed places.

    Axes of one element may stand anywhere.
    """
    if before.type is None or after.type is None or not before.type.contiguous:
        return None
    old, new = before.type.sizes, after.type.sizes
    if len(old) != len(new) or sorted(map(_n, old)) != sorted(map(_n, new)):
        return None
    if 0 in old or [n for n in old if n != 1] == [n for n in new if n != 1]:
        return None
    left = list(range(len(old)))
    order = []
    for size in new:
        axis = next(i for i in left if old[i] == size)
        left.remove(axis)
        order.append(axis)
    return tuple(order)


def _n(size: int | None) -> int:
    return size or 0


def _meant(trace: Trace, event: Event, before: Array) -> bool:
    """Whether the order of elements is given, or doesn't matter."""
    call = call_at(trace, event.site)
    if call is None or any(k.arg == "order" for k in call.keywords):
        return True
    sizes = [literal(a) for a in call.args]
    if (
        before.type is not None
        and before.type.ndim == 2
        and any(size == -1 or (isinstance(size, tuple) and -1 in size) for size in sizes)
    ):  # rows of so many, as many as there are
        return True
    made = before.made
    if made is not None and ops.name(made) == "reshape":
        return event.site.operands[0].form == "site"  # twice in one line is on purpose
    return made is not None and ops.name(made) in _UNIFORM


def _finding(
    trace: Trace, event: Event, before: tuple[SiteOperand, Array], order: tuple[int, ...]
) -> Finding:
    operand, array = before
    span, name = event.site.span, name_at(trace, operand.span)
    swapped = f"{shape_of(array)} to {shape_of(event.result)}"
    made = origin(trace, name, array, other_than=span)
    rows = (row(name, array), row("⇒", event.result))
    new = _transposed(trace, operand, order)
    text = name_at(trace, span, 30)
    says = (
        f"{text} mixes the axes of {name}, {swapped}",
        f"{text} mixes the axes of {name}",
        f"reshape mixes the axes of {name}",
        "reshape mixes the axes",
    )
    return Finding(
        code="reshape-as-transpose",
        severity=SEVERITY,
        headline=fitting("warning", "reshape-as-transpose", says),
        span=span,
        at="the elements keep their order in memory",
        labels=() if made is None else (made,),
        operands=tuple(r for r in rows if r is not None),
        fixes=(Fix(new, (Edit(span, new),)),),
    )


def _transposed(trace: Trace, operand: SiteOperand, order: tuple[int, ...]) -> str:
    text = trace.text(operand.span)
    if order == (1, 0):
        return f"{primary(text)}.T"
    if text.isidentifier():
        return f"{text}.transpose{order}"
    return f"{numpy_name(trace)}.transpose({text}, {order})"
