"""The server's side of pods: see ``tracer/pod.py`` for what one is."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterable

from .spawn import Ends, interpret
from .tracer import passing

PATIENCE = 3.0
"""Seconds that a launcher may take to tell of the end of a run that has ended."""


class PodGone(Exception):
    """The pod's processes are gone; there may be a reason in ``output``."""


class Pod:
    """The processes of one program, and what is parked there."""

    def __init__(self, interpreter: str, directory: str | None, wanted: dict[str, object]) -> None:
        """Start one.

        Raises:
            OSError: the interpreter can't be started.
        """
        self._control, theirs = passing.pair()
        self._output, output = os.pipe()
        try:
            self._process = interpret(interpreter, (theirs.fileno(),), output, directory)
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

    def run(self, start: int, keep: Iterable[int]) -> Ends:
        """Let a run begin from what is parked under a number, 0: from the beginning. Nothing stays
        parked but ``keep``.

        Raises:
            PodGone: there are no processes any more.
        """
        ends = Ends()
        try:
            message = json.dumps({"run": start, "keep": sorted(keep)}).encode()
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
