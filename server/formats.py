"""What ``jit-lsp check`` writes: text for people, JSON for programs. ``sarif`` and ``github`` write
the formats of others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TextIO

from .diagnostics.model import Finding, Severity
from .diagnostics.report import document, one_line
from .doc import Doc, render_ansi, render_plain, wants_color
from .doc.source import Source, Span
from .doc.tables import columns
from .pagefiles import address
from .positions import Encoding, columns_to_units

MAX_WIDTH = 100


def write(document: object, stream: TextIO) -> None:
    """A document on a stream: coloured on a terminal that wants it, at the terminal's width."""
    width = terminal_width(stream)
    text = (
        render_ansi(document, width) if wants_color(stream) else render_plain(document, width)  # type: ignore[arg-type]
    )
    stream.write(text + "\n")


def terminal_width(stream: TextIO) -> int:
    """Columns to write in: the terminal's, within bounds; 80 where there is none."""
    try:
        return max(40, min(MAX_WIDTH, os.get_terminal_size(stream.fileno()).columns))
    except (OSError, ValueError):
        return 80


def write_text(findings: Iterable[Finding], sources: Mapping[str, Source], stream: TextIO) -> None:
    """Every finding's message, with a blank line between."""
    linked = wants_color(stream)
    for finding in findings:
        page = address(finding.code) if linked else ""
        write(document(finding, sources, page=page), stream)
        stream.write("\n")


def counts(findings: Iterable[Finding]) -> Doc:
    """How many findings each rule has, the most frequent first."""
    of_rule = Counter((f.code, f.severity) for f in findings)
    return columns([[f"{n:,}", str(how), code] for (code, how), n in of_rule.most_common()])


def summary(findings: Iterable[Finding], files: int, seconds: float, mended: int = 0) -> str:
    """One line: ``2 files in 0.31 s: 1 error, 2 warnings; 1 mended``."""
    findings = list(findings)
    counts = dict.fromkeys(Severity, 0)
    for finding in findings:
        counts[finding.severity] += 1
    fixable = sum(any(fix.safe and fix.edits for fix in f.fixes) for f in findings)
    parts = [
        f"{count} {severity}{'s' if count > 1 and severity != Severity.INFORMATION else ''}"
        for severity, count in counts.items()
        if count
    ]
    checked = f"{files} file{'s' if files != 1 else ''} in {seconds:.2f} s"
    said = f"{checked}: {', '.join(parts) if parts else 'nothing to say'}"
    if mended:
        return f"{said}; {mended} mended"
    return f"{said}; --fix mends {fixable}" if fixable else said


def as_json(findings: Iterable[Finding], sources: Mapping[str, Source]) -> dict[str, object]:
    """The findings as the command line's contract has them: zero-based, columns in UTF-16 units."""

    def place(span: Span) -> dict[str, object]:
        source = sources.get(span.path, Source(span.path, ""))
        return {
            end: {
                "line": line - 1,
                "character": columns_to_units(source.line(line), column, Encoding.UTF16),
            }
            for end, line, column in (
                ("start", span.line, span.column), ("end", span.end_line, span.end_column),
            )
        }  # fmt: skip

    def located(span: Span, **more: object) -> dict[str, object]:
        return {"path": span.path, "range": place(span), **more}

    return {
        "version": 1,
        "findings": [
            located(
                f.span,
                severity=str(f.severity),
                code=f.code,
                message=one_line(f),
                related=[located(x.span, message=render_plain(x.text, 1000)) for x in f.labels],
                fixes=[
                    {
                        "title": fix.title,
                        "edits": [located(e.span, newText=e.new_text) for e in fix.edits],
                    }
                    for fix in f.fixes
                ],
            )
            for f in findings
        ],
    }
