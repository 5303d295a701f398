"""Places in the units of an editor, and through its edits. Pure functions.

Inside, a place is a line (from 1) and a column (from 0) in code points. An editor counts columns in
UTF-8, UTF-16 or UTF-32 units (LSP 3.17, PositionEncodingKind), and its text may have changed since
the run that a place comes from.

>>> columns_to_units("y = '𝒳' @ w", 8, Encoding.UTF16)
9
>>> units_to_columns("y = '𝒳' @ w", 9, Encoding.UTF16)
8
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from .doc.source import Span


class Encoding(StrEnum):
    """What an editor counts; the values are those of LSP."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Place(NamedTuple):
    """A point in a text: line from 1, column from 0 in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Change:
    """The text from ``start`` to ``end`` was replaced by a text that reaches to ``new_end``."""

    start: Place
    end: Place
    new_end: Place

    @property
    def undone(self) -> Change:
        """The change that leads back."""
        return Change(self.start, self.new_end, self.end)

    def place(self, place: Place) -> Place | None:
        """Where ``place`` is after the change; None when what stood around it was replaced."""
        if place >= self.end:
            return self._shifted(place)
        return place if place <= self.start else None

    def span(self, span: Span) -> Span | None:
        """Where ``span`` is after the change; None when any of its text was touched.

        Text put in at its very start or end does not touch it.
        """
        first, last = Place(span.line, span.column), Place(span.end_line, span.end_column)
        if first >= self.end:
            return Span(span.path, *self._shifted(first), *self._shifted(last))
        return span if last <= self.start else None

    def _shifted(self, place: Place) -> Place:
        line = place.line + self.new_end.line - self.end.line
        if place.line > self.end.line:
            return Place(line, place.column)
        return Place(line, place.column + self.new_end.column - self.end.column)


def units_to_columns(line: str, units: int, encoding: Encoding) -> int:
    """The column that lies ``units`` into ``line``.

    Past the end means the end, as LSP has it; inside a character means before it.
    """
    if encoding is Encoding.UTF32 or line.isascii():
        return min(units, len(line))
    passed = 0
    for column, character in enumerate(line):
        passed += _width(character, encoding)
        if passed > units:
            return column
    return len(line)


def columns_to_units(line: str, column: int, encoding: Encoding) -> int:
    """How many units of ``encoding`` lie before ``column``; past the end means the end."""
    if encoding is Encoding.UTF32 or line.isascii():
        return min(column, len(line))
    return sum(_width(character, encoding) for character in line[:column])


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` with their ends; the last has none, and is empty after a line's end.

    Only LF, CRLF and CR end a line, as in LSP and in Python. ``str.splitlines`` knows more, such as
    the form feeds that some sources have between their sections.
    """
    lines = list(io.StringIO(text, newline=""))
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def without_end(line: str) -> str:
    """``line`` without its LF, CRLF or CR."""
    return line.removesuffix("\n").removesuffix("\r")


def _width(character: str, encoding: Encoding) -> int:
    code = ord(character)  # of a lone surrogate too, which JSON can carry but no codec encodes
    if encoding is Encoding.UTF16:
        return 1 + (code > 0xFFFF)
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
