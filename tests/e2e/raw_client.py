"""A client that says exactly what it is told to, byte by byte, and remembers all that it hears."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SERVER = [str(Path(sys.executable).with_name("jit-lsp")), "--stdio"]
PATIENCE = 30.0  # seconds until silence is taken for a hang


class RawClient:
    """Speaks to a server over its standard input and output."""

    def __init__(self, stderr: Any = subprocess.DEVNULL, command: Sequence[str] = SERVER) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=stderr)
        self.heard: list[dict[str, Any]] = []
        self.sent: list[Any] = []
        self._news = threading.Condition()
        self._ids = itertools.count(1)
        self._ended = False
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def initialize(self, capabilities: dict[str, Any] | None = None, **params: Any) -> Any:
        """Shake hands; returns the server's capabilities."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}} | params
        result = self.request("initialize", params)["result"]
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, path: Path) -> str:
        """Open a file as it is on disk; returns its URI."""
        uri = path.as_uri()
        text = path.read_bytes().decode(errors="replace")
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(
        self, uri: str, version: int, *changes: tuple[int, int, int, int, str] | str
    ) -> None:
        """Replace from (line, character) to (line, character), from 0, or the whole text."""
        content = []
        for change in changes:
            if isinstance(change, str):
                content.append({"text": change})
                continue
            line, character, end_line, end_character, text = change
            start = {"line": line, "character": character}
            end = {"line": end_line, "character": end_character}
            content.append({"range": {"start": start, "end": end}, "text": text})
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": content})

    def command(self, name: str, *arguments: Any) -> dict[str, Any]:
        params = {"command": f"jit-lsp.{name}", "arguments": list(arguments)}
        return self.request("workspace/executeCommand", params)

    def answer(self, method: str, result: Any) -> dict[str, Any]:
        """Answer the server's request of that method, once it comes; returns its parameters."""
        request = self.wait_for(lambda m: m.get("method") == method)
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})
        return request.get("params")

    def save(self, uri: str) -> None:
        """Tell that the document was saved."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def hover(self, uri: str, line: int, character: int) -> Any:
        """The answer to a hover request, position from 0."""
        position = {"line": line, "character": character}
        return self.request(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": position}
        )

    def diagnostics(self, uri: str, after: int = 0) -> list[dict[str, Any]]:
        """Those published next for ``uri``, not counting the first ``after`` messages heard."""
        message = self.wait_for(
            lambda m: (
                m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
            ),
            after,
        )
        return message["params"]["diagnostics"]

    def notify(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and return its response."""
        return self.answer_to(self.ask(method, params))

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and return its id."""
        number = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def answer_to(self, number: object) -> dict[str, Any]:
        return self.wait_for(lambda m: "method" not in m and m["id"] == number)

    def send(self, message: Any) -> None:
        self.sent.append(message)
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool], after: int = 0) -> dict[str, Any]:
        """The first message that is ``wanted``, past or to come."""
        found: list[dict[str, Any]] = []

        def look() -> bool:
            found[:] = [message for message in self.heard[after:] if wanted(message)]
            return bool(found) or self._ended

        with self._news:
            in_time = self._news.wait_for(look, PATIENCE)
        if not found:
            why = "the server has ended" if in_time else "the server is silent"
            raise AssertionError(f"{why}; heard: {self.heard[-5:]}")
        return found[0]

    def _listen(self) -> None:
        while (message := _read(self.process.stdout)) is not None:
            with self._news:
                self.heard.append(message)
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()


def _read(stream: Any) -> dict[str, Any] | None:
    length = 0
    while (line := stream.readline()).strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(stream.read(length)) if line else None
