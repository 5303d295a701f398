"""Reductions over the last axis of a square array that line up with its other axis.

## What it does
Reports ``x / x.sum(axis=1)``, ``x - x.mean(axis=1)`` and their like, where ``x`` is square, so that
nothing fails: a reduction over another axis than the first, without ``keepdims``, against the array
that it was made from.

## Why it is bad
Shapes are lined up from the last axis. The sums of the rows are divided out of the columns: element
(i, j) is divided by the sum of row j. With any other number of columns it would fail.

## Example
```python
import numpy as np

votes = np.array([[1.0, 3.0], [2.0, 2.0]])
shares = votes / votes.sum(axis=1)
```

## Use instead
```python
import numpy as np

votes = np.array([[1.0, 3.0], [2.0, 2.0]])
shares = votes / votes.sum(axis=1, keepdims=True)
```

## When to ignore
Where the array is symmetric. Products with their own transpose, ``a + a.T``, and names that speak
of a kernel, a distance, a covariance or a graph are never reported.

## References
- NumPy, Broadcasting: https://numpy.org/doc/stable/user/basics.broadcasting.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...tracer.trace import Array, Event, SiteOperand, Trace
from .. import ops
from ..describe import calls_of, fitting, name_at, origin, repetition, row
from ..model import Finding, Label, Operand, Severity
from ..shape_fixes import kept
from ..syntax import argument, call_at, literal

SEVERITY = Severity.WARNING

_DEEP = 12
"""Elementwise operations that a value is followed through."""
_SYMMETRIC = re.compile(r"adj|affin|corr|cov|dist|gram|graph|kern|lapl|sim|sym", re.I)
_COMBINING = frozenset({
    "subtract", "divide", "multiply", "add", "equal", "greater", "greater_equal", "less",
    "less_equal",
})  # fmt: skip

Side = tuple[SiteOperand, Array]


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once."""
    seen = set()
    for event in trace.events:
        if event.site.number in seen or ops.name(event) not in _COMBINING:
            continue
        sides = _square_and_row(event)
        if sides is None:
            continue
        reduced = _reduction(trace, sides[1][1])
        if reduced is None or not _same_roots(sides[0][1], reduced.operands[0]):
            continue
        if not _is_symmetric(trace, sides[0]):
            seen.add(event.site.number)
            yield _finding(trace, event, *sides, reduced)


def _square_and_row(event: Event) -> tuple[Side, Side] | None:
    """The operands, where one has the same size in all axes and the other one axis less."""
    pairs = list(zip(event.site.operands, event.operands, strict=True))[:2]
    sides = [(o, v) for o, v in pairs if isinstance(v, Array) and v.type is not None]
    if len(sides) != 2:
        return None
    whole, part = sorted(sides, key=lambda side: len(_sizes(side[1])), reverse=True)
    sizes = _sizes(whole[1])
    square = len(sizes) > 1 and len({*sizes}) == 1 and (sizes[0] or 0) > 1
    return (whole, part) if square and _sizes(part[1]) == sizes[1:] else None


def _sizes(array: Array) -> tuple[int | None, ...]:
    return array.type.sizes if array.type is not None else ()


def _reduction(trace: Trace, part: Array) -> Event | None:
    """The reduction over a later axis that a value comes from, element by element."""
    made = part.made
    for _ in range(_DEEP):
        if made is None:
            return None
        known = ops.info(made)
        if known is not None and "keepdims" in known.parameters:
            return made if _over_later_axis(trace, made) else None
        arrays = [v for v in made.operands if isinstance(v, Array)]
        if not ops.elementwise(made) or len(arrays) != 1:
            return None
        made = arrays[0].made
    return None


def _over_later_axis(trace: Trace, made: Event) -> bool:
    known, call = ops.info(made), call_at(trace, made.site)
    source = made.operands[0] if made.operands else None
    if known is None or call is None or not isinstance(source, Array) or source.type is None:
        return False
    names = [name for name in known.parameters if name not in ("*", "/")]
    method = made.site.operands[0].role == "self"
    axis = (
        literal(argument(call, names.index("axis") - method, "axis")) if "axis" in names else None
    )
    return isinstance(axis, int) and axis % source.type.ndim != 0


def _same_roots(whole: Array, reduced: object) -> bool:
    """Whether two arrays are one, or were made from one element by element."""
    return isinstance(reduced, Array) and bool(_roots(whole, 0) & _roots(reduced, 0))


def _roots(array: Array, depth: int) -> set[Array]:
    found, made = {array.memory}, array.made
    if made is not None and depth < _DEEP and ops.elementwise(made):
        for value in made.operands:
            if isinstance(value, Array) and _sizes(value) == _sizes(array):
                found |= _roots(value, depth + 1)
    return found


def _is_symmetric(trace: Trace, side: Side) -> bool:
    """Whether rows and columns may be the same, by how the array was made or what it is called."""
    operand, array = side
    texts = [trace.text(operand.span)]
    for root in [array, *_roots(array, 0)]:
        texts += root.names
        if root.made is not None:
            texts.append(trace.text(root.made.site.span))
            if ops.name(root.made) in ("matmul", "dot", "cov", "corrcoef", "outer"):
                return True
    return any(_SYMMETRIC.search(text) or ".T" in text for text in texts)


def _finding(trace: Trace, event: Event, whole: Side, part: Side, reduced: Event) -> Finding:
    span = event.site.span
    name, other = (name_at(trace, side[0].span) for side in (whole, part))
    facing = f"lines up with axis {len(_sizes(whole[1])) - 1} of {name}"
    says = (
        f"{name_at(trace, span, 40)}: {other} {facing}",
        f"{other} {facing}",
        f"the reduction {facing}",
        "the reduction lines up with the last axis",
    )
    apart = reduced.site.span != part[0].span
    labels = [Label(reduced.site.span, "reduced here")] if apart else []
    made = origin(trace, name, whole[1], other_than=span)
    again = repetition(trace, event)
    rows: list[Operand | None] = [row(name, whole[1]), row(other, part[1])]
    fix = kept(trace, span, reduced)
    return Finding(
        code="misaligned-reduction",
        severity=SEVERITY,
        headline=fitting("warning", "misaligned-reduction", says),
        span=span,
        labels=tuple(labels) if made is None else (*labels, made),
        operands=tuple(r for r in rows if r is not None),
        notes=(again,) if again else (),
        fixes=(fix,) if fix is not None else (),
        call_path=calls_of(event.frame),
    )
