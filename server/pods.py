"""The server's side of pods: see ``tracer/pod.py`` for what one is."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from .launch import NotText, Request, Worker, refuse_nul, start
from .project import root_of
from .spares import environment
from .spawn import Ends, interpret
from .tape import Tape
from .tracer import passing

PATIENCE = 3.0
"""Seconds that a launcher may take to tell of the end of a run that has ended."""


class PodGone(Exception):
    """The pod's processes are gone; there may be a reason in ``output``."""


class Pod:
    """The processes of one program, or of several one after the other, and what is parked there."""

    def __init__(self, request: Request, imports: Sequence[str]) -> None:
        """Start one for programs like that of ``request``, with modules that they import first.

        Raises:
            OSError: the interpreter can't be started.
        """
        wanted = {
            "path": request.path,
            "project": root_of(request.path),
            "imports": imports,
            "sandbox": True,
            "limits": asdict(request.limits),
            "secrets": request.secrets,
            "without": request.without,
        }
        self._control, theirs = passing.pair()
        self._output, output = os.pipe()
        try:
            self._process = interpret(
                request.interpreter, (theirs.fileno(),), output, request.directory
            )
        except OSError:
            self._control.close()
            os.close(self._output)
            raise
        finally:
            theirs.close()
            os.close(output)
        self._control.settimeout(PATIENCE)
        self._unheard = 0
        """Runs whose end the launcher has not told of yet."""
        self.parked: dict[int, int] = {}
        """What is parked by number, with the memory in kB that is its own."""
        with contextlib.suppress(OSError):  # it is found to be gone at the first run
            self._control.sendall(json.dumps(wanted).encode())

    def start(
        self, request: Request, number: int, keep: Iterable[int], more: Mapping[str, object]
    ) -> Worker | None:
        """Let a run begin from what is parked under a number, 0: from the beginning, and tell it
        ``more``. Nothing stays parked but ``keep``. None where there are no processes any more."""
        try:
            return start(request, self._run(number, keep), more)
        except (PodGone, OSError):
            return None

    def _run(self, number: int, keep: Iterable[int]) -> Ends:
        ends = Ends()
        try:
            message = json.dumps({"run": number, "keep": sorted(keep)}).encode()
            passing.send(self._control, message, ends.theirs)
        except OSError:
            ends.close()
            raise PodGone from None
        finally:
            ends.hand_over()
        self._unheard += 1
        return ends

    def hear(self) -> None:
        """Take in what is parked, as the launcher says at the end of each run.

        Raises:
            PodGone: there are no processes any more.
        """
        try:
            while self._unheard:
                data = self._control.recv(1 << 16)
                if not data:
                    raise PodGone
                self.parked = {int(n): size for n, size in json.loads(data)["parked"].items()}
                self._unheard -= 1
        except OSError:  # nor in time
            raise PodGone from None

    def close(self) -> None:
        """End all its processes."""
        self._control.close()
        os.close(self._output)
        try:
            self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def can_run(request: Request) -> bool:
    """Whether a pod may run it. What is really written can't be taken back for a run that goes on
    from before, nor for the next program."""
    try:
        refuse_nul(request.text)
    except NotText:
        return False
    return sys.platform == "linux" and request.sandbox and not (request.writable or request.replay)


def parking(
    tape: Tape, numbers: Sequence[int] = (), before: Sequence[tuple[int, int]] = (),
    interval: float = 0.0, not_worth: float = 0.0,
) -> dict[str, object]:  # fmt: skip
    """What a runner is told of where it is to be left: under which numbers, before which places,
    and else how seldom, in seconds of the program. The tape knows what it signs by."""
    return {
        "before": before,
        "numbers": numbers,
        "interval": interval,
        "not_worth": not_worth,
        "mark": tape.sign.hex(),
    }


def surroundings(interpreter: str, imports: Iterable[str]) -> object:
    """All that a zygote depends on besides a request: what is installed, and the environment."""
    python = Path(interpreter)
    prefixes = {python.parent.parent, python.resolve().parent.parent}
    user = Path("~/.local").expanduser()
    packages = [p for f in (*prefixes, user) for p in f.glob("lib*/python*/site-packages")]
    stamps = [(str(p), p.stat().st_mtime_ns) for p in sorted([python, *packages])]
    installed = [name for name in imports if name.partition(".")[0] not in sys.stdlib_module_names]
    return installed, environment(), stamps
