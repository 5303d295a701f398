"""The nodes of a document. ``build`` makes them, and ``algebra`` is the vocabulary to write with.

A document is a ``str`` (one line of text) or a frozen node. Every node caches, when it is built,
what a layout asks of it, so that 'does this group fit?' costs the same for any size of document:

``w``       columns of the flat form, ``INFINITE`` where a hard line forbids one
``lead``    columns of the broken form before the first place where it may break; ``~columns`` of
            all of it if there is none
``flags``   ``ANNOTATED``, ``DYNAMIC``, ``UNSAFE``, ``LOOSE``: what lies below

A document that is not ``LOOSE`` is a group: it is laid out flat if that fits. So a group of several
documents costs no node of its own.

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
LOOSE = 8  # not a group: a line or an alternative is outside of all groups in it


class Node:
    """A document that is more than a text. Frozen once built."""

    __slots__ = ("flags", "lead", "w")

    w: int
    lead: int
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
    """``items`` one after the other; ``simple`` if all of them are text or lines.

    ``inner`` is the one that is neither, if there is just one and it is a ``Cat`` too.
    """

    __slots__ = ("inner", "items", "simple")
    items: tuple[Doc, ...]
    simple: bool
    inner: Cat | None


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


def cat_of(docs: tuple[Doc, ...], where: str, grouped: bool = False) -> Doc:
    """The concatenation of ``docs``, perhaps as a group; ``where`` names the caller in errors."""
    if len(docs) == 1 and not grouped:
        return check(docs[0], where)
    w = flags = parts = 0
    lead = -1  # until there is a break
    wider = 0  # columns that broken forms before it have more than flat ones
    doc: Any
    part: Any = None
    try:
        for doc in docs:  # the hot loop of building: a document is asked once for each fact
            kind = type(doc)
            if kind is str:
                if doc.isascii() and doc.isprintable():
                    w += len(doc)
                else:
                    n, unsafe = measure(doc, where)
                    w += n
                    flags |= unsafe
            elif kind is Line:
                if lead < 0:
                    lead = w + wider
                w += doc.w
                flags |= LOOSE
            else:
                if lead < 0:
                    ahead = doc.lead
                    if ahead >= 0:
                        lead = w + wider + ahead
                    else:
                        wider += ~ahead - doc.w
                w += doc.w
                flags |= doc.flags
                part = doc
                parts += 1
    except AttributeError:
        return cat_of(plain(docs, where), where, grouped)
    if not parts and lead < 0:
        return "".join(docs)  # type: ignore[arg-type]  # neither parts nor lines: all are text
    node = _Cat()
    node.items = docs
    node.simple = not parts
    node.inner = part if parts == 1 and type(part) is Cat else None
    node.w = w if w < INFINITE else INFINITE
    node.lead = lead if lead >= 0 else ~(w + wider)
    node.flags = flags & ~LOOSE if grouped else flags
    node.__class__ = Cat
    return node


def check(doc: Doc, where: str, argument: str = "") -> Doc:
    """``doc`` if it is a document; else a ``TypeError`` or ``ValueError`` naming the argument."""
    if isinstance(doc, str):
        if not doc.isprintable():
            measure(doc, where)
        return doc if type(doc) is str else str.__str__(doc)
    if isinstance(doc, Node):
        return doc
    raise wrong_type((doc,), where, argument)


N = TypeVar("N", bound=Node)


def draft(kind: type[N]) -> type[N]:
    """A class with the layout of ``kind`` whose attributes can be set.

    A builder fills in a draft and then turns it into the frozen class, which costs 30 ns; frozen
    classes that are filled in through ``object.__setattr__`` cost ten times that.
    """
    free = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(kind.__name__, kind.__bases__, {"__slots__": kind.__slots__, **free})


_Cat = draft(Cat)


def measure(text: str, where: str) -> tuple[int, int]:
    """The columns of ``text``, and ``UNSAFE`` if it holds what must not reach a terminal."""
    if text.isprintable():
        return len(text) if text.isascii() else display_width(text), 0
    if "\n" in text or "\r" in text:
        raise ValueError(
            f"{where}: a text is one line, and {shortened(text)} is more; "
            "put hardline between lines, or use text_lines()"
        )
    return display_width(text), UNSAFE


def plain(docs: tuple[Doc, ...], where: str) -> tuple[Doc, ...]:
    """``docs`` with texts of subclasses of ``str`` as texts; the errors of those that are none."""
    for doc in docs:
        if not isinstance(doc, str | Node):
            raise wrong_type(docs, where)
    return tuple([check(doc, where) for doc in docs])


def wrong_type(docs: Sequence[object], where: str, argument: str = "") -> TypeError:
    """The error that names the first of ``docs`` that is no document."""
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
