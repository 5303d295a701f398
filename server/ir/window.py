"""Shows a failure inside the printed graph: some lines around the culprit, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..doc import Doc, Layout, LayoutOptions, Style, annotate, concat, layout, vcat
from ..doc.frame import Frame
from ..doc.message import Label, header, message, snippet
from ..doc.source import Source
from .graph import Node
from .printer import Line, Mark, Printer, PrintOptions
from .verifier import VerifierError

__all__ = ["Window", "error_message"]


def error_message(error: VerifierError, sources: Mapping[str, Source] | None = None) -> Doc:
    """A failure of the verifier: the user's line, if its source is given, and the graph there."""
    head = header("error", "ir-verifier", error.message)
    if error.span is None or error.span.path not in (sources or {}):
        return message(head, Window(error))
    shown = snippet(sources or {}, [Label(error.span, primary=True)])
    return message(head, shown, Window(error))


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a message that shows lines of the graph, with marks under the values."""

    error: VerifierError
    width: int = 74
    ranks = (20, 30)

    def digits(self) -> int:
        """It shows no line numbers."""
        return 1

    def doc(self, frame: Frame, fold: int) -> Doc:
        """The head of the graph, and some lines around the culprit: less of them when folded."""
        around = (3, 2, 1)[fold]
        printer = Printer(PrintOptions(width=self.width, marks=True))
        lines = printer.graph(self.error.graph)
        docs = printer.aligned(lines)
        at = _line_of(lines, self.error.node)
        first, last = max(1, at - around), min(len(lines), at + around + 1)
        rows: list[Doc] = []
        before = -1
        for number in dict.fromkeys([0, *range(first, last)]):
            if number > before + 1:
                rows.append(_gap(frame))
            line = layout(docs[number], LayoutOptions(width=self.width))
            rows.extend(concat(frame.bar, " ", text) for text in line.text.split("\n"))
            if number == at:
                rows.extend(concat(frame.bar, " ", marks) for marks in self.marks(line))
            before = number
        if before < len(lines) - 1:
            rows.append(_gap(frame))
        return vcat(rows)

    def left_out(self, fold: int) -> int:
        """No remarks: left-out lines show as a gap."""
        return 0

    def marks(self, line: Layout) -> Iterator[Doc]:
        """Marks under the values, with the advice behind; if there are no values, under the op."""
        ends = [0]
        for piece in line.pieces:
            ends.append(ends[-1] + len(piece))
        found = sorted(
            {
                (ends[first], ends[last])
                for first, last, mark in line.spans
                if isinstance(mark, Mark) and self.concerns(mark)
            }
        )
        if not found or "\n" in line.text:
            return
        under = ""
        for start, end in found:
            under = under.ljust(start) + "━" * (end - start)
        margin = " " * (len(under) - len(under.lstrip()))
        advice = f" {self.error.advice}" if self.error.advice else ""
        yield concat(margin, annotate(Style.PRIMARY, under.lstrip()), advice)

    def concerns(self, mark: Mark) -> bool:
        """Whether the failure is about what a piece of the text shows."""
        if not self.error.values:
            return mark.of is self.error.node and mark.kind in ("op", "keyword")
        return any(mark.of is value for value in self.error.values)


def _line_of(lines: Sequence[Line], node: Node | None) -> int:
    for number, line in enumerate(lines):
        if node is not None and line.node is node:
            return number
    return 0


def _gap(frame: Frame) -> Doc:
    return annotate(Style.GUTTER, " " * frame.digits, " ⋮")
