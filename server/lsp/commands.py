"""What ``workspace/executeCommand`` can do."""

from __future__ import annotations

from pygls.exceptions import JsonRpcInvalidParams

from ..documents import Document
from .handshake import CANCEL_COMMAND, TRACE_COMMAND
from .server import SERVER, Server


@SERVER.command(TRACE_COMMAND)
def _trace_now(ls: Server, *arguments: object) -> None:
    """Run the document whose URI is given, or the one used last, as it is on the screen."""
    ls.trace(_named_document(ls, arguments).path, unsaved=True)


@SERVER.command(CANCEL_COMMAND)
def _cancel(ls: Server, *arguments: object) -> None:
    """Stop the run of the document whose URI is given, or every run."""
    paths = [_named_document(ls, arguments).path] if arguments else list(ls.documents)
    for path in paths:
        ls.runs.give_up(path)


def _named_document(ls: Server, arguments: tuple[object, ...]) -> Document:
    uri = arguments[0] if arguments else None
    document = ls.document(uri) if isinstance(uri, str) else ls.last_used
    if document is None or len(arguments) > 1 or not isinstance(uri, str | None):
        raise JsonRpcInvalidParams("expected the URI of an open Python file")
    return document
