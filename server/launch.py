"""Starting workers: what is asked of one, the text of its program, and its process.

Light to import on purpose: the command line starts a worker with this module alone, and loads the
rest of the server while the user's interpreter comes up.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import time
import tokenize
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .interpreters import find_interpreter
from .project import ProjectError, project_of, root_of
from .tracer import wire

BOOT = Path(__file__).parent / "tracer" / "boot.py"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""A confined run has one thread unless the user said otherwise: two runs at once must not stall."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use. Seconds of wall and CPU time; sizes in bytes."""

    wall: float = 10.0
    cpu: float = 30.0
    memory: int = 4 << 30
    file_size: int = 64 << 20
    scratch: int = 256 << 20
    """Of all files together, where what is written is kept in memory."""
    files: int = 1024
    """Open at once, in each process of a sandboxed run."""
    processes: int = 256
    """And threads, of a sandboxed run, unless it is root's."""
    output: int = 256 << 10


@dataclass(frozen=True, slots=True)
class Request:
    """A program to run: the file, its text (which may be newer than the file's), and how."""

    path: str
    text: str
    interpreter: str
    arguments: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    sandbox: bool = True
    secrets: tuple[str, ...] = ()
    """Paths that a sandboxed run can't read, besides those of ``sandbox.SECRETS``."""
    without: tuple[str, ...] = ()
    """Means of the sandbox that are left out; for tests of what takes their place."""
    directory: str | None = None
    """Where it runs; None: where the server does."""
    shown: str = ""
    """What the program finds in ``sys.argv[0]``; empty: the path."""


class Unusable(Exception):
    """What was asked for can't be done; the text says why. Exit status 2 of the command line."""


class NotText(Exception):
    """A file's bytes are no Python text; ``line`` is the first that isn't."""

    def __init__(self, reason: str, line: int, readable: str) -> None:
        super().__init__(reason)
        self.line = line
        self.readable = readable


def request_for(file: str, options: argparse.Namespace, text: str = "") -> Request:
    """What the command line's options, and else the file's project, ask for one file.

    Raises:
        FileNotFoundError: there is no interpreter.
        Unusable: the project's configuration can't be used.
    """
    path = Path(file).absolute()
    try:
        project = project_of(str(path))
    except ProjectError as error:
        raise Unusable(str(error)) from None
    wall = options.timeout or project.timeout
    limits = Limits() if wall is None else Limits(wall=wall)
    interpreter = find_interpreter(path.parent, options.interpreter or project.python)
    arguments = tuple(options.program)
    return Request(str(path), text, interpreter, arguments, limits, options.sandbox, shown=file)


def text_of(path: str) -> str:
    """The text of a program's file.

    Raises:
        OSError: the file can't be read.
        NotText: it holds no text.
    """
    return decode(Path(path).read_bytes())


def decode(data: bytes) -> str:
    """The text of a Python file: by its byte order mark or coding comment (PEP 263), else UTF-8.

    Raises:
        NotText: the bytes aren't in that encoding, the encoding isn't known, or there is a NUL.
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
    refuse_nul(text)
    return text


def refuse_nul(text: str) -> None:
    """Raise NotText where the text has a NUL character, which no compiler takes."""
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise NotText("the text has a NUL character", line, text)


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker behind its launcher, and our ends of what leads to it."""

    request: Request
    process: subprocess.Popen[bytes]
    events: socket.socket
    control: socket.socket
    faults: int
    output: int
    started: float
    """When, on the monotonic clock."""

    def close(self) -> None:
        """Close our ends."""
        self.events.close()
        self.control.close()
        os.close(self.faults)
        os.close(self.output)


def start(request: Request) -> Worker:
    """Start a worker and send it its program.

    Raises:
        OSError: the interpreter can't be started.
    """
    began = time.monotonic()
    events, their_events = socket.socketpair()
    control, their_control = socket.socketpair()
    faults, their_faults = os.pipe()
    output, their_output = os.pipe()
    descriptors = [their_events.fileno(), their_faults, their_control.fileno()]
    try:
        process = subprocess.Popen(
            [request.interpreter, str(BOOT), *map(str, descriptors)],
            stdin=subprocess.DEVNULL, stdout=their_output, stderr=their_output,
            pass_fds=descriptors, start_new_session=True, cwd=request.directory,
            env={**dict.fromkeys(_THREADS, "1"), **os.environ},
        )  # fmt: skip
    except OSError:
        events.close()
        control.close()
        os.close(faults)
        os.close(output)
        raise
    finally:
        their_events.close()
        their_control.close()
        os.close(their_faults)
        os.close(their_output)
    worker = Worker(request, process, events, control, faults, output, began)
    events.settimeout(request.limits.wall)  # an interpreter that is none may never read
    try:
        events.sendall(wire.pack(run_message(request, limited=True)))
    except OSError:
        process.kill()
        process.wait()
        worker.close()
        raise
    events.settimeout(None)
    return worker


def run_message(request: Request, *, limited: bool) -> dict[str, object]:
    """The frame that tells a worker what to run."""
    return {
        "t": "run",
        "path": request.path,
        "source": request.text,
        "arguments": list(request.arguments),
        "shown": request.shown,
        "project": root_of(request.path),
        "limits": asdict(request.limits) if limited else None,
        "sandbox": request.sandbox and limited,
        "secrets": list(request.secrets),
        "without": list(request.without),
    }
