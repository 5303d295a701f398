"""From a document to lines of text for one width: iterative, and linear in what is laid out.

The rule: a group is flat if its flat form and the text behind it, up to the next place where the
line may end, fit into what is left of the line; else it is broken, and the groups in it are asked
in turn. It is the greedy rule of Wadler and Lindig, with lookahead behind the end of the group.

The result is a list of pieces of text, and which of them are annotated. Renderers and source maps
read it; none of them lays out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from .broken import (
    LineEnd,
    brackets_frame,
    broken_lines,
    cat_frame,
    fill_words,
    frame_of,
    tower_frame,
)
from .flattening import close_annotations, flat_here, put_flat, resolved
from .nodes import (
    DYNAMIC,
    INFINITE,
    LOOSE,
    UNSAFE,
    Align,
    Annotated,
    Brackets,
    Cat,
    Doc,
    Dynamic,
    Fill,
    Flat,
    FlatAlt,
    Group,
    Line,
    Nest,
    Reannotated,
    check,
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


DEFAULT = LayoutOptions()


def layout(doc: Doc, options: LayoutOptions = DEFAULT) -> Layout:
    """``doc`` laid out for ``options``, by default 80 columns.

    >>> layout(group("one", line, "two"), LayoutOptions(width=6)).text
    'one\\ntwo'
    """
    pieces, spans, unsafe = _lay_out(check(doc, "layout", "doc"), options)
    if unsafe:
        pieces = [visible(piece) for piece in pieces]
    if options.max_lines is not None:
        pieces, spans = _first_lines(pieces, spans, options.max_lines)
    return Layout(pieces, spans)


def stretches(result: Layout) -> Iterator[tuple[int, int, tuple[object, ...]]]:
    """The pieces, cut wherever an annotation starts or ends: first, last + 1, the annotations.

    Annotations come with the outermost first. The stretches tile the output.
    """
    around: list[tuple[int, object]] = []  # where it ends, annotation
    at, last = 0, len(result.pieces)
    for start, end, annotation in [*result.spans, (last, last, None)]:
        while around and around[-1][0] <= start:
            if around[-1][0] > at:
                yield at, around[-1][0], tuple(mark for _, mark in around)
                at = around[-1][0]
            around.pop()
        if start > at:
            yield at, start, tuple(mark for _, mark in around)
            at = start
        around.append((end, annotation))


def _lay_out(root: Any, options: LayoutOptions) -> tuple[list[str], list[AnnotatedRange], int]:
    """The pieces, the spans, and whether some text is unsafe.

    A broken document is a frame: an iterator over its children, each with the columns that follow
    it up to the next possible line end. ``~n`` says that there is none in this frame, so that the
    columns ``rest`` behind the frame count too. A ``LineEnd`` among the children needs no asking.
    """
    width = options.width
    ribbon = max(1, round(width * options.ribbon))
    stiff = LOOSE | DYNAMIC
    unsafe = UNSAFE if isinstance(root, str) else root.flags
    out: list[str] = []
    put = out.append
    spans: list[Any] = []
    frames: list[Any] = []
    col = start = 0  # the column, and the indentation of the current line
    it: Iterator[Any] = iter(((root, ~0),))
    ind = rest = 0  # of the frame: its indentation, and the columns behind it
    closing: list[Any] | None = None  # the annotations that end with the frame
    while True:
        for x, behind in it:
            kind = type(x)
            if kind is str:
                put(x)
                col += len(x) if x.isascii() else display_width(x)
                continue
            if kind is Line:
                if col == start and start:
                    _trim(out, start)
                put("\n" + " " * ind)
                col = start = ind
                continue
            if kind is LineEnd:
                text, indentation, column = x
                if col == start and start and text[0] == "\n":
                    _trim(out, start)
                put(text)
                start = indentation
                col = column
                continue
            after = behind if behind >= 0 else ~behind + rest
            here = ind
            frame: Iterator[Any] | None = None
            ends: list[Any] | None = None
            while kind is not str:  # peel what has one child
                if not x.flags & stiff:
                    end = col + x.w + after
                    if (end <= width and end <= start + ribbon) or kind is Flat:
                        put_flat(x, put, out, spans)
                        col += x.w
                        break
                elif not x.flags & LOOSE:
                    room = min(width, start + ribbon) - col - after
                    flat = flat_here(x, col, here, INFINITE if kind is Flat else room, width)
                    if flat is not None:
                        flat.append_to(out, spans)
                        col += flat.columns
                        unsafe |= flat.flags
                        break
                if kind is Group or kind is Flat:
                    x = x.doc
                elif kind is Cat and not x.simple:
                    deep = x.inner is not None and x.inner.w > width
                    frame = tower_frame(x, here, width) if deep else cat_frame(x.items)
                    break
                elif kind is Nest:
                    here += x.by
                    if here < 0:
                        here = 0
                    x = x.doc
                elif kind is Align:
                    here = col
                    x = x.doc
                elif kind is Annotated:
                    ends = ends or []
                    ends.append((len(spans), len(out), x.annotation))
                    spans.append(None)
                    x = x.doc
                elif kind is FlatAlt:
                    x = x.broken
                elif kind is Reannotated:
                    ends = ends or []
                    ends.append((len(spans), -1, x.image))
                    x = x.doc
                elif kind is Dynamic:
                    x = resolved(x, col, here, width)
                    unsafe |= UNSAFE if isinstance(x, str) else x.flags
                elif kind is Fill and x.simple:
                    room = min(width, start + ribbon) - col
                    text, column = fill_words(x, here, room, min(width - here, ribbon), after)
                    put(text)
                    if "\n" in text:
                        start = here
                        col = here + column
                    else:
                        col += column
                    break
                else:
                    if kind is Brackets and not x.simple:
                        text, frame = brackets_frame(x, here)
                        here = max(0, here + x.by)
                        column = 0
                    elif kind is Line or x.simple:
                        text, column = broken_lines(x, here)
                    else:
                        frame = frame_of(x, here)
                        break
                    if col == start and start and text[0] == "\n":
                        _trim(out, start)
                    put(text)
                    start = here
                    col = here + column
                    break
                kind = type(x)
            else:
                put(x)
                col += len(x) if x.isascii() else display_width(x)
            if frame is not None:
                frames.append((it, ind, rest, closing))
                it, ind, rest, closing = frame, here, after, ends
                break
            if ends is not None:
                close_annotations(ends, spans, len(out))
        else:
            if closing is not None:
                close_annotations(closing, spans, len(out))
            if not frames:
                return out, spans, unsafe & UNSAFE
            it, ind, rest, closing = frames.pop()


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
