"""Findings: what a rule has to say, as plain data. They are rendered last, by whoever shows them.

A finding never holds text that something is parsed back from: places are spans, shapes are types,
fixes are edits. Only the sentences meant for people are documents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from ..doc import Doc
from ..doc.message import Label, Operand
from ..doc.source import Span

__all__ = ["Edit", "Finding", "Fix", "Label", "Operand", "Severity"]


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
    is what gets the squiggle and ``at`` the words under it; ``labels`` are other places that help
    to understand it, and ``operands`` the values whose shapes are set against each other.
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
    call_path: tuple[tuple[Span, str], ...] = ()
    """The calls that led here, outermost first: where, and what was called."""

    def moved(self, path: Callable[[str], str]) -> Finding:
        """The same with every file called by the name that ``path`` gives it."""
        return self.placed(lambda span: replace(span, path=path(span.path)))

    def placed(self, span: Callable[[Span], Span]) -> Finding:
        """The same with ``span`` of every place."""
        return replace(
            self,
            span=span(self.span),
            labels=tuple(replace(label, span=span(label.span)) for label in self.labels),
            call_path=tuple((span(where), name) for where, name in self.call_path),
            fixes=tuple(
                replace(f, edits=tuple(replace(e, span=span(e.span)) for e in f.edits))
                for f in self.fixes
            ),
        )
