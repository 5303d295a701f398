"""One traced run of one program: from a text to a result that every front end shows in its own
way."""

from __future__ import annotations

import time
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .diagnostics.model import Finding
from .diagnostics.rules import judge
from .doc.source import Source, Span
from .supervisor import Cancel, Cancelled, Limits, Progress, Request, run_confined
from .tracer.trace import Outcome, Trace

__all__ = [
    "Cancel", "Cancelled", "Limits", "NotText", "Progress", "Request", "Result", "decode", "read",
    "trace",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave: the findings, the trace they were read from, and the texts they point
    into."""

    request: Request
    findings: tuple[Finding, ...]
    sources: Mapping[str, Source]
    trace: Trace
    seconds: float


class NotText(Exception):
    """A file's bytes are no Python text; ``line`` is the first that isn't."""

    def __init__(self, reason: str, line: int, readable: str) -> None:
        super().__init__(reason)
        self.line = line
        self.readable = readable


def trace(request: Request, cancel: Cancel, progress: Progress | None = None) -> Result:
    """Run the program and judge what it did. Blocks; at most ``limits.wall`` and a little more.

    Raises:
        Cancelled: when ``cancel`` says so.
    """
    started = time.monotonic()
    nul = request.text.find("\0")
    if nul >= 0:
        line = request.text.count("\n", 0, nul) + 1
        recorded = _not_run(request, "the text has a NUL character", line)
    else:
        try:
            recorded = run_confined(request, cancel, progress)
        except OSError as error:
            recorded = _not_run(request)
            detail = f"{request.interpreter}: {error.strerror}"
            recorded.outcome = Outcome("unavailable", detail=detail)
    seconds = time.monotonic() - started
    return Result(request, judge(recorded), recorded.sources, recorded, seconds)


def read(request: Request) -> Request | Result:
    """The request with the text of its file; or, where that is no text, the result that says so.

    Raises:
        OSError: the file can't be read.
    """
    try:
        text = decode(Path(request.path).read_bytes())
    except NotText as error:
        request = Request(request.path, error.readable, request.interpreter)
        recorded = _not_run(request, str(error), error.line)
        return Result(request, judge(recorded), recorded.sources, recorded, 0.0)
    return Request(
        request.path, text, request.interpreter, request.arguments, request.limits,
        request.sandbox, request.directory,
    )  # fmt: skip


def decode(data: bytes) -> str:
    """The text of a Python file: by its byte order mark or coding comment (PEP 263), else UTF-8.

    Raises:
        NotText: the bytes aren't in that encoding, or the encoding isn't known.
    """
    lines = iter(data.splitlines(keepends=True))
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    except SyntaxError as error:
        encoding, reason = "utf-8", str(error)
    else:
        reason = ""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        reason = f"byte 0x{byte:02x} is not {error.encoding.upper()}: {error.reason}"
        raise NotText(reason, line, data.decode(encoding, errors="replace")) from None
    if reason:
        raise NotText(reason, 1, text)
    return text


def _not_run(request: Request, reason: str = "", line: int = 1) -> Trace:
    recorded = Trace(request.path, {request.path: Source(request.path, request.text)})
    recorded.interpreter = request.interpreter
    if reason:
        width = len(recorded.sources[request.path].line(line))
        recorded.syntax = (reason, Span(request.path, line, 0, line, width))
        recorded.outcome = Outcome("syntax")
    return recorded
