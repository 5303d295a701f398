"""Source lines with what is to be said about places in them.

Heavy underlines are primary, light ones secondary. Labels may share a line, span several, and lie
in several files. Lines too long for the page lose what lies between and beyond the labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from .algebra import align, annotate, concat, hcat, vcat
from .excerpt import Excerpt
from .frame import Frame, flat_width, margin, one_line, paragraph, room_left, trimmed
from .label import Label
from .lanes import Lanes
from .nodes import Doc
from .source import Source
from .style import Style

NARROW = 28  # columns that a text hung below its mark should have at least


@dataclass(frozen=True, slots=True)
class Snippet:
    """The part of a message that ``snippet`` makes."""

    sources: Mapping[str, Source]
    labels: tuple[Label, ...]
    context: int
    numbered: bool
    headed: bool
    folds = 4

    def digits(self) -> int:
        """The columns of the greatest line number shown."""
        last = max((label.span.end_line for label in self.labels), default=0)
        return len(str(last + self.context)) if self.numbered else 0

    def doc(self, frame: Frame, fold: int) -> Doc:
        """Folded to 1, without the blank line; to 3 and 4, with fewer labels."""
        labels = self._chosen(fold)
        ordered = sorted(labels, key=lambda label: not label.primary)
        paths = dict.fromkeys(label.span.path for label in ordered)
        files = [[label for label in labels if label.span.path == path] for path in paths]
        rows = [self._file(frame, file, airy=not fold) for file in files]
        if len(labels) < len(self.labels):
            n = len(self.labels) - len(labels)
            more = f" ⋮  … {n} more place{'s' if n > 1 else ''}"
            rows.append(annotate(Style.GUTTER, " " * frame.digits, more))
        return vcat(rows)

    def _chosen(self, fold: int) -> Sequence[Label]:
        """All labels; folded, three primary ones and two others, then the primary ones alone."""
        if fold < 3:
            return self.labels
        primary = [label for label in self.labels if label.primary][:3]
        others = [label for label in self.labels if not label.primary][: 2 if fold == 3 else 0]
        return [label for label in self.labels if label in primary + others]

    def _file(self, frame: Frame, labels: Sequence[Label], airy: bool) -> Doc:
        """The heading of one file and its lines."""
        chief = min(labels, key=lambda label: (not label.primary, label.span))
        source = self.sources.get(chief.span.path)
        rows: list[Doc] = []
        if self.headed:
            place = one_line(str(chief.span))
            rows.append(
                concat("  ", room_left(lambda room: annotate(Style.PATH, trimmed(place, room))))
            )
            if airy and source:
                rows.append(frame.bar)
        if source:
            rows.append(room_left(lambda room: vcat(self._lines(frame, source, labels, room))))
        else:
            said = [label for label in labels if label.text]
            rows += [frame.behind_bar("   " + _said(label)) for label in said]
        return vcat(rows)

    def _lines(self, frame: Frame, source: Source, labels: Sequence[Label], room: int) -> list[Doc]:
        """Source lines, each with its marks below."""
        lanes = Lanes.of(labels)
        room = max(16, room - frame.digits - 3 - lanes.columns)
        rows: list[Doc] = []
        shown = self._line_numbers(source, labels)
        for previous, line in zip([shown[0] - 1, *shown], shown, strict=False):
            if line > previous + 1:
                dots = annotate(Style.GUTTER, " " * frame.digits, " ⋮")
                rows.append(concat(dots, lanes.over_gap(previous)))
            here = [label for label in labels if label.span.line == label.span.end_line == line]
            excerpt = Excerpt.of(source.line(line), [_columns(label) for label in here], room)
            bar = frame.numbered(line) if self.numbered else frame.bar
            code = [lanes.beside(line), " ", excerpt.text] if excerpt.text or lanes.lane else []
            rows.append(hcat([bar, *code]))
            below = hcat([frame.bar, lanes.below(line), " "])
            rows += [margin(below, row) for row in _marks(here, excerpt, room)]
            rows += lanes.ends(frame, line)
        return rows

    def _line_numbers(self, source: Source, labels: Sequence[Label]) -> list[int]:
        """First and last lines of labels and their context; a gap of one line is closed."""
        last = max(len(source.lines), *(label.span.end_line for label in labels))
        lines = {
            line
            for label in labels
            for end in (label.span.line, label.span.end_line)
            for line in range(end - self.context, end + self.context + 1)
            if 0 < line <= last
        }
        return sorted(lines | {line + 1 for line in lines if line + 2 in lines})


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


# Labels within one line: a row of underlines, and behind it or below it what they say.


def _marks(labels: Sequence[Label], excerpt: Excerpt, room: int) -> list[Doc]:
    """The rows below a line: its underlines, and the texts that don't fit behind them."""
    if not labels:
        return []
    placed = [(*excerpt.columns(*_columns(label)), label) for label in labels]
    cells = _painted(placed)
    row: list[Doc] = [_underline(style, list(run)) for style, run in groupby(cells, _style)]
    said = sorted((mark for mark in placed if mark[2].text), key=lambda mark: mark[:2])
    if said and said[-1][1] == len(cells) and _fits_behind(said[-1][2], len(cells) + 1, room):
        row += [" ", align(_said(said.pop()[2]))]
    hung = [_hung(said[: index + 1], room) for index in reversed(range(len(said)))]
    return [hcat(row), *hung]


def _painted(placed: Sequence[tuple[int, int, Label]]) -> list[Label | None]:
    """The label to be seen in each column: short ones over long ones, none primary hidden."""
    cells: list[Label | None] = [None] * max(end for _, end, _ in placed)
    by_length = sorted(placed, key=lambda mark: (mark[0] - mark[1], mark[2].primary))
    for start, end, label in by_length:
        cells[start:end] = [label] * (end - start)
    for start, end, label in by_length:
        if label.primary and label not in cells[start:end]:
            cells[start:end] = [label] * (end - start)
    return cells


def _style(cell: Label | None) -> Style | None:
    return cell.style if cell else None


def _underline(style: Style | None, cells: Sequence[object]) -> Doc:
    mark = "━" if style is Style.PRIMARY else "─"
    return annotate(style, mark * len(cells)) if style else " " * len(cells)


def _fits_behind(label: Label, column: int, room: int) -> bool:
    """On the line of the marks, at once or filled into a column wide enough to be read."""
    return column + flat_width(label.text) <= room or column + 2 * NARROW <= room


def _hung(marks: Sequence[tuple[int, int, Label]], room: int) -> Doc:
    """The text of the last of ``marks`` below it, beside the threads of the others to its left."""
    *others, (start, _, label) = marks
    threads: list[Doc] = []
    at = 0
    for column in sorted({other for other, _, _ in others if other < start}):
        threads += [" " * (column - at), annotate(Style.SECONDARY, "│")]
        at = column + 1
    text = _said(label)
    if room - start < NARROW and flat_width(label.text) + 3 <= start - at:
        hook = annotate(label.style, " ━┛" if label.primary else " ─╯")
        return hcat([*threads, " " * (start - at - flat_width(label.text) - 2), text, hook])
    gap = max(0, min(start, room - NARROW) - at)
    hook = annotate(label.style, "┗━ " if label.primary else "╰─ ")
    return margin(hcat([*threads, " " * gap]), hcat([hook, align(text)]))


def _said(label: Label) -> Doc:
    return annotate(label.style, paragraph(label.text))


def _columns(label: Label) -> tuple[int, int]:
    return label.span.column, max(label.span.end_column, label.span.column + 1)
