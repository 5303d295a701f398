"""The nodes of a document, and how they are built. The vocabulary to write with is ``algebra``.

A document is a ``str`` (one line of text) or a frozen node. Every node caches, when it is built,
what a layout asks of it, so that 'does this group fit?' costs the same for any size of document:

``w``       columns of the flat form, ``INFINITE`` where a hard line forbids one
``lead``    columns of the broken form before the first place where it may break
``breaks``  whether there is such a place
``flags``   ``ANNOTATED``, ``DYNAMIC``, ``UNSAFE``: what lies anywhere below

Invariant: children are checked and measured when their parent is built; a layout checks nothing.
Invariant: nothing here recurses, so memory alone bounds the depth of a document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias, TypeVar

from .width import display_width

INFINITE = 1 << 40

ANNOTATED = 1
DYNAMIC = 2  # what is below depends on the place; it is measured by the layout
UNSAFE = 4  # some text holds control characters


class Node:
    """A document that is more than a text. Frozen once built."""

    __slots__ = ("breaks", "flags", "lead", "w")

    w: int
    lead: int
    breaks: bool
    flags: int

    def __add__(self, other: Doc) -> Doc:
        return cat_of((self, other), "+")

    def __radd__(self, other: Doc) -> Doc:
        return cat_of((other, self), "+")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a document has no text before its layout: concatenate it instead")

    def __repr__(self) -> str:
        size = "never flat" if self.w >= INFINITE else f"{self.w} columns"
        return f"<{type(self).__name__}: {size}>"


Doc: TypeAlias = str | Node


class Line(Node):
    """A line end; in a flat group the text ``flat``, where ``None`` forbids a flat group."""

    __slots__ = ("flat",)
    flat: str | None


class Cat(Node):
    """``items`` one after the other; ``simple`` when all of them are text or lines."""

    __slots__ = ("items", "simple")
    items: tuple[Doc, ...]
    simple: bool


class Join(Node):
    """``items`` with ``separator`` and ``line`` between any two; ``atomic`` when all are text, none empty."""

    __slots__ = ("atomic", "items", "line", "separator")
    items: tuple[Doc, ...]
    separator: str
    line: Line
    atomic: bool


class Fill(Join):
    """As ``Join``, but every line breaks by itself, where the next item would not fit."""

    __slots__ = ()


class Group(Node):
    """``doc`` flat if that fits on the line, else broken."""

    __slots__ = ("doc",)
    doc: Doc


class Nest(Node):
    """``doc`` with the indentation of its new lines raised by ``by``."""

    __slots__ = ("by", "doc")
    by: int
    doc: Doc


class Align(Node):
    """``doc`` with its new lines starting in the column where it starts itself."""

    __slots__ = ("doc",)
    doc: Doc


class FlatAlt(Node):
    """``flat`` in a flat group, else ``broken``."""

    __slots__ = ("broken", "flat")
    broken: Doc
    flat: Doc


class Annotated(Node):
    """``doc``, marked with a value for renderers and source maps."""

    __slots__ = ("annotation", "doc")
    annotation: object
    doc: Doc


class Reannotated(Node):
    """``doc`` with ``image`` applied to every annotation inside; the image ``None`` removes it."""

    __slots__ = ("doc", "image")
    image: Callable[[Any], object]
    doc: Doc


class Dynamic(Node):
    """What ``function`` makes of the place: ``reads`` is "column", "nesting" or "page_width"."""

    __slots__ = ("function", "reads")
    reads: str
    function: Callable[[int], Doc]


def line_of(flat: str | None) -> Line:
    """A line end that a flat group shows as ``flat``."""
    node = _Line()
    node.flat = flat
    node.w = INFINITE if flat is None else len(flat)
    node.lead = node.flags = 0
    node.breaks = True
    node.__class__ = Line
    return node


def cat_of(docs: tuple[Doc, ...], where: str) -> Doc:
    """The concatenation of ``docs``; ``where`` names the combinator in errors."""
    if len(docs) == 1:
        return check(docs[0], where)
    w = lead = flags = 0
    breaks = False
    simple = True
    try:
        for doc in docs:
            if isinstance(doc, str):
                if doc.isascii() and doc.isprintable():
                    n = len(doc)
                else:
                    n, unsafe = _measure(doc, where)
                    flags |= unsafe
                w += n
                if not breaks:
                    lead += n
            else:
                w += doc.w
                if doc.__class__ is Line:
                    breaks = True
                    continue
                simple = False
                flags |= doc.flags
                if not breaks:
                    lead += doc.lead
                    breaks = doc.breaks
    except AttributeError:
        raise _wrong_type(docs, where) from None
    if simple and not breaks:
        return "".join(docs)  # type: ignore[arg-type]  # simple and without lines: all are text
    node = _Cat()
    node.items = docs
    node.simple = simple
    node.w = w if w < INFINITE else INFINITE
    node.lead = lead
    node.breaks = breaks
    node.flags = flags
    node.__class__ = Cat
    return node


def join_of(docs: tuple[Doc, ...], separator: str, line: Line, where: str) -> Doc:
    """``docs`` with ``separator`` and ``line`` between any two."""
    return _joined(_Join, Join, docs, separator, line, where)


def fill_of(docs: tuple[Doc, ...], separator: str, line: Line, where: str) -> Doc:
    """``docs`` with ``separator`` and ``line`` between, as many on each line as fit."""
    return _joined(_Fill, Fill, docs, separator, line, where)


def group_of(doc: Doc) -> Doc:
    """``doc``, flat if it fits. Text, groups and what can't be flat are returned as they are."""
    if isinstance(doc, str) or doc.__class__ is Group or doc.w >= INFINITE:
        return doc
    node = _Group()
    node.doc = doc
    node.w = doc.w
    node.lead = doc.lead
    node.breaks = doc.breaks
    node.flags = doc.flags
    node.__class__ = Group
    return node


