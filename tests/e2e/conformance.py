"""Whether messages are what the meta-model of LSP says, in both directions.

lsprotocol's types are made from the meta-model. A message conforms if it can be read as its type,
and says the same when it is written again: so nothing in it is unknown, missing or of a wrong kind.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lsprotocol import converters
from lsprotocol import types as lsp

OURS = "jit-lsp/"


@cache
def converter() -> Any:
    return converters.get_converter()


def check(sent: list[dict[str, Any]], heard: list[dict[str, Any]]) -> None:
    """Raise where a message of a session doesn't conform; ours have no entry there."""
    for messages, other in ((sent, heard), (heard, sent)):
        asked = {m["id"]: m["method"] for m in other if "method" in m and "id" in m}
        for message in messages:
            check_one(message, asked)


def check_one(message: dict[str, Any], asked: dict[Any, str]) -> None:
    method = message.get("method") or asked.get(message.get("id"))
    if method is None or method.startswith(OURS):
        return
    request, response, *_ = lsp.METHOD_TO_TYPES[method]
    kind = request if "method" in message else response
    if "error" in message:
        kind = lsp.ResponseErrorMessage
    if method == lsp.TEXT_DOCUMENT_CODE_ACTION and "result" in message:
        for action in message["result"] or ():  # lsprotocol takes those with a command for commands
            check_as(action, lsp.CodeAction)
        return
    check_as(without_selectors(message) if method == lsp.INITIALIZE else message, kind)


def check_as(message: dict[str, Any], kind: Any) -> None:
    again = converter().unstructure(converter().structure(message, kind))
    assert without_nulls(again) == without_nulls(message), (message, again)


def without_selectors(value: Any) -> Any:
    """Capabilities may name their documents; lsprotocol reads those as capabilities that don't."""
    if isinstance(value, dict):
        kept = ((key, item) for key, item in value.items() if key != "documentSelector")
        return {key: without_selectors(item) for key, item in kept}
    return [without_selectors(item) for item in value] if isinstance(value, list) else value


def without_nulls(value: Any) -> Any:
    """Absent and null are the same to most of the protocol."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value
