"""Diagnostics for clients that ask for them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from lsprotocol import types as lsp

from .reports import document_report
from .server import SERVER, Server


@SERVER.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC)
def _document(ls: Server, params: lsp.DocumentDiagnosticParams) -> Any:
    return document_report(ls, params)


@SERVER.feature(lsp.WORKSPACE_DIAGNOSTIC)
def _workspace(
    ls: Server, params: lsp.WorkspaceDiagnosticParams
) -> Future[lsp.WorkspaceDiagnosticReport]:
    return ls.pulls.ask(params)
