"""Graphs as boxes and arrows: what every drawing of them shows, however it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..doc.source import Span
from .graph import CALL, LOOP, TERMINATORS, Node, Region
from .printer import Printer
from .values import Constant, Keyword, Operand, Pack, Value

__all__ = ["Arrow", "Box", "Diagram", "diagram"]


@dataclass(frozen=True, slots=True)
class Box:
    """One node, or a value that comes from outside. ``kind`` is ``input``, ``op``, ``loop`` or
    ``end``; ``lines`` say what it gives; ``within`` is the loop's box that it stands in; ``under``
    is what it runs under."""

    number: int
    kind: str
    title: str
    lines: tuple[str, ...] = ()
    span: Span | None = None
    within: int | None = None
    under: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """From the box that gives a value to one that takes it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes, numbered from 0 in order, and the arrows between them."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def diagram(region: Region, nodes: Iterable[Node] | None = None, *, folded: bool = True) -> Diagram:
    """The diagram of a region, or of some of its nodes; what those take from the others is an
    input. Loops are one box each where they are ``folded``."""
    drawing = _Drawing(folded)
    if nodes is None:
        for value in region.parameters:
            drawing.input(value)
        nodes = region
    drawing.nodes(nodes, None)
    return Diagram(tuple(drawing.boxes), tuple(dict.fromkeys(drawing.arrows)))


class _Drawing:
    def __init__(self, folded: bool) -> None:
        self.folded = folded
        self.printer = Printer()
        self.boxes: list[Box] = []
        self.arrows: list[Arrow] = []
        self.makers: dict[Value, int] = {}

    def nodes(self, nodes: Iterable[Node], within: int | None) -> None:
        for node in nodes:
            if node.op in TERMINATORS and not any(True for _ in node.values()):
                continue
            under = ", ".join(node.under)
            shown = self.kind(node), self.title(node), self.results(node), node.span, within, under
            box = self.add(*shown)
            for value in _taken(node, inside=self.folded):
                self.arrow(value, box)
            for value in node.results:
                self.makers[value] = box
            if not self.folded:
                for inner in node.regions:
                    self.makers |= dict.fromkeys(inner.parameters, box)
                    self.nodes(inner, box)

    def input(self, value: Value) -> int:
        text = f"{value.hint or value}: {self.printer.type_text(value.type)}"
        self.makers[value] = self.add("input", text)
        return self.makers[value]

    def add(
        self,
        kind: str,
        title: str,
        lines: tuple[str, ...] = (),
        span: Span | None = None,
        within: int | None = None,
        under: str = "",
    ) -> int:
        self.boxes.append(Box(len(self.boxes), kind, title, lines, span, within, under))
        return len(self.boxes) - 1

    def arrow(self, value: Value, end: int) -> None:
        start = self.makers.get(value)
        if start is None:
            start = self.input(value)
        if start != end:
            self.arrows.append(Arrow(start, end, value.hint or ""))

    def kind(self, node: Node) -> str:
        if node.op in TERMINATORS:
            return "end"
        return "loop" if node.regions else "op"

    def title(self, node: Node) -> str:
        """``np.maximum(·, 0.0)``: values come by arrow, the rest is written out."""
        if node.op in TERMINATORS:
            return node.op.name
        if node.op is LOOP:
            count = node.attributes["count"]
            return "loop" if count is None else f"loop {count:,} ×"
        name = f"@{node.callee}" if node.op is CALL else str(node.op)
        known = [f"{name}={self.printer.attribute(value)}" for name, value in self.shown(node)]
        return f"{name}({', '.join([*map(self.operand, node.operands), *known])})"

    def shown(self, node: Node) -> Iterator[tuple[str, object]]:
        return ((k, v) for k, v in node.attributes.items() if node.op is not CALL)

    def operand(self, operand: Operand) -> str:
        match operand:
            case Constant(value=value):
                return self.printer.attribute(value)
            case Keyword(name=name, item=item):
                return f"{name}={self.operand(item)}"
            case Pack(kind=kind, items=items):
                left, right = {"list": ("[", "]"), "tuple": ("(", ")")}.get(kind, ("", ""))
                between = ":" if kind == "slice" else ", "
                return f"{left}{between.join(map(self.operand, items))}{right}"
        return "·"

    def results(self, node: Node) -> tuple[str, ...]:
        return tuple(
            f"{f'{value.hint}: ' if value.hint else ''}{self.printer.type_text(value.type)}"
            for value in node.results
        )


def _taken(node: Node, *, inside: bool) -> Iterator[Value]:
    """The values that a node takes; with what its regions take from around it."""
    yield from node.values()
    if not inside:
        return
    own = {value for region in node.regions for value in region.values()}
    for region in node.regions:
        for inner in region.walk():
            yield from (value for value in inner.values() if value not in own)
