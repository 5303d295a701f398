"""Where in the texts of one run something was recorded, made once a run so that whoever asks for a
place has a quick answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .doc.source import Span
from .facts import Facts, Named, kind_of
from .ir import Value
from .session import Result
from .tracer import trace as recorded
from .tracer.lift import Lifted, lift

_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, eq=False)
class Seen:
    """A place of the text, and what was there each time that it was recorded."""

    span: Span
    text: str
    values: Sequence[recorded.Value]
    events: Sequence[recorded.Event]
    """The events that gave or took the values."""

    @cached_property
    def kinds(self) -> Counter[str]:
        """The types of the arrays and array scalars among the values, with how often."""
        return Counter(kind for value in self.values if (kind := kind_of(value)))


class Index:
    """The places of one run. What is found is kept: loops have recorded some of them very often."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self._found: dict[tuple[str, int, int], Seen | None] = {}
        self._in_graph: dict[Seen, Value | None] = {}
        self._lifted: Lifted | None = None
        self._facts: Facts | None = None
        self._events: dict[int, list[recorded.Event]] = {}
        for event in result.trace.events:
            self._events.setdefault(event.site.number, []).append(event)
        self._lines: dict[tuple[str, int], list[recorded.Site]] = {}
        for site in result.trace.sites:
            for line in range(site.span.line, site.span.end_line + 1):
                self._lines.setdefault((site.span.path, line), []).append(site)
        self._bound: dict[str, list[tuple[recorded.Site, Span]]] = {}
        for site in result.trace.sites:
            for name, span in site.targets:
                self._bound.setdefault(name, []).append((site, span))
                self._lines.setdefault((span.path, span.line), []).append(site)

    @property
    def lifted(self) -> Lifted:
        """The graph of the run, made when it is first asked for."""
        if self._lifted is None:
            self._lifted = lift(self.result.trace)
        return self._lifted

    @property
    def facts(self) -> Facts:
        """What is known of names and functions, made when it is first asked for."""
        if self._facts is None:
            _ = self.lifted  # which names the dimensions of what was recorded
            self._facts = Facts(self.result.trace)
        return self._facts

    @cached_property
    def _parameters(self) -> dict[tuple[str, int], list[Named]]:
        """By the lines that name them."""
        found: dict[tuple[str, int], list[Named]] = {}
        for path, names in self.facts.names.items():
            for named in names:
                if named.scope is not None:
                    found.setdefault((path, named.span.line), []).append(named)
        return found

    def at(self, path: str, line: int, column: int) -> Seen | None:
        """What was recorded at a place: of a name there, else of the innermost operation around
        it."""
        key = (path, line, column)
        if key not in self._found:
            _ = self.lifted  # which names the dimensions of what was recorded
            self._found[key] = self._at(path, line, column)
        return self._found[key]

    def graph_value(self, seen: Seen) -> Value | None:
        """The graph's value for what was seen: after the event there, or after the one that made
        it."""
        if seen not in self._in_graph:
            self._in_graph[seen] = _graph_value(self.lifted, seen)
        return self._in_graph[seen]

    def _at(self, path: str, line: int, column: int) -> Seen | None:
        sites = list(dict.fromkeys(self._lines.get((path, line), ())))
        found = [self._failed(path, line, column)]
        for site in sites:
            found += [self._target(site, line, column), self._operand(site, line, column)]
        found += [self._parameter(path, line, column), self._named(path, line, column)]
        known = [seen for seen in found if seen is not None]
        if known:  # of places that never ran, the first; else the first that has something to say
            return next((seen for seen in known if seen.values), known[0])
        around = [s for s in sites if s.kind != "leaf" and s.span.contains(line, column)]
        inner = min(around, key=_extent, default=None)
        if inner is None or inner.number not in self._events:
            return None
        events = self._events[inner.number]
        values = [e.result if e.kind == "op" else e.operands[0] for e in events]
        return Seen(inner.span, self._text(inner.span), values, events)

    def _failed(self, path: str, line: int, column: int) -> Seen | None:
        """An operand of the operation that ended the run, which gave no event."""
        failure = self.result.trace.failure
        for _, span, value in failure.operands if failure is not None else ():
            if span.path == path and span.contains(line, column) and value is not None:
                return Seen(span, self._text(span), [value], [])
        return None

    def _target(self, site: recorded.Site, line: int, column: int) -> Seen | None:
        for name, span in site.targets:
            if span.contains(line, column):
                return self._binding(site, name, span)
        return None

    def _binding(self, site: recorded.Site, name: str, span: Span) -> Seen | None:
        events = self._events.get(site.number, [])
        bound = [(v, e) for e in events for n, v in site.bound(e.result) if n == name]
        return Seen(span, name, [v for v, _ in bound], [e for _, e in bound])

    def _operand(self, site: recorded.Site, line: int, column: int) -> Seen | None:
        for position, operand in enumerate(site.operands):
            if not operand.name or not operand.span.contains(line, column):
                continue
            events = self._events.get(site.number, [])
            return Seen(operand.span, operand.name, [e.operands[position] for e in events], events)
        return None

    def _parameter(self, path: str, line: int, column: int) -> Seen | None:
        """What a parameter was given, where its function names it."""
        for named in self._parameters.get((path, line), ()):
            if named.span.contains(line, column):
                frames = [f for f in self.result.trace.frames if f.scope.number == named.scope]
                values = [f.arguments[named.name] for f in frames if named.name in f.arguments]
                return Seen(named.span, named.name, values, [])
        return None

    def _named(self, path: str, line: int, column: int) -> Seen | None:
        """A name that is no recorded operand there: what was last bound to it above, in its
        scope."""
        text = self.result.sources[path].line(line) if path in self.result.sources else ""
        word = next((m for m in _NAME.finditer(text) if m.start() <= column <= m.end()), None)
        if word is None:
            return None
        scope = self._scope(path, line)
        bindings = [
            (site, span)
            for site, span in self._bound.get(word.group(), [])
            if site.scope == scope and span.line <= line
        ]
        if not bindings:
            return None
        found = self._binding(bindings[-1][0], word.group(), bindings[-1][1])
        here = Span(path, line, word.start(), line, word.end())
        return found and Seen(here, found.text, found.values, found.events)

    def _scope(self, path: str, line: int) -> int:
        inside = [
            s for s in self.result.trace.scopes[1:]
            if s.span.path == path and s.span.line <= line <= s.span.end_line
        ]  # fmt: skip
        return max(inside, key=lambda s: s.span.line).number if inside else 0

    def _text(self, span: Span) -> str:
        text = " ".join(self.result.trace.text(span).split())
        return text if len(text) <= 40 else text[:39] + "…"


def _graph_value(lifted: Lifted, seen: Seen) -> Value | None:
    known = lifted.values
    for value, event in zip(reversed(seen.values), reversed(seen.events), strict=False):
        if isinstance(value, _NUMBERED) and (event.index, value.number) in known:
            return known[event.index, value.number]
    for value in reversed(seen.values):
        if isinstance(value, _NUMBERED) and value.made is not None:
            key = (value.made.index, value.number)
            if key in known:
                return known[key]
    return None


_NUMBERED = recorded.Array | recorded.Scalar


def _extent(site: recorded.Site) -> tuple[int, int]:
    span = site.span
    return span.end_line - span.line, span.end_column - span.column
