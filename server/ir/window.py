"""Shows a failure inside the printed graph: some lines around the culprit, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..doc import Doc, Layout, LayoutOptions, Style, annotate, concat, layout, vcat
from ..doc.message import Label, header, message, snippet
from ..doc.source import Source
from .graph import Node
from .printer import Line, Mark, Printer, PrintOptions
from .verifier import VerifierError

__all__ = ["error_message", "window"]

AROUND = 2
"""Lines shown above and below the culprit."""


def error_message(error: VerifierError, sources: Mapping[str, Source] | None = None) -> Doc:
    """A failure of the verifier: the user's line, if its source is given, and the graph there."""
    head = header("error", "ir-verifier", error.message)
    if error.span is None or error.span.path not in (sources or {}):
        return vcat([message(head), window(error)])
    line = snippet(sources or {}, [Label(error.span, primary=True)])
    return vcat([message(head, line), window(error)])


def window(error: VerifierError, width: int = 74) -> Doc:
    """The head of the graph and the lines around the culprit, with marks under the values."""
    printer = Printer(PrintOptions(width=width, marks=True))
    lines = printer.graph(error.graph)
    docs = printer.aligned(lines)
    at = _line_of(lines, error.node)
    first, last = max(1, at - AROUND), min(len(lines), at + AROUND + 1)
    rows: list[Doc] = []
    before = -1
    for number in dict.fromkeys([0, *range(first, last)]):
        if number > before + 1:
            rows.append(_GAP)
        line = layout(docs[number], LayoutOptions(width=width))
        rows.extend(concat(_BAR, " ", text) for text in line.text.split("\n"))
        if number == at:
            rows.extend(concat(_BAR, " ", marks) for marks in _marks(line, error))
        before = number
    if before < len(lines) - 1:
        rows.append(_GAP)
    return vcat(rows)


def _marks(line: Layout, error: VerifierError) -> Iterator[Doc]:
    """Marks under the values, with the advice behind; if there are no values, under the op."""
    ends = [0]
    for piece in line.pieces:
        ends.append(ends[-1] + len(piece))
    found = sorted(
        {
            (ends[first], ends[last])
            for first, last, mark in line.spans
            if isinstance(mark, Mark) and _concerns(error, mark)
        }
    )
    if not found or "\n" in line.text:
        return
    under = ""
    for start, end in found:
        under = under.ljust(start) + "━" * (end - start)
    margin = " " * (len(under) - len(under.lstrip()))
    advice = f" {error.advice}" if error.advice else ""
    yield concat(margin, annotate(Style.PRIMARY, under.lstrip()), advice)


def _concerns(error: VerifierError, mark: Mark) -> bool:
    if not error.values:
        return mark.of is error.node and mark.kind in ("op", "keyword")
    return any(mark.of is value for value in error.values)


def _line_of(lines: Sequence[Line], node: Node | None) -> int:
    for number, line in enumerate(lines):
        if node is not None and line.node is node:
            return number
    return 0


_BAR = annotate(Style.GUTTER, "   │")
_GAP = annotate(Style.GUTTER, "   ⋮")
