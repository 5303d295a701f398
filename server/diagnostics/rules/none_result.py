"""Names bound to the result of a method that works in place.

## What it does
Reports ``x = x.sort()``, ``order = rng.shuffle(order)`` and their like: the call changes its
argument, gives None, and the name is None from there on.

## Why it is bad
The array that was meant to be sorted or shuffled is gone from its name. What fails is a later line,
if any does.

## Example
```python
import numpy as np

order = np.arange(5)
order = np.random.shuffle(order)
first = order[0]
```

## Use instead
```python
import numpy as np

order = np.arange(5)
np.random.shuffle(order)
first = order[0]
```

## When to ignore
Never known to be right. A name that begins with an underscore is never reported.

## References
- NumPy, random.shuffle:
  https://numpy.org/doc/stable/reference/random/generated/numpy.random.shuffle.html
- NumPy, ndarray.sort: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.sort.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Event, Failure, SiteOperand, Trace
from .. import ops
from ..describe import calls_to, fitting, name_at, repetition
from ..fresh import fresh_call
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import call_at, enclosing, span_of

SEVERITY = Severity.WARNING


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once."""
    seen = set()
    for event in trace.events:
        if event.site.number not in seen and _binds_none(event):
            seen.add(event.site.number)
            yield _finding(trace, event, None)


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """The call behind an exception that says that None can't do something."""
    if "NoneType" not in failure.message or failure.span is None:
        return None
    line = failure.span
    statement = list(_statement(trace, line))
    used = {n.id for n in statement if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    source = trace.sources[line.path]
    calls = {span_of(source, node) for node in statement if isinstance(node, ast.Call)}
    for event in reversed(trace.events):
        if event.site.span in calls and _gives_none(event):
            return _used_at_once(trace, event, failure)
        if _binds_none(event) and event.site.targets[0][0].partition(".")[0] in used:
            return _finding(trace, event, Label(line, "fails here"))
    return None


def _binds_none(event: Event) -> bool:
    """Whether it is an op that only changes its argument, whose result got a name."""
    site = event.site
    if site.unpacked or not site.targets or not site.targets[0][0]:
        return False
    if site.targets[0][0].startswith("_") or not _gives_none(event):
        return False
    return not any(_is_a_copy(where, array) for where, array in ops.written(event))


def _gives_none(event: Event) -> bool:
    """Whether it is an op that only changes its argument."""
    if not event.site.is_call or event.result is not None or not event.dead:
        return False
    known = ops.info(event)
    return known is not None and known.outputs == 0 and bool(known.mutates)


def _used_at_once(trace: Trace, event: Event, failure: Failure) -> Finding:
    """For ``x.sort().mean()``."""
    span, new = event.site.span, fresh_call(trace, event)
    called, changed = name_at(trace, span, 40), _changed(trace, event)
    says = (
        f"{called} is None: it changes {changed} in place",
        f"{name_at(trace, span)} is None: it changes its argument in place",
    )
    return Finding(
        code="none-result",
        severity=Severity.ERROR,
        headline=fitting("error", "none-result", says),
        span=span,
        at="gives None",
        fixes=(Fix(new, (Edit(span, new),)),) if new else (),
        call_path=calls_to(failure),
    )


def _is_a_copy(where: SiteOperand, array: Array) -> bool:
    """Whether it was made of another array in the same line: then that write is what is lost."""
    made = array.made if where.form == "site" else None
    return made is not None and any(isinstance(v, Array) for v in made.operands)


def _finding(trace: Trace, event: Event, failed: Label | None) -> Finding:
    site = event.site
    target, called = site.targets[0][0], name_at(trace, site.span, 40)
    changed = _changed(trace, event)
    where = site.targets[0][1]
    says = (
        f"{target} is None: {called} changes {changed} in place",
        f"{target} is None: the call changes {changed} in place",
        f"{target} is None: the call works in place",
    )
    severity = SEVERITY if failed is None else Severity.ERROR
    again = repetition(trace, event)
    return Finding(
        code="none-result",
        severity=severity,
        headline=fitting("warning", "none-result", says),
        span=_assignment(trace, site.span, where),
        at=f"{target} is None from here on",
        labels=() if failed is None else (failed,),
        notes=(again,) if again else (),
        fixes=tuple(_fixes(trace, event, target)),
    )


def _assignment(trace: Trace, value: Span, target: Span) -> Span:
    return Span(value.path, target.line, target.column, value.end_line, value.end_column)


def _fixes(trace: Trace, event: Event, target: str) -> Iterator[Fix]:
    """The call alone, where the name already is what it changes; else a call that gives a new
    array."""
    site = event.site
    call, text = call_at(trace, site), trace.text(site.span)
    whole = _assignment(trace, site.span, site.targets[0][1])
    if call is None or len(site.targets) > 1:
        return
    written = [o for o, v in ops.written(event) if isinstance(v, Array)]
    if any(o.name == target for o in written):
        yield Fix(" ".join(text.split()), (Edit(whole, text),), safe=True)
        return
    new = fresh_call(trace, event)
    if new:
        yield Fix(f"{target} = {new}", (Edit(whole, f"{target} = {new}"),))


def _changed(trace: Trace, event: Event) -> str:
    return next((name_at(trace, o.span) for o, _ in ops.written(event)), "its argument")


def _statement(trace: Trace, span: Span) -> Iterator[ast.AST]:
    """The nodes of the innermost statement at ``span``."""
    source = trace.sources[span.path]
    for node in enclosing(source, span):
        if isinstance(node, ast.stmt) and span_of(source, node).line <= span.line:
            yield from ast.walk(node)
            return
