"""From findings to what is shown: messages as documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..doc import Doc, align, concat, render_plain, vcat
from ..doc.frame import paragraph
from ..doc.message import Call as PathCall
from ..doc.message import (
    Label,
    Verbosity,
    call_path,
    fix,
    header,
    message,
    note,
    operand_table,
    snippet,
)  # fmt: skip
from ..doc.source import Source
from ..doc.tables import operands as operand_rows
from .model import Finding

WIDTH, MOST_LINES = 80, 12
"""The page that a message is made for, whatever it is shown on."""
UNBROKEN = 10_000
"""A width at which no headline breaks."""


def document(finding: Finding, sources: Mapping[str, Source], *,
             verbosity: Verbosity = Verbosity.NORMAL, page: str = "") -> Doc:  # fmt: skip
    """The whole message of a finding; at normal verbosity what fits in ``MOST_LINES`` of it.

    ``page`` is the address that its code leads to, where it is shown with links.
    """
    if verbosity is not Verbosity.NORMAL:
        return _document(finding, sources, verbosity, page)
    for shorter in _abridged(finding):
        if _lines(_document(shorter, sources, Verbosity.FULL)) <= MOST_LINES:
            break
    return _document(shorter, sources, verbosity, page)


def _lines(doc: Doc) -> int:
    """The lines of a message without the blank ones, which are the first to be folded away."""
    return sum(1 for line in render_plain(doc, WIDTH).split("\n") if line.strip(" │"))


def _abridged(finding: Finding) -> Iterator[Finding]:
    """The finding, and then without more and more of what matters least."""
    yield finding
    for kept in range(len(finding.labels) - 1, 1, -1):
        finding = replace(finding, labels=finding.labels[:kept])
        yield finding
    for kept in range(len(finding.notes) - 1, -1, -1):
        finding = replace(finding, notes=finding.notes[:kept])
        yield finding
    if len(finding.labels) > 1:
        finding = replace(finding, labels=finding.labels[:1])
        yield finding
    for kept in range(len(finding.call_path) - 1, -1, -1):
        finding = replace(finding, call_path=finding.call_path[len(finding.call_path) - kept :])
        yield finding
    yield replace(finding, labels=())


def _document(finding: Finding, sources: Mapping[str, Source], verbosity: Verbosity,
              page: str = "") -> Doc:  # fmt: skip
    labels = [Label(finding.span, finding.at, primary=True), *finding.labels]
    parts: list[Any] = [snippet(sources, labels)]
    if finding.operands:
        parts.append(operand_table(finding.operands))
    if finding.call_path:
        parts.append(call_path([PathCall(span, name) for span, name in finding.call_path]))
    parts += [note(text) for text in finding.notes]
    parts += [fix(f.title) for f in finding.fixes[:1]]
    head = header(finding.severity.value, finding.code, finding.headline, link=page)
    return message(head, *parts, verbosity=verbosity)


def details(finding: Finding) -> Doc | None:
    """What stands below the headline where the editor shows the place; None: nothing does."""
    lines: list[Doc] = [operand_rows(finding.operands)] if finding.operands else []
    remarks = [("note", text) for text in finding.notes]
    remarks += [("fix", one.title) for one in finding.fixes[:1]]
    lines += [concat(f"{word}: ", align(paragraph(text))) for word, text in remarks]
    return vcat(lines) if lines else None


def one_line(finding: Finding) -> str:
    """The headline alone, for a list of problems that shows severity and code beside it."""
    return render_plain(finding.headline, width=UNBROKEN)


def plain_text(finding: Finding) -> str:
    """The headline and the details, for those who show places in their own way."""
    more = details(finding)
    return one_line(finding) + ("" if more is None else "\n" + render_plain(more, WIDTH))
