"""Functions that change an array of their caller's and also give a result.

## What it does
Reports an in-place operation in a function on memory that its caller passed, where the caller keeps
the function's result, which was made from the changed array, and later reads its own array under
its own name. Where the result is a number, only what prepares the array for it is reported, such as
``v -= v.mean()`` or ``v.sort()``: a function may move its argument on and say how far. It follows
views, helpers and methods; contents that were put back are no change.

## Why it is bad
A function that returns something looks as if it left its arguments alone. ``v /= v.max()`` divides
the very array that the caller holds, so what is computed from that later is computed from other
numbers.

## Example
```python
import numpy as np

def normalise(v):
    v /= v.max()
    return v

signal = np.array([1.0, 2.0, 4.0])
unit = normalise(signal)
gain = signal.max()
```

## Use instead
```python
import numpy as np

def normalise(v):
    v = v / v.max()
    return v

signal = np.array([1.0, 2.0, 4.0])
unit = normalise(signal)
gain = signal.max()
```

## When to ignore
Where both are wanted, the change and the result. Functions that return nothing, whose result is
thrown away or bound to the same name, and parameters called ``out`` or ``buffer`` are never
reported.

## Options
- ``in-place``: names of functions that are meant to change their arguments.

## References
- NumPy, Copies and views: https://numpy.org/doc/stable/user/basics.copies.html
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...doc.source import Span
from ...tracer.trace import (
    Array,
    Constant,
    Event,
    Frame,
    Pack,
    Scalar,
    SiteOperand,
    Trace,
    Value,
)  # fmt: skip
from .. import ops
from ..describe import arrays_in, fitting, made_at, name_at, number, repetition, type_of
from ..fresh import fresh_call
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import expression, joined, line_start, without_keyword

SEVERITY = Severity.WARNING

OPTIONS: Mapping[str, Sequence[str]] = {"in-place": ()}

_MEANT = frozenset({
    "out", "output", "result", "buffer", "buf", "dst", "dest", "destination", "target", "work",
    "scratch", "tmp", "cache", "state",
})  # fmt: skip
"""Names of parameters that say what the function does to them."""
_TRIES = 20
"""Calls of one function that are looked at in full."""
_VERBS = {
    "Add": "adds to", "Sub": "subtracts from", "Mult": "multiplies", "Div": "divides",
    "Pow": "raises", "sort": "sorts", "random.Generator.shuffle": "shuffles",
    "random.shuffle": "shuffles", "fill": "fills",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Write:
    """A write in a function to what its caller owns."""

    event: Event
    where: SiteOperand
    array: Array
    call: Event
    """Where the owner passed it."""
    passed: SiteOperand
    name: str
    """Under which the owner holds it."""


def check(trace: Trace, options: Mapping[str, Sequence[str]] = OPTIONS) -> Iterator[Finding]:
    """The first write of each function to what it was passed, where the owner is surprised."""
    begun: set[tuple[Frame, Array]] = set()
    tries: Counter[int] = Counter()
    for event in trace.events:
        for where, array in ops.written(event):
            if (event.frame, array.memory) in begun:
                continue
            begun.add((event.frame, array.memory))
            write = _write(trace, event, where, array, options["in-place"])
            if write is None or tries[event.site.number] >= _TRIES:
                continue
            tries[event.site.number] += 1
            read = _surprise(trace, write)
            if read is not None:
                tries[event.site.number] = _TRIES
                yield _finding(trace, write, read)


def _write(
    trace: Trace, event: Event, where: SiteOperand, array: Array, meant: Sequence[str]
) -> _Write | None:
    """Whose array it is: the outermost caller that passed its memory, and by what name."""
    frame, found = event.frame, None
    while frame.call is not None and frame.parent is not None:
        if frame.scope.name in meant or _says_so(frame, array):
            return None
        if frame.call.index < event.index or ops.info(frame.call) is not None:
            return None  # a thread's, that ran meanwhile: the library's operation called nothing
        passed = _passed(frame.call, array)
        if passed is None:
            break
        found = (frame.call, passed)
        frame = frame.parent
    if found is None:
        return None
    call, passed = found
    name = _root(trace.text(passed.span))
    return _Write(event, where, array, call, passed, name) if name else None


def _passed(call: Event, array: Array) -> SiteOperand | None:
    """The operand of a call that shows the memory of ``array``."""
    for where, value in zip(call.site.operands, call.operands, strict=True):
        if any(item.memory is array.memory for item in arrays_in(value)):
            return where
    return None


def _says_so(frame: Frame, array: Array) -> bool:
    """Whether a function's name, or the parameter's, says that it changes its argument."""
    name = frame.scope.name.lower()
    if "inplace" in name or "in_place" in name or (name.endswith("_") and name[:1] != "_"):
        return True
    names = [
        parameter
        for parameter, value in frame.arguments.items()
        if isinstance(value, Array) and value.memory is array.memory
    ]
    return any(n.lower() in _MEANT or n.lower().startswith("out") for n in names)


def _root(text: str) -> str:
    """The name that a view such as ``table[:, 1]`` is taken of."""
    node: ast.AST | None = expression(text)
    while isinstance(node, ast.Subscript | ast.Call) or (
        isinstance(node, ast.Attribute) and node.attr in ("T", "real", "imag", "flat")
    ):
        node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            called = node.attr in ("ravel", "reshape", "view", "transpose", "squeeze")
            node = node.value if called else node
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


# ---------------------------------------------------------------------- whether it surprises


def _surprise(trace: Trace, write: _Write) -> Event | None:
    """The owner's first read of its array after the call, where the change can't be wanted."""
    call = write.call
    scope = write.event.frame.scope
    calls = [f.call for f in trace.frames if f.scope is scope and f.call is not None]
    if any(c.site.discarded for c in (call, *calls)):
        return None
    if _taken_back(trace, write) or _works_in_place(trace, write):
        return None
    if not arrays_in(call.result) and not _prepares(write, calls):
        return None
    if not _made_from(call.result, write, 0):
        return None
    if _put_back(trace, write):
        return None
    return _read(trace, write)


def _prepares(write: _Write, calls: Sequence[Event]) -> bool:
    """Whether the write only makes the array ready for what is computed, as ``v -= v.mean()`` and
    ``v.sort()`` do. A function that moves its argument on, and says how far, is called again."""
    event = write.event
    again = sum(_passed(call, write.array) is not None for call in calls)
    if again > 1 or event.kind != "op":
        return False
    if ops.name(event) in ("sort", "partition"):
        return True
    values = event.operands[1:]
    return event.in_place and all(_is_statistic(value, write.array) for value in values)


def _is_statistic(value: Value, array: Array) -> bool:
    """Whether a value has fewer elements than an array, and comes from nothing else."""
    kind, whole = type_of(value), type_of(array)
    if kind is None or whole is None or kind.size is None or kind.size >= (whole.size or 0):
        return False
    return _only_from(value, array.memory, 0)


def _only_from(value: Value, memory: Array, depth: int) -> bool:
    if isinstance(value, Array) and value.memory is memory:
        return True
    made = value.made if isinstance(value, Array | Scalar) else None
    if made is None or depth > 20:
        return isinstance(value, Constant)
    pairs = zip(made.site.operands, made.operands, strict=True)
    return all(not o.recorded or _only_from(v, memory, depth + 1) for o, v in pairs)


def _works_in_place(trace: Trace, write: _Write) -> bool:
    """Whether the function writes to more than one of its parameters, as an optimiser does that
    keeps its state in them: then that is what it is for."""
    frame = write.event.frame
    written = {
        where.name
        for event in trace.before(write.call)
        if event.frame is frame
        for where, _ in ops.written(event)
    }
    return len(written & {*frame.scope.parameters}) > 1


def _taken_back(trace: Trace, write: _Write) -> bool:
    """Whether the result goes where the array was: ``x = f(x)``, ``x[:, 1] = f(x[:, 1])``."""
    call = write.call
    if any(name == write.name for name, _ in call.site.targets):
        return True
    later = trace.events[call.index + 1 : call.index + 4]
    return any(
        event.kind == "store"
        and event.frame is call.frame
        and isinstance(event.operands[0], Array)
        and event.operands[0].memory is write.array.memory
        and any(value is call.result for value in event.operands[1:])
        for event in later
    )


def _made_from(value: Value, write: _Write, depth: int) -> bool:
    """Whether a value shows the written memory, or was computed from it after the write."""
    if isinstance(value, Pack):
        return any(_made_from(item, write, depth + 1) for item in value.items)
    if isinstance(value, Array) and value.memory is write.array.memory:
        return True
    made = value.made if isinstance(value, Array | Scalar) else None
    if made is None or made.index < write.event.index or depth > 60:
        return False
    return any(_made_from(v, write, depth + 1) for v in made.operands)


def _put_back(trace: Trace, write: _Write) -> bool:
    """Whether the function's last write stores what was read before its first."""
    events = trace.events[: write.call.index]
    frame, memory = write.event.frame, write.array.memory
    last = next(
        e for e in reversed(events)
        if e.frame is frame and any(a.memory is memory for _, a in ops.written(e))
    )  # fmt: skip
    index, value = _index_text(trace, last), last.site.operands[-1]
    if last.kind != "store" or value.role != "value" or value.form != "name":
        return False
    for event in events:
        if event.frame is not frame or event.index > write.event.index:
            continue
        kept = any(name == value.name for name, _ in event.site.targets)
        source = event.operands[0] if event.operands else None
        if not kept or not isinstance(source, Array) or source.memory is not memory:
            continue
        copies = ops.name(event) in ("copy", "array") and index in (":", "...")
        if copies or _index_text(trace, event) == index:
            return True
    return False


