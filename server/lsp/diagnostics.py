"""Findings as the diagnostics of LSP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from ..diagnostics.model import Finding, Severity
from ..diagnostics.report import details, one_line
from ..diagnostics.suppress import UNUSED
from ..doc import render_markdown, render_plain
from ..hover import finding_doc
from ..pagefiles import address
from ..results import Located, Traced, edits_now
from ..uris import rule_uri
from .convert import WIDTH, location_of, range_of

if TYPE_CHECKING:
    from .server import Server

SOURCE = "jit-lsp"

_UNNECESSARY = lsp.DiagnosticTag.Unnecessary
_FADED = {UNUSED, "discarded-result"}
"""Rules about code that does nothing."""
_CALLS_AT_EACH_END = 3  # of a path, however deep the recursion
_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}


def diagnostics_of(ls: Server, path: str) -> list[lsp.Diagnostic]:
    """What there is to say in a file now."""
    return [_diagnostic(ls, *found) for found in ls.results.findings(path)]


def _diagnostic(ls: Server, traced: Traced, finding: Finding, located: Located) -> lsp.Diagnostic:
    can_relate = ls.can("text_document.publish_diagnostics.related_information")
    related = _related(traced, finding)
    message = [one_line(finding)]
    if (more := details(finding)) is not None:
        message.append(render_plain(more, WIDTH))
    if not can_relate:
        message += [f"{place.span}: {text}" for place, text in related]
    diagnostic = lsp.Diagnostic(range_of(ls, located), "\n".join(message))
    if ls.protocol.takes_markup:
        text = {"kind": "markdown", "value": render_markdown(finding_doc(finding))}
        object.__setattr__(diagnostic, "message", text)  # lsprotocol knows texts alone
    diagnostic.severity = _SEVERITY[finding.severity]
    diagnostic.source = SOURCE
    diagnostic.code = finding.code
    if ls.can("text_document.publish_diagnostics.code_description_support"):
        page = rule_uri(finding.code) if ls.reads_ours else address(finding.code)
        diagnostic.code_description = lsp.CodeDescription(page) if page else None
    if can_relate:
        diagnostic.related_information = [
            lsp.DiagnosticRelatedInformation(location_of(ls, place), text)
            for place, text in related
        ]
    tags = get_capability(ls.client_capabilities, "text_document.publish_diagnostics.tag_support")
    faded = finding.code in _FADED or ls.is_fading(traced.result.request.file)
    if faded and tags is not None and _UNNECESSARY in tags.value_set:
        diagnostic.tags = [_UNNECESSARY]
    if ls.can("text_document.publish_diagnostics.data_support"):
        diagnostic.data = {"fixes": _fixes(ls, traced, finding)}
    return diagnostic


def _related(traced: Traced, finding: Finding) -> list[tuple[Located, str]]:
    """Its labels, and the calls that led to it."""
    labels = [label for label in finding.labels if label.text]
    places = [(label.span, render_plain(label.text, WIDTH)) for label in labels]
    calls = finding.call_path
    if len(calls) > 2 * _CALLS_AT_EACH_END:
        calls = calls[:_CALLS_AT_EACH_END] + calls[-_CALLS_AT_EACH_END:]
    places += [(span, f"{name} is called here") for span, name in calls]
    found = [(traced.now(span), text) for span, text in places]
    return [(located, text) for located, text in found if located is not None]


def _fixes(ls: Server, traced: Traced, finding: Finding) -> list[dict[str, object]]:
    return [
        {"title": fix.title, "edits": [_data(ls, located, text) for located, text in edits]}
        for fix in finding.fixes
        if (edits := edits_now(traced, fix)) is not None
    ]


def _data(ls: Server, located: Located, text: str) -> dict[str, object]:
    at = range_of(ls, located)
    start, end = ({"line": p.line, "character": p.character} for p in (at.start, at.end))
    return {
        "uri": ls.uri(located.span.path),
        "range": {"start": start, "end": end},
        "newText": text,
    }
