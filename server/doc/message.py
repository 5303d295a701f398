"""Messages: one vocabulary for everything that jit-lsp says.

>>> source = Source("train.py", "h = x @ W1\\n")
>>> show(message(
...     header("error", "shape-mismatch", "x @ W1: axis 1 of x is 784, axis 0 of W1 is 512"),
...     snippet({"train.py": source}, [Label(Span("train.py", 1, 4, 1, 10), primary=True)]),
...     operand_table([Operand("x", "f32", ["64", "784"]),
...                    Operand("W1", "f32", ["512", "10"], frozenset({0}), "must be 784")]),
...     fix("x @ W1.T"),
... ), 80)
error[shape-mismatch]: x @ W1: axis 1 of x is 784, axis 0 of W1 is 512
  train.py:1:5
   │
 1 │ h = x @ W1
   │     ━━━━━━
   │
   │   x    f32[64, 784]
   │   W1   f32[512, 10]
   │            ~~~  must be 784
   = fix: x @ W1.T

A message is a document: laid out late, at the width of whoever reads it, by any renderer. At one
line it is its header; at normal verbosity it is folded until it has at most twelve lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from .algebra import align, annotate, concat, flat, nest, page_width, vcat
from .frame import Frame, Part, one_line, paragraph, rebuilt
from .label import Label
from .layout import LayoutOptions, layout
from .nodes import Doc
from .phrase import phrase
from .runs import styled_lines
from .snippet import snippet
from .style import Link, Style
from .tables import (
    Call,
    Operand,
    call_path,
    listing,
    operand_table,
    table,
)

__all__ = [
    "Call",
    "Header",
    "Label",
    "Operand",
    "Verbosity",
    "call_path",
    "fix",
    "header",
    "help_",
    "listing",
    "message",
    "note",
    "operand_table",
    "phrase",
    "snippet",
    "table",
]

MOST_LINES = 12
SEVERITIES = {
    "error": Style.ERROR,
    "warning": Style.WARNING,
    "information": Style.INFORMATION,
    "hint": Style.HINT,
}


class Verbosity(Enum):
    """How much of a message to show."""

    ONE_LINE = "one-line"
    NORMAL = "normal"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a message, complete in itself."""

    severity: str
    code: str
    headline: Doc
    link: str = ""

    @property
    def doc(self) -> Doc:
        """``severity[code]: headline``."""
        return concat(self._label, " ", nest(2, annotate(Style.HEADLINE, paragraph(self.headline))))

    @property
    def one_line(self) -> Doc:
        """The same, never broken."""
        headline = one_line(self.headline) if isinstance(self.headline, str) else self.headline
        return concat(self._label, " ", flat(headline))

    @property
    def _label(self) -> Doc:
        code: Doc = one_line(self.code)
        if self.link:
            code = annotate(Link(self.link), code)
        return concat(annotate(SEVERITIES[self.severity], self.severity, "[", code, "]"), ":")


def header(severity: str, code: str, headline: Doc, link: str = "") -> Header:
    """What happened, in one sentence. ``link`` leads to the page of ``code``.

    Errors: a ``ValueError`` for a severity other than error, warning, information and hint, and for
    a headline with a hard line in it.
    """
    if severity not in SEVERITIES:
        known = ", ".join(SEVERITIES)
        raise ValueError(f"header: severity must be one of {known}, not {severity!r}")
    if not isinstance(headline, str):
        flat(headline)  # fails here, not where the Problems panel asks for one line
    return Header(severity, code, headline, link)


@dataclass(frozen=True, slots=True)
class Remark:
    """A part that is one sentence: ``= note: ...``."""

    word: str
    style: Style
    text: Doc
    folds: int = 0

    def digits(self) -> int:
        """It shows no line numbers."""
        return 0

    def doc(self, frame: Frame, fold: int) -> Doc:
        """The sentence; folded as far as it goes, nothing."""
        if self.folds and fold >= self.folds:
            return ""
        return frame.remark(
            annotate(self.style, self.word), concat(" ", align(paragraph(self.text)))
        )


def note(text: Doc) -> Remark:
    """A fact beside the point."""
    return Remark("note", Style.NOTE, text, 2)


def help_(text: Doc) -> Remark:
    """What to do, in words."""
    return Remark("help", Style.HELP, text, 3)


def fix(text: Doc) -> Remark:
    """What to write instead, as code."""
    return Remark("fix", Style.FIX, text)


def message(head: Header, *parts: Part, verbosity: Verbosity = Verbosity.NORMAL) -> Doc:
    """``head`` and ``parts`` below each other, as much of them as ``verbosity`` asks for."""
    if verbosity is Verbosity.ONE_LINE:
        return head.one_line
    if verbosity is Verbosity.FULL or not parts:
        return _stacked(head, parts, [0] * len(parts))
    return page_width(lambda width: _fitted(head, parts, width))


def _fitted(head: Header, parts: Sequence[Part], width: int) -> Doc:
    """Folded step by step until it is short enough; of equals, the last one first."""
    folds = [0] * len(parts)
    steps = sorted((fold, -i) for i, part in enumerate(parts) for fold in range(1, part.folds + 1))
    for fold, index in [(0, 0), *steps]:
        folds[-index] = max(fold, folds[-index])
        doc = _stacked(head, parts, folds)
        result = layout(doc, LayoutOptions(width=width))
        if result.text.count("\n") < MOST_LINES:
            return doc
    return _without_middle([rebuilt(line) for line in styled_lines(result)])


def _without_middle(lines: Sequence[Doc]) -> Doc:
    """The first lines and the last ones, for what no fold makes short enough."""
    missing = len(lines) - MOST_LINES + 1
    last = len(lines) - 3  # a fix is at the end
    dots = annotate(Style.BLOCK, annotate(Style.DIMMED, f"   ⋮ … {missing} more lines"))
    return vcat([*lines[: last - missing], dots, *lines[last:]])


def _stacked(head: Header, parts: Sequence[Part], folds: Sequence[int]) -> Doc:
    frame = Frame(max([2, *(part.digits() for part in parts)]))
    rows = [part.doc(frame, fold) for part, fold in zip(parts, folds, strict=True)]
    if missing := sum(1 for row, fold in zip(rows, folds, strict=True) if fold and not row):
        some = "1 more remark" if missing == 1 else f"{missing} more remarks"
        rows.append(annotate(Style.DIMMED, " " * (frame.digits + 1), f"… {some}"))
    return vcat([head.doc, *(annotate(Style.BLOCK, row) for row in rows if row)])