def _index_text(trace: Trace, event: Event) -> str:
    if event.site.kind not in ("getitem", "setitem"):
        return ""
    node = expression(trace.text(event.site.span))
    return ast.unparse(node.slice) if isinstance(node, ast.Subscript) else ""


def _read(trace: Trace, write: _Write) -> Event | None:
    """The owner's first operation on its array after the call, other than writing it anew."""
    for event in trace.events[write.call.index + 1 :]:
        if event.frame is not write.call.frame or event.site is write.call.site:
            continue
        for where, value in zip(event.site.operands, event.operands, strict=True):
            mine = any(array.memory is write.array.memory for array in arrays_in(value))
            if not mine or where.name != write.name:
                continue
            if event.site.kind == "setitem" and where.role == "0":
                if _index_text(trace, event) in (":", "..."):
                    return None  # written anew as a whole
                continue
            return event
    return None


# ---------------------------------------------------------------------- what is said


def _finding(trace: Trace, write: _Write, read: Event) -> Finding:
    event, span = write.event, write.event.site.span
    function = event.frame.scope.name
    mine, owners = name_at(trace, write.where.span), write.name
    verb = _VERBS.get(ops.operator(event.site)) or _VERBS.get(ops.name(event)) or "writes into"
    place = "" if verb == "writes into" else " in place"
    says = (
        f"{function}() {verb} its caller's {owners}{place}",
        f"{function}() {verb} its caller's {owners}",
        f"{function}() {verb} its caller's array{place}",
        f"{function}() changes its caller's array",
    )
    made = made_at(write.array.memory, other_than=write.passed.span)
    since = f", made at line {made.site.span.line}" if made is not None else ""
    at = f"{mine} is the caller's {name_at(trace, write.passed.span)}{since}"
    notes = [_also(trace, write), repetition(trace, write.call)]
    return Finding(
        code="mutated-argument",
        severity=SEVERITY,
        headline=fitting("warning", "mutated-argument", says),
        span=span,
        at=at,
        labels=(
            Label(write.passed.span, "passed here"),
            Label(read.site.span, f"{owners} is read here{_value(trace, read)}"),
        ),
        notes=tuple(n for n in notes if n),
        fixes=tuple(_fixes(trace, write)),
    )


