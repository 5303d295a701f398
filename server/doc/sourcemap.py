"""Where in the output each annotation came to lie, in the units of whoever reads it.

Editors count columns in UTF-16 units unless they agree on others (LSP 3.17, positionEncoding),
compilers in UTF-8 bytes, Python in code points. Lines count from 1, columns from 0, as in ``Span``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from .layout import Layout, stretches

Unit: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]


class Place(NamedTuple):
    """A place in the output: line from 1, column from 0."""

    line: int
    column: int


class OutputRange(NamedTuple):
    """The part of the output that one annotation is around."""

    start: Place
    end: Place
    annotation: object


class Segment(NamedTuple):
    """A part of the output under the same annotations, the outermost first."""

    start: Place
    end: Place
    annotations: tuple[object, ...]


def source_map(result: Layout, unit: Unit = "utf-32") -> list[OutputRange]:
    """The range of each annotation, in the order in which they start; inner ones after outer ones.

    >>> result = layout("x = " + annotate("value", "𝟙"))
    >>> source_map(result, "utf-16")[0][:2]
    (Place(line=1, column=4), Place(line=1, column=6))
    """
    places = _places(result.pieces, {at for a, b, _ in result.spans for at in (a, b)}, unit)
    return [OutputRange(places[a], places[b], mark) for a, b, mark in result.spans]


def segments(result: Layout, unit: Unit = "utf-32") -> list[Segment]:
    """The whole output, cut wherever an annotation starts or ends.

    >>> for segment in segments(layout("x = " + annotate("value", "1"))):
    ...     print(segment.start.column, segment.end.column, segment.annotations)
    0 4 ()
    4 5 ('value',)
    """
    cuts = list(stretches(result))
    places = _places(result.pieces, {at for start, end, _ in cuts for at in (start, end)}, unit)
    return [Segment(places[start], places[end], marks) for start, end, marks in cuts]


def _places(pieces: Sequence[str], wanted: set[int], unit: Unit) -> dict[int, Place]:
    """The place before each piece whose number is wanted."""
    places = {}
    line, column = 1, 0
    for number, piece in enumerate(pieces):
        if number in wanted:
            places[number] = Place(line, column)
        if "\n" in piece:
            line += piece.count("\n")
            piece = piece[piece.rindex("\n") + 1 :]
            column = 0
        column += _units(piece, unit)
    places[len(pieces)] = Place(line, column)
    return places


def _units(text: str, unit: Unit) -> int:
    if unit == "utf-32" or text.isascii():
        return len(text)
    if unit == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
