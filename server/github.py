"""Findings as workflow commands of GitHub Actions, which shows them beside the changed lines."""

from __future__ import annotations

from collections.abc import Iterable

from .diagnostics.model import Finding, Severity
from .diagnostics.report import plain_text
from .doc.source import Span

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def workflow_commands(findings: Iterable[Finding]) -> str:
    """A line for each finding: ``::error title=..,file=..,line=..::message``."""
    return "".join(f"{_annotation(finding)}\n" for finding in findings)


def _annotation(finding: Finding) -> str:
    level = _LEVELS.get(finding.severity, "notice")
    fields = {"title": f"jit-lsp ({finding.code})", **_place(finding.span)}
    named = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in fields.items())
    return f"::{level} {named}::{_escaped(plain_text(finding))}"


def _place(span: Span) -> dict[str, object]:
    """Columns are taken for a range within one line only."""
    place: dict[str, object] = {"file": span.path, "line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:
        place |= {"col": span.column + 1, "endColumn": max(span.end_column, span.column + 1)}
    return place


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
