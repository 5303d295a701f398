"""Runs of many programs, from processes that have imported before what several of them import.

For ``jit-lsp check`` of many files: each program runs once, from its beginning, and what takes most
of the time is the same for all. The processes are those of pods; nothing is parked in them.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .doc.parsing import parse
from .launch import Request
from .plan import leading_imports
from .pods import Pod, PodGone, can_run, parking, surroundings
from .project import root_of
from .session import Cancel, Progress, Result, trace
from .tape import Tape

MOST_IDLE = 8
"""Pods that wait at a time."""
MOST_FAILURES = 3
"""Pods in a row that give no answer, before it is done without."""


class Shared:
    """Pods, each for programs of one folder that begin by importing the same packages. May be used
    from several threads."""

    def __init__(self) -> None:
        self._idle: list[tuple[object, Pod]] = []
        """The one that was used last is the last."""
        self._failures = 0
        self._lock = threading.Lock()

    def trace(self, request: Request, cancel: Cancel, progress: Progress | None = None) -> Result:
        """As ``session.trace``, with the same result, sooner where a program like it has run.

        Raises:
            Cancelled: when ``cancel`` says so.
        """
        possible = self._failures < MOST_FAILURES and can_run(request)
        result = self._from_pod(request, cancel, progress) if possible else None
        return result or trace(request, cancel, progress)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, pod in idle:
            pod.close()

    def _from_pod(
        self, request: Request, cancel: Cancel, progress: Progress | None
    ) -> Result | None:
        """The result; None where it has to be had in another way."""
        packages = list(_packages(request))
        key = _key(request, packages)
        result = None
        try:
            pod = self._take(key) or Pod(request, packages)
        except OSError:
            return None
        try:
            tape = Tape(request.limits.output)
            worker = pod.start(request, 0, (), {"park": parking(tape)})
            if worker is not None:
                result = trace(request, cancel, progress, worker, tape)
            if result is not None and (tape.refused or not result.trace.python):
                result = None
            self._failures = 0 if result is not None else self._failures + 1
        finally:
            self._put_back(key, pod, good=result is not None)
        return result

    def _take(self, key: object) -> Pod | None:
        """One that waits, if it is still good."""
        with self._lock:
            fitting = [place for place, (made_for, _) in enumerate(self._idle) if made_for == key]
            pod = self._idle.pop(fitting[-1])[1] if fitting else None
        if pod is None:
            return None
        try:
            pod.hear()
        except PodGone:
            pod.close()
            return None
        return pod

    def _put_back(self, key: object, pod: Pod, *, good: bool) -> None:
        unwanted = pod
        with self._lock:
            if good:
                self._idle.append((key, pod))
                if len(self._idle) <= MOST_IDLE:
                    return
                _, unwanted = self._idle.pop(0)
        unwanted.close()


def _key(request: Request, packages: list[str]) -> object:
    """What is the same for all programs that one pod may run."""
    limits = replace(request.limits, wall=0.0)
    confined = limits, request.secrets, request.without
    folders = Path(request.path).parent, root_of(request.path), request.directory
    return confined, folders, request.interpreter, surroundings(request.interpreter, packages)


def _packages(request: Request) -> Iterator[str]:
    """What is installed and imported first, up to what is the project's own."""
    try:
        tree = parse(request.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    folders = (Path(request.path).parent, Path(root_of(request.path)))
    names = dict.fromkeys(name.partition(".")[0] for name in leading_imports(tree))
    for name in names:
        if any((folder / name).is_dir() or (folder / f"{name}.py").is_file() for folder in folders):
            return
        if name not in sys.stdlib_module_names:
            yield name
