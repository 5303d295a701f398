"""What an editor shows over a place of the text: the value that was there, and the graph that made
it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .diagnostics.describe import size
from .diagnostics.model import Finding
from .diagnostics.report import details, one_line
from .doc import Doc, Style, annotate, concat, render_markdown, vcat
from .doc.source import Span
from .facts import Facts
from .ir import ArrayType, Node, Value
from .ir.printer import Line, Printer, PrintOptions
from .session import Result
from .tracer import trace as recorded
from .tracer.lift import Lifted, lift

SLICE_NODES = 6
"""Nodes of the graph that a hover shows at most."""
SLICE_WIDTH = 72
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Hover:
    """What to show, in parts with air between them, and the text that it is about."""

    parts: tuple[Doc, ...]
    span: Span

    @property
    def doc(self) -> Doc:
        """All of it as one document."""
        return vcat([line for part in self.parts for line in ("", part)][1:])

    @property
    def markdown(self) -> str:
        """All of it as Markdown, whose paragraphs have air of their own."""
        return "\n\n".join(render_markdown(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Seen:
    """A place of the text, and what was there each time that it was recorded."""

    span: Span
    text: str
    values: Sequence[recorded.Value]
    events: Sequence[recorded.Event]
    """The events that gave or took the values."""


class Index:
    """Where in the texts of one run something was recorded. Made once a run, so that hovers are
    quick."""

    def __init__(self, result: Result) -> None:
        self.result = result
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
            self._facts = Facts(self.result.trace)
        return self._facts

    def at(self, path: str, line: int, column: int) -> Seen | None:
        """What was recorded at a place: of a name there, else of the innermost operation around
        it."""
        sites = list(dict.fromkeys(self._lines.get((path, line), ())))
        found = [self._failed(path, line, column)]
        for site in sites:
            found += [self._target(site, line, column), self._operand(site, line, column)]
        found.append(self._named(path, line, column))
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


def hover(
    result: Result, path: str, line: int, column: int, index: Index | None = None
) -> Hover | None:
    """What to show over a place (line from 1, column from 0); None where nothing is known.

    ``index`` is the run's, where the caller keeps it.
    """
    index = index or Index(result)
    seen = index.at(path, line, column)
    findings = [f for f in result.findings if f.span.path == path and f.span.contains(line, column)]
    if seen is None and not findings:
        return None
    parts: list[Doc] = []
    span = findings[0].span if seen is None else seen.span
    if seen is not None:
        parts.append(vcat(_value(seen)))
        shown = _slice(index, seen)
        if shown is not None:
            parts.append(shown)
    parts += [vcat(_finding(finding)) for finding in findings]
    return Hover(tuple(parts), span)


def _value(seen: Seen) -> list[Doc]:
    name = annotate(Style.STRONG, annotate(Style.CODE, seen.text))
    if not seen.values:
        return [concat(name, " was not reached in the last run")]
    last = seen.values[-1]
    lines: list[Doc] = [concat(name, " ", *_facts(last))]
    kinds = Counter(
        str(v.type) for v in seen.values if isinstance(v, recorded.Array | recorded.Scalar)
    )
    if len(seen.values) > 1:
        others = [
            concat(annotate(Style.CODE, kind), f" {count} ×")
            for kind, count in kinds.most_common(4)
        ]
        recordings = f"recorded {len(seen.values):,} ×"
        if len(kinds) > 1:
            lines.append(concat(recordings, ": ", *_joined(others, ", ")))
        else:
            lines.append(recordings)
    return lines


def _facts(value: recorded.Value) -> list[Doc]:
    match value:
        case recorded.Array(type=ArrayType() as kind):
            facts: list[Doc] = [annotate(Style.CODE, str(kind))]
            if kind.nbytes is not None:
                facts.append(size(kind.nbytes))
            if kind.ndim > 1:
                facts.append(_order(kind))
            facts.append(_memory(value))
            return _joined(facts, " · ")
        case recorded.Scalar(type=kind, value=number):
            return _joined([annotate(Style.CODE, str(kind)), f"{number!r}"], " · ")
        case recorded.Constant(None, kind) if kind:
            return [annotate(Style.CODE, kind)]
        case recorded.Constant(number):
            return [annotate(Style.CODE, type(number).__name__), f" · {number!r}"]
        case recorded.Pack(items):
            return [
                f"{len(items)} items: ",
                *_joined([concat(*_facts(i)) for i in items[:4]], "; "),
            ]
    return ["no array"]


def _order(kind: ArrayType) -> str:
    if kind.contiguous:
        return "C order"
    turned = (
        kind.strides is not None
        and kind.with_(
            sizes=kind.sizes[::-1], strides=kind.strides[::-1], names=kind.names[::-1]
        ).contiguous
    )
    return "Fortran order" if turned else "not contiguous"


def _memory(array: recorded.Array) -> str:
    if array.foreign:
        return "memory of another object"
    owner = array.owner
    if owner is None:
        return "own memory"
    return f"view of {owner.names[0]}" if owner.names else "a view"


def _slice(index: Index, seen: Seen) -> Doc | None:
    """The nodes that made the value, the nearest first cut, as the graph prints them."""
    value = graph_value(index.lifted, seen)
    if value is None or value.node is None:
        return None
    nodes = _backwards(value.node)
    printer = Printer(PrintOptions(width=SLICE_WIDTH))
    lines = [
        Line(0, printer.header(n, 0, 0) if n.regions else printer.statement(n), printer.place(n), n)
        for n in nodes
    ]
    return annotate(Style.BLOCK, vcat(printer.aligned(lines)))


def graph_value(lifted: Lifted, seen: Seen) -> Value | None:
    """The graph's value for what was seen: after the event there, or after the one that made it."""
    values = [v for v in seen.values[::-1] if isinstance(v, recorded.Array | recorded.Scalar)]
    pairs = [
        (value, event)
        for value, event in zip(seen.values, seen.events, strict=False)
        if isinstance(value, recorded.Array | recorded.Scalar)
    ][::-1]
    makers = [(value, value.made) for value in values if value.made is not None]
    keys = ((event.index, value.number) for value, event in [*pairs, *makers])
    return next((lifted.values[key] for key in keys if key in lifted.values), None)


def _backwards(node: Node) -> list[Node]:
    """The node and what it needs, breadth first within its graph, in the order of the text."""
    chosen, queue = [node], [node]
    while queue and len(chosen) < SLICE_NODES:
        for value in queue.pop(0).values():
            maker = value.node
            if maker is None or maker in chosen or len(chosen) >= SLICE_NODES:
                continue
            if value.region.graph is node.region.graph:
                chosen.append(maker)
                queue.append(maker)
    order = {n: i for i, n in enumerate(node.region.graph.body.walk())}
    return sorted(chosen, key=lambda n: order.get(n, 0))


def _finding(finding: Finding) -> list[Doc]:
    lines: list[Doc] = [
        concat(
            annotate(Style.STRONG, f"{finding.severity.value}[{finding.code}]"),
            ": ",
            one_line(finding),
        )
    ]
    more = details(finding)
    return lines if more is None else [*lines, annotate(Style.BLOCK, more)]


def _joined(parts: Iterable[Doc], between: str) -> list[Doc]:
    joined: list[Doc] = []
    for part in parts:
        joined += [between, part] if joined else [part]
    return joined


def _extent(site: recorded.Site) -> tuple[int, int]:
    span = site.span
    return span.end_line - span.line, span.end_column - span.column
