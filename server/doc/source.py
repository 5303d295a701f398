"""Texts and places in them: the one notion of position that all of the server shares.

Lines count from 1, as compilers print them. Columns count from 0 in code points, as Python indexes
strings. Other units (UTF-8 bytes of ``ast``, UTF-16 of most editors) are converted at the edges.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of one file: from (line, column) up to (end_line, end_column)."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, line: int, column: int) -> bool:
        """Whether the place lies inside. The end counts: a cursor behind a name finds it."""
        return (self.line, self.column) <= (line, column) <= (self.end_line, self.end_column)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column + 1}"


@dataclass(frozen=True)
class Source:
    """The text of one file as it was when the spans into it were made."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Its lines without their ends. Only the ends that Python counts split: LF, CRLF and CR."""
        return tuple(self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    def line(self, number: int) -> str:
        """Line ``number`` (from 1), or an empty one where the text has fewer."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def at(self, span: Span) -> str:
        """The text that ``span`` covers."""
        if span.line == span.end_line:
            return self.line(span.line)[span.column : span.end_column]
        middle = [self.line(n) for n in range(span.line + 1, span.end_line)]
        first, last = self.line(span.line)[span.column :], self.line(span.end_line)
        return "\n".join([first, *middle, last[: span.end_column]])
