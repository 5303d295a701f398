"""The launcher: stands between the server and a confined worker, and never runs the program's code.

It adopts what the worker's children leave behind, passes the server's signals on (the worker's own
word for its process id is not to be trusted), and ends everything below it when the program has
ended, when the server says so, and when the server is gone.

Commands are single bytes on the control socket: ``h`` hand the log over, ``l`` show the running
lines, ``k`` end everything. The answer, when the worker has ended, is one line: its exit status as
``waitpid`` gives it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
from collections.abc import Mapping, Set
from typing import Any

from .kernel import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, PR_SET_PDEATHSIG, prctl
from .sandbox import Sandbox, enter, remove
from .worker import HAND_OVER, SHOW_LINES, ignore_signals

COMMANDS = {ord("h"): HAND_OVER, ord("l"): SHOW_LINES}
_SWEEPS = 200
"""Rounds of looking for processes to end; each ends all that it sees, so few are ever needed."""


def launch(control: int, keep: tuple[int, ...], request: Mapping[str, Any]) -> Sandbox:
    """Fork, confined as the request has it. Gives the sandbox in the worker, which goes on to run
    the program; the launcher never returns."""
    sandbox = enter(request, (control, *keep))
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    ignore_signals()  # inherited, so that none can end a worker that has no handlers yet
    worker = os.fork()
    if worker == 0:
        os.close(control)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        return sandbox
    prctl(PR_SET_DUMPABLE, 0)  # our memory is nobody's to look at
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # from inside it then can't end a first process
    for descriptor in (0, 1, 2, *keep):  # the server must see their end when the worker ends
        os.close(descriptor)
    try:
        _attend(worker, socket.socket(fileno=control), sandbox)
    finally:
        os._exit(0)


def _attend(worker: int, control: socket.socket, sandbox: Sandbox) -> None:
    ended = os.pidfd_open(worker) if hasattr(os, "pidfd_open") else -1
    status = None
    while status is None:
        waiting: list[Any] = [control] if ended < 0 else [control, ended]
        ready, _, _ = select.select(waiting, [], [], None if ended >= 0 else 0.05)
        if control in ready:
            commands = _receive(control)
            if not commands or b"k" in commands:
                status = _end(worker)
                break
            for command in commands:
                number = COMMANDS.get(command)
                if number is not None:
                    os.kill(worker, number)  # not reaped yet, so the id is still the worker's
        pid, code = os.waitpid(worker, os.WNOHANG)
        status = code if pid else None
    end_all()
    remove(sandbox)
    with contextlib.suppress(OSError):
        control.sendall(b"%d\n" % status)


def _receive(control: socket.socket) -> bytes:
    try:
        return control.recv(64)
    except OSError:
        return b""


def _end(worker: int) -> int:
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    return os.waitpid(worker, 0)[1]


def end_all(keep: Set[int] = frozenset()) -> None:
    """End all descendants but ``keep``. Orphans become our children, so none escapes by leaving its
    parent."""
    for _ in range(_SWEEPS):
        below = [pid for pid in descendants() if pid not in keep]
        if not below:
            return
        for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped first, so that none forks on
            for pid in below:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def descendants() -> list[int]:
    """Process ids below us that have not ended, by ``/proc``; nothing where there is none."""
    children: dict[int, list[int]] = {}
    try:
        entries = [e for e in os.listdir("/proc") if e.isdigit()]
    except OSError:
        return []
    for entry in entries:
        try:
            with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(entry))
    below: list[int] = []
    todo = [os.getpid()]
    while todo:
        found = children.get(todo.pop(), [])
        below += found
        todo += found
    return below
