"""Views that are taken for copies, and written to.

## What it does
Reports a write to memory that two names show, where one was made by a slice of the other as a copy
is made of a list (``b = a[:]``), or is called as if it kept a state (``best = paths[0]``), and both
are used later. And rows that are swapped as numbers are: ``a[0], a[1] = a[1], a[0]``.

## Why it is bad
A slice of an array is a view: it shows the same memory. What is written through one name is read
through the other. In a swap of rows the first is overwritten before the second gets it, so both end
up as the same row.

## Example
```python
import numpy as np

heights = np.array([1.0, 2.0, 4.0])
scaled = heights[:]
scaled *= 2.0
total = heights.sum()
```

## Use instead
```python
import numpy as np

heights = np.array([1.0, 2.0, 4.0])
scaled = heights.copy()
scaled *= 2.0
total = heights.sum()
```

## When to ignore
Where the write is meant to be seen through both. Names that speak of a view, and slices of a part
that is not called as if it kept something, are never reported.

## References
- NumPy, Copies and views: https://numpy.org/doc/stable/user/basics.copies.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ...doc.source import Source, Span
from ...tracer.trace import Array, Event, SiteOperand, Trace
from .. import ops
from ..describe import fitting, name_at
from ..model import Edit, Finding, Fix, Label, Severity
from ..second_names import in_turn, speaks_of_before
from ..syntax import expression, literal, replaced, span_of, tree

SEVERITY = Severity.WARNING

_WHOLE = frozenset({":", "...", ":, :", ":, :, :"})
_VIEWS = frozenset({"view", "window", "flat", "ref", "alias"})
"""Words in names that say what they are."""


@dataclass(frozen=True, slots=True)
class _View:
    """``new = old[index]``."""

    event: Event
    new: str
    old: str
    index: str
    memory: Array

    @property
    def whole(self) -> bool:
        """Whether it is written as a copy of a list is."""
        return self.index in _WHOLE


def check(trace: Trace) -> Iterator[Finding]:
    """Each view once, and each swap."""
    for source in trace.sources.values():
        yield from _swaps(trace, source)
    views: dict[int, _View] = {}
    for event in trace.events:
        for where, array in ops.written(event) if views else ():
            for number, view in list(views.items()):
                if array.memory is not view.memory or event.frame is not view.event.frame:
                    continue
                use = _use(trace, view, event, where)
                if use is not None:
                    del views[number]
                    yield _finding(trace, view, event, where.name, use)
        found = _view(trace, event)
        if found is not None:
            views[event.site.number] = found


def _view(trace: Trace, event: Event) -> _View | None:
    """What a slicing gives a name to, where that may be taken for a copy."""
    site = event.site
    if site.kind != "getitem" or len(site.targets) != 1 or not isinstance(event.result, Array):
        return None
    base, old, new = event.operands[0], site.operands[0].name, site.targets[0][0]
    if not isinstance(base, Array) or base.memory is not event.result.memory or not old:
        return None
    if not new or new == old or _VIEWS & {*new.lower().split("_")}:
        return None
    found = _View(event, new, old, _index(trace, site.span), base.memory)
    return found if found.whole or speaks_of_before(new) else None


def _index(trace: Trace, span: Span) -> str:
    node = expression(trace.text(span))
    return ast.unparse(node.slice) if isinstance(node, ast.Subscript) else ""


def _use(trace: Trace, view: _View, write: Event, where: SiteOperand) -> Event | None:
    """The first read through the other name, where the write surely changed what it shows."""
    if where.name == view.new and view.whole:
        other = view.old
    elif where.name == view.old and (view.whole or _changes(trace, view, write)):
        other = view.new
    else:
        return None
    for event in trace.after(write):
        if event.frame is not write.frame or event.site is view.event.site:
            continue
        pairs = zip(event.site.operands, event.operands, strict=True)
        shown = [o for o, v in pairs if isinstance(v, Array) and v.memory is view.memory]
        written = {id(operand) for operand, _ in ops.written(event)}
        if any(o.name == other and id(o) not in written for o in shown):
            spans = (view.event.site.span, write.site.span, event.site.span)
            return event if in_turn(trace, *spans) else None
    return None


def _changes(trace: Trace, view: _View, write: Event) -> bool:
    """Whether a write through the whole array's name surely is one to the view's part."""
    if write.kind == "op":
        return True
    index = _index(trace, write.site.span)
    node = expression(f"x[{view.index}]")
    fixed = isinstance(node, ast.Subscript) and literal(node.slice) is not None
    return index in _WHOLE or (fixed and index == view.index)


def _finding(trace: Trace, view: _View, write: Event, name: str, use: Event) -> Finding:
    other = view.old if name == view.new else view.new
    made = view.event.site.span
    says = (
        f"{name_at(trace, write.site.span, 24)} changes {other} as well: {view.new} is a view",
        f"this changes {other} as well: {view.new} is a view",
        f"{view.new} is a view: {other} changes as well",
    )
    new = f"{view.old}.copy()" if view.whole else f"{trace.text(made)}.copy()"
    return Finding(
        code="write-through-view",
        severity=SEVERITY,
        headline=fitting("warning", "write-through-view", says),
        span=write.site.span,
        labels=(
            Label(made, f"a view of {view.old}, no copy"),
            Label(use.site.span, f"{other} is read here"),
        ),
        fixes=(Fix(f"{view.new} = {' '.join(new.split())}", (Edit(made, new),)),),
    )


# ---------------------------------------------------------------------- swaps


def _swaps(trace: Trace, source: Source) -> Iterator[Finding]:
    """Assignments of views to each other's places."""
    views = {
        event.site.span
        for event in trace.events
        if event.site.kind == "getitem" and _shows(event.operands[0], event.result)
    }
    for node in ast.walk(tree(source.text) or ast.Module([], [])) if views else ():
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                late = list(_overwritten(targets, values))
            case _:
                continue
        spans = [span_of(source, value) for value in late]
        if spans and all(span in views for span in spans):
            yield _swap(trace, source, node, spans)


def _shows(base: object, result: object) -> bool:
    return isinstance(base, Array) and isinstance(result, Array) and base.memory is result.memory


def _overwritten(targets: list[ast.expr], values: list[ast.expr]) -> Iterator[ast.expr]:
    """The values whose place has another one by the time that they are stored."""
    done: set[str] = set()
    for target, value in zip(targets, values, strict=False):
        if isinstance(value, ast.Subscript) and ast.unparse(value) in done:
            yield value
        done.add(ast.unparse(target))


def _swap(trace: Trace, source: Source, node: ast.Assign, late: list[Span]) -> Finding:
    whole, first = span_of(source, node), trace.text(late[0])
    edits = tuple(Edit(span, f"{trace.text(span)}.copy()") for span in late)
    says = (
        f"{first} is overwritten before it is stored: it is a view",
        f"{first} is overwritten before it is stored",
        "a view is overwritten before it is stored",
    )
    shown = replaced(trace, whole, late[0], edits[0].new_text) if len(late) == 1 else ".copy()"
    return Finding(
        code="write-through-view",
        severity=SEVERITY,
        headline=fitting("warning", "write-through-view", says),
        span=whole,
        at="both places end up the same" if len(late) == 1 else "",
        fixes=(Fix(shown, edits, safe=True),),
    )
