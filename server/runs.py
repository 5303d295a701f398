"""Which programs run now: one run per file at a time, a newer one in place of an older.

Runs have threads of their own, so that no editor request ever waits for one. Everything else here
happens on the thread that owns the :class:`Runs`; what a run's thread has to say is posted to it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from .config import Settings
from .documents import Snapshot
from .index import Index
from .interpreters import find_interpreter
from .launch import through_entry
from .project import Project, ProjectError, project_of
from .session import Cancel, Cancelled, Limits, Progress, Request, Result, read
from .warm import Warm

_AT_ONCE = 2  # files saved together wait for each other, or each would time the others out
_APART = 0.2  # seconds between two starts of a file: of a storm of saves, few are run

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Run:
    """One run of the file ``path``, with the text of its document as it was saved or as it is."""

    path: str
    snapshot: Snapshot
    saved: bool
    directory: str
    settings: Settings
    cancel: Cancel = field(default_factory=Cancel)
    wanted: bool = True

    def give_up(self) -> None:
        """Nobody wants its result any more."""
        self.wanted = False
        self.cancel.cancel()


class Watcher(Protocol):
    """Who is told about runs, on the owner's thread."""

    def run_started(self, run: Run) -> None:
        """It runs from now on."""

    def run_progressed(self, run: Run, line: int | None, seconds: float) -> None:
        """It runs still, and is at ``line`` of its file, if that is known."""

    def run_ended(self, run: Run, result: Index | None) -> None:
        """It runs no more. There is no result if it was given up or failed."""


class Runs:
    """``post`` hands a call over to the owner's thread; it is the only thing used from others."""

    def __init__(self, post: Callable[[Callable[[], None]], None], watcher: Watcher) -> None:
        self._post = post
        self._watcher = watcher
        self._warm = Warm()
        self._running: dict[str, Run] = {}
        self._waiting: dict[str, Run] = {}
        self._begun: dict[str, float] = {}
        """When the last run of each file was started, on the monotonic clock."""

    def submit(self, run: Run) -> None:
        """Run it once the older run of the same file, which is given up now, has ended."""
        self.give_up(run.path)
        self._waiting[run.path] = run
        self._start_waiting()

    def give_up(self, path: str) -> bool:
        """Stop the run of ``path``, if there is one to stop."""
        waited = self._waiting.pop(path, None)
        running = self._running.get(path)
        if running is not None:
            running.give_up()
        return running is not None or waited is not None

    def is_running(self, run: Run) -> bool:
        """Whether it has started and not ended."""
        return self._running.get(run.path) is run

    def is_busy(self, path: str) -> bool:
        """Whether a run of it goes on or is to come."""
        return path in self._running or path in self._waiting

    def stop(self) -> None:
        """Stop everything and start nothing more. May be called from any thread."""
        self._waiting.clear()
        for run in list(self._running.values()):
            run.give_up()

    def _start_waiting(self) -> None:
        for path, run in list(self._waiting.items()):
            if path in self._running or len(self._running) >= _AT_ONCE:
                continue
            early = self._begun.get(path, -_APART) + _APART - time.monotonic()
            if early > 0:
                threading.Timer(early, self._post, [self._start_waiting]).start()
            else:
                self._begun[path] = time.monotonic()
                self._running[path] = self._waiting.pop(path)
                self._watcher.run_started(run)
                threading.Thread(target=self._work, args=(run,), name="run", daemon=True).start()

    def _work(self, run: Run) -> None:
        def progress(*, line: int | None, seconds: float) -> None:
            self._post(lambda: self._watcher.run_progressed(run, line, seconds))

        result = None
        try:
            result = Index(self._result(run, progress))
        except Cancelled:
            pass
        except Exception:
            _log.exception("the run of %s failed", run.path)
        ended = threading.Event()
        self._post(lambda: self._end(run, result, ended))
        ended.wait()  # what was found is shown first
        if result is not None and run.wanted:
            _ = result.facts, result.lifted  # made here and now, no request has to make them

    def _result(self, run: Run, progress: Progress) -> Result:
        request = _request(run)
        if run.saved:  # the editor may show something even where the bytes of the file are no text
            with suppress(OSError):
                on_disk = read(request)
                if isinstance(on_disk, Result):
                    return on_disk
        return self._warm.trace(request, run.cancel, progress)

    def _end(self, run: Run, result: Index | None, ended: threading.Event) -> None:
        del self._running[run.path]
        try:
            self._watcher.run_ended(run, result if run.wanted else None)
        finally:
            ended.set()
            self._start_waiting()


def _request(run: Run) -> Request:
    settings = run.settings
    try:
        project = project_of(run.path)
    except ProjectError:  # the result says so
        project = Project()
    named = settings.interpreter or project.python
    try:
        interpreter = find_interpreter(str(Path(run.path).parent), named)
    except FileNotFoundError:
        interpreter = named or "python3"  # the result says that it isn't there
    wall = settings.timeout or project.timeout or Limits().wall
    asked = Request(
        path=run.path,
        text=run.snapshot.text,
        interpreter=interpreter,
        arguments=settings.args or project.args,
        limits=replace(Limits(), wall=wall),
        directory=run.directory,
    )
    return through_entry(asked, project)
