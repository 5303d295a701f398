"""Runs workers: starts them, reads what they send, stops them in time. Runs no code of any
program."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

from .doc.source import Source
from .launch import Request, Worker, run_message
from .spawn import BOOT
from .tape import Ending, Tape
from .tracer import wire
from .tracer.decode import Decoder
from .tracer.trace import Outcome, Trace

GRACE = 0.3
"""Seconds that a worker has, once its time is over, to hand over what it recorded."""
MAX_FAULTS = 64 << 10
_FAULT_FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')


class Progress(Protocol):
    """Called now and then while the program runs, from the thread that runs it."""

    def __call__(self, *, line: int | None, seconds: float) -> None:
        """The line that was recorded last, and the seconds since the start."""


class Cancelled(Exception):
    """The run was stopped by its owner; it has no result."""


class Cancel:
    """Stops a run from any thread: the worker and all its children are ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wake: Callable[[], None] | None = None
        self.requested = False

    def cancel(self) -> None:
        """Ask for the end. Returns at once; the run raises :class:`Cancelled`."""
        with self._lock:
            self.requested = True
            if self._wake is not None:
                self._wake()

    def attach(self, wake: Callable[[], None] | None) -> None:
        """Tell how a running loop is woken; None when it ended."""
        with self._lock:
            self._wake = wake


def attend(
    worker: Worker, cancel: Cancel, progress: Progress | None = None, tape: Tape | None = None
) -> Trace:
    """Read what a worker sends until it has ended, or end it: for its time, or for ``cancel``. It
    is kept on ``tape``.

    Raises:
        Cancelled: as soon as ``cancel`` says so.
    """
    tape = tape or Tape(worker.request.limits.output)
    return _Run(worker, cancel, progress, tape).run()


