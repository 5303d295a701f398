"""Thousands of messages, well formed or not, in any order: each request gets exactly one answer."""

import random
from collections import Counter

import pytest
from lsprotocol import types as lsp
from raw_client import RawClient

MESSAGES = 3000
URI = "file:///fuzz/a.py"
METHODS = [method for method in lsp.METHOD_TO_TYPES if method not in ("exit", "shutdown")]
OURS = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "textDocument/hover",
    "textDocument/codeAction",
    "workspace/executeCommand",
]
KEYS = ["textDocument", "uri", "position", "line", "character", "range", "start", "end", "context"]
KEYS += ["contentChanges", "text", "version", "settings", "jit-lsp", "command", "arguments", "id"]
LEAVES = [None, True, -1, 0, 1, 2**31, 2**64, 1.5, "", URI, "untitled:1", "jit-lsp.trace", "\ud83d"]
NOISE = [b"Content-Length: 2\r\n\r\n[]", b"noise\r\n\r\n", b"content-length: x\r\n\r\n"]


@pytest.mark.parametrize("seed", range(3))
def test_every_request_is_answered_once_and_nothing_else_is(seed):
    chance = random.Random(seed)
    asked = []
    with RawClient() as client:
        client.initialize(initializationOptions={"jit-lsp": {"traceOn": "command"}})
        for number in range(MESSAGES):
            message = any_message(chance)
            if chance.random() < 0.6:
                message["id"] = f"id {number}"
                asked += [message["id"]] if "method" in message else []
            if chance.random() < 0.02:
                client.write(chance.choice(NOISE))
            client.send(message)
        assert client.request("textDocument/hover", well_formed("textDocument/hover", chance))
        answered = Counter(m["id"] for m in client.heard if "method" not in m)
    assert [number for number in asked if answered[number] != 1] == []
    assert [number for number in answered if isinstance(number, str) and number not in asked] == []


def any_message(chance):
    method = chance.choice(METHODS if chance.random() < 0.5 else OURS)
    params = well_formed(method, chance) if chance.random() < 0.5 else any_value(chance)
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if chance.random() < 0.1:
        del message[chance.choice(["method", "params"])]
    if chance.random() < 0.05:
        message[chance.choice(["jsonrpc", "method"])] = any_value(chance)
    return message


def any_value(chance, depth=0):
    kind = chance.random()
    if kind < 0.5 or depth > 4:
        return chance.choice(LEAVES)
    values = [any_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return values if kind < 0.7 else {chance.choice(KEYS): value for value in values}


def well_formed(method, chance):
    document = {"uri": URI}
    start, end = ({"line": chance.randrange(5), "character": chance.randrange(8)} for _ in range(2))
    extent = {"start": start, "end": end}
    change = {"range": extent, "text": chance.choice(["", "a\n", "\r", "🙂"])}
    opened = {"languageId": "python", "version": 1, "text": "x = 1\n1 / 0\n"}
    commands = ["jit-lsp.trace", "jit-lsp.cancel"]
    return {
        "textDocument/didOpen": {"textDocument": document | opened},
        "textDocument/didChange": {
            "textDocument": document | {"version": 2},
            "contentChanges": [change],
        },
        "textDocument/didSave": {"textDocument": document},
        "textDocument/didClose": {"textDocument": document},
        "textDocument/hover": {"textDocument": document, "position": start},
        "textDocument/codeAction": {
            "textDocument": document,
            "range": extent,
            "context": {"diagnostics": []},
        },
        "workspace/executeCommand": {"command": chance.choice(commands), "arguments": [URI]},
    }.get(method, any_value(chance))
