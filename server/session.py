"""One traced run of one program: from a text to a result that every front end shows in its own way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .diagnostics.model import Finding
from .doc.source import Source
from .tracer.trace import Trace


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use. Seconds of wall and CPU time; sizes in bytes."""

    wall: float = 10.0
    cpu: float = 30.0
    memory: int = 4 << 30
    file_size: int = 64 << 20
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


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave. ``trace`` is None where nothing could be run (a syntax error, no interpreter)."""

    request: Request
    findings: tuple[Finding, ...]
    sources: Mapping[str, Source]
    trace: Trace | None
    seconds: float


class Progress(Protocol):
    """Called now and then while the program runs, from the thread that called :func:`trace`."""

    def __call__(self, *, line: int | None, seconds: float) -> None: ...


class Cancel:
    """A run in progress can be stopped from any thread; the worker and its children are killed."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._callbacks: list[Callable[[], None]] = []


class Cancelled(Exception):
    """The run was stopped by its owner; it has no result."""


def trace(request: Request, cancel: Cancel, progress: Progress | None = None) -> Result:
    """Run the program and judge what it did. Blocks; at most ``limits.wall`` and a little more."""
    raise NotImplementedError
