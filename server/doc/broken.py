"""Broken documents: those of text and lines in one piece, others as frames for the layout loop."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from .build import group_of
from .nodes import Brackets, Cat, Fill, Join, Line
from .width import display_width


class LineEnd(NamedTuple):
    """In a frame: a text that ends a line, the next one's indentation, and the column behind."""

    text: str
    indentation: int
    column: int


def broken_lines(x: Any, indentation: int) -> tuple[str, int]:
    """The text of a simple ``x``, and the columns of its last line behind the indentation."""
    newline = "\n" + " " * indentation
    if type(x) is Cat:
        return _cat_lines(x.items, newline, indentation)
    kind: type = type(x)
    if kind is Brackets:
        inner = "\n" + " " * max(0, indentation + x.by)
        text = x.left + inner + (x.separator + inner).join(x.items) + newline + x.right
        return text, display_width(x.right)
    if type(x) is Line:
        return newline, 0
    return (x.separator + newline).join(x.items), display_width(x.items[-1])


def frame_of(x: Any, indentation: int) -> Iterator[Any]:
    """The items and line ends of a ``Join`` or ``Fill``, with the columns behind as below."""
    if type(x) is Fill:
        return _fill_frame(x)
    return _join_frame(x, indentation)


def brackets_frame(x: Brackets, indentation: int) -> tuple[str, Iterator[Any]]:
    """What opens ``x`` with the line end behind it, and the frame of the rest."""
    inner = max(0, indentation + x.by)
    end = LineEnd(x.separator + "\n" + " " * inner, inner, inner)
    right = "\n" + " " * indentation + x.right
    row: list[Any] = [end] * (2 * len(x.items))
    row[::2] = x.items
    row[-1] = LineEnd(right, indentation, indentation + display_width(x.right))
    behind = [display_width(x.separator)] * len(row)
    behind[-2] = 0
    return x.left + "\n" + " " * inner, zip(row, behind, strict=True)


def _join_frame(x: Join, indentation: int) -> Iterator[Any]:
    end = LineEnd(x.separator + "\n" + " " * indentation, indentation, indentation)
    row: list[Any] = [end] * (2 * len(x.items) - 1)
    row[::2] = x.items
    behind = [display_width(x.separator)] * len(row)
    behind[-1] = ~0
    return zip(row, behind, strict=True)


def _fill_frame(x: Fill) -> Iterator[Any]:
    parts = (x.separator, group_of(x.line)) if x.separator else (group_of(x.line),)
    size = 1 + len(parts)
    row: list[Any] = [None, *parts] * len(x.items)
    row[::size] = x.items
    return cat_frame(tuple(row[: 1 - size]))


def cat_frame(items: tuple[Any, ...]) -> Iterator[Any]:
    """The items, each with the columns behind it up to the next possible line end.

    ``~n`` where there is none among the items behind it: ``n``, and what follows all of them.
    """
    behind: list[int] = []
    add = behind.append
    columns = -1  # ~0
    for x in reversed(items):
        add(columns)
        if type(x) is str:
            n = len(x) if x.isascii() else display_width(x)
            columns = columns + n if columns >= 0 else columns - n
        elif x.lead >= 0:
            columns = x.lead
        else:
            columns = columns + ~x.lead if columns >= 0 else columns - ~x.lead
    behind.reverse()
    return zip(items, behind, strict=True)


def tower_frame(x: Cat, indentation: int, width: int) -> Iterator[Any]:
    """The frame of ``x`` and of the ``inner`` ones in it that are too wide for any line.

    All of them are broken, wherever they stand, so what opens them is one text, and what closes
    them another: a level costs no turn of the layout loop.
    """
    opening: list[Any] = []
    closing: list[Any] = []  # from the last one on
    while x.inner is not None and x.inner.w > width:
        items, inner = x.items, x.inner
        at = items.index(inner)
        opening += items[:at]
        closing += items[:at:-1]
        x = inner
    closing.reverse()
    first = _text_or_end(opening, indentation)
    last = _text_or_end(closing, indentation)
    if isinstance(last, LineEnd):
        behind = display_width(last.text.partition("\n")[0])
    else:
        behind = ~display_width(last)
    return iter(((first, 0), (x, behind), (last, ~0)))


def _text_or_end(items: list[Any], indentation: int) -> str | LineEnd:
    """What a row of text and lines is in a frame."""
    text, columns = _cat_lines(items, "\n" + " " * indentation, indentation)
    return LineEnd(text, indentation, indentation + columns) if "\n" in text else text


def _cat_lines(items: Sequence[Any], newline: str, indentation: int) -> tuple[str, int]:
    text = "".join([x if type(x) is str else newline for x in items])
    if indentation and newline + "\n" in text:  # blank lines get no indentation
        text = re.sub(f"\n {{{indentation}}}(?=\n)", "\n", text)
    columns = 0
    for x in reversed(items):
        if type(x) is not str:
            break
        columns += len(x) if x.isascii() else display_width(x)
    return text, columns


def fill_words(x: Fill, indentation: int, first: int, room: int, after: int) -> tuple[str, int]:
    """Words, as many on each line as fit: ``first`` columns on the first one, ``room`` on others.

    A word goes on the line if the separator behind it fits too; the last one, if the columns
    ``after`` do. Returns the text and the columns of its last line behind the indentation.
    """
    words: Any = x.items
    glue = x.separator + (x.line.flat or "")
    text = glue.join(words)
    newline = "\n" + " " * indentation
    blanks = text.count(" ")
    if glue[-1:] == " " and blanks == len(words) - 1 and " " not in x.separator and text.isascii():
        return _fill_text(text, newline, first, room, after)
    return _fill_sums(words, x.separator, glue, newline, (first, room, after))


def _fill_text(text: str, newline: str, first: int, room: int, after: int) -> tuple[str, int]:
    """By searching blanks in the joined text, where each one separates words: a step a line."""
    lines: list[str] = []
    start, end = 0, len(text)
    left = first
    while end - start + after > left:
        blank = text.rfind(" ", start, max(start, min(start + left + 1, end)))
        if blank < 0:
            blank = text.find(" ", start)
            if blank < 0:
                break
        lines.append(text[start:blank])
        start = blank + 1
        left = room
    lines.append(text[start:])
    return newline.join(lines), end - start


def _fill_sums(
    words: Any, separator: str, glue: str, newline: str, rooms: tuple[int, int, int]
) -> tuple[str, int]:
    """By bisection in the sums of the widths of words."""
    first, room, after = rooms
    between, gap, n = display_width(separator), display_width(glue), len(words)
    ends = list(accumulate(map(display_width, words), lambda end, size: end + gap + size))
    lines: list[str] = []
    start, left = 0, first
    while True:
        base = ends[start - 1] + gap if start else 0
        last = bisect_right(ends, base + left - between, start, n - 1)
        if last == n - 1 and ends[last] - base + after <= left:
            last = n
        last = max(last, start + 1)
        lines.append(glue.join(words[start:last]))
        if last == n:
            return (separator + newline).join(lines), ends[-1] - base
        start, left = last, room
