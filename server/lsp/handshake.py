"""The first message and its answer. Standard library only: a client waits for nothing longer.

What the server can do is written here as the JSON that goes out. The full protocol gets the same
message afterwards and gives the same answer, which then isn't sent a second time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

from .. import __version__
from ..transport import frame, read_messages

TRACE_COMMAND = "jit-lsp.trace"
SCHEME = "jit-lsp"
CANCEL_COMMAND = "jit-lsp.cancel"
RESTART_COMMAND = "jit-lsp.restart"
SHOW_COMMAND = "jit-lsp.show"
EXPLAIN_COMMAND = "jit-lsp.explain"
COMMANDS = (TRACE_COMMAND, CANCEL_COMMAND, RESTART_COMMAND, SHOW_COMMAND, EXPLAIN_COMMAND)
FIX_ALL = "source.fixAll.jit-lsp"
TOKEN_TYPES = ("keyword", "variable", "type", "function", "namespace", "property", "comment")
TOKEN_MODIFIERS = ("definition",)
NOTEBOOKS = [{"notebook": "jupyter-notebook", "cells": [{"language": "python"}]}]
OF_OURS = [{"scheme": SCHEME}]
"""The documents of what runs left: others have better servers for what is offered on these."""
ENCODINGS = ("utf-8", "utf-16", "utf-32")


class Greeting(NamedTuple):
    """The first message, and the InitializeResult that was sent; None: it was left to others."""

    body: bytes
    result: dict[str, Any] | None


def greet(reader: BinaryIO, writer: BinaryIO) -> Greeting | None:
    """Read the first message and answer it, if it is a sound ``initialize``; None: none came.

    Anything else is left to the full protocol, which knows what to say.
    """
    body = next(read_messages(reader), None)
    if body is None:
        return None
    request = _initialize(body)
    if request is None:
        return Greeting(body, None)
    promised = result(request["params"])
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": promised}
    try:
        writer.write(frame(json.dumps(answer).encode()))
        writer.flush()
    except OSError:
        return None
    return Greeting(body, promised)


def result(params: Mapping[str, Any]) -> dict[str, Any]:
    """The InitializeResult for a client with these parameters."""
    client = params["capabilities"]
    pulled = {"interFileDependencies": True, "workspaceDiagnostics": True}
    return {
        "capabilities": {
            **({"diagnosticProvider": pulled} if pulls(client) else {}),
            "positionEncoding": encoding(client),
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            "notebookDocumentSync": {"notebookSelector": NOTEBOOKS, "save": True},
            "hoverProvider": True,
            "inlayHintProvider": True,
            "codeLensProvider": {},
            "codeActionProvider": {"codeActionKinds": ["quickfix", FIX_ALL]},
            "definitionProvider": True,
            "implementationProvider": True,
            "documentSymbolProvider": True,
            "foldingRangeProvider": {"documentSelector": OF_OURS},
            "semanticTokensProvider": {
                "documentSelector": OF_OURS,
                "legend": {
                    "tokenTypes": list(TOKEN_TYPES),
                    "tokenModifiers": list(TOKEN_MODIFIERS),
                },
                "full": True,
            },
            "executeCommandProvider": {"commands": list(COMMANDS)},
            "workspace": {
                "workspaceFolders": {"supported": True, "changeNotifications": True},
                "textDocumentContent": {"schemes": [SCHEME]},
            },
        },
        "serverInfo": {"name": "jit-lsp", "version": __version__},
    }


def encoding(client: object) -> str:
    """The unit of columns: the first that the client names and we know; UTF-16 if it names none."""
    offered = capability(client, "general", "positionEncodings")
    known = [name for name in offered if name in ENCODINGS] if isinstance(offered, list) else []
    return known[0] if known else "utf-16"


def pulls(client: object) -> bool:
    """Whether the client asks for diagnostics, and lets itself be told when to ask again. One that
    only does the first would show nothing when a run ends, and gets them pushed."""
    can = capability(client, "textDocument", "diagnostic")
    refresh = capability(client, "workspace", "diagnostics", "refreshSupport")
    return isinstance(can, Mapping) and refresh is True


def capability(client: object, *names: str) -> Any:
    """What stands at a path of the client's capabilities; None where nothing does."""
    for name in names:
        client = client.get(name) if isinstance(client, Mapping) else None
    return client


def _initialize(body: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return None
    if message.get("method") != "initialize" or not is_id(message.get("id")):
        return None
    params = message.get("params")
    if not isinstance(params, dict) or not isinstance(params.get("capabilities"), dict):
        return None
    return message


def is_id(value: object) -> bool:
    """Whether ``value`` can be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)
