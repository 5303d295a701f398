"""A pod: the processes that run one program again and again, and the launcher that owns them.

    server ── requests, each with the ends of one run ──▶ launcher
                    ┌──────────────────────┬─────────────────┤
                 zygote                 runner             parked
         imported what the program   runs the program   stopped between two of
         does first; runs no code of                    its statements
         it, and forks runners

The launcher is the launcher of a single run (``launcher``), but stays. It never runs code of the
program or of a library, and trusts no word of those that do: which process spoke it learns from the
kernel. All of them are its children, since whoever forks lets go of the child at once. When a run
has ended, everything goes but the zygote and what is parked, which is stopped until it is needed.

Requests are JSON messages on the control socket, ``{"run": FROM, "keep": [..]}`` with four
descriptors: events, faults, output, and the run's own control socket, on which all is as with a
single run. ``FROM`` is the number of what is parked, or 0 for the zygote; ``keep`` says what of the
parked is still of use. At the end of each run the launcher answers ``{"parked": {NUMBER: kB}}``.

On the harbour, a socket that all of them share, a runner says ``wRUN`` when it begins, with what it
was woken by, and ``pNUMBER`` with one end of a pair before it parks; there the launcher answers
``s`` (the files are seen as before), ``n`` (through new mounts) or ``x`` (nothing can be parked),
and the parked process makes itself known.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

from . import limits, passing, zygote
from .kernel import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, name, prctl
from .launcher import COMMANDS, end_all
from .overlays import Layers, Stack
from .sandbox import Sandbox, empty, enter, remove, seal
from .worker import ignore_signals

MOST_PARKED = 8
IDLE = 0.3
"""Seconds after which a launcher has nothing else to do."""
PATIENCE = 2.0
"""Seconds that one that parks has to make itself known, once its run has ended."""


def serve(control: int) -> zygote.Runner:
    """Read what the pod is for, make it, and serve requests until the server is gone. Returns in
    the runners alone."""
    requests = socket.socket(fileno=control)
    data, _, _ = passing.receive(requests)
    wanted = json.loads(data)
    name("jit-lsp pod")
    layers = Layers()
    sandbox = enter(wanted, (control,), layers)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    ignore_signals()
    to_zygote, from_launcher = passing.pair()
    harbour, their_harbour = passing.pair()
    launcher = os.getpid()
    child = os.fork()
    if child == 0:
        for end in (requests, to_zygote, harbour):
            end.close()
        if sandbox.copies:
            layers.close()
        limited = limits.apply(wanted["limits"], sandbox)
        seal(sandbox)
        confined = [*sandbox.means, *limited]
        return zygote.serve(from_launcher, their_harbour, launcher, wanted, sandbox, confined)
    prctl(PR_SET_DUMPABLE, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from_launcher.close()
    their_harbour.close()
    pod = _Pod(requests, harbour, _Member(child, to_zygote), sandbox, layers)
    try:
        pod.serve()
    finally:
        end_all()
        remove(sandbox)
        os._exit(0)


@dataclass
class _Member:
    """A process that runs can start from."""

    pid: int
    """0 where it has not made itself known yet."""
    end: socket.socket
    stack: Stack = ()
    """What the program had written until then."""
    size: int = 0
    """The memory in kB that is its own, once it was measured."""


@dataclass
class _Run:
    """What runs now."""

    control: socket.socket
    number: int
    """What its process says when it begins, and none of an earlier run can say for it."""
    pid: int = 0
    early: list[bytes] = field(default_factory=list)
    """Commands from before it was known which process it is."""


class _Pod:
    """The launcher's side."""

    def __init__(self, requests: socket.socket, harbour: socket.socket, first: _Member,
                 sandbox: Sandbox, layers: Layers) -> None:  # fmt: skip
        self.requests, self.harbour, self.zygote = requests, harbour, first
        self.sandbox, self.layers = sandbox, layers
        self.parked: dict[int, _Member] = {}
        self.run: _Run | None = None
        self.runs = 0
        self.stack: Stack = ()
        """What is kept of what the run has written."""
        self.fresh = False
        """Whether the files are seen as nobody has written to them yet."""
        passing.name_senders(harbour)

    def serve(self) -> None:
        """Until the server or the zygote is gone."""
        if self.sandbox.copies:
            if not self.layers.usable:
                return
            self.layers.stay()
        children, woken = socket.socketpair()
        woken.setblocking(False)
        signal.set_wakeup_fd(woken.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.renew(())
        while self.zygote.pid:
            ends: dict[socket.socket, Callable[[socket.socket], bool | None]] = {
                children: lambda end: bool(end.recv(4096)),
                self.requests: self.on_request,
                self.harbour: self.on_harbour,
            }
            if self.run is not None:
                ends[self.run.control] = self.on_command
            ends |= {m.end: self.on_berth for m in self.parked.values() if not m.pid}
            unknown = [member for member in self.parked.values() if not member.size]
            idle = self.run is None and bool(unknown)
            ready, _, _ = select.select(ends, [], [], IDLE if idle else None)
            if not ready:  # it takes its time, and is told at the end of the next run
                unknown[0].size = owned(unknown[0].pid) or 1
            for end in ready:
                if end.fileno() >= 0 and ends[end](end) is False:
                    return
            self.reap()

    # ------------------------------------------------------------------ what is asked for

    def on_request(self, end: socket.socket) -> bool:
        data, descriptors, _ = passing.receive(end)
        if not data:
            return False
        request = json.loads(data)
        if len(descriptors) != 4:
            passing.close(descriptors)
            return True
        *ends, control = descriptors
        if self.run is not None:
            self.end_run()
        for number in self.parked.keys() - {*request["keep"]}:
            self.drop(number)
        self.runs += 1
        self.run = _Run(socket.socket(fileno=control), self.runs)
        start = self.zygote if request["run"] == 0 else self.parked.get(request["run"])
        try:
            if start is None:
                raise OSError
            self.renew(start.stack)
            if start is not self.zygote:
                os.kill(start.pid, signal.SIGCONT)
            passing.send(start.end, b"%d" % self.run.number, ends)
        except OSError:
            self.finish_run(signal.SIGKILL)
        finally:
            passing.close(ends)
        return True

    def on_command(self, end: socket.socket) -> None:
        run = self.run
        assert run is not None
        try:
            commands = end.recv(64)
        except OSError:
            commands = b""
        if not commands or b"k" in commands:
            self.end_run()
        elif run.pid:
            self.signal(run.pid, commands)
        else:
            run.early.append(commands)

    def signal(self, pid: int, commands: bytes) -> None:
        for command in commands:
            number = COMMANDS.get(command)
            if number is not None:
                os.kill(pid, number)  # not reaped yet, so the id is still the worker's

    # ------------------------------------------------------------------ what the members say

    def on_harbour(self, end: socket.socket) -> bool:
        data, descriptors, sender = passing.receive(end, 64)
        if not data:
            return False
        run = self.run
        begun = run is not None and data == b"w%d" % run.number
        if run is not None and begun and not run.pid and is_child(sender):
            run.pid = sender
            for commands in run.early:
                self.signal(sender, commands)
        elif data[:1] == b"p" and data[1:].isdigit() and len(descriptors) == 1:
            self.park(int(data[1:]), socket.socket(fileno=descriptors.pop()))
        passing.close(descriptors)
        return True

    def park(self, number: int, berth: socket.socket) -> None:
        """Make room for one that is about to park; it goes with ``berth`` where there is none."""
        stack = self.keep_files() if len(self.parked) < MOST_PARKED else None
        with contextlib.suppress(OSError):
            if stack is None or number in self.parked or self.run is None:
                passing.send(berth, b"x")
            else:
                before = self.stack
                self.stack = stack
                passing.name_senders(berth)
                passing.send(berth, b"s" if stack == before else b"n")
                self.parked[number] = _Member(0, berth, stack)
                return
        berth.close()

    def on_berth(self, end: socket.socket) -> None:
        """One that is to be parked makes itself known."""
        number = next(n for n, member in self.parked.items() if member.end is end)
        try:
            data, descriptors, sender = passing.receive(end, 64, wait=False)
        except BlockingIOError:  # it did so meanwhile
            return
        except OSError:
            data, descriptors, sender = b"", [], 0
        passing.close(descriptors)
        if data and is_child(sender):
            self.parked[number].pid = sender
        else:
            self.drop(number)

    # ------------------------------------------------------------------ how it goes on

    def reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                if pid == self.zygote.pid:
                    self.zygote.pid = 0
                elif self.run is not None and pid == self.run.pid:
                    self.finish_run(status)
                for number in [n for n, member in self.parked.items() if member.pid == pid]:
                    self.parked.pop(number).end.close()

    def end_run(self) -> None:
        assert self.run is not None
        status: int = signal.SIGKILL
        if self.run.pid:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.run.pid, signal.SIGKILL)
                _, status = os.waitpid(self.run.pid, 0)
        self.finish_run(status)

    def finish_run(self, status: int) -> None:
        """It has ended: say so, and leave nothing of it but what is parked."""
        assert self.run is not None
        run, self.run = self.run, None
        for number, member in list(self.parked.items()):
            if not member.pid and select.select([member.end], [], [], PATIENCE)[0]:
                self.on_berth(member.end)
            if not member.pid and number in self.parked:
                self.drop(number)
        for member in self.parked.values():
            os.kill(member.pid, signal.SIGSTOP)
        end_all({self.zygote.pid, *(member.pid for member in self.parked.values())})
        for number in [n for n, member in self.parked.items() if not is_child(member.pid)]:
            self.parked.pop(number).end.close()  # it had ended, and its number may be another's now
        with contextlib.suppress(OSError):
            run.control.sendall(b"%d\n" % status)
        run.control.close()
        sizes = {number: member.size for number, member in self.parked.items()}
        with contextlib.suppress(OSError):
            passing.send(self.requests, json.dumps({"parked": sizes}).encode())
        self.renew(())

    def drop(self, number: int) -> None:
        member = self.parked.pop(number)
        member.end.close()
        if member.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(member.pid, signal.SIGKILL)

    # ------------------------------------------------------------------ files

    def renew(self, stack: Stack) -> None:
        """Let the files be seen as with ``stack``."""
        if self.fresh and not stack:
            self.fresh = False
        elif self.sandbox.copies:
            self.layers.renew(stack, [member.stack for member in self.parked.values()])
            self.fresh = self.run is None
        else:
            empty(self.sandbox)
        self.stack = stack

    def keep_files(self) -> Stack | None:
        if self.sandbox.copies:
            return self.layers.freeze()
        scratch = self.sandbox.scratch
        return None if scratch and os.listdir(scratch) else ()


def is_child(pid: int) -> bool:
    """Whether it is a child of ours, dead or alive; then its number is no other's."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return pid > 0


def owned(pid: int) -> int:
    """The memory, in kB, that a process shares with no other."""
    total = 0
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith((b"Private_Clean:", b"Private_Dirty:")):
                total += int(line.split()[1])
    return total
