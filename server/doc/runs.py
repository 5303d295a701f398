"""What all renderers start from: the lines of a layout, cut where annotations begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from .layout import Layout, LayoutOptions, layout, stretches
from .nodes import Doc


class Run(NamedTuple):
    """Text of one line under the same annotations, the outermost first."""

    text: str
    annotations: tuple[object, ...]


StyledLine: TypeAlias = list[Run]


def laid_out(document: Layout | Doc, width: int) -> Layout:
    """``document`` if it has been laid out, else its layout for ``width`` columns."""
    if isinstance(document, Layout):
        return document
    return layout(document, LayoutOptions(width=width))


def styled_lines(result: Layout) -> Iterator[StyledLine]:
    """The lines of ``result``. The indentation of a line carries no annotation.

    >>> for line in styled_lines(layout("x = " + annotate("value", "1") + hardline + "y")):
    ...     print([(run.text, run.annotations) for run in line])
    [('x = ', ()), ('1', ('value',))]
    [('y', ())]
    """
    line: StyledLine = []
    for start, end, marks in stretches(result):
        first, *others = "".join(result.pieces[start:end]).split("\n")
        if first:
            line.append(Run(first, marks))
        for other in others:
            yield line
            body = other.lstrip(" ")
            line = [Run(other[: len(other) - len(body)], ())] if len(body) < len(other) else []
            if body:
                line.append(Run(body, marks))
    yield line
