"""Two names of one array that is changed in place under one of them.

## What it does
Reports an in-place change between ``best = pos`` and a use of both names as if they were different
arrays: side by side in one operation, or the older state by a name that speaks of one (``best``,
``old``, ``previous``, ``initial``).

## Why it is bad
An assignment copies nothing. ``pos += 1`` changes the one array that both names have, so the state
that was to be kept moves along, and the difference of the two is always zero.

## Example
```python
import numpy as np

pos = np.zeros(3)
best = pos
for step in range(3):
    pos += 1.0
moved = pos - best
```

## Use instead
```python
import numpy as np

pos = np.zeros(3)
best = pos.copy()
for step in range(3):
    pos += 1.0
moved = pos - best
```

## When to ignore
Where the second name is meant as a shorthand. Names that are never used side by side, such as those
after ``self.x = x``, are not reported.

## References
- NumPy, Copies and views: https://numpy.org/doc/stable/user/basics.copies.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ...doc.source import Span
from ...tracer.trace import Array, Event, Trace
from .. import ops
from ..describe import fitting
from ..model import Edit, Finding, Fix, Label, Severity
from ..second_names import TELLS_APART, in_turn, speaks_of_before
from ..syntax import covers, span_of, tree

SEVERITY = Severity.WARNING


@dataclass(frozen=True, slots=True)
class _Alias:
    """``new = old`` in one scope; ``value`` is where ``old`` stands."""

    new: str
    old: str
    scope: int
    span: Span
    value: Span | None


def check(trace: Trace) -> Iterator[Finding]:
    """Each alias once, at the first write that tells the names apart."""
    aliases: dict[int, list[_Alias]] = {}
    for alias in _aliases(trace):
        aliases.setdefault(alias.scope, []).append(alias)
    done: set[_Alias] = set()
    looked: set[tuple[int, _Alias]] = set()
    for event in trace.events if aliases else ():
        for where, array in ops.written(event):
            for alias in aliases.get(event.site.scope, ()):
                key = (event.site.number, alias)
                if where.name not in (alias.new, alias.old) or alias in done or key in looked:
                    continue
                looked.add(key)
                use = _use(trace, alias, event, where.name, array)
                if use is not None:
                    done.add(alias)
                    yield _finding(trace, alias, event, where.name, use)


def _aliases(trace: Trace) -> Iterator[_Alias]:
    """Assignments of one name to another, attributes included, and of one value to two names."""
    assignments = (
        (source, node)
        for source in trace.sources.values()
        for node in ast.walk(tree(source.text) or ast.Module([], []))
        if isinstance(node, ast.Assign)
    )
    for source, node in assignments:
        span = span_of(source, node)
        names = [name for target in node.targets if (name := _dotted(target))]
        old = _dotted(node.value)
        if old and len(names) == 1:
            at = span_of(source, node.value)
            yield _Alias(names[0], old, _scope(trace, span), span, at)
        elif len(names) == 2 and isinstance(node.value, ast.Call):
            yield _Alias(names[0], names[1], _scope(trace, span), span, None)


def _dotted(node: ast.expr) -> str:
    """``x`` or ``self.x``; nothing for any other expression."""
    inner = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return ast.unparse(node) if isinstance(inner, ast.Name) else ""


def _scope(trace: Trace, span: Span) -> int:
    """The number of the innermost scope around a place."""
    around = [s for s in trace.scopes if s.kind != "module" and covers(s.span, span)]
    around = around or [s for s in trace.scopes if s.kind == "module" and s.span.path == span.path]
    return max(around, key=lambda s: (s.span.line, s.span.column)).number if around else 0


def _use(trace: Trace, alias: _Alias, write: Event, name: str, array: Array) -> Event | None:
    """The first use after a write that takes the names for different arrays."""
    kept = speaks_of_before(alias.new) and name == alias.old
    for event in trace.after(write):
        if event.frame is not write.frame:
            continue
        names = {
            operand.name
            for operand, value in zip(event.site.operands, event.operands, strict=True)
            if value is array
        }
        side_by_side = {alias.new, alias.old} <= names and ops.name(event) in TELLS_APART
        if (side_by_side or (kept and alias.new in names)) and in_turn(
            trace, alias.span, write.site.span, event.site.span
        ):
            return event
    return None


def _finding(trace: Trace, alias: _Alias, write: Event, name: str, use: Event) -> Finding:
    other = alias.old if name == alias.new else alias.new
    says = (
        f"{name} and {other} are one array: {other} changes as well here",
        f"{name} and {other} are one array; both change here",
    )
    new = f"{alias.old}.copy()"
    edits = (Edit(alias.value, new),) if alias.value is not None else ()
    through_both = any(
        where.name == other
        for event in trace.events
        if event.frame is write.frame
        for where, _ in ops.written(event)
    )
    return Finding(
        code="aliased-name",
        severity=SEVERITY,
        headline=fitting("warning", "aliased-name", says),
        span=write.site.span,
        labels=(
            Label(alias.span, "a second name for the same array"),
            Label(use.site.span, f"{other} is read here"),
        ),
        fixes=(Fix(f"{alias.new} = {new}", edits, safe=bool(edits) and not through_both),),
    )
