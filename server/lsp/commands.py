"""What ``workspace/executeCommand`` can do."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from ..documents import Document
from ..project import TraceOn
from ..status import Activity
from ..uris import rule_uri
from .contents import as_file, chained, described
from .handshake import (
    CANCEL_COMMAND,
    EXPLAIN_COMMAND,
    RESTART_COMMAND,
    SHOW_COMMAND,
    TRACE_COMMAND,
)
from .server import SERVER, Server


@SERVER.command(TRACE_COMMAND)
def _trace_now(ls: Server, *arguments: object) -> None:
    """Run the document whose URI is given, or the one used last, as it is on the screen."""
    path = _named_document(ls, arguments).path
    if ls.configuration.trace_on(path) is TraceOn.NEVER:
        raise JsonRpcException("jit-lsp.traceOn is never", lsp.LSPErrorCodes.RequestFailed)
    ls.trace(path, unsaved=True)


@SERVER.command(CANCEL_COMMAND)
def _cancel(ls: Server, *arguments: object) -> None:
    """Stop the run of the document whose URI is given, or every run."""
    paths = [_named_document(ls, arguments).path] if arguments else list(ls.documents)
    for path in paths:
        ls.runs.give_up(path)


@SERVER.command(RESTART_COMMAND)
def _restart(ls: Server, *arguments: object) -> None:
    """Stop and forget every run, ask for the settings anew, run again what had a result."""
    programs = ls.results.programs()
    changed = set().union(*(ls.results.drop(path) for path in programs))
    for path in list(ls.documents):
        ls.runs.give_up(path)
        ls.set_activity(path, Activity())
    ls.publish(changed)
    ls.configuration.fetch()
    for path in programs:
        ls.trace(path)


@SERVER.command(SHOW_COMMAND)
def _show(ls: Server, *arguments: object) -> Future[dict[str, Any]]:
    """Have the client show a ``jit-lsp:`` document, and give its text."""
    (uri,) = arguments if len(arguments) == 1 else (None,)
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("expected a jit-lsp: URI")
    return chained(described(ls, uri), lambda made: _shown(ls, made))


@SERVER.command(EXPLAIN_COMMAND)
def _explain(ls: Server, *arguments: object) -> Future[dict[str, Any]]:
    """Have the client show the page of a rule."""
    return _show(ls, *(rule_uri(str(rule)) for rule in arguments))


def _shown(ls: Server, made: dict[str, Any]) -> dict[str, Any]:
    if ls.can("window.show_document.support"):
        uri = made["uri"] if ls.reads_ours else as_file(made["uri"], made["text"])
        ls.window_show_document(lsp.ShowDocumentParams(uri, take_focus=True))
    return made


def _named_document(ls: Server, arguments: tuple[object, ...]) -> Document:
    uri = arguments[0] if arguments else None
    document = ls.document(uri) if isinstance(uri, str) else ls.last_used
    if document is None or len(arguments) > 1 or not isinstance(uri, str | None):
        raise JsonRpcInvalidParams("expected the URI of an open Python file")
    return document
