"""A column against a vector of the same length: all pairs, where elements were meant.

## What it does
Reports an elementwise operation on a column ``(n, 1)`` and a vector ``(n,)`` or row ``(1, n)`` of
the same length, whose result is the ``(n, n)`` table of all pairs. It follows where the column came
from: one that was opened on purpose, with ``None``, ``keepdims``, ``expand_dims``, ``meshgrid`` and
the like, stays so through names, arithmetic and functions, and is not reported.

## Why it is bad
Nothing fails. A mean over n² differences looks like a loss, and is none. The usual cause is a
prediction ``X @ w`` with ``w`` of shape ``(d, 1)`` that meets targets of shape ``(n,)``.

## Example
```python
import numpy as np

X = np.arange(12.0).reshape(6, 2)
w = np.array([[1.0], [0.5]])
y = np.arange(6.0)
error = X @ w - y
```

## Use instead
```python
import numpy as np

X = np.arange(12.0).reshape(6, 2)
w = np.array([[1.0], [0.5]])
y = np.arange(6.0)
error = (X @ w)[:, 0] - y
```

## When to ignore
When all pairs are meant. Writing ``y[None, :]`` or ``column[:, None]`` says so.

## References
- NumPy, Broadcasting: https://numpy.org/doc/stable/user/basics.broadcasting.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Event, SiteOperand, Trace
from .. import ops
from ..describe import fitting, name_at, origin_text, repetition, row, size
from ..model import Edit, Finding, Fix, Operand, Severity
from ..shape_fixes import title
from ..syntax import behind, call_at, covers, expression

SEVERITY = Severity.WARNING

_OPENING = frozenset({
    "expand_dims", "meshgrid", "ix_", "indices", "atleast_2d", "atleast_3d", "column_stack",
    "vstack",
})  # fmt: skip
_OPENING_INDEXED = frozenset({"c_", "r_", "ogrid", "mgrid"})
_COPYING = frozenset({"array", "asarray", "asanyarray", "ascontiguousarray", "copy", "astype"})

_LOSSES = frozenset({
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "MSELoss", "L1Loss", "SmoothL1Loss",
    "HuberLoss",
})  # fmt: skip
"""Of PyTorch: they broadcast predictions and targets, and give one number."""
_MOST_STEPS = 50
"""Operations that an axis is followed through."""

Side = tuple[SiteOperand, Array]


def check(trace: Trace) -> Iterator[Finding]:
    """Tables of pairs that nobody asked for; each pair of origins once."""
    found: dict[tuple[object, ...], list[tuple[Event, Side, Side]]] = {}
    for event in trace.events:
        sides = _column_and_row(event)
        if sides is not None and not _on_purpose(trace, event, *sides):
            cause = tuple(array.made.site if array.made else array for _, array in sides)
            found.setdefault(cause, []).append((event, *sides))
    for same in found.values():
        lines = dict.fromkeys(event.site.span.line for event, _, _ in same[1:])
        lines.pop(same[0][0].site.span.line, None)
        yield _finding(trace, *same[0], list(lines))


def _column_and_row(event: Event) -> tuple[Side, Side] | None:
    """The operands where n and n values gave n times n; the column first."""
    result = event.result
    if not isinstance(result, Array) or result.type is None or event.in_place:
        return None
    if ops.bare_name(event) in _LOSSES:
        n = max((_length(value) for value in event.operands), default=0)
        if n < 2:
            return None
    else:
        last = result.type.sizes[-1] if result.type.ndim >= 2 else None
        if last is None or last < 2 or result.type.size != last * last:
            return None
        n = last
        if not ops.elementwise(event):
            return None
    vectors = [
        (operand, value)
        for operand, value in zip(event.site.operands, event.operands, strict=True)
        if isinstance(value, Array) and value.type is not None and value.type.size == n
    ]
    columns = [side for side in vectors if _sizes(side)[-2:] == (n, 1)]
    rows = [side for side in vectors if _sizes(side)[-1:] == (n,)]
    return (columns[0], rows[0]) if columns and rows else None


def _length(value: object) -> int:
    """How many elements a vector has, or a column or row; 0 for anything else."""
    kind = value.type if isinstance(value, Array) else None
    size = kind.size if kind is not None else None
    if kind is None or size is None or size not in kind.sizes:
        return 0
    return size


def _sizes(side: Side) -> tuple[int | None, ...]:
    kind = side[1].type
    return kind.sizes if kind is not None else ()


# ---------------------------------------------------------------------- where the axis came from


def _on_purpose(trace: Trace, event: Event, column: Side, other: Side) -> bool:
    """Whether one of the two sides was given its second axis by somebody who asked for it."""
    flat = other[1] if len(_sizes(other)) == 1 else None
    sides = [column] if flat is not None else [column, other]
    if flat is None and all(_sliced_here(event, side) for side in sides):
        return True
    return any(_opened(trace, event, array, flat, 0) for _, array in sides)


def _opened(trace: Trace, use: Event, array: Array, flat: Array | None, steps: int) -> bool:
    """Whether the axis of length 1 was asked for; as well where nothing is known of the array.

    A bare ``reshape``, and a column written out, count where they stand in the operation or were
    only named. With arithmetic behind it, a ``reshape`` counts for all pairs of one vector and
    for products, which are seldom meant element by element; but not for differences.
    """
    made = array.made
    if made is None or steps > _MOST_STEPS:
        return True
    site, known = made.site, ops.info(made)
    if site.kind == "getitem":
        if _opens(trace, made):
            return True
    elif made.layers:
        return False  # what a network gave
    elif known is None:
        return True
    name = ops.any_name(made)
    if name in _OPENING or _keeps(trace, made):
        return True
    kept = [v for v in made.operands if isinstance(v, Array) and _as_long(v, array)]
    if name == "array" and not kept and steps == 0:
        return True  # a column that is written out
    if name == "reshape":
        outer = ops.any_name(use) in ("multiply", "divide", "power")
        return steps == 0 or outer or _together(made, use) or _same_memory(flat, array)
    likened = name in _COPYING or name.endswith("_like")
    passes = known is not None and (known.fusible or known.aliases or likened)
    if not passes and site.kind != "getitem":
        return False
    if made.in_place:
        kept = [v for v in kept if v is not array]
    counted = steps + (known is not None and known.fusible)
    earlier = [v for v in kept if v is not flat and (v.made is None or v.made.index < made.index)]
    return any(_opened(trace, use, v, flat, counted) for v in earlier)


def _sliced_here(event: Event, side: Side) -> bool:
    """Whether an operand is a slice that is written in the operation, ``d[k : k + 1, :]``."""
    where, array = side
    made = array.made
    return made is not None and made.site.kind == "getitem" and made.site.span == where.span


def _together(made: Event, use: Event) -> bool:
    """Whether both stand in one operation as written."""
    return made.frame is use.frame and covers(use.site.span, made.site.span)


def _same_memory(flat: Array | None, array: Array) -> bool:
    return flat is not None and flat.memory is array.memory


def _as_long(value: Array, array: Array) -> bool:
    """Whether a value is a column or row too, of which ``array`` may have its axes."""
    if value.type is None or array.type is None or value.type.ndim < 2:
        return False
    return 1 in value.type.sizes


def _opens(trace: Trace, getitem: Event) -> bool:
    """Whether an index has ``None`` in it, or belongs to ``np.ogrid`` and its like."""
    node = expression(trace.text(getitem.site.span))
    if not isinstance(node, ast.Subscript):
        return True
    if isinstance(node.value, ast.Attribute) and node.value.attr in _OPENING_INDEXED:
        return True
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(
        (isinstance(i, ast.Constant) and i.value is None)
        or (isinstance(i, ast.Attribute | ast.Name) and ast.unparse(i).endswith("newaxis"))
        for i in items
    )


def _keeps(trace: Trace, made: Event) -> bool:
    """Whether a reduction was told to keep its axes."""
    call = call_at(trace, made.site)
    return call is not None and any(k.arg in ("keepdims", "keepdim") for k in call.keywords)


# ---------------------------------------------------------------------- what is said


def _finding(trace: Trace, event: Event, column: Side, other: Side, lines: list[int]) -> Finding:
    span, result = event.site.span, event.result
    kind = result.type if isinstance(result, Array) else None
    n = _sizes(other)[-1]
    loss = ops.bare_name(event) in _LOSSES
    makes = f"compares all {n} × {n} pairs" if loss else f"makes {n} × {n} values of {n}"
    says = [f"{name_at(trace, span, most)} {makes}" for most in (40, 30, 24, 20, 18, 16, 14, 12)]
    notes = [repetition(trace, event)]
    if lines:
        notes.append("the same at line" + ("s " if len(lines) > 1 else " ") + _listed(lines))
    rows: list[Operand | None] = [
        row(name_at(trace, operand.span), array,
            origin=origin_text(trace, array, other_than=span))
        for operand, array in sorted((column, other), key=lambda side: side[0].span)
    ]  # fmt: skip
    if kind is not None and kind.nbytes is not None and not loss:
        instead = f"{size(kind.nbytes)} instead of {size(kind.nbytes // (n or 1))}"
        rows.append(row("⇒", result, note=instead))
    return Finding(
        code="implicit-outer-broadcast",
        severity=SEVERITY,
        headline=fitting("warning", "implicit-outer-broadcast", says),
        span=span,
        operands=tuple(r for r in rows if r is not None),
        notes=tuple(note for note in notes if note),
        fixes=tuple(_fixes(trace, span, column, other)),
    )


def _fixes(trace: Trace, whole: Span, column: Side, other: Side) -> Iterator[Fix]:
    if len(_sizes(other)) == 1:
        yield _behind(trace, whole, column, "[:, 0]")
        yield _behind(trace, whole, other, "[:, None]")
    else:
        yield _behind(trace, whole, other, ".T")
        yield _behind(trace, whole, column, ".T")


def _behind(trace: Trace, whole: Span, side: Side, suffix: str) -> Fix:
    """The operation with ``suffix`` behind one of its operands."""
    at, new = behind(trace, side[0].span, suffix)
    return Fix(title(trace, whole, at, new), (Edit(at, new),))


def _listed(lines: list[int]) -> str:
    return ", ".join(map(str, lines[:5])) + (" ..." if len(lines) > 5 else "")
