"""The text form of graphs, as a document. ``parser`` reads it back.

One statement a line, wrapped where it doesn't fit; places in the source are comments, aligned in a
column of their own per graph. The full form leaves nothing out: every field of a type, ends of
places, call paths. The short form, the default, is what people read, and it reads back as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import PurePath
from typing import Final

from ..doc import (
    Doc,
    LayoutOptions,
    Span,
    annotate,
    column,
    concat,
    display_width,
    fill,
    group,
    hardline,
    hcat,
    layout,
    line,
    nest,
    vcat,
)
from .bulk import collector_paused
from .context import Under
from .graph import CALL, LOOP, NEXT, RETURN, STAGE, YIELD, Node, Region
from .literals import atom_text, quote
from .module import Graph, Module
from .symbol import Symbol
from .types import Type
from .values import Attribute, Constant, Keyword, Operand, Pack, Value

__all__ = ["Mark", "PrintOptions", "Printer", "print_module"]


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """How much is printed, and for which width.

    ``uses`` adds which values each result goes into. ``marks`` annotates the document with ``Mark``
    for highlighting and for going from the text to what it shows.
    """

    width: int = 100
    full: bool = False
    uses: bool = False
    marks: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What a piece of the text shows.

    ``kind`` is definition, use, type, op, attribute, graph, keyword or place; ``of`` is the value,
    type, node, graph, region or span.
    """

    kind: str
    of: object


def print_module(module: Module, options: PrintOptions | None = None) -> str:
    """The text of a module; every graph ends with a line end."""
    options = options or PrintOptions()
    if not module.graphs:
        return ""
    with collector_paused():
        doc = Printer(options).module(module)
        return layout(doc, LayoutOptions(width=options.width)).text + "\n"


@dataclass(slots=True)
class Line:
    """One line of a graph whose place isn't aligned yet; ``node`` is what it shows, if one."""

    depth: int
    doc: Doc
    place: Doc = ""
    node: Node | Graph | None = None


INDENT: Final = 2
"""Columns by which a region stands right of what is around it."""


