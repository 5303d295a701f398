"""Findings as a log in SARIF 2.1.0 (OASIS), for code scanning services and viewers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from . import __version__
from .diagnostics.model import Finding, Fix, Severity
from .diagnostics.report import plain_text
from .diagnostics.rules import all_rules
from .doc import render_plain
from .doc.source import Span
from .uris import uri_of

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def sarif_log(findings: Iterable[Finding]) -> dict[str, object]:
    """The log of one run of the tool. Columns are code points, as SARIF lets a run choose."""
    findings = list(findings)
    codes = sorted({finding.code for finding in findings})
    driver = {
        "name": "jit-lsp",
        "semanticVersion": __version__,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": uri_of(os.curdir) + "/"}},
        "results": [_result(finding, codes) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, object]:
    rule = all_rules()[code]
    return {
        "id": code,
        "shortDescription": {"text": rule.title},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS.get(rule.severity, "note")},
    }


def _result(finding: Finding, codes: Sequence[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _LEVELS.get(finding.severity, "note"),
        "message": {"text": plain_text(finding)},
        "locations": [_location(finding.span)],
    }
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": render_plain(label.text, 1000)},
             **_location(label.span)}
            for number, label in enumerate(finding.labels, 1)
        ]  # fmt: skip
    if finding.call_path:
        frames = [{"location": _location(span)} for span, _ in reversed(finding.call_path)]
        result["stacks"] = [{"frames": frames}]
    if fixes := [_fix(fix) for fix in finding.fixes if fix.edits]:
        result["fixes"] = fixes
    return result


def _fix(fix: Fix) -> dict[str, object]:
    paths = list(dict.fromkeys(edit.span.path for edit in fix.edits))
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": [
                    {"deletedRegion": _region(e.span), "insertedContent": {"text": e.new_text}}
                    for e in fix.edits
                    if e.span.path == path
                ],
            }
            for path in paths
        ],
    }


def _location(span: Span) -> dict[str, object]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(span.path),
            "region": _region(span),
        }
    }


def _artifact(path: str) -> dict[str, str]:
    file = Path(path)
    if file.is_absolute() or ".." in file.parts:
        return {"uri": file.resolve().as_uri()}
    return {"uri": quote(file.as_posix()), "uriBaseId": ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column + 1,
        "endLine": span.end_line,
        "endColumn": span.end_column + 1,
    }
