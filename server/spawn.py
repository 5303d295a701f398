"""The process of a worker, before it is known what it is to run.

The lightest module there is, on purpose: an interpreter takes longer to come up than all that the
command line does before it can say what it wants, so its start is the first thing that happens.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time

BOOT = os.path.join(os.path.dirname(__file__), "tracer", "boot.py")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""A confined run has one thread unless the user said otherwise: two runs at once must not stall."""


class Spawned:
    """A worker's process, behind its launcher, that waits for what it is to run; and our ends of
    what leads to it."""

    __slots__ = ("control", "events", "faults", "interpreter", "output", "process", "started")

    def __init__(self, interpreter: str, directory: str | None = None) -> None:
        """Start ``interpreter`` in ``directory``, else where we are.

        Raises:
            OSError: it can't be started.
        """
        self.interpreter = interpreter
        self.started = time.monotonic()
        self.events, their_events = socket.socketpair()
        self.control, their_control = socket.socketpair()
        self.faults, their_faults = os.pipe()
        self.output, their_output = os.pipe()
        descriptors = [their_events.fileno(), their_faults, their_control.fileno()]
        try:
            self.process = subprocess.Popen(
                [interpreter, BOOT, *map(str, descriptors)],
                stdin=subprocess.DEVNULL, stdout=their_output, stderr=their_output,
                pass_fds=descriptors, start_new_session=True, cwd=directory,
                env={**dict.fromkeys(_THREADS, "1"), **os.environ},
            )  # fmt: skip
        except OSError:
            self.close()
            raise
        finally:
            their_events.close()
            their_control.close()
            os.close(their_faults)
            os.close(their_output)

    def close(self) -> None:
        """Close our ends."""
        self.events.close()
        self.control.close()
        os.close(self.faults)
        os.close(self.output)

    def discard(self) -> None:
        """End a process that has not been told what to run."""
        self.process.kill()
        self.process.wait()
        self.close()
