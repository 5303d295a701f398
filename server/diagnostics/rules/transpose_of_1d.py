"""Transposes of arrays that have one axis.

## What it does
Reports ``.T``, ``.transpose()`` and ``np.transpose`` of a 1-D array where somebody counts on it: as
the right operand against another 1-D array, or right behind an expression that always gives one
axis, such as ``np.array([1.0, 2.0])`` or ``m.mean(axis=1)``.

## Why it is bad
A transpose swaps axes, and one axis has nothing to swap with: ``v.T`` is ``v``. So ``v * v.T`` is
no table, ``d @ d.T`` is one number, and ``m - m.mean(axis=1).T`` subtracts from columns, not from
rows.

## Example
```python
import numpy as np

v = np.array([1.0, 2.0, 3.0])
outer = v * v.T
```

## Use instead
```python
import numpy as np

v = np.array([1.0, 2.0, 3.0])
outer = np.outer(v, v)
```

## When to ignore
Where a function is used with vectors and matrices alike. If this run has seen it with both, nothing
is reported; nor for a ``.T`` on the left, since ``x.T @ y`` is right for vectors and columns.

## References
- NumPy, ndarray.T: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.T.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Event, Scalar, Trace, Value
from .. import ops
from ..describe import fitting, name_at, origin, repetition, row, shape_of
from ..model import Edit, Finding, Fix, Label, Severity
from ..shape_fixes import kept, title
from ..syntax import behind, call_at, joined, literal, numpy_name, primary

SEVERITY = Severity.WARNING

_FAR = 40
"""Events within which a number is followed."""
_LINES = frozenset({"linspace", "arange", "logspace", "geomspace"})
"""Functions whose result has one axis, whatever they are given in practice."""


def check(trace: Trace) -> Iterator[Finding]:
    """The first of each place, where all that was transposed there had one axis."""
    transposes: dict[int, list[Event]] = {}
    uses: dict[Array, list[Event]] = {}
    for event in trace.events:
        if ops.name(event) in ("T", "transpose", "permute_dims") and event.operands:
            transposes.setdefault(event.site.number, []).append(event)
        elif len(event.operands) > 1:
            for value in event.operands[1:]:
                if isinstance(value, Array):
                    uses.setdefault(value, []).append(event)
    for events in transposes.values():
        if not all(_one_axis(event.operands[0]) for event in events):
            continue
        for event in events:
            used = uses.get(event.result, []) if isinstance(event.result, Array) else []
            against = next((use for use in used if _against_a_vector(trace, use, event)), None)
            if against is not None or _always_one_axis(trace, event):
                yield _finding(trace, event, against or (used[0] if used else None))
                break


def _one_axis(value: object) -> bool:
    return isinstance(value, Array) and value.type is not None and value.type.ndim == 1


def _against_a_vector(trace: Trace, use: Event, transpose: Event) -> bool:
    """Whether an operation has the transposed vector on its right and another on its left.

    A product of the two is a number, which ``a @ b.T`` may well mean; it is not where the number
    goes into a matrix.
    """
    if not _one_axis(use.operands[0]) or use.operands[1] is not transpose.result:
        return False
    if ops.name(use) in ("matmul", "dot"):
        return _into_a_matrix(trace, use)
    return ops.elementwise(use)


def _into_a_matrix(trace: Trace, product: Event) -> bool:
    """Whether a number, or what is computed from it and other numbers, is spread over a matrix."""
    numbers: list[Value] = [product.result]
    names = {name for name, _ in product.site.targets}
    for event in trace.events[product.index + 1 : product.index + _FAR]:
        if event.frame is not product.frame:
            continue
        pairs = zip(event.site.operands, event.operands, strict=True)
        if not any(v is not None and (v in numbers or o.name in names) for o, v in pairs):
            continue
        if any(isinstance(v, Array) and v.type and v.type.ndim > 1 for v in event.operands):
            return True
        if isinstance(event.result, Scalar):
            numbers.append(event.result)
            names |= {name for name, _ in event.site.targets}
    return False


def _always_one_axis(trace: Trace, event: Event) -> bool:
    """Whether what is transposed is an expression that can't have a second axis."""
    source, where = event.operands[0], event.site.operands[0]
    made = source.made if isinstance(source, Array) else None
    if made is None or where.form != "site" or made.site.number != where.site:
        return False
    name, known = ops.name(made), ops.info(made)
    call = call_at(trace, made.site)
    if name in _LINES:
        return True
    if name == "array" and call is not None and call.args:
        items = literal(call.args[0])
        return isinstance(items, list | tuple) and not any(
            isinstance(item, list | tuple) for item in items
        )
    reduces = known is not None and "keepdims" in known.parameters
    return reduces and call is not None and any(k.arg == "axis" for k in call.keywords)


def _finding(trace: Trace, event: Event, use: Event | None) -> Finding:
    where, span = event.site.operands[0], event.site.span
    source = event.operands[0]
    shape = shape_of(source)
    short = f"is still {shape}"
    says = [f"{name_at(trace, span, 40)} {short}: there is only one axis"]
    says += [f"{name_at(trace, span, most)} {short}" for most in (40, 30, 24)]
    rows = [row(name_at(trace, where.span), source), row(name_at(trace, span), event.result)]
    labels: list[Label | None] = []
    if use is not None:
        gives = shape_of(use.result)
        if use.site.span.line == span.line:
            left = use.site.operands[0]
            rows.insert(0, row(name_at(trace, left.span), use.operands[0]))
            rows.append(row("⇒", use.result, note=_gives(use, gives)))
        else:
            labels.append(Label(use.site.span, f"so this gives {gives}"))
    labels.append(origin(trace, name_at(trace, where.span), source, other_than=span))
    again = repetition(trace, event)
    return Finding(
        code="transpose-of-1d",
        severity=SEVERITY,
        headline=fitting("warning", "transpose-of-1d", says),
        span=span,
        labels=tuple(label for label in labels if label is not None),
        operands=tuple(dict.fromkeys(r for r in rows if r is not None)),
        notes=(again,) if again else (),
        fixes=tuple(_fixes(trace, event, use)),
    )


def _gives(use: Event, shape: str) -> str:
    if shape == "one number":
        return "one number, no table"
    return "each element with its own" if _one_axis(use.operands[0]) else ""


def _fixes(trace: Trace, event: Event, use: Event | None) -> Iterator[Fix]:
    np, where, span = numpy_name(trace), event.site.operands[0], event.site.span
    vector = trace.text(where.span)
    made = event.operands[0].made if isinstance(event.operands[0], Array) else None
    if made is not None and made.site.span == where.span:
        whole = use.site.span if use is not None else span
        fixed = kept(trace, span, made)
        if fixed is not None:
            new = fixed.title.removesuffix(".T")
            yield Fix(title(trace, whole, span, new), (Edit(span, new),))
            return
    if use is None or not _one_axis(use.operands[0]):
        _, new = behind(trace, where.span, "[:, None]")
        yield Fix(new, (Edit(span, new),))
        return
    whole, left = use.site.span, trace.text(use.site.operands[0].span)
    if ops.name(use) in ("matmul", "dot", "multiply"):
        new = f"{np}.outer({left}, {vector})"
    elif sign := ops.SIGNS.get(ops.operator(use.site)):
        new = joined(f"{primary(left)}[:, None]", sign, vector)
    else:
        return
    if _covered(use, span):
        yield Fix(new, (Edit(whole, new),))


def _covered(use: Event, span: Span) -> bool:
    """Whether the transpose is written in the operation itself."""
    return any(where.span == span for where in use.site.operands)
