"""Flat documents: the text of groups that fit on a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .nodes import (
    INFINITE,
    UNSAFE,
    Align,
    Annotated,
    Brackets,
    Cat,
    Doc,
    Dynamic,
    Fill,
    FlatAlt,
    Join,
    Line,
    Nest,
    Reannotated,
    check,
)
from .width import display_width


def put_flat(root: Any, put: Callable[[str], None], out: list[str], spans: list[Any]) -> None:
    """Put the flat form of ``root``, which holds nothing dynamic, and is never asked again."""
    frames: list[Any] = []
    it: Iterator[Any] = iter((root,))
    closing: list[Any] | None = None
    while True:
        for x in it:
            kind = type(x)
            if kind is str:
                put(x)
                continue
            if kind is Annotated and type(x.doc) is str:
                n = len(out)
                spans.append((n, n + 1, x.annotation))
                put(x.doc)
                continue
            ends: list[Any] | None = None
            row: Any = None
            while True:  # peel what has one child
                if kind is Cat:
                    if x.simple:
                        put("".join([y if type(y) is str else y.flat for y in x.items]))
                    else:
                        row = x.items
                elif kind is Brackets:
                    glue = x.separator + x.line.flat
                    if x.simple:
                        put(x.left + glue.join(x.items) + x.right)
                    else:
                        put(x.left)
                        row = [glue] * (2 * len(x.items))
                        row[::2] = x.items
                        row[-1] = x.right
                elif kind is Annotated:
                    ends = ends or []
                    ends.append((len(spans), len(out), x.annotation))
                    spans.append(None)
                    x = x.doc
                    kind = type(x)
                    continue
                elif kind is Join or kind is Fill:
                    glue = x.separator + x.line.flat
                    if x.simple:
                        put(glue.join(x.items))
                    else:
                        row = [glue] * (2 * len(x.items) - 1)
                        row[::2] = x.items
                elif kind is str:
                    put(x)
                elif kind is Line:
                    put(x.flat)
                else:
                    if kind is Reannotated:
                        ends = ends or []
                        ends.append((len(spans), -1, x.image))
                    x = x.flat if kind is FlatAlt else x.doc
                    kind = type(x)
                    continue
                break
            if row is not None:
                frames.append((it, closing))
                it, closing = iter(row), ends
                break
            if ends is not None:
                close_annotations(ends, spans, len(out))
        else:
            if closing is not None:
                close_annotations(closing, spans, len(out))
            if not frames:
                return
            it, closing = frames.pop()


class FlatHere(NamedTuple):
    """A flat form that depends on where it is."""

    pieces: list[str]
    spans: list[Any]
    columns: int
    flags: int

    def append_to(self, out: list[str], spans: list[Any]) -> None:
        """Add it to a layout."""
        n = len(out)
        spans.extend((a + n, b + n, annotation) for a, b, annotation in self.spans)
        out.extend(self.pieces)


def flat_here(root: Doc, col: int, indentation: int, room: int, width: int) -> FlatHere | None:
    """The flat form of ``root``, which may hold dynamic documents; ``None`` if it does not fit.

    As what is dynamic depends on the column, measuring and laying out are one walk. It ends where
    the room does, so a group costs no more than a line.
    """
    out: list[str] = []
    spans: list[Any] = []
    flags = 0
    at, limit = col, col + room
    stack: list[Any] = [(root, indentation)]
    while stack:
        x, here = stack.pop()
        kind = type(x)
        if kind is str:
            out.append(x)
            at += display_width(x)
            if at > limit:
                return None
            continue
        if kind is int:  # the end of an annotation
            close_annotations([here], spans, len(out))
            continue
        flags |= x.flags
        if x.w >= INFINITE or at + x.w > limit:
            return None
        if kind is Cat:
            stack.extend([(y, here) for y in x.items[::-1]])
        elif kind is Join or kind is Fill or kind is Brackets:
            row = [x.separator + x.line.flat] * (2 * len(x.items) - 1)
            row[::2] = x.items[::-1]
            if kind is Brackets:
                stack.append((x.right, here))
                stack.extend([(y, max(0, here + x.by)) for y in row])
                stack.append((x.left, here))
            else:
                stack.extend([(y, here) for y in row])
        elif kind is Line or kind is FlatAlt:
            stack.append((x.flat, here))
        elif kind is Nest:
            stack.append((x.doc, max(0, here + x.by)))
        elif kind is Align:
            stack.append((x.doc, at))
        elif kind is Dynamic:
            made = resolved(x, at, here, width)
            flags |= UNSAFE if isinstance(made, str) else 0
            stack.append((made, here))
        elif kind is Annotated:
            stack += [(0, (len(spans), len(out), x.annotation)), (x.doc, here)]
            spans.append(None)
        elif kind is Reannotated:
            stack += [(0, (len(spans), -1, x.image)), (x.doc, here)]
        else:
            stack.append((x.doc, here))
    return FlatHere(out, spans, at - col, flags) if at <= limit else None


def resolved(x: Dynamic, col: int, indentation: int, width: int) -> Any:
    """The document that ``x`` is at this place."""
    place = {"column": col, "nesting": indentation, "page_width": width}
    return check(x.function(place[x.reads]), x.reads, "the result of function")


def close_annotations(ends: list[Any], spans: list[Any], last: int) -> None:
    """End annotations, inner ones first.

    An end is the index of the span, its first piece and the annotation; or of the first span
    inside, -1 and the function of a reannotation.
    """
    for index, first, value in reversed(ends):
        if first < 0:
            images = [(a, b, value(annotation)) for a, b, annotation in spans[index:]]
            spans[index:] = [span for span in images if span[2] is not None]
        else:
            spans[index] = (first, last, value)