def _value(trace: Trace, read: Event) -> str:
    """What the read gave, where that is a number."""
    result = read.result
    if isinstance(result, Array):  # np.abs(x).max() is one read to whoever reads it
        chained = trace.events[read.index + 1 : read.index + 2]
        if chained and any(v is result for v in chained[0].operands):
            result = chained[0].result
    value = number(result) if isinstance(result, Scalar) else None
    if not isinstance(value, float):
        return ""
    return f": {value:.1f}" if value.is_integer() else f": {value:.4g}"


def _also(trace: Trace, write: _Write) -> str:
    """Where else the function writes to it."""
    lines = {
        event.site.span.line
        for event in trace.events[write.event.index + 1 : write.call.index]
        if event.frame is write.event.frame
        and any(a.memory is write.array.memory for _, a in ops.written(event))
    } - {write.event.site.span.line}
    if not lines:
        return ""
    many = "s" if len(lines) > 1 else ""
    return f"it is also written at line{many} {', '.join(map(str, sorted(lines)))}"


def _fixes(trace: Trace, write: _Write) -> Iterator[Fix]:
    event, span = write.event, write.event.site.span
    name = trace.text(write.where.span)
    if not name.isidentifier():
        return
    sign = ops.SIGNS.get(ops.operator(event.site))
    if sign and event.in_place:
        head = Span(span.path, write.where.span.end_line, write.where.span.end_column,
                    span.end_line, span.end_column)  # fmt: skip
        value = trace.text(head).partition("=")[2].strip()
        new = f"{name} = {joined(name, sign, value)}"
        yield Fix(" ".join(new.split()), (Edit(span, new),), safe=_alone(trace, write))
        return
    new = _assigned(trace, event, name)
    if new:
        yield Fix(new, (Edit(span, new),))
        return
    before = f"{name} = {name}.copy()"
    indent = " " * span.column
    yield Fix(f"{before}, ahead of this line",
              (Edit(line_start(trace, span), f"{indent}{before}\n"),))  # fmt: skip


def _assigned(trace: Trace, event: Event, name: str) -> str:
    """A call that changes ``name`` in place, as an assignment to it."""
    if not event.site.discarded:
        return ""
    new = fresh_call(trace, event) or without_keyword(trace.text(event.site.span), "out")
    return f"{name} = {new}" if new else ""


def _alone(trace: Trace, write: _Write) -> bool:
    """Whether a new array in place of the changed one makes no other difference to the function.

    So it is where nothing else in the function writes to it, and the element type stays.
    """
    kinds = {
        kind.element
        for v in write.event.operands
        if (kind := type_of(v)) is not None and kind.sizes
    }
    return len(kinds) == 1 and not _also(trace, write)
