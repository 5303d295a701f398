"""Findings: what a rule has to say, as plain data. They are rendered last, by whoever shows them.

A finding never holds text that something is parsed back from: places are spans, shapes are types,
fixes are edits. Only the sentences meant for people are documents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..doc import Doc
from ..doc.source import Span


class Severity(StrEnum):
    """How sure and how bad; the names are those of LSP."""

    ERROR = "error"  # it failed, or is certainly wrong
    WARNING = "warning"  # almost certainly not what was meant
    INFORMATION = "information"
    HINT = "hint"

    @property
    def loud(self) -> bool:
        """Whether it makes ``jit-lsp check`` exit with 1."""
        return self in (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Label:
    """A sentence about another place that helps to understand the finding."""

    span: Span
    text: Doc


@dataclass(frozen=True, slots=True)
class Operand:
    """One row of the aligned comparison below the snippet.

    ``sizes`` are printed one per axis, already with dimension names where there are any; ``marked``
    are the axes that differ and ``note`` stands behind the marks. ``origin`` says where the value
    came from. ``element`` is the element type's short name, or any text where there are no axes.
    """

    name: str
    element: str
    sizes: tuple[str, ...] | None = None
    marked: frozenset[int] = frozenset()
    note: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text at ``span``."""

    span: Span
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One way out. ``title`` is written as code. ``safe`` fixes can be applied without thought."""

    title: str
    edits: tuple[Edit, ...] = ()
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found.

    ``headline`` is one line, complete in itself: it is all that the Problems panel shows. ``span``
    is what gets the squiggle and ``at`` the words under it.
    """

    code: str
    severity: Severity
    headline: Doc
    span: Span
    at: Doc = ""
    labels: tuple[Label, ...] = ()
    operands: tuple[Operand, ...] = ()
    notes: tuple[Doc, ...] = ()
    fixes: tuple[Fix, ...] = ()
    call_path: tuple[Span, ...] = field(default=())
    """The calls that led here, outermost first."""
