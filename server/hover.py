"""What an editor shows over a place of the text: the value that was there, and the graph that made
it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .diagnostics.describe import size
from .diagnostics.model import Finding
from .diagnostics.report import details, one_line
from .doc import Doc, Style, annotate, concat, render_markdown, vcat
from .doc.source import Span
from .index import Index, Seen
from .ir import ArrayType, Node
from .ir.printer import Line, Printer, PrintOptions
from .processes import is_elsewhere
from .session import Result
from .tracer import trace as recorded
from .tracer.sequences import parts_of
from .tracer.tensors import cast_by_autocast

SLICE_NODES = 6
"""Nodes of the graph that a hover shows at most."""
SLICE_WIDTH = 72
MOST_KINDS = 6
"""Types of one place that are told apart."""


@dataclass(frozen=True, slots=True)
class Hover:
    """What to show, in parts with air between them, and the text that it is about."""

    parts: tuple[Doc, ...]
    span: Span
    nodes: tuple[Node, ...] = ()
    """The part of the graph that is shown."""

    @property
    def doc(self) -> Doc:
        """All of it as one document."""
        return vcat([line for part in self.parts for line in ("", part)][1:])

    @property
    def markdown(self) -> str:
        """All of it as Markdown, whose paragraphs have air of their own."""
        return "\n\n".join(render_markdown(part) for part in self.parts)


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
    nodes: list[Node] = []
    span = findings[0].span if seen is None else seen.span
    if seen is not None:
        parts.append(vcat(_value(seen) if seen.values else [_never(result, seen)]))
        value = index.graph_value(seen)
        if value is not None and value.node is not None:
            nodes, cut = _backwards(value.node)
            parts.append(_slice(nodes, cut=cut))
    parts += [finding_doc(finding) for finding in findings]
    return Hover(tuple(parts), span, tuple(nodes))


def _value(seen: Seen) -> list[Doc]:
    name = annotate(Style.STRONG, annotate(Style.CODE, seen.text))
    last = seen.values[-1]
    lines: list[Doc] = [concat(name, " ", *_facts(last), *_under(seen))]
    if isinstance(last, recorded.Array) and last.statistics is not None:
        lines.append(_statistics(last.statistics))
    if len(seen.values) > 1:
        recordings = f"recorded {len(seen.values):,} ×"
        known = seen.kinds.most_common(MOST_KINDS)
        others: list[Doc] = [
            concat(annotate(Style.CODE, kind), f" {count:,} ×") for kind, count in known
        ]
        if len(seen.kinds) > MOST_KINDS:
            others.append(f"and {len(seen.kinds) - MOST_KINDS:,} types more")
        several = len(seen.kinds) > 1
        lines.append(concat(recordings, ": ", *_joined(others, ", ")) if several else recordings)
    return lines


def _never(result: Result, seen: Seen) -> Doc:
    name = annotate(Style.STRONG, annotate(Style.CODE, seen.text))
    source = result.trace.sources.get(seen.span.path)
    if source is not None and is_elsewhere(source, seen.span):
        return concat(name, " is not recorded: its function runs in other processes")
    return concat(name, " was not reached in the last run")


def _facts(value: recorded.Value) -> list[Doc]:
    match value:
        case recorded.Array(type=ArrayType() as kind):
            facts: list[Doc] = [annotate(Style.CODE, str(kind))]
            if kind.nbytes is not None:
                facts.append(size(kind.nbytes))
            if kind.ndim > 1:
                facts.append(_order(kind))
            facts.append(_memory(value))
            if kind.device is not None:
                facts.append(kind.device)
            if value.gradient is not None:
                facts.append(_gradient(value.gradient))
            return _joined(facts, " · ")
        case recorded.Scalar(type=kind, value=number):
            return _joined([annotate(Style.CODE, str(kind)), f"{number!r}"], " · ")
        case recorded.Thing(kind=kind, settings=settings):
            return [annotate(Style.CODE, f"{kind}({settings})" if settings else kind)]
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


def _under(seen: Seen) -> list[Doc]:
    """What the operation ran under that gave the last value."""
    last = seen.values[-1]
    event = seen.events[-1] if seen.events else None
    if event is None or last not in (event.result, *parts_of(event.result)):
        event = last.made if isinstance(last, recorded.Array) else None
    if event is None or not event.under:
        return []
    element = cast_by_autocast(event)
    casts = f", which computes it in {element}" if element else ""
    names: list[Doc] = [annotate(Style.CODE, name) for name in event.under]
    return [" · under ", *_joined(names, ", "), casts]


def _statistics(held: recorded.Statistics) -> str:
    """What the array held at the end."""
    numbers = {"mean": held.mean, "std": held.deviation, "min": held.least, "max": held.most}
    parts = [f"{name} {_number(n)}" for name, n in numbers.items() if n is not None]
    parts += [f"{held.zeros:,} zero{'s' * (held.zeros > 1)}"] if held.zeros else []
    parts.append(f"{held.nans:,} NaN" if held.nans else "no NaN")
    parts += [f"{held.infinite:,} infinite"] if held.infinite else []
    return " · ".join(parts) + (" (of a sample)" if held.sampled else "")


def _number(number: float) -> str:
    return f"{number:.3g}".replace("-", "−", 1 if number < 0 else 0)


def _gradient(known: recorded.Gradient) -> str:
    """How a tensor stands to gradients."""
    if not known.required:
        return "no gradient"
    return "a leaf that requires a gradient" if known.leaf else f"grad_fn {known.name}"


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


def _slice(nodes: list[Node], *, cut: bool) -> Doc:
    """Nodes as the graph prints them."""
    printer = Printer(PrintOptions(width=SLICE_WIDTH))

    def shown(some: Iterable[Node], depth: int) -> Iterator[Line]:
        for node in some:
            doc = printer.header(node, 0, depth) if node.regions else printer.statement(node, depth)
            yield Line(depth, doc, printer.place(node), node)

    more = ["…"] if cut else []
    lines = list(printer.parted(nodes, 0, shown, lambda node: node.under_in_all))
    return annotate(Style.BLOCK, vcat([*more, *printer.aligned(lines)]))


def _backwards(node: Node) -> tuple[list[Node], bool]:
    """The node and what it needs, breadth first within its graph, in the order of the text; and
    whether there is more."""
    chosen, queue, cut = [node], [node], False
    while queue:
        for value in queue.pop(0).values():
            maker = value.node
            if maker is None or maker in chosen or value.region.graph is not node.region.graph:
                continue
            if len(chosen) == SLICE_NODES:
                cut = True
                continue
            chosen.append(maker)
            queue.append(maker)
    return sorted(chosen, key=lambda n: n.results[0].number), cut


def finding_doc(finding: Finding) -> Doc:
    """A finding in a few lines: what it is in words, then what there is to see."""
    code = annotate(Style.STRONG, f"{finding.severity.value}[{finding.code}]")
    line, more = concat(code, ": ", one_line(finding)), details(finding)
    return line if more is None else vcat([line, annotate(Style.BLOCK, more)])


def _joined(parts: Iterable[Doc], between: str) -> list[Doc]:
    joined: list[Doc] = []
    for part in parts:
        joined += [between, part] if joined else [part]
    return joined
