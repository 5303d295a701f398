"""The vocabulary of documents, after Wadler, Leijen and Lindig, with their standard names.

A document describes all its layouts at once: where a line may end, what belongs together, how far
new lines are indented. ``layout`` then picks one for a width. A ``str`` is a document: one line.

>>> call = group("f(", nest(2, softline, sep(punctuate(",", ["alpha", "beta"]))), softline, ")")
>>> show(call, 20)
f(alpha, beta)
>>> show(call, 10)
f(
  alpha,
  beta
)

Combinators of one document take several and concatenate them; those of many take an iterable.
Each checks its arguments when it is called: a wrong type or a text of several lines fails there,
and the error names the argument. ``docs/doc-algebra.md`` teaches the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from .build import (
    align_of,
    annotated_of,
    brackets_of,
    dynamic_of,
    fill_of,
    flat_alt_of,
    flat_of,
    group_of,
    join_of,
    line_of,
    nest_of,
    reannotated_of,
)
from .nodes import Cat, Doc, Line, Node, cat_of, check

line = line_of(" ")
"""A line end, or a blank in a flat group."""

softline = line_of("")
"""A line end, or nothing in a flat group."""

hardline = line_of(None)
"""A line end always: the groups around it can't be flat."""


def text(content: str) -> Doc:
    """``content`` as a document, checked to be one line.

    >>> show(text("one line"), 80, 5)
    one line
    one line
    """
    if not isinstance(content, str):
        raise TypeError(f"text: content must be a str, not {type(content).__name__}")
    return check(content, "text", "content")


def text_lines(content: str) -> Doc:
    """A text of any number of lines, with a hard line between them.

    >>> show(nest(2, text_lines("def f():\\n  pass")), 80, 5)
    def f():
        pass
    def f():
        pass
    """
    return vcat(content.splitlines())


def concat(*docs: Doc) -> Doc:
    """One after the other, with nothing between. ``a + b`` is the same for two.

    >>> show(concat("x", " @ ", "W"), 80, 3)
    x @ W
    x @ W
    """
    return cat_of(docs, "concat")


def group(*docs: Doc) -> Doc:
    """Flat if it fits on the line together with what follows up to the next line, else broken.

    >>> doc = group("alpha", line, "beta")
    >>> show(doc, 10, 9)
    alpha beta
    alpha
    beta
    """
    if len(docs) == 1:
        return group_of(docs[0])
    return cat_of(docs, "group", True)


def nest(by: int, *docs: Doc) -> Doc:
    """With new lines indented by ``by`` columns more (less, if negative).

    >>> doc = group("let", nest(2, line, "x = 1"))
    >>> show(doc, 9, 8)
    let x = 1
    let
      x = 1
    """
    return nest_of(_whole(by, "nest"), cat_of(docs, "nest"))


def align(*docs: Doc) -> Doc:
    """With new lines starting in the column where it starts itself.

    >>> doc = "say " + align(group("one", line, "two"))
    >>> show(doc, 11, 10)
    say one two
    say one
        two
    """
    return align_of(cat_of(docs, "align"))


def hang(by: int, *docs: Doc) -> Doc:
    """With new lines ``by`` columns right of the one where it starts itself.

    >>> doc = "say " + hang(2, group("one", line, "two"))
    >>> show(doc, 11, 10)
    say one two
    say one
          two
    """
    return align_of(nest_of(_whole(by, "hang"), cat_of(docs, "hang")))


def indent(by: int, *docs: Doc) -> Doc:
    """As a block ``by`` columns further right: its first line as well as the new ones.

    >>> doc = indent(2, group("one", line, "two"))
    >>> show(doc, 9, 8)
      one two
      one
      two
    """
    whole = cat_of(docs, "indent")
    return align_of(nest_of(by, cat_of((" " * _whole(by, "indent"), whole), "indent")))


def flat(*docs: Doc) -> Doc:
    """On one line, fit or not. A ``ValueError`` if there is a hard line in it.

    >>> doc = flat("alpha", line, "beta")
    >>> show(doc, 10, 9)
    alpha beta
    alpha beta
    """
    return flat_of(cat_of(docs, "flat"))


