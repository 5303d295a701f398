"""Values through the printers of PyPI ``prettyprinter``, converted to our documents.

Its registry knows the types of the standard library; its layout and renderers are not used. What
its printers would not survive is kept from them: strings are cut before they are quoted, a type
that nobody registered is printed here, and depth grows only while the document stays small.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any, TypeAlias

# prettyprinter has no type information; its objects stay within this module.
from prettyprinter import doctypes as pp  # type: ignore[import-untyped]
from prettyprinter import pretty_call_alt, register_pretty
from prettyprinter.doctypes import normalize_doc  # type: ignore[import-untyped]
from prettyprinter.prettyprinter import (  # type: ignore[import-untyped]
    PrettyContext,
    pretty_int,
    pretty_python_value,
)
from prettyprinter.syntax import Token  # type: ignore[import-untyped]

from .algebra import (
    annotate,
    column,
    concat,
    flat_alt,
    group,
    hardline,
    line,
    nest,
    nesting,
    page_width,
    softline,
)
from .frame import one_line, trimmed
from .nodes import Doc
from .style import Style

Own: TypeAlias = Callable[[object], Doc | None]
"""Prints the values that are ours, and returns ``None`` for others."""

MOST_LEAVES = 300  # texts in the document of one value
MOST_DEPTH = 6
MOST_ITEMS = 10  # of one container
MOST_COLUMNS = 120  # of one string or repr

KEY = "jit_lsp"  # of what we keep in a context of prettyprinter

STYLES = {
    Token.KEYWORD_CONSTANT: Style.KEYWORD,
    Token.LITERAL_STRING: Style.VALUE,
    Token.NUMBER_FLOAT: Style.VALUE,
    Token.NUMBER_INT: Style.VALUE,
}


def foreign(value: object, own: Own) -> Doc:
    """``value`` as a document, as deep as it stays small."""
    doc: Doc = ""
    for depth in range(1, MOST_DEPTH + 1):
        context = PrettyContext(2, depth, max_seq_len=MOST_ITEMS, user_ctx={KEY: own})
        deeper, leaves = _converted(normalize_doc(pretty_python_value(value, context)))
        if depth > 1 and len(leaves) > MOST_LEAVES:
            break
        doc = deeper
        if "..." not in leaves:  # nothing was too deep to be shown
            break
    return doc


@dataclasses.dataclass(frozen=True, slots=True)
class _Ours:
    """The annotation around a document of ours within one of prettyprinter."""

    doc: Doc


@register_pretty(predicate=lambda value: True)  # type: ignore[untyped-decorator]
def _unregistered(value: Any, context: PrettyContext) -> Any:
    """Print a value whose type has no printer in the registry; as ever, if others ask."""
    own: Own | None = context.get(KEY)
    if own is None:
        return repr(value)
    if (doc := own(value)) is not None:
        return pp.Annotated("?", _Ours(doc))
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and context.depth_left:
        fields = [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.repr]
        return pretty_call_alt(context, type(value), kwargs=fields)
    return _shown(value)


@register_pretty(int)  # type: ignore[untyped-decorator]
def _whole_number(value: int, context: PrettyContext) -> Any:
    """Print an ``int`` as ever, but one with more digits than a line has by its size: Python itself
    refuses to write thousands of them. A member of an enumeration is printed by its name."""
    if isinstance(value, enum.Enum) and value.name:
        return f"{type(value).__name__}.{value.name}"
    if context.get(KEY) is None or value.bit_length() <= 3 * MOST_COLUMNS:
        return pretty_int(value, context)
    return pp.Annotated(f"<int of {value.bit_length():,} bits>", Token.NUMBER_INT)


def _shown(value: object) -> str:
    """A short ``repr`` on one line, for any value."""
    try:
        if isinstance(value, str | bytes) and len(value) > MOST_COLUMNS:
            return f"{value[: MOST_COLUMNS // 2]!r}… ({len(value):,} long)"
        return trimmed(one_line(repr(value)[: 10 * MOST_COLUMNS]), MOST_COLUMNS)
    except (Exception, SystemExit) as error:
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def _converted(root: Any) -> tuple[Doc, list[str]]:
    """The document, and its texts. Children are converted before their parents."""
    done: list[Doc] = []
    leaves: list[str] = []
    todo: list[tuple[bool, Any]] = [(False, root)]
    while todo:
        ready, x = todo.pop()
        if ready:
            n = len(_children(x))
            parts, done[len(done) - n :] = done[len(done) - n :], []
            done.append(_node(x, parts))
        elif isinstance(x, str):
            leaves.append(x)
            done.append(x if x.isprintable() else one_line(x))
        elif isinstance(x, pp.Contextual):
            leaves.append("")
            done.append(_contextual(x.fn))
        elif isinstance(x, pp.Annotated) and isinstance(x.annotation, _Ours):
            leaves.append("")
            done.append(x.annotation.doc)
        else:
            todo.append((True, x))
            todo.extend((False, child) for child in reversed(_children(x)))
    return done[0], leaves


def _children(x: Any) -> list[Any]:
    if isinstance(x, pp.Concat | pp.Fill):
        return list(x.docs)
    if isinstance(x, pp.FlatChoice):
        return [] if x is pp.LINE or x is pp.SOFTLINE else [x.when_broken, x.when_flat]
    return [x.doc] if hasattr(x, "doc") else []


def _node(x: Any, parts: list[Doc]) -> Doc:
    if isinstance(x, pp.Concat):
        return concat(*parts)
    if isinstance(x, pp.FlatChoice):
        flat = normalize_doc(x.when_flat)
        if normalize_doc(x.when_broken) is pp.HARDLINE and flat in (" ", pp.NIL):
            return line if flat == " " else softline
        return flat_alt(*parts)
    if isinstance(x, pp.Nest):
        return nest(x.indent, *parts)
    if isinstance(x, pp.Group | pp.AlwaysBreak):  # the latter breaks by itself if it must
        return group(*parts)
    if isinstance(x, pp.Annotated):
        style = STYLES.get(x.annotation) if isinstance(x.annotation, Token) else None
        if x.annotation is Token.COMMENT_SINGLE:  # it ends its line, so nothing around is flat
            return concat(annotate(Style.DIMMED, *parts), flat_alt("", hardline))
        return annotate(style, *parts) if style else concat(*parts)
    if isinstance(x, pp.Fill):
        return concat(*(group(part) if i % 2 else part for i, part in enumerate(parts)))
    return hardline if x is pp.HARDLINE else ""


def _contextual(function: Callable[..., Any]) -> Doc:
    """A document that depends on its place; a string is printed whole, and only its start."""
    names = function.__code__.co_freevars
    if "s" in names:  # the string that a closure of pretty_str would quote
        quoted = (function.__closure__ or ())[names.index("s")].cell_contents
        return annotate(Style.VALUE, _shown(quoted))

    def here(now: int, indentation: int, width: int) -> Doc:
        made = function(indent=indentation, column=now, page_width=width, ribbon_width=width)
        return _converted(normalize_doc(made))[0]

    return column(lambda c: nesting(lambda n: page_width(lambda w: here(c, n, w))))
