"""The process of a worker, before it is known what it is to run.

The lightest module there is, on purpose: an interpreter takes longer to come up than all that the
command line does before it can say what it wants, so its start is the first thing that happens.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence

BOOT = os.path.join(os.path.dirname(__file__), "tracer", "boot.py")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""A confined run has one thread unless the user said otherwise: two runs at once must not stall."""


class Ends:
    """Our ends of what leads to a worker, and the time when they were made. The worker's own are
    in ``theirs`` until it has them: events, faults, output, control."""

    __slots__ = ("control", "events", "faults", "output", "started", "theirs")
    lingers = False
    """Whether the worker takes its time to end when all has been said."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.events, events = socket.socketpair()
        self.control, control = socket.socketpair()
        self.faults, faults = os.pipe()
        self.output, output = os.pipe()
        self.theirs: tuple[int, ...] = (events.detach(), faults, output, control.detach())

    def hand_over(self) -> None:
        """The worker has its ends, or never will."""
        for descriptor in self.theirs:
            os.close(descriptor)
        self.theirs = ()

    def close(self) -> None:
        """Close our ends."""
        self.events.close()
        self.control.close()
        os.close(self.faults)
        os.close(self.output)

    def end(self) -> None:
        """Wait until nothing of the worker is left, or see to it."""

    def discard(self) -> None:
        """End a worker that has not been told what to run."""
        self.close()


class Spawned(Ends):
    """A worker's process of its own, behind its launcher, that waits for what it is to run."""

    __slots__ = ("interpreter", "process")
    lingers = True

    def __init__(self, interpreter: str, directory: str | None = None) -> None:
        """Start ``interpreter`` in ``directory``, else where we are.

        Raises:
            OSError: it can't be started.
        """
        super().__init__()
        self.interpreter = interpreter
        events, faults, output, control = self.theirs
        try:
            self.process = interpret(interpreter, (events, faults, control), output, directory)
        except OSError:
            self.close()
            raise
        finally:
            self.hand_over()

    def end(self) -> None:
        """The launcher ends what is below it; where it can't, its session is ended from here."""
        process = self.process
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2.0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def discard(self) -> None:
        """End a process that has not been told what to run."""
        self.process.kill()
        self.process.wait()
        self.close()


def interpret(
    interpreter: str, descriptors: Sequence[int], output: int, directory: str | None
) -> subprocess.Popen[bytes]:
    """Start our program in a user's interpreter, with descriptors that say what it is to be.

    Raises:
        OSError: it can't be started.
    """
    return subprocess.Popen(
        [interpreter, BOOT, *map(str, descriptors)],
        stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        pass_fds=descriptors, start_new_session=True, cwd=directory,
        env={**dict.fromkeys(_THREADS, "1"), **os.environ},
    )  # fmt: skip
