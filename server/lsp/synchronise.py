"""Documents as the client opens, changes, saves and closes them."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..documents import Document
from ..project import TraceOn
from ..uris import address_of, path_of
from .convert import place_of
from .server import SERVER, Server


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def _did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    if address_of(item.uri) is not None:
        ls.views[item.uri] = Document("", item.uri, item.version, item.text)
        return
    path = path_of(item.uri)
    if path is None or not (item.language_id == "python" or path.endswith((".py", ".pyw"))):
        return
    ls.runs.give_up(path)  # of a document that was never closed
    ls.documents[path] = ls.last_used = Document(path, item.uri, item.version, item.text)
    ls.results.opened(path)
    ls.republish(path)
    if ls.configuration.trace_on(path) is TraceOn.OPEN:
        ls.trace(path)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def _did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    document = ls.views.get(uri) or ls.document(uri)
    if document is None:
        return
    outdated = ls.results.fresh_with(document.path)
    for change in params.content_changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            start, end = (
                place_of(ls, document, at) for at in (change.range.start, change.range.end)
            )
            document.change(start, end, change.text)
        else:
            document.replace(change.text)
    document.version = params.text_document.version
    for program in outdated:
        ls.tell_status(program)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def _did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return
    document.save()
    if ls.configuration.is_open_question(document.path):
        ls.configuration.ask(lambda: _run_with(ls, document.path))
    if ls.configuration.trace_on(document.path) in (TraceOn.SAVE, TraceOn.OPEN):
        _run_with(ls, document.path)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def _did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    if ls.views.pop(params.text_document.uri, None) is not None:
        ls.read.discard(params.text_document.uri)
        return
    document = ls.document(params.text_document.uri)
    if document is None:
        return
    ls.last_used = None
    ls.runs.give_up(document.path)
    changed = ls.results.drop(document.path)
    del ls.documents[document.path]
    if ls.protocol.pulls:
        ls.publish(changed)
    for path in {document.path} | changed:
        ls.republish(path)


def _run_with(ls: Server, path: str) -> None:
    """Run the programs that ``path`` is a part of."""
    for program in ls.results.programs_with(path):
        ls.trace(program)
