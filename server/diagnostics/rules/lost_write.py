"""Writes into a copy that nobody holds.

## What it does
Reports an assignment, an in-place operator, a call such as ``.sort()``, ``.fill()``,
``rng.shuffle()`` or ``np.add.at()``, or an ``out=``, whose target was a new array that was gone
right after the line. It goes by the memory that was written, not by how the line looks: a view that
reaches the array is fine.

## Why it is bad
Nothing fails, and nothing changes. An index list or a mask copies what it selects, unlike a slice;
so do ``.astype()`` and ``.flatten()``, and ``.reshape()`` where the memory's order doesn't allow a
view.

## Example
```python
import numpy as np

scores = np.ones((6, 2))
rows = [0, 2, 4]
bad = np.array([True, False, True])
scores[rows][bad] = -1
```

## Use instead
```python
import numpy as np

scores = np.ones((6, 2))
rows = [0, 2, 4]
bad = np.array([True, False, True])
scores[np.asarray(rows)[bad]] = -1
```

## When to ignore
Never known to be right: the line can be left out.

## References
- NumPy, Copies and views: https://numpy.org/doc/stable/user/basics.copies.html
- NumPy, Indexing, assigning values:
  https://numpy.org/doc/stable/user/basics.indexing.html#assigning-values-to-indexed-arrays
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Array, Constant, Event, Pack, SiteOperand, Trace, Value
from .. import ops
from ..describe import fitting, name_at, repetition, shape_of, shortened, type_of
from ..model import Edit, Finding, Fix, Severity
from ..syntax import call_at, covers, expression, numpy_name, target_span

SEVERITY = Severity.WARNING


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once, however often it ran."""
    seen = set()
    for event in trace.events:
        if event.site.number in seen:
            continue
        for where, array in ops.written(event):
            copied = _copy(event, where, array)
            if copied is not None:
                seen.add(event.site.number)
                yield _finding(trace, event, where, copied)
                break


def _copy(event: Event, where: SiteOperand, array: Array) -> Event | None:
    """What copied, where the memory that was written is gone after the event."""
    if where.form != "site" or not _gone(event, where, array):
        return None
    made, current = array.made, array
    while made is not None and made.frame is event.frame and covers(where.span, made.site.span):
        shown = [v for v in made.operands if isinstance(v, Array)]
        if not shown or made.site.targets or current.foreign or current.memory.foreign:
            return None
        source = next((v for v in shown if v.memory is array.memory), None)
        if source is None:
            fresh = ops.info(made) is not None or array.memory is array
            return made if fresh else None
        if source.made is None or source.made.index >= made.index:
            return None
        made, current = source.made, source
    return None


def _gone(event: Event, where: SiteOperand, array: Array) -> bool:
    """Whether nobody held an array right after it was written."""
    if event.kind == "store":
        return event.lost
    if event.result is array:
        return event.site.discarded
    recorded = [o for o in event.site.operands if o.recorded]
    return any(o is where and dead for o, dead in zip(recorded, event.dead, strict=False))


def _finding(trace: Trace, event: Event, where: SiteOperand, copied: Event) -> Finding:
    span, source = event.site.span, copied.site.operands[0]
    kept = name_at(trace, source.span)
    if event.kind == "store":
        target = name_at(trace, target_span(trace, event.site), 60)
        sign = ops.SIGNS.get(ops.operator(event.site), "")
        acts = [f"{shortened(target, most)} {sign}= … is lost" for most in (60, 40, 24)]
        acts.append("this write is lost")
    else:
        call = call_at(trace, event.site)
        called = _called(call) if call is not None else "this"
        acts = [
            f"{name_at(trace, span, 36)} changes a copy",
            f"{called}() changes a copy",
            "this changes a copy",
        ]
    stays = f"{kept} stays as it was"
    again = repetition(trace, event)
    return Finding(
        code="lost-write",
        severity=SEVERITY,
        headline=fitting("warning", "lost-write", [f"{act}; {stays}" for act in acts]),
        span=span,
        at=_at(trace, copied),
        notes=(again,) if again else (),
        fixes=tuple(_fixes(trace, event, where, copied)),
    )


def _called(call: ast.Call) -> str:
    """What is called: ``rng.shuffle``, or ``.fill`` of a longer expression."""
    if isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Name):
        text = ast.unparse(call.func)
        return text if len(text) <= 16 else f".{call.func.attr}"
    return ast.unparse(call.func)


def _at(trace: Trace, copied: Event) -> str:
    """What copied, and how large the copy was."""
    text = name_at(trace, copied.site.span)
    kind = type_of(copied.result)
    size = f"{kind.element}{shape_of(copied.result)}" if kind is not None and kind.sizes else ""
    how = f"{text} is a copy"
    if copied.site.kind == "getitem":
        how = "a mask copies" if _masked(copied) else "an index list copies"
    return f"{how}: {size}, gone after this line"


def _masked(getitem: Event) -> bool:
    kinds = [type_of(v) for v in getitem.operands[1:]]
    return any(kind is not None and kind.element == "bool" for kind in kinds)


# ---------------------------------------------------------------------- ways out


