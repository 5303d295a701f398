"""Default arrays that a function changes in place.

## What it does
Reports an in-place change of an array that is a parameter's default, in a function that ran with
that default more than once. A default that is written anew as a whole each time, and parameters
that are called a cache or a buffer, are not reported.

## Why it is bad
A default is made once, when the function is defined. What one call adds to it is there when the
next begins.

## Example
```python
import numpy as np

def step(state=np.zeros(2)):
    state += 1
    return state

first = step()
second = step()
```

## Use instead
```python
import numpy as np

def step(state=None):
    if state is None:
        state = np.zeros(2)
    state += 1
    return state

first = step()
second = step()
```

## When to ignore
Where the function is meant to remember. An underscore in front of the parameter says so.

## References
- Python, Default argument values:
  https://docs.python.org/3/tutorial/controlflow.html#default-argument-values
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...doc.source import Source, Span
from ...tracer.trace import Array, Event, Frame, Trace
from .. import ops
from ..describe import fitting, name_at
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import expression, line_start, span_of, tree

SEVERITY = Severity.WARNING

_REMEMBERS = frozenset({"cache", "memo", "buffer", "buf", "scratch", "work", "tmp", "out", "seen"})


@dataclass(frozen=True, slots=True)
class _Default:
    """A parameter with a default, and the first statement of its function."""

    function: str
    parameter: str
    span: Span
    line: int
    body: Span


def check(trace: Trace) -> Iterator[Finding]:
    """Each default once."""
    defaults = {k: v for source in trace.sources.values() for k, v in _defaults(source).items()}
    written: dict[Span, Event] = {}
    users: dict[Span, list[Frame]] = {}
    for event in trace.events if defaults else ():
        for value in event.operands:
            default = _default_of(value, event, defaults)
            if default is not None and event.frame not in users.setdefault(default.span, []):
                users[default.span].append(event.frame)
        for _, array in ops.written(event):
            default = _default_of(array, event, defaults)
            if default is not None and not _anew(trace, event):
                written.setdefault(default.span, event)
    for span, event in written.items():
        if len(users.get(span, ())) > 1:
            yield _finding(trace, defaults[span], event)


def _defaults(source: Source) -> Mapping[Span, _Default]:
    """The parameters' defaults that are calls, by their places."""
    found = {}
    for node in ast.walk(tree(source.text) or ast.Module([], [])):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args]
        pairs = [
            *zip(reversed(named), reversed(arguments.defaults), strict=False),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        documented = len(node.body) > 1 and ast.get_docstring(node) is not None
        body = span_of(source, node.body[1 if documented else 0])
        for parameter, default in pairs:
            words = {*parameter.arg.lower().split("_")}
            if isinstance(default, ast.Call) and "" not in words and not words & _REMEMBERS:
                span = span_of(source, default)
                line = node.lineno
                found[span] = _Default(node.name, parameter.arg, span, line, body)
    return found


def _default_of(value: object, event: Event, defaults: Mapping[Span, _Default]) -> _Default | None:
    """The default that a value shows the memory of, in its own function."""
    if not isinstance(value, Array) or value.memory.made is None:
        return None
    default = defaults.get(value.memory.made.site.span)
    scope = event.frame.scope.span
    own = default is not None and (scope.path, scope.line) == (default.span.path, default.line)
    return default if own else None


def _anew(trace: Trace, event: Event) -> bool:
    """Whether the whole array is written without a look at what was there."""
    if event.site.kind == "setitem":
        node = expression(trace.text(event.site.span))
        return isinstance(node, ast.Subscript) and ast.unparse(node.slice) in (":", "...")
    return event.site.is_call and (ops.name(event) == "fill" or event.operand("out") is not None)


def _finding(trace: Trace, default: _Default, event: Event) -> Finding:
    parameter, function = default.parameter, default.function
    says = (
        f"{function}() changes the default of {parameter}, which all calls share",
        f"{function}() changes its default {parameter}, which calls share",
        f"the default of {parameter} is changed, and calls share it",
    )
    text, indent = trace.text(default.span), " " * default.body.column
    guard = f"{indent}if {parameter} is None:\n{indent}    {parameter} = {text}\n"
    one_line = default.body.line == default.line
    edits = (Edit(default.span, "None"), Edit(line_start(trace, default.body), guard))
    shown = name_at(trace, default.span)
    return Finding(
        code="mutated-default",
        severity=SEVERITY,
        headline=fitting("warning", "mutated-default", says),
        span=event.site.span,
        at="the next call starts from this",
        labels=(Label(default.span, f"made once, for all calls of {function}"),),
        fixes=(
            Fix(f"{parameter}=None, and in the function: if {parameter} is None: "
                f"{parameter} = {shown}", () if one_line else edits),
        ),
    )  # fmt: skip
