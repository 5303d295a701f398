"""Memory of ``np.empty`` that is read before anything was written to it.

## What it does
Reports an operator, a reduction or a look at an element of an array by ``np.empty`` or
``np.empty_like`` which is the first thing that happens to it. Whatever may write to it counts as a
write: a part that is filled, a view that is taken, ``out=``, a call that is given the array.

## Why it is bad
``np.empty`` gives the memory as it is. That is often zero, the first time, on the machine where it
is tried, and anything else later.

## Example
```python
import numpy as np

acc = np.empty(4)
for k in range(3):
    acc += np.full(4, k)
```

## Use instead
```python
import numpy as np

acc = np.zeros(4)
for k in range(3):
    acc += np.full(4, k)
```

## When to ignore
Where the numbers really don't matter, such as in a measurement of time.

## References
- NumPy, numpy.empty: https://numpy.org/doc/stable/reference/generated/numpy.empty.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Event, Scalar, SiteOperand, Trace
from .. import ops
from ..describe import arrays_in, fitting, name_at
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import covers, enclosing, span_of, tree

SEVERITY = Severity.WARNING

_READERS = frozenset({
    "sum", "mean", "max", "min", "amax", "amin", "prod", "std", "var", "median", "argmax", "argmin",
    "any", "all", "cumsum", "cumprod", "dot", "matmul", "vdot", "inner", "outer", "linalg.norm",
    "sort", "argsort",
})  # fmt: skip
"""What looks at every element, besides elementwise ops."""
_ABOUT_TYPE = frozenset({"shape", "size", "ndim", "dtype", "nbytes", "itemsize", "strides"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def check(trace: Trace) -> Iterator[Finding]:
    """Each ``np.empty`` once, the first time that it ran: loops inside are recorded then."""
    waiting: dict[Array, Event] = {}
    known: set[int] = set()
    for event in trace.events:
        for operand, array in _touched(event) if waiting else ():
            made = waiting.get(array.memory)
            if made is None or _gives_a_view(event, array):
                continue
            del waiting[array.memory]
            if _reads(event, operand) and _is_first(trace, made, event):
                yield _finding(trace, made, event)
        if event.site.number not in known and ops.name(event) in ("empty", "empty_like"):
            known.add(event.site.number)
            if isinstance(event.result, Array) and _watched(event, event.result):
                waiting[event.result] = event


def _watched(event: Event, array: Array) -> bool:
    """Whether there is anything in it, and all ways to it are in sight."""
    names = [name for name, _ in event.site.targets]
    kind = array.type
    return (
        len(names) == 1
        and names[0].isidentifier()
        and kind is not None
        and kind.size != 0
        and kind.element not in ("other", "struct")
    )


def _touched(event: Event) -> list[tuple[SiteOperand, Array]]:
    pairs = zip(event.site.operands, event.operands, strict=True)
    return [(operand, array) for operand, value in pairs for array in arrays_in(value)]


def _gives_a_view(event: Event, array: Array) -> bool:
    """Whether it only shows the memory in another way."""
    result = event.result
    return (
        event.kind == "op"
        and isinstance(result, Array)
        and result.memory is array.memory
        and not event.in_place
        and not ops.written(event)
    )


def _reads(event: Event, operand: SiteOperand) -> bool:
    """Whether it looks at elements, and they matter for what it gives."""
    if event.site.kind.startswith("inplace:"):
        return operand.role in ("0", "1", "value")
    if ops.written(event) or operand.role in ("out", "index") or event.kind == "store":
        return False
    if event.site.kind == "getitem":
        return isinstance(event.result, Scalar)
    known = ops.info(event)
    if known is None or (operand.role.isdigit() and int(operand.role) >= known.arity[0]):
        return False  # such as the place of ``out``
    return known.fusible or ops.name(event) in _READERS


def _is_first(trace: Trace, made: Event, read: Event) -> bool:
    """Whether the text has nothing of the array between the two, or where it might be written.

    Iterations that ran plain are in the text alone.
    """
    span, name = made.site.span, made.site.targets[0][0]
    if read.frame is not made.frame or "nan" in trace.text(read.site.span).lower():
        return False
    source = trace.sources[span.path]
    module = tree(source.text)
    if module is None:
        return False
    around = enclosing(source, span)
    own = next((n for n in around if isinstance(n, _Function | ast.Module)), module)
    plain = _about_type(own)
    for node in ast.walk(module):
        if isinstance(node, _Function) and node is not own and _uses(node, name):
            return False
    for node in ast.walk(own):
        if _loads(node, name) and id(node) not in plain:
            at = span_of(source, node)
            between = _after(at, span) and not _after(at, read.site.span)
            if between and not covers(read.site.span, at):
                return False
    return _after(read.site.span, span)


def _loads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _after(place: Span, other: Span) -> bool:
    return (place.line, place.column) >= (other.end_line, other.end_column)


def _uses(function: _Function, name: str) -> bool:
    """Whether a function means another scope's array by ``name``."""
    arguments = function.args
    named = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    bound = any(isinstance(n.ctx, ast.Store) for n in names)
    return bool(names) and not bound and name not in named


def _about_type(scope: ast.AST) -> set[int]:
    """The names whose elements aren't asked for: ``x.shape``, ``len(x)``."""
    found: set[int] = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute) and node.attr in _ABOUT_TYPE:
            found.add(id(node.value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            found.update(map(id, node.args))
    return found


def _finding(trace: Trace, made: Event, read: Event) -> Finding:
    name = made.site.targets[0][0]
    called = trace.text(made.site.span).partition("(")[0]
    text = name_at(trace, read.site.span, 32)
    says = (
        f"{text} reads {name} before anything is written to it",
        f"{name} is read before anything is written to it",
        f"{name} is read before it is written",
    )
    new = trace.text(made.site.span).replace("empty", "zeros", 1)
    sums = ops.operator(read.site) in ("Add", "Sub") and read.site.kind.startswith("inplace:")
    return Finding(
        code="uninitialized-read",
        severity=SEVERITY,
        headline=fitting("warning", "uninitialized-read", says),
        span=read.site.span,
        at=f"{name} holds whatever was there before",
        labels=(Label(made.site.span, f"{called} leaves the memory as it is"),),
        fixes=(Fix(" ".join(new.split()), (Edit(made.site.span, new),), safe=sums),),
    )
