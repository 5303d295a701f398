"""How documents are built: children are checked and measured once, here, and never again.

The vocabulary to write with is ``algebra``; its combinators call these. In errors, ``where`` is the
name of the combinator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .nodes import (
    ANNOTATED,
    DYNAMIC,
    INFINITE,
    LOOSE,
    Align,
    Annotated,
    Brackets,
    Doc,
    Dynamic,
    Fill,
    Flat,
    FlatAlt,
    Group,
    Join,
    Line,
    Nest,
    Node,
    Reannotated,
    cat_of,
    check,
    draft,
    measure,
    plain,
)
from .width import display_width

_Line, _Join, _Fill = draft(Line), draft(Join), draft(Fill)
_Brackets = draft(Brackets)
_Group, _Nest, _Align, _FlatAlt = draft(Group), draft(Nest), draft(Align), draft(FlatAlt)
_Flat, _Annotated, _Reannotated = draft(Flat), draft(Annotated), draft(Reannotated)
_Dynamic = draft(Dynamic)


def line_of(flat: str | None) -> Line:
    """A line end that a flat group shows as ``flat``."""
    node = _Line()
    node.flat = flat
    node.w = INFINITE if flat is None else len(flat)
    node.lead = 0
    node.flags = LOOSE
    node.__class__ = Line
    return node


def join_of(
    docs: tuple[Doc, ...], separator: str, line: Line, where: str, grouped: bool = False
) -> Doc:
    """``docs`` with ``separator`` and ``line`` between any two, perhaps as a group."""
    if len(docs) < 2:
        return group_of(cat_of(docs, where), where) if grouped else cat_of(docs, where)
    node = _Join()
    _join(node, docs, separator, measure(separator, where), line, where)
    node.flags = node.flags & ~LOOSE if grouped else node.flags | LOOSE
    node.__class__ = Join
    return node


def fill_of(docs: tuple[Doc, ...], separator: str, line: Line, where: str) -> Doc:
    """``docs`` with ``separator`` and ``line`` between, as many on each line as fit."""
    if len(docs) < 2:
        return cat_of(docs, where)
    node = _Fill()
    _join(node, docs, separator, measure(separator, where), line, where)
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
        n, unsafe = measure(left, "encloses")
        both, also = measure(right, "encloses")
        both += n
        unsafe |= also
    _join(node, docs, separator, measure(separator, "encloses"), line, "encloses")
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
    node.flags = flags - LOOSE
    node.__class__ = Group
    return node


def nest_of(by: int, doc: Doc) -> Doc:
    """``doc`` indented by ``by`` more; without a line in it, ``doc`` itself."""
    if isinstance(doc, str) or doc.lead < 0 or not by:
        return doc
    node = _Nest()
    node.by = by
    node.doc = doc
    node.w = doc.w
    node.lead = doc.lead
    node.flags = doc.flags
    node.__class__ = Nest
    return node


def align_of(doc: Doc) -> Doc:
    """``doc`` indented to its first column; without a line in it, ``doc`` itself."""
    if isinstance(doc, str) or doc.lead < 0:
        return doc
    node = _Align()
    node.doc = doc
    node.w = doc.w
    node.lead = doc.lead
    node.flags = doc.flags
    node.__class__ = Align
    return node


def flat_of(doc: Doc) -> Doc:
    """``doc`` never broken. A ``ValueError`` if there is a hard line in it."""
    if isinstance(doc, str) or type(doc) is Flat:
        return doc
    if doc.w >= INFINITE:
        raise ValueError("flat: docs hold a hard line, which has no flat form")
    node = _Flat()
    node.doc = doc
    node.w = doc.w
    node.lead = 0 if doc.flags & DYNAMIC else ~doc.w
    node.flags = doc.flags & ~LOOSE
    node.__class__ = Flat
    return node


def flat_alt_of(broken: Doc, flat: Doc) -> Doc:
    """``flat`` in a flat group, else ``broken``; both checked by the caller."""
    node = _FlatAlt()
    node.broken = broken
    node.flat = flat
    _, node.lead, flags = _facts(broken)
    node.w, _, more = _facts(flat)
    node.flags = flags | more | LOOSE
    node.__class__ = FlatAlt
    return node


def annotated_of(annotation: object, doc: Doc) -> Doc:
    """``doc``, marked; nothing is not."""
    node = _Annotated()
    if type(doc) is str:
        if not doc:
            return ""
        if doc.isascii() and doc.isprintable():
            w = len(doc)
            node.flags = ANNOTATED
        else:
            w, unsafe = measure(doc, "annotate")
            node.flags = ANNOTATED | unsafe
        node.w = w
        node.lead = ~w
    elif isinstance(doc, Node):
        node.w = doc.w
        node.lead = doc.lead
        node.flags = doc.flags | ANNOTATED
    else:
        return annotated_of(annotation, check(doc, "annotate"))
    node.annotation = annotation
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
    node.w, node.lead, node.flags = _facts(doc)
    node.__class__ = Reannotated
    return node


def dynamic_of(reads: str, function: Callable[[int], Doc]) -> Doc:
    """What ``function`` makes of the place. What goes before it may count on a break here."""
    node = _Dynamic()
    node.reads = reads
    node.function = function
    node.w = node.lead = 0
    node.flags = DYNAMIC | LOOSE
    node.__class__ = Dynamic
    return node


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
            if type(doc) is str:
                if doc.isascii() and doc.isprintable():
                    w += len(doc)
                else:
                    n, unsafe = measure(doc, where)
                    w += n
                    flags |= unsafe
            else:
                simple = False
                w += doc.w
                flags |= doc.flags
    except AttributeError:
        _join(node, plain(docs, where), separator, measured, line, where)
        return
    first = docs[0]
    node.items = docs
    node.separator = separator
    node.line = line
    node.simple = simple and "" not in docs
    node.w = w if w < INFINITE else INFINITE
    lead = ~display_width(first) if isinstance(first, str) else first.lead
    node.lead = lead if lead >= 0 else between + ~lead
    node.flags = flags


def _facts(doc: Doc) -> tuple[int, int, int]:
    if isinstance(doc, str):
        n, unsafe = measure(doc, "text")
        return n, ~n, unsafe
    return doc.w, doc.lead, doc.flags
