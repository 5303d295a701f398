"""What an editor asks of the text of a graph: its parts, what can be folded, how words are
coloured, where they lead. All of it comes from the marks that the printer leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .contents import Content
from .doc.source import Span
from .doc.sourcemap import OutputRange
from .ir import Graph, Mark, Node, Type, Value, registry
from .ir.graph import LOOP


@dataclass(frozen=True, slots=True)
class Symbol:
    """A graph, or a named value in it; ``selection`` is its name, lines count from 1."""

    name: str
    detail: str
    graph: bool
    first_line: int
    last_line: int
    selection: OutputRange
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the text: line from 1, columns from 0."""

    line: int
    start: int
    end: int
    kind: str
    definition: bool


def symbols(content: Content) -> list[Symbol]:
    """Every graph, and the values in it that have names."""
    graphs = [one for one in content.marks if isinstance(_mark(one).of, Graph) and _names(one)]
    found = []
    lines = content.text.split("\n")
    for at, one in enumerate(graphs):
        after = graphs[at + 1].start.line if at + 1 < len(graphs) else len(lines)
        end = max(
            n for n in range(one.start.line, after + 1) if n == one.start.line or _ends(lines, n)
        )
        inside = [m for m in content.marks if one.start.line <= m.start.line <= end]
        graph = _mark(one).of
        assert isinstance(graph, Graph)
        takes = ", ".join(str(parameter.type) for parameter in graph.parameters)
        children = tuple(_value(mark) for mark in inside if _is_named_value(mark))
        found.append(Symbol(f"@{graph.name}", takes, True, one.start.line, end, one, children))
    return found


def folds(text: str) -> Iterator[tuple[int, int]]:
    """First and last line, from 1, of everything in braces, without the line of the brace."""
    opened: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        code = line.partition("  # ")[0].strip()
        if code.startswith("}") and opened:
            first = opened.pop()
            if number - 1 > first:
                yield first, number - 1
        if code.endswith("{"):
            opened.append(number)


def tokens(content: Content) -> Iterator[Token]:
    """The words that have a meaning, in the order of the text; none overlap."""
    line, end = 0, 0
    for one in content.marks:
        mark = _mark(one)
        kind = _KINDS.get(mark.kind)
        at = (one.start.line, one.start.column)
        if kind is None or one.start.line != one.end.line or at < (line, end):
            continue
        line, end = one.end.line, one.end.column
        defines = mark.kind == "definition" or isinstance(mark.of, Graph)
        yield Token(line, one.start.column, end, kind, defines)


def at(content: Content, line: int, column: int) -> OutputRange | None:
    """The innermost marked piece around a place."""
    around = [m for m in content.marks if m.start <= (line, column) <= m.end]
    return max(around, key=lambda m: (m.start, (-m.end.line, -m.end.column)), default=None)


def definition(content: Content, one: OutputRange) -> OutputRange | Span | None:
    """Where a marked piece leads: a use to its definition, a call to the graph, all else to the
    program's text."""
    mark = _mark(one)
    match mark.kind, mark.of:
        case "use", Value() as value:
            return definition_of(content, value)
        case "graph", str() as name:
            graphs = (m for m in content.marks if isinstance(_mark(m).of, Graph) and _names(m))
            return next((m for m in graphs if _graph_name(m) == name), None)
        case "place", Span() as span:
            return span
        case _, Value() as value:
            return value.node.span if value.node is not None else value.region.graph.span
        case _, Node() | Graph() as owner:
            return owner.span
    return None


def about(one: OutputRange) -> str:
    """What there is to say of a marked piece, in Markdown; empty: nothing."""
    mark = _mark(one)
    match mark.kind, mark.of:
        case "op", Node() as node:
            info = registry.get(node.op)
            return f"`{node.op}`: {info.sentence}" if info is not None else f"`{node.op}`"
        case "use" | "definition", Value() as value:
            return f"`{value}` `{value.type.text(full=True)}`"
        case "type", Type() as kind:
            return f"`{kind.text(full=True)}`"
    return ""


def definition_of(content: Content, value: Value) -> OutputRange | None:
    """Where the text defines a value."""
    marks: Sequence[OutputRange] = content.marks
    return next((m for m in marks if _mark(m).of is value and _mark(m).kind == "definition"), None)


def _value(one: OutputRange) -> Symbol:
    value = _mark(one).of
    assert isinstance(value, Value)
    loop = value.node is not None and value.node.op is LOOP
    detail = f"{value.type}, from a loop" if loop else str(value.type)
    return Symbol(str(value), detail, False, one.start.line, one.end.line, one)


def _is_named_value(one: OutputRange) -> bool:
    mark = _mark(one)
    return mark.kind == "definition" and isinstance(mark.of, Value) and mark.of.hint is not None


def _names(one: OutputRange) -> bool:
    return _mark(one).kind == "graph"


def _graph_name(one: OutputRange) -> str:
    graph = _mark(one).of
    return graph.name if isinstance(graph, Graph) else ""


def _ends(lines: list[str], number: int) -> bool:
    return number <= len(lines) and lines[number - 1] == "}"


def _mark(one: OutputRange) -> Mark:
    assert isinstance(one.annotation, Mark)  # the printer leaves no others
    return one.annotation


_KINDS = {
    "keyword": "keyword",
    "definition": "variable",
    "use": "variable",
    "type": "type",
    "op": "function",
    "graph": "namespace",
    "attribute": "property",
    "place": "comment",
}
