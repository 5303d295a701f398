"""Messages that no client should send, well formed or not, in any order, many at once."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp
from raw_client import RawClient

URI = "file:///fuzz/a.py"
GRAPH = "jit-lsp:///fuzz/a.py.ir"
METHODS = [method for method in lsp.METHOD_TO_TYPES if method not in ("exit", "shutdown")]
OURS = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "textDocument/hover",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/definition",
    "textDocument/implementation",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
    "textDocument/diagnostic",
    "workspace/diagnostic",
    "workspace/textDocumentContent",
    "workspace/executeCommand",
    "workspace/didChangeConfiguration",
    "jit-lsp/content",
    "jit-lsp/status",
    "$/cancelRequest",
]
KEYS = ["textDocument", "uri", "position", "line", "character", "range", "start", "end", "context"]
KEYS += ["contentChanges", "text", "version", "settings", "jit-lsp", "command", "arguments", "id"]
LEAVES = [None, True, -1, 0, 1, 2**31, 2**64, 1.5, "", URI, GRAPH, "untitled:1", "\ud83d", "x" * 99]
HEADERS = ["Content-Length", "content-length", "CONTENT-LENGTH", "Content-length"]
NOISE = [b"noise\r\n\r\n", b"content-length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n"]
BROKEN = [b"[]", b"{", b"\xff\xfe", b"nul", b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}']


def session(client: RawClient, seed: int, count: int) -> None:
    """Send ``count`` messages; fails unless each request among them gets one answer, and nothing
    else does."""
    chance = random.Random(seed)
    asked: Counter[Any] = Counter()
    for number in range(count):
        message = any_message(chance)
        if chance.random() < 0.6:
            message["id"] = any_id(chance, number)
            if "method" in message:
                asked[message["id"]] += 1
        client.write(b"".join(framed(chance, message)))
    last = client.ask("textDocument/hover", well_formed("textDocument/hover", chance))
    client.answer_to(last)
    client.ask("shutdown")  # which answers all that is to be answered later
    wait_for_all(client, asked)
    answered = Counter(m["id"] for m in client.heard if "method" not in m)
    known = {number: answered[number] for number in asked}
    assert known == dict(asked)
    assert set(answered) <= {*asked, None, last, last + 1, *range(1, 3)}


def wait_for_all(client: RawClient, asked: Counter[Any]) -> None:
    def is_answer(message: dict[str, Any]) -> bool:
        return "method" not in message and message["id"] in asked

    wanted = asked.total()
    client.wait_for(lambda _: sum(map(is_answer, client.heard)) >= wanted)


def framed(chance: random.Random, message: Any) -> Iterator[bytes]:
    """A message as bytes; now and then with what is none before it, or twice the same header."""
    kind = chance.random()
    if kind < 0.02:
        yield chance.choice(NOISE)
    elif kind < 0.04:
        yield frame(chance, chance.choice(BROKEN))
    elif kind < 0.06:  # less of a message than its header says, and the rest of it
        body = json.dumps({"jsonrpc": "2.0", "method": "no", "params": ["x" * 9]}).encode()
        cut = chance.randrange(1, len(body))
        yield b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (cut, body)
    elif kind < 0.07:
        yield b"Content-Length: 1\r\n"
    yield frame(chance, json.dumps(message).encode())


def frame(chance: random.Random, body: bytes) -> bytes:
    header = chance.choice(HEADERS).encode()
    return b"%s: %d\r\n\r\n%s" % (header, len(body), body)


def any_id(chance: random.Random, number: int) -> Any:
    """One of its own, mostly; some are used twice."""
    if chance.random() < 0.05:
        return chance.choice(["again", "", -1, 10**9])
    return f"id {number}" if chance.random() < 0.5 else 1000 + number


def any_message(chance: random.Random) -> dict[str, Any]:
    method = chance.choice(METHODS if chance.random() < 0.4 else OURS)
    params = well_formed(method, chance) if chance.random() < 0.6 else any_value(chance)
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if chance.random() < 0.1:
        del message[chance.choice(["method", "params"])]
    if chance.random() < 0.05:
        message[chance.choice(["jsonrpc", "method"])] = any_value(chance)
    return message


def any_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.random()
    if kind < 0.005 and depth == 0:
        return "x" * 1_000_000
    if kind < 0.5 or depth > 4:
        return chance.choice(LEAVES)
    values = [any_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return values if kind < 0.7 else {chance.choice(KEYS): value for value in values}


def well_formed(method: str, chance: random.Random) -> Any:
    uri = chance.choice([URI, URI, GRAPH])
    document = {"uri": uri}
    start, end = ({"line": chance.randrange(5), "character": chance.randrange(8)} for _ in range(2))
    extent = {"start": start, "end": end}
    change = {"range": extent, "text": chance.choice(["", "a\n", "\r", "🙂"])}
    opened = {"languageId": "python", "version": 1, "text": "x = 1\n1 / 0\n"}
    commands = ["jit-lsp.trace", "jit-lsp.cancel", "jit-lsp.show", "jit-lsp.explain"]
    of_document = {"textDocument": document}
    at = of_document | {"position": start}
    return {
        "textDocument/didOpen": {"textDocument": document | opened},
        "textDocument/didChange": {
            "textDocument": document | {"version": 2},
            "contentChanges": [change],
        },
        "textDocument/didSave": of_document,
        "textDocument/didClose": of_document,
        "textDocument/hover": at,
        "textDocument/definition": at,
        "textDocument/implementation": at,
        "textDocument/codeAction": of_document | {"range": extent, "context": {"diagnostics": []}},
        "textDocument/inlayHint": of_document | {"range": extent},
        "textDocument/codeLens": of_document,
        "textDocument/documentSymbol": of_document,
        "textDocument/semanticTokens/full": of_document,
        "textDocument/foldingRange": of_document,
        "textDocument/diagnostic": of_document,
        "workspace/diagnostic": {"previousResultIds": []},
        "workspace/textDocumentContent": {"uri": GRAPH},
        "workspace/executeCommand": {"command": chance.choice(commands), "arguments": [uri]},
        "workspace/didChangeConfiguration": {"settings": {"jit-lsp": any_value(chance)}},
        "jit-lsp/content": {"uri": GRAPH},
        "jit-lsp/status": {"uri": uri},
        "$/cancelRequest": {"id": any_id(chance, chance.randrange(1000))},
    }.get(method, any_value(chance))