class Printer:
    """Makes documents of modules, graphs and nodes."""

    def __init__(self, options: PrintOptions | None = None) -> None:
        self.options = options or PrintOptions()
        self.marks = self.options.marks
        self._types: dict[Type, str] = {}
        self._paths: dict[str, str] = {}
        self._ops: dict[Symbol, str] = {}

    def module(self, module: Module) -> Doc:
        """Every graph, a blank line between."""
        docs: list[Doc] = []
        for graph in module.graphs.values():
            if docs:
                docs.append("")
            docs.extend(self.aligned(self.graph(graph)))
        return vcat(docs)

    def graph(self, graph: Graph) -> list[Line]:
        """The lines of one graph."""
        name = self.mark("graph", graph, f"@{graph.name}")
        parameters = [self.parameter(value) for value in graph.body.parameters]
        head = concat(self.keyword("graph", graph), " ", name, "(")
        first = Line(0, self.fitted(head, parameters, ") {", 0), self.place(graph), graph)
        return [first, *self.region(graph.body, 1), Line(0, "}")]

    def region(self, region: Region, depth: int) -> Iterator[Line]:
        """The lines of the nodes of a region."""
        return self.parted(region, depth, self.nodes, _UNDER)

    def parted(
        self,
        nodes: Iterable[Node],
        depth: int,
        lines: Callable[[Iterable[Node], int], Iterable[Line]],
        under_of: Callable[[Node], Under],
    ) -> Iterator[Line]:
        """The lines of nodes; those that run under the same are in braces."""
        for under, inside in groupby(nodes, under_of):
            if not under:
                yield from lines(inside, depth)
                continue
            yield Line(depth, concat(self.keyword("under", under), f" {', '.join(under)} {{"))
            yield from lines(inside, depth + 1)
            yield Line(depth, "}")

    def nodes(self, nodes: Iterable[Node], depth: int) -> Iterator[Line]:
        """The lines of some nodes."""
        for node in nodes:
            if not node.regions:
                yield Line(depth, self.statement(node, depth), self.place(node), node)
                continue
            for number, inner in enumerate(node.regions):
                if number:
                    yield Line(depth, self.header(node, number, depth))
                else:
                    yield Line(depth, self.header(node, 0, depth), self.place(node), node)
                yield from self.region(inner, depth + 1)
            yield Line(depth, "}")

    def aligned(self, lines: Sequence[Line]) -> list[Doc]:
        """Indented, with places in one column as far as the width allows."""
        longest = max((_width(one.place) for one in lines[1:]), default=0)
        limit = self.options.width - longest - 2
        ends = [INDENT * one.depth + _width(one.doc) for one in lines]
        placed = [end for end, one in zip(ends, lines, strict=True) if one.place and end <= limit]
        at = max(placed, default=0)
        return [self.line(one, end, at) for end, one in zip(ends, lines, strict=True)]

    def line(self, one: Line, end: int, at: int) -> Doc:
        """A line that ends in column ``end``, with its place in column ``at`` + 2."""
        margin, doc = INDENT * one.depth, one.doc
        if not isinstance(doc, str):
            indented = nest(margin, " " * margin, doc) if margin else doc
            padding = column(lambda now: " " * (max(at - now, 0) + 2))
            return concat(indented, padding, one.place) if one.place else indented
        if not one.place:
            return " " * margin + doc
        return _cat(" " * margin, doc, " " * (max(at - end, 0) + 2), one.place)

    def statement(self, node: Node, depth: int = 0) -> Doc:
        """A node without regions, wrapped if it doesn't fit."""
        op = node.op
        if op in _ENDS:
            head = self.keyword(_ENDS[op], node)
            if not node.operands:
                return head
            return self.fitted(concat(head, " "), self.operands(node), "", depth)
        if op is STAGE:
            return f"--- stage {node.attributes['stage']} ---"
        return self.fitted(self.applied(node), self.operands(node), ")", depth, node)

    def header(self, node: Node, number: int, depth: int) -> Doc:
        """The line that opens region ``number`` of a node."""
        region = node.regions[number]
        if node.op is LOOP:
            return self.loop(node, region, depth)
        parameters = [self.parameter(value) for value in region.parameters]
        if number:
            return self.fitted("} (", parameters, ") {", depth)
        operands = self.operands(node)
        call = concat(self.applied(node), _joined(operands), ") (")
        return self.fitted(call, parameters, ") {", depth, node)

    def loop(self, node: Node, region: Region, depth: int) -> Doc:
        """``loop %i.6 in 1000 (%W.7 = %W1.1) {``."""
        index, *carried = region.parameters
        count = node.attributes["count"]
        head: list[Doc] = [self.keyword("loop", node)]
        extra = {name: value for name, value in node.attributes.items() if name != "count"}
        if extra:
            head.append(self.attributes(extra))
        head += [" ", self.mark("definition", index, str(index))]
        head.append(f" in {'?' if count is None else count}")
        if not carried:
            return self.fitted(hcat([*head, " {"]), [], "", depth, node)
        items: list[Doc] = []
        for value, start in zip(carried, node.operands, strict=True):
            same = isinstance(start, Value) and start.type is value.type
            name = self.mark("definition", value, str(value)) if same else self.parameter(value)
            items.append(concat(name, " = ", self.operand(start)))
        return self.fitted(hcat([*head, " ("]), items, ") {", depth, node)

    def fitted(
        self, head: Doc, items: Sequence[Doc], tail: str, depth: int, node: Node | None = None
    ) -> Doc:
        """``results = head items tail`` on one line if it fits, else wrapped."""
        flat: Doc
        parts = self.results(node) if node is not None else []
        results = _joined(parts) if parts else ""
        if self.marks:
            before = concat(results, " = ", head) if results else head
            flat = concat(before, *_commas(items), tail)
        else:  # all are texts
            listed = ", ".join(items)  # type: ignore[arg-type]
            flat = f"{results} = {head}{listed}{tail}" if results else f"{head}{listed}{tail}"
        if INDENT * depth + _width(flat) <= self.options.width:
            return flat
        wrapped = concat(head, nest(2 * INDENT, fill(items, concat(",", line))), tail)
        if not results:
            return wrapped
        if INDENT * depth + _width(results) + len(" =") > self.options.width:
            results = nest(2 * INDENT, fill(parts, concat(",", line)))
            return concat(results, " =", nest(2 * INDENT, hardline, wrapped))
        return group(results, " =", nest(2 * INDENT, line, wrapped))

    def results(self, node: Node) -> Sequence[Doc]:
        """``%q.3 : f64[64, 128]`` and ``%r.4 : f64[128, 128]``."""
        if not self.marks:
            known = self._types
            return [
                f"{_name(v)} : {known.get(v.type) or self.type_text(v.type)}" for v in node.results
            ]
        return [
            concat(self.mark("definition", v, str(v)), " : ", self.type(v.type))
            for v in node.results
        ]

    def applied(self, node: Node) -> Doc:
        """The op with its attributes, up to the parenthesis: ``np.take[axis=0](``."""
        mutates = "!" if node.mutated else ""
        if node.op is CALL:
            extra = {name: value for name, value in node.attributes.items() if name != "callee"}
            attributes = self.attributes(extra) if extra else ""
            name = self.mark("graph", node.callee, f"@{node.callee}")
            return concat(self.keyword("call", node), mutates, attributes, " ", name, "(")
        if not (self.marks or node.attributes or node.mutated):
            text = self._ops.get(node.op)
            if text is None:
                text = self._ops[node.op] = f"{node.op}("
            return text
        attributes = self.attributes(node.attributes) if node.attributes else ""
        return _cat(self.mark("op", node, str(node.op)), mutates, attributes, "(")

    def attributes(self, attributes: Mapping[str, Attribute]) -> Doc:
        """``[axis=0, keepdims=True]``."""
        parts = [f"{name}={self.attribute(value)}" for name, value in attributes.items()]
        return self.mark("attribute", attributes, f"[{', '.join(parts)}]")

    def attribute(self, value: Attribute) -> str:
        """The value of an attribute, or a constant operand."""
        if isinstance(value, tuple):
            inside = ", ".join(map(self.attribute, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if isinstance(value, Type):
            return f"type {self.type_text(value)}"
        return str(value) if isinstance(value, Symbol) else atom_text(value)

    def operands(self, node: Node) -> list[Doc]:
        """The operands; mutated ones are marked, unless it is just the first."""
        if self.marks:
            docs = [self.operand(operand) for operand in node.operands]
        else:
            docs = [_name(o) if o.__class__ is Value else self.operand(o) for o in node.operands]
        if node.mutated and node.mutated != (0,):
            for index in node.mutated:
                docs[index] = concat(docs[index], "!")
        return docs

    def operand(self, operand: Operand) -> Doc:
        """A value, a constant, or several of them in brackets."""
        match operand:
            case Value():
                return self.mark("use", operand, _name(operand))
            case Constant(value=value):
                return self.attribute(value)
            case Keyword(name=name, item=item):
                return concat(f"{name}=", self.operand(item))
            case Pack(kind="slice", items=items):
                return self.slice(items)
        left, right = "[]" if operand.kind == "list" else "()"
        if operand.kind == "tuple" and len(operand.items) == 1:
            right = ",)"
        return concat(left, _joined([self.operand(item) for item in operand.items]), right)

    def slice(self, items: Sequence[Operand]) -> Doc:
        """``%i.1:%j.2``; None is left out."""
        start, stop, step = ("" if item == _LEFT_OUT else self.operand(item) for item in items)
        return concat(start, ":", stop, *([":", step] if step else []))

    def parameter(self, value: Value) -> Doc:
        """``%x.0: f32[64, 784]``."""
        return concat(self.mark("definition", value, str(value)), ": ", self.type(value.type))

    def type(self, type: Type) -> Doc:
        """The type, marked."""
        return self.mark("type", type, self.type_text(type))

    def type_text(self, type: Type) -> str:
        """The text of a type in this form; most types occur many times."""
        text = self._types.get(type)
        if text is None:
            text = self._types[type] = type.text(full=self.options.full)
        return text

    def place(self, owner: Node | Graph) -> Doc:
        """The comment behind the line: where it came from, and the note."""
        span = owner.span
        users = self.users(owner) if self.options.uses and isinstance(owner, Node) else ""
        note = f", {' '.join(owner.note.split())}" if owner.note else ""
        if span is None:
            return f"# -{note}{users}" if note or users else ""
        text = self.span(span)
        if self.options.full and isinstance(owner, Node):
            text = " in ".join([text, *map(self.span, owner.call_path)])
        if not self.marks:
            return f"# {text}{note}{users}"
        return concat("# ", self.mark("place", span, text), note, users)

    def span(self, span: Span) -> str:
        """``train.py:14:9``; in full with the whole path and the end."""
        path = self._paths.get(span.path)
        if path is None:
            name = span.path if self.options.full else PurePath(span.path).name
            path = self._paths[span.path] = _path(name)
        text = f"{path}:{span.line}:{span.column + 1}"
        if not self.options.full:
            return text
        if (span.end_line, span.end_column) == (span.line, span.column):
            return text
        end = "" if span.end_line == span.line else f"{span.end_line}:"
        return f"{text}-{end}{span.end_column + 1}"

    def users(self, node: Node) -> str:
        """``  # used by %y.3, return``."""
        users = dict.fromkeys(
            ", ".join(map(str, user.results)) or _ENDS.get(user.op, str(user.op))
            for result in node.results
            for user in result.uses
        )
        return f"  # used by {', '.join(users) or 'nothing'}" if node.results else ""

    def mark(self, kind: str, of: object, doc: Doc) -> Doc:
        """``doc``, annotated if marks are wanted."""
        return annotate(Mark(kind, of), doc) if self.marks else doc

    def keyword(self, word: str, of: object) -> Doc:
        """A word of the language."""
        return self.mark("keyword", of, word)


_UNDER: Final = attrgetter("under")
_ENDS: Final = {RETURN: "return", NEXT: "next", YIELD: "yield"}
_LEFT_OUT: Final = Constant(None)
_PLAIN_PATH = re.compile(r'[^\s",#]+')


def _path(path: str) -> str:
    return path if _PLAIN_PATH.fullmatch(path) and path.isprintable() else quote(path)


def _name(value: Value) -> str:
    return f"%{value.number}" if value.hint is None else f"%{value.hint}.{value.number}"


def _cat(*docs: Doc) -> Doc:
    """``docs`` one behind the other: at once where all are texts, as without marks they are."""
    try:
        return "".join(docs)  # type: ignore[arg-type]
    except TypeError:
        return concat(*docs)


def _joined(docs: Sequence[Doc]) -> Doc:
    """``docs`` with commas between, at once where all are texts."""
    try:
        return ", ".join(docs)  # type: ignore[arg-type]
    except TypeError:
        return concat(*_commas(docs))


def _commas(docs: Sequence[Doc]) -> list[Doc]:
    """``docs`` with a comma and a blank between."""
    both: list[Doc] = [", "] * (2 * len(docs) - 1)
    both[::2] = docs
    return both


def _width(doc: Doc) -> int:
    if not isinstance(doc, str):
        return doc.w
    return len(doc) if doc.isascii() else display_width(doc)