def nest_of(by: int, doc: Doc) -> Doc:
    """``doc`` indented by ``by`` more; without a line in it, ``doc`` itself."""
    if isinstance(doc, str) or not doc.breaks or not by:
        return doc
    node = _Nest()
    node.by = by
    node.doc = doc
    node.w = doc.w
    node.lead = doc.lead
    node.breaks = True
    node.flags = doc.flags
    node.__class__ = Nest
    return node


def align_of(doc: Doc) -> Doc:
    """``doc`` indented to its first column; without a line in it, ``doc`` itself."""
    if isinstance(doc, str) or not doc.breaks:
        return doc
    node = _Align()
    node.doc = doc
    node.w = doc.w
    node.lead = doc.lead
    node.breaks = True
    node.flags = doc.flags
    node.__class__ = Align
    return node


def flat_alt_of(broken: Doc, flat: Doc) -> Doc:
    """``flat`` in a flat group, else ``broken``; both checked by the caller."""
    node = _FlatAlt()
    node.broken = broken
    node.flat = flat
    _, node.lead, node.breaks, flags = _facts(broken)
    node.w, _, _, more = _facts(flat)
    node.flags = flags | more
    node.__class__ = FlatAlt
    return node


def annotated_of(annotation: object, doc: Doc) -> Doc:
    """``doc``, marked."""
    node = _Annotated()
    node.annotation = annotation
    node.doc = doc
    if isinstance(doc, str):
        node.breaks = False
        if doc.isascii() and doc.isprintable():
            node.w = node.lead = len(doc)
            node.flags = ANNOTATED
        else:
            node.w, unsafe = _measure(doc, "annotate")
            node.lead = node.w
            node.flags = ANNOTATED | unsafe
    else:
        node.w = doc.w
        node.lead = doc.lead
        node.breaks = doc.breaks
        node.flags = doc.flags | ANNOTATED
    node.__class__ = Annotated
    return node


def reannotated_of(image: Callable[[Any], object], doc: Doc) -> Doc:
    """``doc`` with its annotations replaced; without one, ``doc`` itself."""
    if isinstance(doc, str) or not doc.flags & (ANNOTATED | DYNAMIC):
        return doc
    node = _Reannotated()
    node.image = image
    node.doc = doc
    node.w, node.lead, node.breaks, node.flags = _facts(doc)
    node.__class__ = Reannotated
    return node


