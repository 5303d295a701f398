"""Source lines with what is to be said about places in them.

Heavy underlines are primary, light ones secondary. Labels may share a line, span several, and lie
in several files. Lines too long for the page lose what lies between and beyond the labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from .algebra import align, annotate, concat, vcat
from .excerpt import Excerpt
from .frame import Frame, margin, paragraph, room_left
from .nodes import Doc
from .source import Source, Span
from .style import Style
from .width import display_width, visible


@dataclass(frozen=True, slots=True)
class Label:
    """What is to be said about one place."""

    span: Span
    text: Doc = ""
    primary: bool = False

    @property
    def style(self) -> Style:
        """How its marks and text look."""
        return Style.PRIMARY if self.primary else Style.SECONDARY


@dataclass(frozen=True, slots=True)
class Snippet:
    """The part of a message that ``snippet`` makes."""

    sources: Mapping[str, Source]
    labels: tuple[Label, ...]
    context: int
    numbered: bool
    headed: bool
    folds = 2

    def digits(self) -> int:
        """The columns of the greatest line number shown."""
        last = max((label.span.end_line for label in self.labels), default=0)
        return len(str(last + self.context)) if self.numbered else 5

    def doc(self, frame: Frame, fold: int) -> Doc:
        """Folded once, without the blank lines; twice, with the primary labels alone."""
        labels = self.labels
        if fold > 1 and any(label.primary for label in labels):
            labels = tuple(label for label in labels if label.primary)
        return vcat(
            [
                _file(self, frame, path, [la for la in labels if la.span.path == path], not fold)
                for path in _paths(labels)
            ]
        )


def snippet(
    sources: Mapping[str, Source],
    labels: Sequence[Label],
    *,
    context: int = 0,
    numbered: bool = True,
    headed: bool = True,
) -> Snippet:
    """The lines of ``labels``, with ``context`` lines around, under the name of their file.

    ``numbered`` shows line numbers, ``headed`` the places; text that is no file has neither.
    """
    return Snippet(sources, tuple(labels), context, numbered, headed)


def _paths(labels: Sequence[Label]) -> list[str]:
    """The files, that of the first primary label first."""
    ordered = sorted(labels, key=lambda label: not label.primary)
    return list(dict.fromkeys(label.span.path for label in ordered))


def _file(part: Snippet, frame: Frame, path: str, labels: Sequence[Label], airy: bool) -> Doc:
    """The heading of one file and its lines."""
    chief = min(labels, key=lambda label: (not label.primary, label.span))
    rows: list[Doc] = []
    if part.headed:
        rows.append(concat("  ", annotate(Style.PATH, visible(str(chief.span)))))
        if airy:
            rows.append(frame.bar)
    source = part.sources.get(path)
    if source is None:
        rows += [frame.behind_bar(concat("   ", paragraph(la.text))) for la in labels if la.text]
        return vcat(rows)
    rows.append(room_left(lambda room: vcat(_rows(part, frame, source, labels, room))))
    return vcat(rows)


def _rows(
    part: Snippet, frame: Frame, source: Source, labels: Sequence[Label], room: int
) -> list[Doc]:
    lanes = _lanes([label for label in labels if label.span.line != label.span.end_line])
    sides = 2 * (1 + max(lanes.values(), default=-1))
    room = max(16, room - frame.digits - 3 - sides)
    rows: list[Doc] = []
    shown = _shown_lines(part, source, labels)
    for index, number in enumerate(shown):
        if index and number > shown[index - 1] + 1:
            gap = _side(lanes, number - 1, sides)
            rows.append(concat(annotate(Style.GUTTER, " " * frame.digits, " ⋮"), gap))
        here = [label for label in labels if label.span.line == label.span.end_line == number]
        ends = [label for label in lanes if label.span.end_line == number]
        excerpt = Excerpt.of(source.line(number), [_columns(label) for label in here], room)
        gutter = frame.numbered(number) if part.numbered else frame.bar
        side = _side(lanes, number, sides)
        rows.append(concat(gutter, side, " ", excerpt.text) if excerpt.text or sides else gutter)
        for row in _marks(here, excerpt, room):
            below = _side(lanes, number, sides, below=True)
            rows.append(margin(concat(frame.bar, below, " "), row))
        for label in sorted(ends, key=lambda label: lanes[label]):
            rows.append(_lane_end(frame, lanes, label, number, sides))
    return rows


def _shown_lines(part: Snippet, source: Source, labels: Sequence[Label]) -> list[int]:
    """First and last lines of labels and their context; a gap of one line is closed."""
    chosen: set[int] = set()
    for label in labels:
        for line in (label.span.line, label.span.end_line):
            chosen.update(range(line - part.context, line + part.context + 1))
    last = max(len(source.lines), *(label.span.end_line for label in labels))
    lines = {line for line in chosen if 0 < line <= last}
    return sorted(lines | {line + 1 for line in lines if line + 2 in lines})


def _columns(label: Label) -> tuple[int, int]:
    return label.span.column, max(label.span.end_column, label.span.column + 1)


# Labels within one line: a row of underlines, and behind it or below it what they say.


def _marks(labels: Sequence[Label], excerpt: Excerpt, room: int) -> list[Doc]:
    if not labels:
        return []
    places = {id(label): excerpt.columns(*_columns(label)) for label in labels}
    cells: list[Label | None] = [None] * max(end for _, end in places.values())
    for label in sorted(labels, key=lambda la: (places[id(la)][0] - places[id(la)][1], la.primary)):
        start, end = places[id(label)]
        cells[start:end] = [label] * (end - start)
    underline: list[Doc] = []
    for owner, group in groupby(cells, key=lambda cell: cell and cell.style):
        n = len(list(group))
        mark = "━" if owner is Style.PRIMARY else "─"
        underline.append(annotate(owner, mark * n) if owner else " " * n)
    said = sorted((la for la in labels if la.text), key=lambda la: places[id(la)], reverse=True)
    rows: list[Doc] = []
    if said and places[id(said[0])][1] == len(cells) and _fits(said[0], len(cells) + 1, room):
        underline += [" ", annotate(said[0].style, said[0].text)]
        said = said[1:]
    rows.append(concat(*underline))
    for index, label in enumerate(said):
        start = places[id(label)][0]
        waiting = sorted({places[id(la)][0] for la in said[index + 1 :]} - {start})
        rows.append(_hung(label, start, waiting, room))
    return rows


def _fits(label: Label, column: int, room: int) -> bool:
    text = label.text
    width = display_width(text) if isinstance(text, str) else text.w
    return column + width <= room


def _hung(label: Label, start: int, waiting: Sequence[int], room: int) -> Doc:
    """The text of ``label`` below its mark, beside the threads of labels that wait to its left."""
    start = min(start, max(0, room - 32)) if not waiting else start
    threads: list[Doc] = []
    at = 0
    for column in waiting:
        threads += [" " * (column - at), annotate(Style.SECONDARY, "│")]
        at = column + 1
    hook = annotate(label.style, "┗━ " if label.primary else "╰─ ")
    text = annotate(label.style, paragraph(label.text))
    return concat(*threads, " " * (start - at), hook, align(text))


# Labels of several lines: a lane each, left of the code.


def _lanes(labels: Sequence[Label]) -> dict[Label, int]:
    """A lane for each label, so that no two in one lane share a line."""
    lanes: dict[Label, int] = {}
    for label in sorted(labels, key=lambda la: la.span):
        taken = {lanes[la] for la in lanes if la.span.end_line >= label.span.line}
        lanes[label] = next(lane for lane in range(len(labels)) if lane not in taken)
    return lanes


def _side(lanes: Mapping[Label, int], number: int, sides: int, below: bool = False) -> Doc:
    """The lanes beside line ``number``, or beside the marks below it."""
    cells: list[Doc] = [" "] * sides
    for label, lane in lanes.items():
        first, last = label.span.line, label.span.end_line
        if first <= number <= last:
            corner = number == first and not below
            light, heavy = ("┌", "┏") if corner else ("│", "┃")
            cells[2 * lane + 1] = annotate(label.style, heavy if label.primary else light)
    return concat(*cells) if cells else ""


def _lane_end(
    frame: Frame, lanes: Mapping[Label, int], label: Label, number: int, sides: int
) -> Doc:
    """The row that ends a lane and says what its label says."""
    others = {la: lane for la, lane in lanes.items() if lane < lanes[label]}
    before = _side(others, number, sides, below=True)
    head = [before] if isinstance(before, str) else list(getattr(before, "items", [before]))
    head = head[: 2 * lanes[label] + 1] if others else [" " * (2 * lanes[label] + 1)]
    rule = ("┗" if label.primary else "└") + ("━" if label.primary else "─") * (
        sides - 2 * lanes[label]
    )
    text = annotate(label.style, paragraph(label.text))
    return margin(concat(frame.bar, *head), concat(annotate(label.style, rule), " ", align(text)))
