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
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from .doc.source import Source
from .ir.again import CallError
from .launch import Request, Worker, run_message
from .spawn import BOOT
from .tape import Ending, Tape
from .tracer import wire
from .tracer.decode import Decoder
from .tracer.passed import MOST_BYTES
from .tracer.trace import Outcome, Trace

GRACE = 0.3
"""Seconds that a worker has, once its time is over, to hand over what it recorded."""
MAX_FAULTS = 64 << 10
MOST_ANSWER = 2 * MOST_BYTES
"""Bytes of an answer: what it may hold is a third longer as text."""
_ENDED = "the process that ran the program has ended"
_FAULT_FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')


class Progress(Protocol):
    """Called now and then while the program runs, from the thread that runs it."""

    def __call__(self, *, line: int | None, seconds: float) -> None:
        """The line that was recorded last, and the seconds since the start."""


Exchange = Callable[[Iterable[bytes]], Iterator[dict[str, Any]]]
"""Sends frames to a worker that waits, and gives those that it answers; raises ``CallError``."""
Use = Callable[[Trace, Exchange], None]
"""Called with what a run was while its worker waits to be asked."""


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
    worker: Worker,
    cancel: Cancel,
    progress: Progress | None = None,
    tape: Tape | None = None,
    use: Use | None = None,
) -> Trace:
    """Read what a worker sends until it has ended, or end it: for its time, or for ``cancel``. It
    is kept on ``tape``. One that waits when its program has ended is put to ``use`` first.

    Raises:
        Cancelled: as soon as ``cancel`` says so.
    """
    tape = tape or Tape(worker.request.limits.output)
    return _Run(worker, cancel, progress, tape, use).run()


class _Run:
    def __init__(
        self,
        worker: Worker,
        cancel: Cancel,
        progress: Progress | None,
        tape: Tape,
        use: Use | None,
    ) -> None:
        self.use = use
        self.answers: deque[dict[str, Any]] | None = None
        """What it has answered, once it is asked."""
        self.patience = worker.request.limits.wall
        """Seconds that are left to wait for answers."""
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
        while not (self.status is not None or self.cancel.requested or self.over or self.waits):
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
        if self.waits:
            self.be_used()
        elif stop or self.over:
            self.command(b"k")
        patience = time.monotonic() + 2.0
        while self.status is None and time.monotonic() < patience and not self.cancel.requested:
            self.read(0.05)
        while not self.cancel.requested and self.read(0):  # what is still in the pipes
            pass
        return asked

    # ------------------------------------------------------------------ a worker that waits

    @property
    def waits(self) -> bool:
        """Whether the program has ended, and its worker waits to be asked."""
        done = self.decoder.done
        return self.request.calls and done is not None and done.status != "syntax"

    def be_used(self) -> None:
        """Let the worker be asked, until nobody has a question any more."""
        self.answers = deque()
        if self.use is not None and self.status is None and not self.broken:
            self.tape.end(Ending(0, bytes(self.faults), "", False))
            self.use(concluded(self.request, self.decoder, self.tape), self.exchange)
        with contextlib.suppress(OSError):
            self.ends.events.shutdown(socket.SHUT_WR)  # it goes on to its own end

    def exchange(self, frames: Iterable[bytes]) -> Iterator[dict[str, Any]]:
        """What the worker answers to these."""
        self.answers, self.unpacker = deque(), wire.Unpacker(MOST_ANSWER)
        began = time.monotonic()
        deadline = began + self.patience
        try:
            for frame in frames:
                self.send(frame, deadline)
            while True:
                while self.answers:
                    yield self.answers.popleft()
                self.wait(deadline)
        finally:
            self.patience -= time.monotonic() - began

    def send(self, frame: bytes, deadline: float) -> None:
        events = self.ends.events
        try:
            events.settimeout(max(deadline - time.monotonic(), 0.001))
            events.sendall(frame)
            events.settimeout(None)
        except OSError:
            self.wait(deadline)  # which says why
            raise CallError(_ENDED) from None

    def wait(self, deadline: float) -> None:
        """Wait for something to happen, until a time."""
        if self.cancel.requested:
            raise Cancelled
        left = deadline - time.monotonic()
        if self.broken or left <= 0:
            self.command(b"k")
        if self.broken:
            raise CallError(f"what came back is no answer: {self.broken}")
        if left <= 0:
            raise CallError(f"it gave no answer within {self.request.limits.wall:g} s")
        if self.status is not None or self.ends.events not in self.listened():
            raise CallError(_ENDED)
        self.read(min(left, 0.5))

    def listened(self) -> set[object]:
        """The ends that something may still come from."""
        return {key.fileobj for key in self.selector.get_map().values()}

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
                if self.answers is not None:
                    self.answers.append(frame)
                    continue
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
    elif ending.timed_out and done is None:
        trace.outcome = Outcome("timeout", stack=stack)
    elif done is not None and done.status == "finished" and code:
        detail = "stopped" if ending.timed_out else "clean-up"
        trace.outcome = Outcome("left", code, detail=detail, stack=stack)
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