def dynamic_of(reads: str, function: Callable[[int], Doc]) -> Doc:
    """What ``function`` makes of the place. What goes before it may count on a break here."""
    node = _Dynamic()
    node.reads = reads
    node.function = function
    node.w = node.lead = 0
    node.breaks = True
    node.flags = DYNAMIC
    node.__class__ = Dynamic
    return node


def check(doc: Doc, where: str, argument: str = "") -> Doc:
    """``doc`` if it is a document; else a ``TypeError`` or ``ValueError`` naming the argument."""
    if isinstance(doc, str):
        if not doc.isprintable():
            _measure(doc, where)
        return doc
    if isinstance(doc, Node):
        return doc
    raise _wrong_type((doc,), where, argument)


N = TypeVar("N", bound=Node)


def _draft(kind: type[N]) -> type[N]:
    """A class with the layout of ``kind`` whose attributes can be set.

    A builder fills in a draft and then turns it into the frozen class, which costs 30 ns; frozen
    classes that are filled in through ``object.__setattr__`` cost ten times that.
    """
    namespace = {"__slots__": kind.__slots__, "__setattr__": object.__setattr__}
    return type(kind.__name__, kind.__bases__, namespace)


_Line, _Cat, _Join, _Fill = _draft(Line), _draft(Cat), _draft(Join), _draft(Fill)
_Group, _Nest, _Align, _FlatAlt = _draft(Group), _draft(Nest), _draft(Align), _draft(FlatAlt)
_Annotated, _Reannotated = _draft(Annotated), _draft(Reannotated)
_Dynamic = _draft(Dynamic)


def _joined(
    draft: type[Join],
    kind: type[Join],
    docs: tuple[Doc, ...],
    separator: str,
    line: Line,
    where: str,
) -> Doc:
    if len(docs) < 2:
        return check(docs[0], where) if docs else ""
    between, flags = _measure(separator, where)
    all_text = {*map(type, docs)} == {str}
    if all_text and (text := "".join(docs)).isascii() and text.isprintable():  # type: ignore[arg-type]
        w = len(text)
    else:
        w = 0
        try:
            for doc in docs:
                if isinstance(doc, str):
                    n, unsafe = _measure(doc, where)
                    w += n
                    flags |= unsafe
                else:
                    w += doc.w
                    flags |= doc.flags
        except AttributeError:
            raise _wrong_type(docs, where) from None
    w += (between + line.w) * (len(docs) - 1)
    _, lead, breaks, _ = _facts(docs[0])
    node = draft()
    node.items = docs
    node.separator = separator
    node.line = line
    node.atomic = all_text and "" not in docs
    node.w = w if w < INFINITE else INFINITE
    node.lead = lead if breaks else lead + between
    node.breaks = True
    node.flags = flags
    node.__class__ = kind
    return node


def _facts(doc: Doc) -> tuple[int, int, bool, int]:
    if isinstance(doc, str):
        n, unsafe = _measure(doc, "text")
        return n, n, False, unsafe
    return doc.w, doc.lead, doc.breaks, doc.flags


def _measure(text: str, where: str) -> tuple[int, int]:
    """The columns of ``text``, and ``UNSAFE`` if it holds what must not reach a terminal."""
    if text.isprintable():
        return len(text) if text.isascii() else display_width(text), 0
    if "\n" in text or "\r" in text:
        raise ValueError(
            f"{where}: a text is one line, and {shortened(text)} is more; "
            "put hardline between lines, or use text_lines()"
        )
    return display_width(text), UNSAFE


def _wrong_type(docs: Sequence[object], where: str, argument: str = "") -> TypeError:
    for index, doc in enumerate(docs):
        if not isinstance(doc, str | Node):
            name = argument or f"argument {index + 1}"
            return TypeError(
                f"{where}: {name} must be a document (str or Doc), "
                f"not {type(doc).__name__} {shortened(doc)}; pretty() makes a document of any value"
            )
    raise AssertionError("every argument is a document")


def shortened(value: object) -> str:
    """A short ``repr`` for error messages, for any value at all."""
    try:
        text = repr(value)
    except Exception as error:
        return f"(its repr raises {type(error).__name__})"
    return text if len(text) <= 40 else text[:38] + "…"