def flat_alt(broken: Doc, flat: Doc) -> Doc:
    """``flat`` in a flat group, else ``broken``.

    >>> doc = group("[", softline, "1, 2", flat_alt(",", ""), softline, "]")
    >>> show(doc, 6, 5)
    [1, 2]
    [
    1, 2,
    ]
    """
    return flat_alt_of(check(broken, "flat_alt", "broken"), check(flat, "flat_alt", "flat"))


def hsep(docs: Iterable[Doc]) -> Doc:
    """Side by side with a blank between, never broken.

    >>> show(hsep(["one", "two"]), 80, 3)
    one two
    one two
    """
    items = tuple(_items(docs, "hsep"))
    for item in items:
        if type(item) is not str:
            return cat_of(_between(items, " "), "hsep")
    return check(" ".join(items), "hsep")  # type: ignore[arg-type]  # all are str


def vsep(docs: Iterable[Doc]) -> Doc:
    """One below the other; side by side with a blank between in a flat group.

    >>> show(vsep(["one", "two"]), 80)
    one
    two
    >>> show(group(vsep(["one", "two"])), 80, 6)
    one two
    one
    two
    """
    return _joined(join_of, docs, line, "vsep")


def sep(docs: Iterable[Doc]) -> Doc:
    """Side by side with a blank between if that fits, else one below the other.

    >>> show(sep(["one", "two"]), 7, 6)
    one two
    one
    two
    """
    return _joined(join_of, docs, line, "sep", True)


def hcat(docs: Iterable[Doc]) -> Doc:
    """Side by side with nothing between: ``concat`` for an iterable.

    >>> show(hcat(["one", "two"]), 80, 3)
    onetwo
    onetwo
    """
    return cat_of(tuple(_items(docs, "hcat")), "hcat")


def vcat(docs: Iterable[Doc]) -> Doc:
    """One below the other, always.

    >>> show(group(vcat(["one", "two"])), 80, 3)
    one
    two
    one
    two
    """
    return _joined(join_of, docs, hardline, "vcat")


def cat(docs: Iterable[Doc]) -> Doc:
    """Side by side with nothing between if that fits, else one below the other.

    >>> show(cat(["one", "two"]), 6, 5)
    onetwo
    one
    two
    """
    return _joined(join_of, docs, softline, "cat", True)


def fill_sep(docs: Iterable[Doc]) -> Doc:
    """As many on each line as fit, with a blank or a line end between: a paragraph.

    >>> words = fill_sep("never a wall of numbers".split())
    >>> show(words, 23, 12)
    never a wall of numbers
    never a wall
    of numbers
    """
    return fill(docs)


def fill(docs: Iterable[Doc], separator: Doc = line) -> Doc:
    """As many on each line as fit, ``separator`` between: a line, or a document that ends in one.

    >>> numbers = fill(["10", "20", "30"], "," + line)
    >>> show(numbers, 10, 7)
    10, 20, 30
    10, 20,
    30
    """
    items = _items(docs, "fill")
    if isinstance(separator, Line):
        build = join_of if separator.flat is None else fill_of
        return _joined(build, items, separator, "fill")
    check(separator, "fill", "separator")
    if isinstance(separator, Cat) and separator.simple and len(separator.items) == 2:
        before, end = separator.items
        if isinstance(before, str) and isinstance(end, Line) and end.flat is not None:
            return fill_of(tuple(items), before, end, "fill")
    return cat_of(_between(items, group_of(separator)), "fill")


def punctuate(separator: Doc, docs: Iterable[Doc]) -> Sequence[Doc]:
    """``docs`` with ``separator`` behind each but the last, to be set by ``sep``, ``vsep`` ...

    >>> doc = sep(punctuate(",", ["one", "two"]))
    >>> show(doc, 8, 7)
    one, two
    one,
    two
    """
    check(separator, "punctuate", "separator")
    return _Punctuated(separator, tuple(_items(docs, "punctuate")))


def encloses(left: Doc, docs: Iterable[Doc], right: Doc, separator: str = ",", by: int = 2) -> Doc:
    """A bracketed list: on one line if it fits, else an item a line, indented by ``by``.

    >>> doc = encloses("[", ["one", "two"], "]")
    >>> show(doc, 10, 9)
    [one, two]
    [
      one,
      two
    ]
    """
    items = tuple(_items(docs, "encloses"))
    if not items:
        return cat_of((left, right), "encloses")
    if not isinstance(separator, str):
        raise TypeError(f"encloses: separator must be a str, not {type(separator).__name__}")
    if isinstance(left, str) and isinstance(right, str):
        return brackets_of(left, items, right, separator, line, _whole(by, "encloses"))
    body = nest_of(by, cat_of((softline, join_of(items, separator, line, "encloses")), "encloses"))
    return cat_of((left, body, softline, right), "encloses", grouped=True)


