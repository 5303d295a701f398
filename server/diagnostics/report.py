"""From findings to what is shown: messages as documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..doc import Doc, render_plain
from ..doc.message import (
    Label, Verbosity, call_path, fix, header, message, note, operand_table, snippet,
)  # fmt: skip
from ..doc.message import Call as PathCall
from ..doc.source import Source
from .model import Finding

PAGES = "https://jit-lsp.dev/rules/"
"""Where the rules' pages stand; a diagnostic's code links there."""


UNBROKEN = 10_000
"""A width at which no headline breaks."""


def page(code: str) -> str:
    """The address of a rule's page."""
    return PAGES + code


def document(finding: Finding, sources: Mapping[str, Source], *,
             verbosity: Verbosity = Verbosity.NORMAL) -> Doc:  # fmt: skip
    """The whole message of a finding."""
    labels = [Label(finding.span, finding.at, primary=True), *finding.labels]
    parts: list[Any] = [snippet(sources, labels)]
    if finding.operands:
        parts.append(operand_table(finding.operands))
    if finding.call_path:
        parts.append(call_path([PathCall(span, name) for span, name in finding.call_path]))
    parts += [note(text) for text in finding.notes]
    parts += [fix(f.title) for f in finding.fixes[:1]]
    return message(_header(finding), *parts, verbosity=verbosity)


def details(finding: Finding) -> Doc | None:
    """What stands below the headline where the editor shows the place itself; None: nothing does."""
    parts: list[Any] = []
    if finding.operands:
        parts.append(operand_table(finding.operands))
    parts += [note(text) for text in finding.notes]
    parts += [fix(f.title) for f in finding.fixes[:1]]
    if not parts:
        return None
    return message(_header(finding), *parts)


def one_line(finding: Finding) -> str:
    """The headline alone, for a list of problems that shows severity and code beside it."""
    return render_plain(finding.headline, width=UNBROKEN)


def _header(finding: Finding) -> Any:
    return header(finding.severity.value, finding.code, finding.headline, link=page(finding.code))
