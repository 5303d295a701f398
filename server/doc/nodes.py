"""The nodes of a document, and how they are built. The vocabulary to write with is ``algebra``.

A document is a ``str`` (one line of text) or a frozen node. Every node caches, when it is built,
what a layout asks of it, so that 'does this group fit?' costs the same for any size of document:

``w``       columns of the flat form, ``INFINITE`` where a hard line forbids one
``lead``    columns of the broken form before the first place where it may break
``breaks``  whether there is such a place
``flags``   ``ANNOTATED``, ``DYNAMIC``, ``UNSAFE``, ``LOOSE``: what lies below

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
LOOSE = 8  # a line or an alternative is outside of every group: broken differs from flat


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
    """``items`` one after the other; ``simple`` if all of them are text or lines."""

    __slots__ = ("items", "simple")
    items: tuple[Doc, ...]
    simple: bool


class Join(Node):
    """``items`` with ``separator`` and ``line`` between any two.

    ``simple``: all are text, and none is empty.
    """

    __slots__ = ("items", "line", "separator", "simple")
    items: tuple[Doc, ...]
    separator: str
    line: Line
    simple: bool


class Fill(Join):
    """As ``Join``, but every line breaks by itself, where the next item would not fit."""

    __slots__ = ()


class Brackets(Join):
    """``items`` joined between ``left`` and ``right``, as a group: the bulk form of brackets.

    Broken, its lines are indented by ``by``, but ``right`` stands where the group does.
    """

    __slots__ = ("by", "left", "right")
    left: str
    right: str
    by: int


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


class Flat(Node):
    """The flat form of ``doc``, fit or not."""

    __slots__ = ("doc",)
    doc: Node


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
    node.lead = 0
    node.flags = LOOSE
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
    doc: Any
    try:
        for doc in docs:  # the hot loop of building: a document is asked once for each fact
            kind = doc.__class__
            if kind is str:
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
                flags |= doc.flags
                if kind is Line:
                    breaks = True
                    continue
                simple = False
                if not breaks:
                    lead += doc.lead
                    breaks = doc.breaks
    except AttributeError:
        return cat_of(_plain(docs, where), where)
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
    if len(docs) < 2:
        return check(docs[0], where) if docs else ""
    node = _Join()
    _join(node, docs, separator, _measure(separator, where), line, where)
    node.flags |= LOOSE
    node.__class__ = Join
    return node


def fill_of(docs: tuple[Doc, ...], separator: str, line: Line, where: str) -> Doc:
    """``docs`` with ``separator`` and ``line`` between, as many on each line as fit."""
    if len(docs) < 2:
        return check(docs[0], where) if docs else ""
    node = _Fill()
    _join(node, docs, separator, _measure(separator, where), line, where)
    node.__class__ = Fill
    return node


def brackets_of(
    left: str, docs: tuple[Doc, ...], right: str, separator: str, line: Line, by: int
) -> Doc:
    """A group of ``left``, ``docs`` joined, and ``right``; there is at least one document."""
    node = _Brackets()
    if left.isascii() and right.isascii() and (ends := left + right).isprintable():
        n, both, unsafe = len(left), len(ends), 0
    else:
        n, unsafe = _measure(left, "encloses")
        both, also = _measure(right, "encloses")
        both += n
        unsafe |= also
    _join(node, docs, separator, _measure(separator, "encloses"), line, "encloses")
    node.left = left
    node.right = right
    node.by = by
    node.w += both
    node.lead = n
    node.flags = (node.flags | unsafe) & ~LOOSE
    node.__class__ = Brackets
    return node


def group_of(doc: Doc, where: str = "group") -> Doc:
    """``doc``, flat if it fits. What is so already, or never flat, is returned as it is."""
    if isinstance(doc, str) or not isinstance(doc, Node):
        return check(doc, where)
    w = doc.w
    flags = doc.flags
    if not flags & LOOSE or w >= INFINITE:
        return doc
    node = _Group()
    node.doc = doc
    node.w = w
    node.lead = doc.lead
    node.breaks = doc.breaks
    node.flags = flags - LOOSE
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


def flat_of(doc: Doc) -> Doc:
    """``doc`` never broken. A ``ValueError`` if there is a hard line in it."""
    if isinstance(doc, str) or doc.__class__ is Flat:
        return doc
    if doc.w >= INFINITE:
        raise ValueError("flat: docs hold a hard line, which has no flat form")
    node = _Flat()
    node.doc = doc
    node.w = doc.w
    node.breaks = bool(doc.flags & DYNAMIC)
    node.lead = 0 if node.breaks else doc.w
    node.flags = doc.flags & ~LOOSE
    node.__class__ = Flat
    return node


def flat_alt_of(broken: Doc, flat: Doc) -> Doc:
    """``flat`` in a flat group, else ``broken``; both checked by the caller."""
    node = _FlatAlt()
    node.broken = broken
    node.flat = flat
    _, node.lead, node.breaks, flags = _facts(broken)
    node.w, _, _, more = _facts(flat)
    node.flags = flags | more | LOOSE
    node.__class__ = FlatAlt
    return node


def annotated_of(annotation: object, doc: Doc) -> Doc:
    """``doc``, marked; nothing is not."""
    node = _Annotated()
    node.annotation = annotation
    if isinstance(doc, str):
        if not doc:
            return ""
        doc = doc if doc.__class__ is str else str.__str__(doc)
        node.breaks = False
        if doc.isascii() and doc.isprintable():
            node.w = node.lead = len(doc)
            node.flags = ANNOTATED
        else:
            node.w, unsafe = _measure(doc, "annotate")
            node.lead = node.w
            node.flags = ANNOTATED | unsafe
    else:
        try:
            node.w = doc.w
        except AttributeError:
            raise _wrong_type((doc,), "annotate") from None
        node.lead = doc.lead
        node.breaks = doc.breaks
        node.flags = doc.flags | ANNOTATED
    node.doc = doc
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
    node.flags = DYNAMIC | LOOSE
    node.__class__ = Dynamic
    return node


def check(doc: Doc, where: str, argument: str = "") -> Doc:
    """``doc`` if it is a document; else a ``TypeError`` or ``ValueError`` naming the argument."""
    if isinstance(doc, str):
        if not doc.isprintable():
            _measure(doc, where)
        return doc if doc.__class__ is str else str.__str__(doc)
    if isinstance(doc, Node):
        return doc
    raise _wrong_type((doc,), where, argument)


N = TypeVar("N", bound=Node)


def _draft(kind: type[N]) -> type[N]:
    """A class with the layout of ``kind`` whose attributes can be set.

    A builder fills in a draft and then turns it into the frozen class, which costs 30 ns; frozen
    classes that are filled in through ``object.__setattr__`` cost ten times that.
    """
    free = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(kind.__name__, kind.__bases__, {"__slots__": kind.__slots__, **free})


_Line, _Cat, _Join, _Fill = _draft(Line), _draft(Cat), _draft(Join), _draft(Fill)
_Brackets = _draft(Brackets)
_Group, _Nest, _Align, _FlatAlt = _draft(Group), _draft(Nest), _draft(Align), _draft(FlatAlt)
_Flat, _Annotated, _Reannotated = _draft(Flat), _draft(Annotated), _draft(Reannotated)
_Dynamic = _draft(Dynamic)


def _join(
    node: Join,
    docs: tuple[Doc, ...],
    separator: str,
    measured: tuple[int, int],
    line: Line,
    where: str,
) -> None:
    """Fill in what all joins have."""
    between, flags = measured
    w = (between + line.w) * (len(docs) - 1)
    simple = True
    doc: Any
    try:
        for doc in docs:
            if doc.__class__ is str:
                if doc.isascii() and doc.isprintable():
                    w += len(doc)
                else:
                    n, unsafe = _measure(doc, where)
                    w += n
                    flags |= unsafe
            else:
                simple = False
                w += doc.w
                flags |= doc.flags
    except AttributeError:
        _join(node, _plain(docs, where), separator, measured, line, where)
        return
    first = docs[0]
    node.items = docs
    node.separator = separator
    node.line = line
    node.simple = simple and "" not in docs
    node.w = w if w < INFINITE else INFINITE
    if isinstance(first, str) or not first.breaks:
        node.lead = between + (display_width(first) if isinstance(first, str) else first.lead)
    else:
        node.lead = first.lead
    node.breaks = True
    node.flags = flags


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


def _plain(docs: tuple[Doc, ...], where: str) -> tuple[Doc, ...]:
    """``docs`` with texts of subclasses of ``str`` as texts; the errors of those that are none."""
    for doc in docs:
        if not isinstance(doc, str | Node):
            raise _wrong_type(docs, where)
    return tuple([check(doc, where) for doc in docs])


def _wrong_type(docs: Sequence[object], where: str, argument: str = "") -> TypeError:
    for index, doc in enumerate(docs):
        if not isinstance(doc, str | Node):
            name = argument or f"docs[{index}]"
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
