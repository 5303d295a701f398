"""Lists whose elements are one array, of which one is changed in place.

## What it does
Reports ``[array] * n`` and ``dict.fromkeys(keys, array)`` where a part of an element is written to
later, as in ``rows[0][1] = 5``.

## Why it is bad
The multiplication repeats the reference, not the array: there is one array under n places, and a
write to one is a write to all.

## Example
```python
import numpy as np

rows = [np.zeros(3)] * 2
rows[0][1] = 5.0
total = rows[1].sum()
```

## Use instead
```python
import numpy as np

rows = [np.zeros(3) for _ in range(2)]
rows[0][1] = 5.0
total = rows[1].sum()
```

## When to ignore
Where all places are meant to show the same array.

## References
- Python FAQ, How do I create a multidimensional list:
  https://docs.python.org/3/faq/programming.html#faq-multidimensional-list
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ...doc.source import Source, Span
from ...tracer.trace import Array, Event, Trace, Value
from .. import ops
from ..describe import fitting, name_at
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import expression, span_of, tree

SEVERITY = Severity.WARNING


@dataclass(frozen=True, slots=True)
class _Repeated:
    """``name = [element] * count``, or ``name = dict.fromkeys(keys, element)``."""

    name: str
    span: Span
    element: Span
    times: Span
    listed: bool
    known_as: str | None
    """The name of the element, where it has one."""


def check(trace: Trace) -> Iterator[Finding]:
    """Each list once, at the first write to one of its elements."""
    lists = [one for source in trace.sources.values() for one in _repeated(source)]
    if not lists:
        return
    shared: dict[Array, _Repeated] = {}
    for event in trace.events:
        for operand, array in ops.written(event):
            one = shared.get(array.memory)
            here = one is not None and one.span.path == operand.span.path
            if one is not None and here and _is_element(trace.text(operand.span), one.name):
                yield _finding(trace, one, event)
                shared = {of: other for of, other in shared.items() if other is not one}
        for one in lists:
            for span, name, value in _known(event):
                known = name == one.known_as and span.path == one.span.path
                if isinstance(value, Array) and (span == one.element or known):
                    shared[value.memory] = one


def _known(event: Event) -> Iterator[tuple[Span, str, Value]]:
    """Places and names, and what stands for them at an event."""
    site = event.site
    yield site.span, "", event.result
    for operand, value in zip(site.operands, event.operands, strict=True):
        yield operand.span, operand.name, value
    for name, value in site.bound(event.result):
        yield site.span, name, value


def _repeated(source: Source) -> Iterator[_Repeated]:
    for node in ast.walk(tree(source.text) or ast.Module([], [])):
        match node:
            case ast.Assign(
                [ast.Name() | ast.Attribute() as target],
                ast.BinOp(ast.List([element]), ast.Mult(), times) as value,
            ) | ast.Assign(
                [ast.Name() | ast.Attribute() as target],
                ast.BinOp(times, ast.Mult(), ast.List([element])) as value,
            ):
                listed = True
            case ast.Assign(
                [ast.Name() | ast.Attribute() as target],
                ast.Call(
                    ast.Attribute(ast.Name("dict"), "fromkeys"), [times, element], []
                ) as value,
            ):
                listed = False
            case _:
                continue
        if isinstance(times, ast.Constant) and times.value == 1:
            continue
        whole, item, count = (span_of(source, part) for part in (value, element, times))
        known_as = ast.unparse(element) if isinstance(element, ast.Name) else None
        yield _Repeated(ast.unparse(target), whole, item, count, listed, known_as)


def _is_element(text: str, name: str) -> bool:
    """Whether an expression is an element of a list, or a part of one."""
    node: ast.AST | None = expression(text)
    while isinstance(node, ast.Subscript):
        node = node.value
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name:
            return True
    return False


def _finding(trace: Trace, one: _Repeated, write: Event) -> Finding:
    span = write.site.span
    says = (
        f"{name_at(trace, span, 24)} changes all of {one.name}: they are one array",
        f"this changes all of {one.name}: they are one array",
        "this changes all elements: they are one array",
    )
    element, times = trace.text(one.element), trace.text(one.times)
    made = isinstance(expression(element), ast.Call)
    each = element if made else f"{element}.copy()"
    if one.listed:
        new = f"[{each} for _ in range({times})]"
    else:
        new = f"{{key: {each} for key in {times}}}"
    return Finding(
        code="aliased-elements",
        severity=SEVERITY,
        headline=fitting("warning", "aliased-elements", says),
        span=span,
        labels=(Label(one.span, "one array under all places"),),
        fixes=(Fix(f"{one.name} = {new}", (Edit(one.span, new),), safe=made),),
    )
