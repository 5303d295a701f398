"""Diagnostics that the client asks for, of a file or of all files."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types as lsp

from ..uris import path_of
from .diagnostics import diagnostics_of

if TYPE_CHECKING:
    from .server import Server

WorkspaceReport = (
    lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport
)


class Said(NamedTuple):
    """What there is to say in a file, and a name for exactly that."""

    items: list[lsp.Diagnostic]
    name: str


def said(ls: Server, path: str) -> Said:
    """What there is to say in a file now."""
    items = diagnostics_of(ls, path)
    text = json.dumps([ls.protocol.data(item) for item in items], sort_keys=True)
    return Said(items, hashlib.blake2b(text.encode(), digest_size=8).hexdigest())


def document_report(ls: Server, params: lsp.DocumentDiagnosticParams) -> Any:
    """The answer to ``textDocument/diagnostic``."""
    path = path_of(params.text_document.uri)
    now = said(ls, path) if path is not None else Said([], "")
    if params.previous_result_id == now.name:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(now.name)
    return lsp.RelatedFullDocumentDiagnosticReport(now.items, result_id=now.name)


class Pulls:
    """The requests for all files at once. One to which there is nothing new waits until there
    is: clients ask again as soon as they have an answer."""

    def __init__(self, ls: Server) -> None:
        self._ls = ls
        self._waiting: list[tuple[Future[lsp.WorkspaceDiagnosticReport], dict[str, str]]] = []

    def ask(self, params: lsp.WorkspaceDiagnosticParams) -> Future[lsp.WorkspaceDiagnosticReport]:
        """The answer to ``workspace/diagnostic``, once there is one."""
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        answer: Future[lsp.WorkspaceDiagnosticReport] = Future()
        self._waiting.append((answer, known))
        self.answer()
        return answer

    def answer(self) -> None:
        """Answer those to whom there is something new."""
        waiting, self._waiting = self._waiting, []
        for answer, known in waiting:
            reports = self._reports(known)
            if all(report.kind == "unchanged" for report in reports):
                if not answer.done():
                    self._waiting.append((answer, known))
            elif answer.set_running_or_notify_cancel():
                answer.set_result(lsp.WorkspaceDiagnosticReport(reports))

    def _reports(self, known: dict[str, str]) -> list[WorkspaceReport]:
        ls = self._ls
        uris = {**known, **{ls.uri(path): "" for path in ls.results.files()}}
        reports: list[WorkspaceReport] = []
        for uri in uris:
            path = path_of(uri)
            now = said(ls, path) if path is not None else Said([], "")
            document = ls.documents.get(path) if path is not None else None
            version = document.version if document is not None else None
            if known.get(uri) == now.name:
                reports.append(
                    lsp.WorkspaceUnchangedDocumentDiagnosticReport(uri, now.name, version)
                )
            else:
                reports.append(
                    lsp.WorkspaceFullDocumentDiagnosticReport(
                        uri, now.items, version, result_id=now.name
                    )
                )
        return reports