def _fixes(trace: Trace, event: Event, where: SiteOperand, copied: Event) -> Iterator[Fix]:
    np, span = numpy_name(trace), event.site.span
    if event.kind == "store":
        target = target_span(trace, event.site)
        new = _one_subscript(trace, event, where, copied, np)
        if new is not None:
            rest = Span(span.path, target.end_line, target.end_column, *_statement_end(trace, span))
            shown = f"{new} {' '.join(trace.text(rest).split())}"
            yield Fix(shown, (Edit(target, new),))
        return
    call, text = call_at(trace, event.site), trace.text(where.span)
    if call is None or copied.site.span != where.span or not event.site.discarded:
        return
    new = _assigned(trace, event, call, text, np)
    if new is not None:
        yield Fix(new, (Edit(span, new),))


def _statement_end(trace: Trace, span: Span) -> tuple[int, int]:
    """The end of the statement on the last line of ``span``, without a comment."""
    line = trace.sources[span.path].line(span.end_line)
    code = line.partition("#")[0].rstrip() if '"' not in line and "'" not in line else line
    return span.end_line, max(len(code), span.end_column)


def _one_subscript(
    trace: Trace, event: Event, where: SiteOperand, copied: Event, np: str
) -> str | None:
    """``x[rows][i]`` as one subscript, where there is a sure one."""
    node = expression(trace.text(target_span(trace, event.site)))
    if event.site.kind.startswith("setattr:") and isinstance(node, ast.Attribute):
        inner = expression(trace.text(where.span))
        if isinstance(inner, ast.Subscript):
            return f"{ast.unparse(inner.value)}.{node.attr}[{ast.unparse(inner.slice)}]"
        return None
    if not isinstance(node, ast.Subscript) or copied.site.span != where.span:
        return None
    second = ast.unparse(node.slice)
    if copied.site.kind != "getitem":
        call = node.value
        flat = ops.name(copied) in ("flatten", "reshape", "ravel") and event.result is None
        if flat and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            kind = type_of(copied.result)
            if kind is not None and kind.ndim == 1:
                return f"{ast.unparse(call.func.value)}.flat[{second}]"
        return None
    inner = node.value
    if not isinstance(inner, ast.Subscript) or isinstance(inner.slice, ast.Tuple):
        return None
    return _combined(event, copied, inner, node.slice, np)


def _combined(
    event: Event, copied: Event, inner: ast.Subscript, second: ast.expr, np: str
) -> str | None:
    base, first = ast.unparse(inner.value), ast.unparse(inner.slice)
    rows = copied.operands[1] if len(copied.operands) > 1 else None
    dimensions = type_of(rows)
    picked = [
        type_of(v)
        for o, v in zip(event.site.operands, event.operands, strict=True)
        if o.role == "index"
    ]
    if any(kind is not None and kind.ndim > 1 for kind in (dimensions, *picked)):
        return None
    if isinstance(second, ast.Constant) and isinstance(second.value, str):
        return f"{base}[{second.value!r}][{first}]".replace("'", '"')
    if isinstance(second, ast.Tuple):
        return _beside(event, base, first, second, np)
    return f"{base}[{_positions(first, rows, np)}[{ast.unparse(second)}]]"


def _positions(first: str, rows: Value, np: str) -> str:
    """The first index as an array of positions that can be indexed itself."""
    kind = type_of(rows)
    bools = isinstance(rows, Pack) and any(
        isinstance(item, Constant) and isinstance(item.value, bool) for item in rows.items
    )
    if bools or (kind is not None and kind.element == "bool"):
        return f"{np}.flatnonzero({first})"
    if isinstance(rows, Array):
        return first
    return f"{np}.asarray({first})"


def _beside(event: Event, base: str, first: str, second: ast.Tuple, np: str) -> str | None:
    """``x[rows][:, c]`` as ``x[rows, c]``, or with ``np.ix_`` where ``c`` is a list too."""
    if len(second.elts) != 2 or not isinstance(second.elts[0], ast.Slice):
        return None
    if ast.unparse(second.elts[0]) != ":":
        return None
    columns = ast.unparse(second.elts[1])
    value = next(
        (v for o, v in zip(event.site.operands, event.operands, strict=True) if o.role == "index"
         and v is not None), None)  # fmt: skip
    if isinstance(value, Array | Pack):
        return f"{base}[{np}.ix_({first}, {columns})]"
    if isinstance(second.elts[1], ast.Constant | ast.Slice) or isinstance(value, Constant):
        return f"{base}[{first}, {columns}]"
    return None


def _assigned(trace: Trace, event: Event, call: ast.Call, text: str, np: str) -> str | None:
    """A call that changes in place, as an assignment to the subscript."""
    name = ops.name(event)
    given = ", ".join(ast.unparse(a) for a in [*call.args, *call.keywords])
    match name:
        case "fill" if len(call.args) == 1:
            return f"{text} = {ast.unparse(call.args[0])}"
        case "sort":
            return f"{text} = {np}.sort({text}{', ' * bool(given)}{given})"
        case "random.Generator.shuffle" | "random.shuffle":
            return f"{text} = {ast.unparse(call.func).removesuffix('shuffle')}permutation({given})"
    if any(k.arg == "out" for k in call.keywords):
        bare = ast.Call(call.func, call.args, [k for k in call.keywords if k.arg != "out"])
        return f"{text} = {ast.unparse(bare)}"
    return None