def annotate(annotation: object, *docs: Doc) -> Doc:
    """Marked with any value, which renderers and source maps read; the layout is the same.

    >>> doc = annotate("a name", group("alpha", line, "beta"))
    >>> show(doc, 10, 9)
    alpha beta
    alpha
    beta
    """
    return annotated_of(annotation, docs[0] if len(docs) == 1 else cat_of(docs, "annotate"))


def reannotate(image: Callable[[Any], object], *docs: Doc) -> Doc:
    """With ``image`` applied to each annotation inside; one whose image is ``None`` goes.

    >>> doc = reannotate(str.upper, annotate("a name", group("alpha", line, "beta")))
    >>> show(doc, 10, 9)
    alpha beta
    alpha
    beta
    >>> layout(doc).spans
    [(0, 1, 'A NAME')]
    """
    if not callable(image):
        raise TypeError(f"reannotate: image must be callable, not {type(image).__name__}")
    return reannotated_of(image, cat_of(docs, "reannotate"))


def column(function: Callable[[int], Doc]) -> Doc:
    """The document that ``function`` makes of the current column (from 0).

    >>> pad = "x" + column(lambda now: " " * (6 - now)) + "# note"
    >>> show(pad, 80, 5)
    x     # note
    x     # note
    """
    return dynamic_of("column", _callable(function, "column"))


def nesting(function: Callable[[int], Doc]) -> Doc:
    """The document that ``function`` makes of the current indentation.

    >>> doc = "at" + group(nest(2, line, nesting(lambda by: f"indentation {by}")))
    >>> show(doc, 16, 15)
    at indentation 2
    at
      indentation 2
    """
    return dynamic_of("nesting", _callable(function, "nesting"))


def page_width(function: Callable[[int], Doc]) -> Doc:
    """The document that ``function`` makes of the width it is laid out for.

    >>> rule = page_width(lambda width: "─" * width)
    >>> show(rule, 8, 4)
    ────────
    ────
    """
    return dynamic_of("page_width", _callable(function, "page_width"))


class _Punctuated(Sequence[Doc]):
    """What ``punctuate`` returns: lazily, so that lists can join in bulk instead."""

    def __init__(self, separator: Doc, items: tuple[Doc, ...]) -> None:
        self.separator = separator
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Doc: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Doc]: ...
    def __getitem__(self, index: int | slice) -> Doc | Sequence[Doc]:
        return tuple(self)[index]

    def __iter__(self) -> Iterator[Doc]:
        for item in self.items[:-1]:
            yield cat_of((item, self.separator), "punctuate")
        yield from self.items[-1:]


def _joined(
    build: Callable[..., Doc], docs: Iterable[Doc], between: Line, where: str, *grouped: bool
) -> Doc:
    if isinstance(docs, _Punctuated) and isinstance(docs.separator, str):
        return build(docs.items, docs.separator, between, where, *grouped)
    return build(tuple(_items(docs, where)), "", between, where, *grouped)


def _items(docs: Iterable[Doc], where: str) -> Iterable[Doc]:
    if type(docs) is list or type(docs) is tuple:  # the usual case, without the slow test below
        return docs
    if isinstance(docs, str | Node) or not isinstance(docs, Iterable):
        raise TypeError(
            f"{where}: docs must be an iterable of documents, not one {type(docs).__name__}"
        )
    return docs


def _between(docs: Iterable[Doc], separator: Doc) -> tuple[Doc, ...]:
    items = tuple(docs)
    both = [separator] * (2 * len(items) - 1) if items else []
    both[::2] = items
    return tuple(both)


def _callable(function: Callable[[int], Doc], where: str) -> Callable[[int], Doc]:
    if not callable(function):
        raise TypeError(f"{where}: function must be callable, not {type(function).__name__}")
    return function


def _whole(number: int, where: str) -> int:
    if not isinstance(number, int):
        raise TypeError(f"{where}: by must be an int, not {type(number).__name__}")
    return number
