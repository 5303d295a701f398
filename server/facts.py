"""What a run knows of the names and functions of its files: their types, and how often each was
seen. Made once a run; what stands in the text of an editor is made from it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from .diagnostics.syntax import span_of, tree
from .doc.source import Source, Span
from .ir import ArrayType
from .processes import handed_over
from .tracer.trace import Array, Constant, Frame, Pack, Scalar, Scope, Trace, Value


@dataclass(slots=True)
class Named:
    """A name where it gets a value: by an assignment, or as a parameter."""

    name: str
    span: Span
    scope: int | None = None
    """The function whose parameter it is."""
    annotated: bool = False
    """Whether a type stands behind it already."""
    types: Counter[str] = field(default_factory=Counter)
    """Of the arrays and array scalars that it got, with how often."""

    @property
    def usual(self) -> str:
        """The type that it had most often; of equals, the one that came first."""
        return self.types.most_common(1)[0][0]


@dataclass(slots=True)
class Called:
    """A function of the text, and what was seen of its calls; ``count`` 0: it was never reached.

    ``span`` is the point where its definition begins.
    """

    name: str
    span: Span
    count: int = 0
    takes: tuple[str, ...] = ()
    """Types of the parameters that were arrays, in the last call that was recorded."""
    gives: str = ""
    """The type of its result then, or of its several; empty: unknown."""
    elsewhere: bool = False
    """Whether it runs in other processes."""


class Facts:
    """Names and functions by their file, in the order of the text."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.names: dict[str, list[Named]] = {}
        self.functions: dict[str, list[Called]] = {}
        places = {path: _parameters(source) for path, source in trace.sources.items()}
        for named in [*_assigned(trace), *_taken(trace, places)]:
            if named.types:
                self.names.setdefault(named.span.path, []).append(named)
        for called in _called(trace):
            self.functions.setdefault(called.span.path, []).append(called)
        for of_file in self.names.values():
            of_file.sort(key=lambda named: named.span)


def kind_of(value: Value) -> str:
    """The type of an array or an array scalar as text; empty for anything else."""
    if not isinstance(value, Array | Scalar) or value.type is None:
        return ""
    return _text(value.type)


@lru_cache(maxsize=4096)
def _text(kind: ArrayType) -> str:
    return str(kind)


def _assigned(trace: Trace) -> Iterator[Named]:
    """The targets of assignments. ``x += y`` is none: it tells nothing new of ``x``."""
    bound: dict[int, list[Named]] = {}
    for site in trace.sites:
        if site.targets and not site.kind.startswith("inplace:"):
            bound[site.number] = [Named(name, span) for name, span in site.targets]
    for event in trace.events:
        targets = bound.get(event.site.number)
        if targets is None or event.kind != "op":
            continue
        for name, value in event.site.bound(event.result):
            if kind := kind_of(value):
                next(t for t in targets if t.name == name).types[kind] += 1
    return (named for targets in bound.values() for named in targets)


def _taken(trace: Trace, places: dict[str, _Parameters]) -> Iterator[Named]:
    """The parameters of functions."""
    found: dict[tuple[int, str], Named] = {}
    for frame in trace.frames:
        scope = frame.scope
        spans = places.get(scope.span.path, {}).get((scope.span.line, scope.span.column), {})
        for name, value in frame.arguments.items():
            kind = kind_of(value)
            if kind and name in spans:
                span, annotated = spans[name]
                named = Named(name, span, scope.number, annotated)
                found.setdefault((scope.number, name), named).types[kind] += 1
    return iter(found.values())


def _called(trace: Trace) -> Iterator[Called]:
    frames: dict[int, list[Frame]] = {}
    for frame in trace.frames:
        frames.setdefault(frame.scope.number, []).append(frame)
    for scope in trace.scopes:
        if scope.kind == "function":
            source = trace.sources.get(scope.span.path)
            elsewhere = source is not None and scope.name in handed_over(source.text)
            yield _function(scope, frames.get(scope.number, []), elsewhere=elsewhere)


def _function(scope: Scope, frames: list[Frame], *, elsewhere: bool) -> Called:
    line, column = scope.span.line, scope.span.column
    head = Span(scope.span.path, line, column, line, column)
    if not frames:
        return Called(scope.name, head, elsewhere=elsewhere)
    last = frames[-1]
    takes = tuple(kind for name in scope.parameters if (kind := kind_of(last.arguments.get(name))))
    gives = _result(last.call.result) if last.call is not None else ""
    return Called(scope.name, head, len(frames), takes, gives)


def _result(value: Value) -> str:
    match value:
        case Pack(items):
            inside = [_result(item) or "…" for item in items]
            return f"({', '.join(inside)})"
        case Constant(None, kind):
            return kind or "None"
        case Constant(number):
            return type(number).__name__
    return kind_of(value)


_Parameter = tuple[Span, bool]
_Parameters = dict[tuple[int, int], dict[str, _Parameter]]


def _parameters(source: Source) -> _Parameters:
    """Where the parameters of each function stand, by the place of the function."""
    module = tree(source.text)
    found: _Parameters = {}
    for node in ast.walk(module) if module is not None else ():
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        at = span_of(source, node)
        found[at.line, at.column] = {one.arg: _parameter(source, one) for one in every}
    return found


def _parameter(source: Source, one: ast.arg) -> _Parameter:
    """Where its name stands; the node covers its annotation too."""
    span = span_of(source, one)
    if one.annotation is None:
        return span, False
    end = span.column + len(one.arg)
    return Span(span.path, span.line, span.column, span.line, end), True
