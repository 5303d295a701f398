"""Parts of a message, and the gutter that they stand in.

```
error[code]: headline               header
  train.py:14:9                     a snippet: where,
   │
14 │     h = x @ W1 + b1              the lines there,
   │         ━━━━━━ 784 and 512       and what they are
   │   x    f32[64, 784]            a table: set behind the gutter
   = fix: x @ W1.T                  a remark: hung into the gutter
```
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from wcwidth import iter_graphemes

from .algebra import align, annotate, column, concat, fill, fill_sep, page_width, softline, vcat
from .layout import LayoutOptions, layout
from .nodes import Doc
from .runs import StyledLine, styled_lines
from .style import Style
from .width import display_width, visible

LONG_WORD = 24  # code points; shorter words fit on any page


@dataclass(frozen=True, slots=True)
class Frame:
    """What the parts of one message share: the columns that line numbers take."""

    digits: int = 2

    @property
    def bar(self) -> Doc:
        """The gutter of a line without a number."""
        return annotate(Style.GUTTER, " " * self.digits, " │")

    def numbered(self, line: int) -> Doc:
        """The gutter of source line ``line``."""
        return annotate(Style.GUTTER, f"{line:>{self.digits}} │")

    def behind_bar(self, doc: Doc) -> Doc:
        """``doc`` with the gutter before each of its lines."""
        return margin(self.bar, doc)

    def remark(self, word: Doc, doc: Doc) -> Doc:
        """``word:`` and ``doc`` behind it, hung into the gutter."""
        return concat(" " * (self.digits + 1), annotate(Style.GUTTER, "= "), word, ":", doc)


class Part(Protocol):
    """What a message is made of.

    Where a message gets too long, its parts are folded, all of them to 1 before any of them to 2.
    1 takes air and the tails of lists; 2 notes; 3 help, labels if they are many, and origins that
    need lines of their own; 4 all labels but primary ones, and operands if they are many.
    """

    @property
    def folds(self) -> int:
        """The highest fold that still changes it."""

    def digits(self) -> int:
        """The columns that its line numbers need."""

    def doc(self, frame: Frame, fold: int) -> Doc:
        """Its lines; none, if it is folded away."""


def margin(bar: Doc, doc: Doc) -> Doc:
    """``doc`` with ``bar`` at the start of each of its lines: the first and all new ones.

    >>> show(margin("│ ", fill_sep("never a wall of numbers".split())), 80, 14)
    │ never a wall of numbers
    │ never a wall
    │ of numbers
    """

    def barred(room: int) -> Doc:
        lines = styled_lines(layout(concat(bar, align(doc)), LayoutOptions(width=max(1, room))))
        first = layout(bar).text
        return vcat(
            [
                rebuilt(line) if index == 0 else concat(bar, rebuilt(_without(line, first)))
                for index, line in enumerate(lines)
            ]
        )

    return room_left(lambda room: align(barred(room)))


def room_left(function: Callable[[int], Doc]) -> Doc:
    """The document that ``function`` makes of the columns left on the line."""
    return column(lambda now: page_width(lambda width: function(width - now)))


def flat_width(doc: Doc) -> int:
    """The columns of ``doc`` on one line."""
    return display_width(doc) if isinstance(doc, str) else doc.w


def paragraph(doc: Doc) -> Doc:
    """A text filled into lines; other documents break by themselves.

    >>> show(paragraph("see https://example.org/a/rather/long/address there"), 80, 20)
    see https://example.org/a/rather/long/address there
    see
    https://example.org/
    a/rather/long/addres
    s there
    """
    if not isinstance(doc, str):
        return doc
    words = visible(doc).split()
    if max(map(len, words), default=0) < LONG_WORD:
        return fill_sep(words)
    return room_left(lambda room: fill_sep([_broken_word(word, max(room, 8)) for word in words]))


def _broken_word(word: str, room: int) -> Doc:
    """``word``, in parts if it is wider than any line."""
    if display_width(word) <= room:
        return word
    parts: list[str] = [""]
    columns = 0
    for grapheme in iter_graphemes(word):
        columns += display_width(grapheme)
        if columns > room:
            parts.append("")
            columns = display_width(grapheme)
        parts[-1] += grapheme
    return fill(parts, softline)


def one_line(text: str) -> str:
    """Any text on one line, safe to show."""
    return visible(" ".join(text.split()))


def trimmed(text: str, most: int) -> str:
    """``text`` with its middle cut so that it takes ``most`` columns at most.

    >>> trimmed("x.reshape(1, 2, 3)", 11)
    'x.res…2, 3)'
    """
    if display_width(text) <= most:
        return text
    left, right = most // 2, len(text) - (most - 1 - most // 2)
    while left > 0 and display_width(text[:left]) > most // 2:
        left -= 1
    while right < len(text) and display_width(text[right:]) > most - 1 - most // 2:
        right += 1
    return f"{text[:left]}…{text[right:]}"


def _without(line: StyledLine, bar: str) -> StyledLine:
    """``line`` without the blanks that stand where ``bar`` goes."""
    if not line:
        return line
    head, *rest = line
    text = head.text[display_width(bar) :]
    return [head._replace(text=text), *rest] if text else rest


def rebuilt(line: StyledLine) -> Doc:
    """The document of a line that has been laid out."""
    docs: list[Doc] = []
    for run in line:
        doc: Doc = run.text
        for annotation in reversed(run.annotations):
            doc = annotate(annotation, doc)
        docs.append(doc)
    return concat(*docs)
