"""From a document to lines of text for one width: iterative, and linear in what is laid out.

The rule: a group is flat if its flat form and the text behind it, up to the next place where the
line may end, fit into what is left of the line; else it is broken, and the groups in it are asked
in turn. It is the greedy rule of Wadler and Lindig, with lookahead behind the group's end.

The result is a list of pieces of text, and spans of pieces that carry an annotation. Renderers and
source maps read it; none of them lays out again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from .nodes import (
    DYNAMIC,
    INFINITE,
    UNSAFE,
    Align,
    Annotated,
    Cat,
    Doc,
    Dynamic,
    Fill,
    FlatAlt,
    Group,
    Join,
    Line,
    Nest,
    Node,
    Reannotated,
    check,
    group_of,
)
from .width import display_width, visible

AnnotatedRange: TypeAlias = tuple[int, int, object]
"""First piece, last piece + 1, annotation."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """What a layout must fit into.

    ``width``: columns of a line. ``ribbon``: the part of them that text may take, indentation not
    counted. ``max_lines``: cut longer results, saying how many lines are missing.
    """

    width: int = 80
    ribbon: float = 1.0
    max_lines: int | None = None

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ValueError(f"LayoutOptions: width must be at least 1, not {self.width}")
        if not 0 < self.ribbon <= 1:
            raise ValueError(f"LayoutOptions: ribbon must be in (0, 1], not {self.ribbon}")
        if self.max_lines is not None and self.max_lines < 1:
            raise ValueError(f"LayoutOptions: max_lines must be at least 1, not {self.max_lines}")


@dataclass(frozen=True)
class Layout:
    """A document laid out. ``spans`` nest, and come in the order in which they start."""

    pieces: Sequence[str]
    spans: Sequence[AnnotatedRange]

    @cached_property
    def text(self) -> str:
        """The plain text."""
        return "".join(self.pieces)


class _Limits(NamedTuple):
    """Columns: of new lines, of the end of the current line, of the end of others."""

    indentation: int
    first: int
    others: int


def layout(doc: Doc, options: LayoutOptions = LayoutOptions()) -> Layout:
    """``doc`` laid out for ``options``: 80 columns, if none are given.

    >>> layout(group("one", line, "two"), LayoutOptions(width=6)).text
    'one\\ntwo'
    """
    pieces, spans, flags = _lay_out(check(doc, "layout", "doc"), options)
    if flags & UNSAFE:
        pieces = [visible(piece) for piece in pieces]
    if options.max_lines is not None:
        pieces, spans = _first_lines(pieces, spans, options.max_lines)
    return Layout(pieces, spans)


def _lay_out(root: Any, options: LayoutOptions) -> tuple[list[str], list[AnnotatedRange], int]:
    """The pieces, the spans and the flags of ``root``.

    Broken documents are walked in frames: the iterator over the children left, with for each the
    columns that follow it up to the next possible line end (``~n``: no end in this frame, so the
    ``rest`` behind the frame counts too; ``None``: the child is the text of a line end itself).
    """
    width = options.width
    ribbon = max(1, round(width * options.ribbon))
    limit = ribbon  # where the current line must end; it starts in column ``start``
    col = start = ind = rest = 0
    flags = 0 if isinstance(root, str) else root.flags
    out: list[str] = []
    put = out.append
    spans: list[Any] = []
    frames: list[Any] = []
    close: list[Any] | None = None
    it: Iterator[Any] = iter(((root, ~0),))
    while True:
        for x, behind in it:
            kind = x.__class__
            if kind is str:
                if behind is None:
                    if col == start and start and x[0] == "\n":
                        _trim(out, start)
                    put(x)
                    col = start = ind
                    limit = width if ind + ribbon > width else ind + ribbon
                else:
                    put(x)
                    col += len(x) if x.isascii() else display_width(x)
                continue
            if kind is Line:
                if col == start and start:
                    _trim(out, start)
                put("\n" + " " * ind)
                col = start = ind
                limit = width if ind + ribbon > width else ind + ribbon
                continue
            after = behind if behind >= 0 else ~behind + rest
            here = ind
            closing: list[Any] | None = None
            while True:  # peel what has one child
                if kind is Group:
                    if col + x.w + after <= limit:
                        if not x.flags & DYNAMIC:
                            inner: Any = x.doc
                            if inner.__class__ is Line:
                                put(inner.flat)
                            else:
                                _flat(inner, put, out, spans)
                            col += x.w
                            x = None
                            break
                        flat = _flat_here(x.doc, col, here, limit - after, width)
                        if flat is not None:
                            more, marks, columns, seen = flat
                            n = len(out)
                            spans.extend((a + n, b + n, mark) for a, b, mark in marks)
                            out.extend(more)
                            col += columns
                            flags |= seen
                            x = None
                            break
                    x = x.doc
                elif kind is Nest:
                    here += x.by
                    if here < 0:
                        here = 0
                    x = x.doc
                elif kind is Align:
                    here = col
                    x = x.doc
                elif kind is Annotated:
                    if closing is None:
                        closing = []
                    closing.append((len(spans), len(out), x.annotation))
                    spans.append(None)
                    x = x.doc
                elif kind is FlatAlt:
                    x = x.broken
                elif kind is Reannotated:
                    if closing is None:
                        closing = []
                    closing.append((len(spans), -1, x.image))
                    x = x.doc
                elif kind is Dynamic:
                    x = _resolved(x, col, here, width)
                    if x.__class__ is not str:
                        flags |= x.flags
                    elif not x.isprintable():
                        flags |= UNSAFE
                else:
                    break
                kind = x.__class__
            if x is not None:
                if kind is str:
                    put(x)
                    col += len(x) if x.isascii() else display_width(x)
                elif kind is Cat and not x.simple:
                    frames.append((it, ind, rest, close))
                    it, ind, rest, close = _cat_frame(x.items), here, after, closing
                    break
                elif kind is Join and not x.atomic:
                    frames.append((it, ind, rest, close))
                    it, ind, rest, close = _join_frame(x, here), here, after, closing
                    break
                elif kind is Fill and not x.atomic:
                    frames.append((it, ind, rest, close))
                    it, ind, rest, close = _fill_frame(x), here, after, closing
                    break
                elif kind is Fill:
                    others = width if here + ribbon > width else here + ribbon
                    more, col = _fill_words(x, col, after, _Limits(here, limit, others))
                    out.extend(more)
                    if len(more) > 1:
                        start, limit = here, others
                elif kind is Line:
                    if col == start and start:
                        _trim(out, start)
                    put("\n" + " " * here)
                    col = start = here
                    limit = width if here + ribbon > width else here + ribbon
                elif kind is Cat:
                    piece, columns = _simple_lines(x.items, here)
                    if col == start and start and piece[0] == "\n":
                        _trim(out, start)
                    put(piece)
                    if x.breaks:
                        col = here + columns
                        start = here
                        limit = width if here + ribbon > width else here + ribbon
                    else:
                        col += columns
                else:  # an atomic Join
                    newline = "\n" + " " * here
                    put((x.separator + newline).join(x.items))
                    col = here + display_width(x.items[-1])
                    start = here
                    limit = width if here + ribbon > width else here + ribbon
            if closing:
                _close(closing, spans, len(out))
        else:
            if not frames:
                spans = [span for span in spans if span and span[0] < span[1]]
                return out, spans, flags
            if close:
                _close(close, spans, len(out))
            it, ind, rest, close = frames.pop()


def _cat_frame(items: tuple[Any, ...]) -> Iterator[Any]:
    """Each item with the columns that follow it, up to the next possible line end."""
    behind: list[int] = []
    add = behind.append
    columns = -1  # ~0
    for x in reversed(items):
        add(columns)
        if x.__class__ is str:
            n = len(x) if x.isascii() else display_width(x)
            columns = columns + n if columns >= 0 else columns - n
        elif x.breaks:
            columns = x.lead
        else:
            columns = columns + x.lead if columns >= 0 else columns - x.lead
    behind.reverse()
    return zip(items, behind, strict=True)


def _join_frame(x: Join, indentation: int) -> Iterator[Any]:
    """Items and line ends in turn."""
    n = len(x.items)
    both: list[Any] = [x.separator + "\n" + " " * indentation] * (2 * n - 1)
    both[::2] = x.items
    behind: list[Any] = [None] * (2 * n - 1)
    behind[::2] = [display_width(x.separator)] * n
    behind[-1] = ~0
    return zip(both, behind, strict=True)


def _fill_frame(x: Fill) -> Iterator[Any]:
    """Items, separators and line ends that break one by one, in turn."""
    parts = (x.separator, group_of(x.line)) if x.separator else (group_of(x.line),)
    size = 1 + len(parts)
    row: list[Any] = [None, *parts] * len(x.items)
    row[::size] = x.items
    return _cat_frame(tuple(row[: 1 - size]))


def _fill_words(x: Fill, col: int, after: int, line: _Limits) -> tuple[list[str], int]:
    """Lay out words by bisection in the sums of their widths: a step a line, not a word.

    Returns the pieces and the column behind them. A word goes on the line if the separator behind
    it fits too; the last one, if what follows it up to the next possible line end does.
    """
    words: Any = x.items
    n = len(words)
    between = display_width(x.separator)
    glue = x.separator + (x.line.flat or "")
    gap = display_width(glue)
    newline = x.separator + "\n" + " " * line.indentation
    sizes = map(len, words) if "".join(words).isascii() else map(display_width, words)
    ends = list(accumulate(sizes, lambda end, size: end + gap + size))
    pieces = []
    first, room = 0, line.first - col
    while True:
        base = ends[first - 1] + gap if first else 0
        last = bisect_right(ends, base + room - between, first, n - 1)
        if last == n - 1 and ends[last] - base + after <= room:
            last = n
        last = max(last, first + 1)
        pieces.append(glue.join(words[first:last]))
        if last == n:
            return pieces, (line.indentation if first else col) + ends[-1] - base
        pieces.append(newline)
        first, room = last, line.others - line.indentation


def _simple_lines(items: tuple[Any, ...], indentation: int) -> tuple[str, int]:
    """The text of a broken ``Cat`` of texts and lines, and the width of its last line."""
    newline = "\n" + " " * indentation
    text = "".join([x if x.__class__ is str else newline for x in items])
    if indentation and newline + "\n" in text:
        text = re.sub(f"\n {{{indentation}}}(?=\n)", "\n", text)
    columns = 0
    for x in reversed(items):
        if x.__class__ is not str:
            break
        columns += len(x) if x.isascii() else display_width(x)
    return text, columns


def _flat(root: Any, put: Callable[[str], None], out: list[str], spans: list[Any]) -> None:
    """Put the flat form of ``root``, which holds nothing dynamic."""
    stack: list[Any] = [root]
    pop, push, extend = stack.pop, stack.append, stack.extend
    while stack:
        x = pop()
        kind = x.__class__
        if kind is str:
            put(x)
        elif kind is Cat:
            if x.simple:
                put("".join([y if y.__class__ is str else y.flat for y in x.items]))
            else:
                extend(x.items[::-1])
        elif kind is Join or kind is Fill:
            glue = x.separator + x.line.flat
            if x.atomic:
                put(glue.join(x.items))
            else:
                row = [glue] * (2 * len(x.items) - 1)
                row[::2] = x.items[::-1]
                extend(row)
        elif kind is Line:
            put(x.flat)
        elif kind is Annotated:
            if x.doc.__class__ is str:
                n = len(out)
                spans.append((n, n + 1, x.annotation))
                put(x.doc)
            else:
                push((len(spans), len(out), x.annotation))
                spans.append(None)
                push(x.doc)
        elif kind is FlatAlt:
            push(x.flat)
        elif kind is Reannotated:
            push((len(spans), -1, x.image))
            push(x.doc)
        elif kind is tuple:
            _close([x], spans, len(out))
        else:
            push(x.doc)


def _flat_here(
    doc: Doc, col: int, indentation: int, limit: int, width: int
) -> tuple[list[str], list[Any], int, int] | None:
    """The flat form of ``doc``, which may hold dynamic documents; ``None`` if it does not fit.

    As what is dynamic depends on the column, measuring and laying out are one walk. It ends at the
    limit, so a group costs no more than a line.
    """
    out: list[str] = []
    spans: list[Any] = []
    flags = 0
    at = col
    stack: list[Any] = [(doc, indentation)]
    while stack:
        x, here = stack.pop()
        kind = x.__class__
        if kind is str:
            out.append(x)
            at += display_width(x)
            if not x.isprintable():
                flags |= UNSAFE
        elif kind is int:  # the end of an annotation
            _close([here], spans, len(out))
        elif x.w >= INFINITE or at + x.w > limit:
            return None
        elif kind is Cat:
            stack.extend([(y, here) for y in x.items[::-1]])
        elif kind is Join or kind is Fill:
            row = [x.separator + x.line.flat] * (2 * len(x.items) - 1)
            row[::2] = x.items[::-1]
            stack.extend([(y, here) for y in row])
        elif kind is Line:
            stack.append((x.flat, here))
        elif kind is Nest:
            stack.append((x.doc, max(0, here + x.by)))
        elif kind is Align:
            stack.append((x.doc, at))
        elif kind is FlatAlt:
            stack.append((x.flat, here))
        elif kind is Dynamic:
            made = _resolved(x, at, here, width)
            flags |= made.flags if isinstance(made, Node) else 0
            stack.append((made, here))
        elif kind is Annotated:
            stack += [(0, (len(spans), len(out), x.annotation)), (x.doc, here)]
            spans.append(None)
        elif kind is Reannotated:
            stack += [(0, (len(spans), -1, x.image)), (x.doc, here)]
        else:
            stack.append((x.doc, here))
        if at > limit:
            return None
    return out, spans, at - col, flags


def _resolved(x: Dynamic, col: int, indentation: int, width: int) -> Any:
    place = {"column": col, "nesting": indentation, "page_width": width}
    return check(x.function(place[x.reads]), x.reads, "the result of function")


def _close(closing: list[Any], spans: list[Any], end: int) -> None:
    """End annotations, inner ones first."""
    for index, start, value in reversed(closing):
        if start >= 0:
            spans[index] = (start, end, value)
            continue
        for inner in range(index, len(spans)):  # ``value`` is the function of a reannotation
            if spans[inner] is not None:
                first, last, annotation = spans[inner]
                image = value(annotation)
                spans[inner] = None if image is None else (first, last, image)


def _trim(out: list[str], start: int) -> None:
    """Drop the indentation of a line that holds nothing else."""
    last = len(out) - 1
    while not out[last]:
        last -= 1
    if out[last].endswith("\n" + " " * start):
        out[last] = out[last][:-start]


def _first_lines(
    pieces: Sequence[str], spans: Sequence[AnnotatedRange], most: int
) -> tuple[list[str], list[AnnotatedRange]]:
    """Cut to ``most`` lines; the last then says how many more there are."""
    total = 1 + sum(piece.count("\n") for piece in pieces)
    if total <= most:
        return list(pieces), list(spans)
    kept: list[str] = []
    left = most - 1
    for piece in pieces:
        n = piece.count("\n")
        if n >= left:
            break
        kept.append(piece)
        left -= n
    if left:
        kept.append("\n".join(piece.split("\n")[:left]))
    end = len(kept)
    kept.append(("\n" if most > 1 else "") + f"… {total - most + 1:,} more lines")
    return kept, [(a, min(b, end), mark) for a, b, mark in spans if a < end]