class _Run:
    def __init__(
        self, worker: Worker, cancel: Cancel, progress: Progress | None, tape: Tape
    ) -> None:
        self.ends, self.cancel, self.progress, self.tape = worker.ends, cancel, progress, tape
        self.request = request = worker.request
        self.decoder = Decoder(request.path, {request.path: Source(request.path, request.text)})
        self.unpacker = wire.Unpacker()
        self.selector = selectors.DefaultSelector()
        self.faults = bytearray()
        self.status: int | None = None
        self.broken = ""

    def run(self) -> Trace:
        self.started = self.ends.started
        wake_read, wake_write = os.pipe()

        def wake() -> None:
            os.write(wake_write, b"!")

        ends, register = self.ends, self.selector.register
        self.cancel.attach(wake)
        try:
            register(ends.events, selectors.EVENT_READ, self.on_events)
            register(ends.control, selectors.EVENT_READ, self.on_control)
            register(ends.faults, selectors.EVENT_READ, self.on_faults)
            register(ends.output, selectors.EVENT_READ, self.on_output)
            register(wake_read, selectors.EVENT_READ, lambda: os.read(wake_read, 64))
            timed_out = self.attend()
        finally:
            self.cancel.attach(None)
            self.command(b"k")
            self.ends.end()
            self.selector.close()
            ends.close()
            os.close(wake_read)
            os.close(wake_write)
        if self.cancel.requested:
            raise Cancelled
        ending = Ending(self.status or 0, bytes(self.faults), self.broken, timed_out)
        self.tape.end(ending)
        return concluded(self.request, self.decoder, self.tape)

    def attend(self) -> bool:
        """Read until the worker has ended; True where it had to be ended for its time."""
        deadline = self.started + self.request.limits.wall
        next_hand_over, pause = self.started + 0.25, 0.25
        asked = stop = False
        while self.status is None and not self.cancel.requested and not self.over:
            now = time.monotonic()
            if now >= deadline and not asked:
                self.command(b"hl")
                asked, deadline = True, now + GRACE
            elif now >= deadline:
                stop = True
                break
            elif now >= next_hand_over and not asked:
                self.command(b"h")
                pause = min(2 * pause, 1.0)
                next_hand_over = now + pause
                self.report(now)
            self.read(min(deadline, next_hand_over) - now)
        if stop or self.over:
            self.command(b"k")
        patience = time.monotonic() + 2.0
        while self.status is None and time.monotonic() < patience and not self.cancel.requested:
            self.read(0.05)
        while not self.cancel.requested and self.read(0):  # what is still in the pipes
            pass
        return asked and self.decoder.done is None

    @property
    def over(self) -> bool:
        """Whether nothing more is to be learnt: the program broke the recording, or an exception
        ended it where its clean-up can leave nothing behind."""
        done, view = self.decoder.done, "namespaces" in self.decoder.trace.confined
        ended = done is not None and done.status == "raised" and view and self.ends.lingers
        return bool(self.broken) or ended

    def read(self, timeout: float) -> bool:
        """Handle what is ready; False where nothing was."""
        ready = self.selector.select(max(timeout, 0))
        for key, _ in ready:
            key.data()
        return bool(ready) and len(self.selector.get_map()) > 1

    def report(self, now: float) -> None:
        if self.progress is None:
            return
        trace = self.decoder.trace
        line = trace.events[-1].site.span.line if trace.events else None
        self.progress(line=line, seconds=now - self.started)

    def command(self, text: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended already
            self.ends.control.sendall(text)

    def on_events(self) -> None:
        events = self.ends.events
        data = self.receive(events, lambda: events.recv(1 << 18))
        if not data or self.broken:
            return
        try:
            for body, frame in self.unpacker.feed_bodies(data):
                self.tape.feed(body, frame, self.decoder)
            if self.tape.left is not None:
                self.status = self.tape.left << 8
        except wire.WireError as error:
            self.broken = str(error)

    def on_control(self) -> None:
        control = self.ends.control
        data = self.receive(control, lambda: control.recv(64))
        if data.strip().isdigit():
            self.status = int(data)
        elif not data and self.status is None:
            self.status = signal.SIGKILL  # the launcher itself was ended

    def on_faults(self) -> None:
        faults = self.ends.faults
        data = self.receive(faults, lambda: os.read(faults, 1 << 14))
        self.faults += data[: max(0, MAX_FAULTS - len(self.faults))]

    def on_output(self) -> None:
        output = self.ends.output
        data = self.receive(output, lambda: os.read(output, 1 << 16))
        self.tape.print(data)

    def receive(self, end: socket.socket | int, read: Callable[[], bytes]) -> bytes:
        try:
            data = read()
        except OSError:
            data = b""
        if not data:
            self.selector.unregister(end)
        return data


def replayed(request: Request, tape: Tape) -> Trace:
    """The trace of a run that was, from its tape."""
    decoder = Decoder(request.path, {request.path: Source(request.path, request.text)})
    tape.replay(decoder)
    return concluded(request, decoder, tape)


def concluded(request: Request, decoder: Decoder, tape: Tape) -> Trace:
    """The trace of a run that has ended."""
    trace, ending = decoder.trace, tape.ending
    assert ending is not None
    trace.interpreter = request.interpreter
    trace.limit_seconds = request.limits.wall
    trace.limit_bytes = request.limits.memory
    trace.output = tape.kept.decode(errors="replace")
    trace.output_bytes = tape.total
    stack = _stack(ending.faults.decode(errors="replace"))
    done, code = decoder.done, os.waitstatus_to_exitcode(ending.status)
    if ending.broken:
        trace.outcome = Outcome("protocol", detail=ending.broken, stack=stack)
    elif ending.timed_out:
        trace.outcome = Outcome("timeout", stack=stack)
    elif done is not None and done.status == "finished" and code:
        trace.outcome = Outcome("left", code, detail="clean-up", stack=stack)
    elif done is not None:
        trace.outcome = done
    elif not trace.python:  # no word from it at all
        said = trace.output.strip().rpartition("\n")[2] or "it ended before the program began"
        trace.outcome = Outcome("unavailable", detail=f"{trace.interpreter}: {said}")
    elif code < 0:
        trace.outcome = Outcome("killed", -code, stack=stack)
    else:
        trace.outcome = Outcome("left", code, decoder.leaving, stack=stack)
    return trace


def _stack(text: str) -> tuple[tuple[str, int, str], ...]:
    """The innermost frames of the last traceback that faulthandler wrote."""
    _, _, last = text.rpartition("(most recent call first):")
    return tuple((path, int(line), function) for path, line, function in _FAULT_FRAME.findall(last))


def run_transparent(request: Request, on_trace: Callable[[Trace], None]) -> int:
    """Run a program as ``python FILE`` does: our streams, no limits. Gives its exit status.

    A program that a signal ended ends us by the same signal, once ``on_trace`` has had the trace.
    """
    events, theirs = socket.socketpair()
    faults = os.open(os.devnull, os.O_WRONLY)
    decoder = Decoder(request.path, {request.path: Source(request.path, request.text)})
    process = subprocess.Popen(
        [request.interpreter, BOOT, str(theirs.fileno()), str(faults)],
        pass_fds=[theirs.fileno(), faults],
    )  # fmt: skip
    theirs.close()
    os.close(faults)
    events.sendall(wire.pack(run_message(request, limited=False)))
    interrupts = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program's to handle
    try:
        _drain(events, decoder)
        code = process.wait()
    finally:
        signal.signal(signal.SIGINT, interrupts)
        events.close()
    trace = decoder.trace
    trace.interpreter = request.interpreter
    trace.outcome = decoder.done or Outcome("left", code, decoder.leaving)
    on_trace(trace)
    if code < 0:
        sys.stdout.flush()
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def _drain(events: socket.socket, decoder: Decoder) -> None:
    unpacker = wire.Unpacker()
    while data := events.recv(1 << 18):
        try:
            for frame in unpacker.feed(data):
                decoder.feed(frame)
        except wire.WireError:
            while events.recv(1 << 18):  # the program must not wait for us
                pass
