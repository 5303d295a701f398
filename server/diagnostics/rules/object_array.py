"""Arrays of Python objects where numbers were meant.

## What it does
Reports an operation that failed since an array holds Python objects, and an array that holds them
because one of the items that it was made of is None.

## Why it is bad
Such an array is a list with a shape: each operation is done by Python, object by object, slowly,
and only as far as the objects can do it. ``None`` can't be added, and an ``int`` has no ``sqrt``.

## Example
```python
import numpy as np

levels = np.array([1.0, None, 3.0])
doubled = levels * 2
```

## Use instead
```python
import numpy as np

levels = np.array([1.0, np.nan, 3.0])
doubled = levels * 2
```

## When to ignore
Where objects are meant, such as exact fractions; ``dtype=object`` says so, and then only a failure
is reported.

## References
- NumPy, Array scalars and objects: https://numpy.org/doc/stable/reference/arrays.scalars.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Event, Failure, Trace, Value
from .. import ops
from ..describe import calls_to, fitting, name_at, origin, row, shortened
from ..model import Edit, Finding, Fix, Severity
from ..shape_case import Case
from ..shape_fixes import title
from ..syntax import argument, behind, call_at

SEVERITY = Severity.ERROR

_MAKERS = frozenset({"array", "asarray", "asanyarray"})


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """The array of objects that an operation of NumPy's could do nothing with."""
    site = failure.site
    if site is None or failure.type not in ("TypeError", "AttributeError"):
        return None
    if Case(trace, failure, site).op is None:
        return None
    found = next(((span, v) for _, span, v in failure.operands if _holds_objects(v)), None)
    if found is None:
        return None
    span, value = found
    name = name_at(trace, span)
    says = (
        f"{name_at(trace, site.span, 40)}: {name} holds Python objects, no numbers",
        f"{name} holds Python objects, no numbers",
        "this array holds Python objects, no numbers",
    )
    made = origin(trace, name, value, other_than=site.span)
    shown = row(name, value)
    return Finding(
        code="object-array",
        severity=SEVERITY,
        headline=fitting("error", "object-array", says),
        span=site.span,
        labels=() if made is None else (made,),
        operands=() if shown is None else (shown,),
        notes=(failure.message.strip().partition("\n")[0],),
        fixes=(_as_numbers(trace, site.span, span, value),),
        call_path=calls_to(failure),
    )


def _as_numbers(trace: Trace, whole: Span, span: Span, value: Value) -> Fix:
    """Numbers from the start, where the text shows how the array is made; else from here on."""
    made = value.made if isinstance(value, Array) else None
    call = call_at(trace, made.site) if made is not None and ops.name(made) in _MAKERS else None
    if made is None or call is None or len(call.args) != 1:
        at, new = behind(trace, span, ".astype(float)")
        return Fix(title(trace, whole, at, new), (Edit(at, new),))
    others = [k for k in call.keywords if k.arg != "dtype"]
    numbers = ast.keyword("dtype", ast.Name("float"))
    new = ast.unparse(ast.Call(call.func, call.args, [*others, numbers]))
    return Fix(f"{shortened(new, 60)}, in line {made.site.span.line}", (Edit(made.site.span, new),))


def check(trace: Trace) -> Iterator[Finding]:
    """Arrays that are of objects because of a None; each place once."""
    if trace.failure is not None:
        return
    seen = set()
    for event in trace.events:
        site = event.site
        if site.number in seen or ops.name(event) not in _MAKERS:
            continue
        call = call_at(trace, site)
        items = argument(call, 0, "a")
        if call is None or items is None or not _holds_objects(event.result):
            continue
        asked_for = len(call.args) > 1 or any(k.arg == "dtype" for k in call.keywords)
        if asked_for or not _has_none(items) or _converted(trace, event):
            continue
        seen.add(site.number)
        shown = row("⇒", event.result)
        yield Finding(
            code="object-array",
            severity=Severity.INFORMATION,
            headline="an item is None: this array holds Python objects",
            span=site.span,
            operands=() if shown is None else (shown,),
            fixes=(Fix("np.nan for None, or dtype=object where that is meant"),),
        )


def _converted(trace: Trace, made: Event) -> bool:
    """Whether the program makes numbers of it, as one who knows does."""
    return any(
        ops.name(event) == "astype" and event.operands[:1] == (made.result,)
        for event in trace.events[made.index + 1 :]
    )


def _holds_objects(value: Value) -> bool:
    return isinstance(value, Array) and value.type is not None and value.type.element == "object"


def _has_none(items: ast.expr) -> bool:
    """Whether numbers and None are written out beside each other."""
    values = [n.value for n in ast.walk(items) if isinstance(n, ast.Constant)]
    numbers = any(isinstance(v, int | float | complex) for v in values)
    plain = all(v is None or isinstance(v, int | float | complex) for v in values)
    return None in values and numbers and plain
