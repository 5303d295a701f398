"""A source line as it is shown: tabs expanded, controls visible, cut to the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import wcwidth

from .width import display_width, visible

TAB = 4
CUT = "…"
ENDLESS = 4000  # code points of a line that is not measured as a whole
NEAR = 4  # columns kept around a label when a line is cut


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The text shown, and where the parts of the line that it shows went.

    ``kept``: for each part, its range in columns of the whole line, and its first column here.
    ``skipped``: code points at the start of an endless line that were not even measured.
    """

    text: str
    kept: tuple[tuple[int, int, int], ...]
    cells: Sequence[int]
    room: int
    skipped: int = 0

    @staticmethod
    def of(line: str, labels: Sequence[tuple[int, int]], room: int) -> Excerpt:
        """``line`` cut to ``room`` columns, so that the ends of ``labels`` stay (code points)."""
        if len(line) > ENDLESS:
            near = max(0, min((start for start, _ in labels), default=0) - 2 * room)
            part = line[near : near + ENDLESS]
            moved = [(max(0, start - near), max(0, end - near)) for start, end in labels]
            return replace(Excerpt.of(part, moved, room), skipped=near)
        text, cells = _cells(line.rstrip())
        whole = cells[-1]
        if whole <= room:
            return Excerpt(text, ((0, whole, 0),), cells, room)
        return _cut(text, cells, _ranges(cells, labels, room), room)

    def columns(self, start: int, end: int) -> tuple[int, int]:
        """The columns here of code points ``start`` to ``end`` of the line; at least one."""
        first = self._column(self._cell(start))
        last = self._column(self._cell(end))
        return first, max(last, first + 1)

    def _cell(self, index: int) -> int:
        index = max(0, index - self.skipped)
        beyond = index - (len(self.cells) - 1)
        return self.cells[index] if beyond <= 0 else self.cells[-1] + beyond

    def _column(self, cell: int) -> int:
        for first, last, column in self.kept:
            if cell < first:
                return column - 1
            if cell <= last:
                return column + cell - first
        first, last, column = self.kept[-1]
        beyond = cell - last if last == self.cells[-1] else 1  # behind the line, or cut away
        return min(column + last - first + beyond, self.room)


def _cells(line: str) -> tuple[str, Sequence[int]]:
    """``line`` as shown, and the column of each of its code points and of its end."""
    if line.isascii() and line.isprintable():
        return line, range(len(line) + 1)
    shown: list[str] = []
    cells: list[int] = []
    column = 0
    for grapheme in wcwidth.iter_graphemes(line):
        cells += [column] * len(grapheme)
        piece = " " * (TAB - column % TAB) if grapheme == "\t" else visible(grapheme)
        shown.append(piece)
        column += display_width(piece)
    return "".join(shown), [*cells, column]


def _ranges(
    cells: Sequence[int], labels: Sequence[tuple[int, int]], room: int
) -> list[tuple[int, int]]:
    """The columns to keep: the ends of labels and as much around them as there is room for."""
    whole = cells[-1]
    if not labels:
        return [(0, room - 1)]
    last = len(cells) - 1
    spans = sorted((cells[min(a, last)], cells[min(b, last)]) for a, b in labels)
    low, high = spans[0][0], max(end for _, end in spans)
    if high - low + 2 <= room:
        return [_window(low, high, whole, room)]
    half = (room - 3) // 2
    left, right = max(0, low - NEAR), min(whole, high + NEAR)
    return [(left, left + half), (max(left + half, right - half), right)]


def _window(low: int, high: int, whole: int, room: int) -> tuple[int, int]:
    """The columns to keep of ``whole`` so that ``low`` to ``high`` is in them, with cuts marked."""
    if high + NEAR < room:
        return 0, room - 1
    if whole - low + NEAR < room:
        return whole - room + 1, whole
    left = max(1, low - (room - 2 - (high - low)) // 2)
    right = left + room - 2
    return (left, right) if right < whole else (whole - room + 1, whole)


def _cut(text: str, cells: Sequence[int], ranges: Sequence[tuple[int, int]], room: int) -> Excerpt:
    shown: list[str] = []
    kept: list[tuple[int, int, int]] = []
    column = 0
    previous = 0
    for first, last in ranges:
        if first > previous:
            shown.append(CUT)
            column += 1
        piece = _between(text, first, last)
        kept.append((first, last, column))
        shown.append(piece)
        column += last - first
        previous = last
    if previous < cells[-1]:
        shown.append(CUT)
    return Excerpt("".join(shown), tuple(kept), cells, room)


def _between(text: str, first: int, last: int) -> str:
    """Columns ``first`` to ``last`` of ``text``; a wide character cut in half becomes blanks."""
    if text.isascii():
        return text[first:last]
    shown: list[str] = []
    column = 0
    for grapheme in wcwidth.iter_graphemes(text):
        end = column + display_width(grapheme)
        if first <= column and end <= last:
            shown.append(grapheme)
        elif column < last and end > first:
            shown.append(" " * (min(end, last) - max(column, first)))
        column = end
    return "".join(shown)
