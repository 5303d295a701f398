"""What a worker is told: the program's text, and how it is to run.

Light to import on purpose: the command line tells a worker with this module alone, and loads the
rest of the server while the program runs.
"""

from __future__ import annotations

import argparse
import tokenize
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .interpreters import find_interpreter
from .project import Project, ProjectError, project_of, root_of
from .spawn import Ends, Spawned
from .tracer import wire

if TYPE_CHECKING:
    from .entries import Entry


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
    writable: tuple[str, ...] = ()
    """Real paths that a sandboxed run really writes to."""
    without: tuple[str, ...] = ()
    """Means of the sandbox that are left out; for tests of what takes their place."""
    directory: str | None = None
    """Where it runs; None: where the server does."""
    whole: bool = False
    """Whether every iteration of loops is recorded, and what arrays hold at the end told."""
    replay: bool = False
    """Whether every iteration is recorded, with what small arrays held after each event."""
    shown: str = ""
    """What the program finds in ``sys.argv[0]``; empty: the path."""
    entry: Entry | None = None
    """What runs the file ``about``, where that is no program itself."""
    texts: tuple[tuple[str, str], ...] = ()
    """Modules of the project that are not as in their files: path and text."""
    about: str = ""
    """The file whose facts are wanted; empty: the program's."""
    calls: bool = False
    """Whether the worker stays when the program has ended, to make calls of it again."""
    fake: bool = False
    """Whether types and sizes will do, where a library can give them without computing."""

    @property
    def file(self) -> str:
        """The file whose facts are wanted."""
        return self.about or self.path


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
    interpreter = find_interpreter(str(path.parent), options.interpreter or project.python)
    arguments = tuple(options.program)
    asked = Request(
        str(path), text, interpreter, arguments, limits, options.sandbox, shown=file,
        fake=getattr(options, "fake", False), whole=_whole(options),
        replay=getattr(options, "replay", False),
        calls=getattr(options, "execute", False) and not getattr(options, "fake", False),
    )  # fmt: skip
    return through_entry(asked, project)


def _whole(options: argparse.Namespace) -> bool:
    """Whether what is asked for is what a run computed, rather than what it looked like."""
    return getattr(options, "format", "") == "onnx" or getattr(options, "execute", False)


def through_entry(request: Request, project: Project) -> Request:
    """The request to run the entry that runs the file of ``request``, or itself where there is
    none; confined as the project has it.

    Raises:
        Unusable: the entry can't be read.
    """
    if project.folder is None:
        return request
    sandbox = project.sandbox
    request = replace(
        request,
        limits=replace(request.limits, **sandbox.limits),
        secrets=sandbox.hidden(project.folder),
        writable=sandbox.writable(project.folder),
    )
    entry = project.entry_for(request.path)
    if entry is None:
        return request
    path, text = entry.program(project.folder)
    if path == request.path:
        return replace(request, arguments=request.arguments or entry.arguments)
    if text is None:
        try:
            text = text_of(path)
        except (OSError, NotText) as error:
            raise Unusable(f"the entry {entry.text!r} can't be read: {error}") from None
    return replace(
        request,
        path=path, text=text, arguments=request.arguments or entry.arguments,
        shown=entry.target, entry=entry, about=request.path,
    )  # fmt: skip


def text_of(path: str) -> str:
    """The text of a program's file, or the program that a notebook's cells make.

    Raises:
        OSError: the file can't be read.
        NotText: it holds no text.
    """
    data = Path(path).read_bytes()
    if not path.endswith(NOTEBOOK):
        return decode(data)
    from .notebooks import NotANotebook, notebook

    try:
        return notebook(data).text
    except NotANotebook as error:
        raise NotText(str(error), 1, "") from None


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


NOTEBOOK = ".ipynb"
"""How the names of Jupyter notebooks end."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that has been told what to run."""

    request: Request
    ends: Ends


def start(
    request: Request, ends: Ends | None = None, more: Mapping[str, object] | None = None
) -> Worker:
    """Start a worker and send it its program. ``ends`` lead to one that waits already, and is told
    ``more``.

    Raises:
        OSError: the interpreter can't be started.
    """
    ends = ends or Spawned(request.interpreter, request.directory)
    events = ends.events
    events.settimeout(request.limits.wall)  # an interpreter that is none may never read
    try:
        events.sendall(wire.pack({**run_message(request, limited=True), **(more or {})}))
    except OSError:
        ends.discard()
        raise
    events.settimeout(None)
    return Worker(request, ends)


def run_message(request: Request, *, limited: bool) -> dict[str, object]:
    """The frame that tells a worker what to run."""
    return {
        "t": "run",
        "path": request.path,
        "source": request.text,
        "arguments": list(request.arguments),
        "shown": request.shown,
        "texts": dict(request.texts),
        "examples": request.file,
        "whole": request.whole,
        "replay": request.replay,
        "project": root_of(request.path),
        "limits": asdict(request.limits) if limited else None,
        "sandbox": request.sandbox and limited,
        "secrets": list(request.secrets),
        "writable": list(request.writable),
        "without": list(request.without),
        "calls": request.calls,
        "fake": request.fake,
    }
