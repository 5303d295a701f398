"""The runner: runs one program in steps, and parks copies of itself between them.

A parked process is a fork that waits, in the midst of the program, until a later text of it comes
that begins in the same way. It then forks again, and the fork goes on with that text, while it
waits for more. What was recorded before is with the server, which puts both together.

Frames of a runner, besides those of a worker: ``parked`` (number, step, inner: the statement of a
main function, seconds that the program ran until there), ``unparked`` (step, inner, reasons),
``read`` (paths), ``left`` (status) at the very end, and ``refused`` (reason), after which the run
has to be started from the beginning.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import io
import os
import sys
import types
import warnings
from collections.abc import Mapping
from os import _exit
from time import monotonic
from typing import Any, NoReturn

from . import hazards, passing, zygote
from .codes import Key
from .kernel import name
from .publish import Channel
from .reads import Reads
from .steps import CannotAdopt, Inside, Steps
from .worker import Recording, heard, receive, set_up, syntax_error, tell_crashes

COST = 10
"""How many times what it takes to park a process has to pass before the next."""


def main(given: zygote.Runner) -> None:
    """Run what is requested. Returns or raises as the program did."""
    request = receive(given.events)
    runner = _Runner(given, request)
    try:
        with heard(runner.recording.recorder, given.faults):
            runner.prepare(request)
            try:
                runner.go_on()
            except BaseException as error:
                runner.raised(error)
                raise
            runner.finished()
    except BaseException as error:
        if runner.is_simple(error):
            runner.leave(error)
        raise
    if runner.is_simple(None):
        runner.leave(None)


class _Left(BaseException):
    """A copy of the program was told to go on with another text, perhaps in the midst of a step."""

    def __init__(self, request: dict[str, Any], inside: Inside | None) -> None:
        self.request, self.inside = request, inside


class _Runner:
    def __init__(self, given: zygote.Runner, request: Mapping[str, Any]) -> None:
        self.given = given
        self.events, self.faults = given.events, given.faults
        self.output = given.output
        self.recording = Recording(given.events, given.sandbox)
        self.steps = Steps(request["path"], self.resolve)
        self.exit_handlers = _exit_handlers()
        self.threads = len(os.listdir("/proc/self/task"))
        self.namespace: dict[str, Any] = {}
        self.at = 0
        self.code: types.CodeType | None = None
        """What runs in place of the present step."""
        self.spent = 0.0
        """Seconds that the program ran before this process went on with it."""

    def prepare(self, request: dict[str, Any]) -> None:
        recording = self.recording
        recording.greet(self.given.confined)
        try:
            recording.add(self.steps.read(request["source"]))
        except (SyntaxError, ValueError) as error:
            syntax_error(error, recording.publisher)
        except Exception as error:  # whatever is wrong with us
            self.refuse(error)
        self.reads = Reads()
        self.namespace = set_up(request, self.steps.tables, recording)
        self.take(request)

    def raised(self, error: BaseException) -> None:
        self.recording.publisher.frame("read", paths=self.reads.take())
        self.recording.raised(error)

    def finished(self) -> None:
        self.recording.publisher.frame("read", paths=self.reads.take())
        self.recording.finished(self.examples)

    def take(self, request: Mapping[str, Any]) -> None:
        """Note what is asked for besides the text."""
        self.examples = request["examples"]
        self.before = frozenset(map(tuple, request["park"]["before"]))
        self.numbers = list(request["park"]["numbers"])
        self.interval, self.not_worth = request["park"]["interval"], request["park"]["not_worth"]
        self.mark = bytes.fromhex(request["park"]["mark"])
        self.began = self.last = monotonic()
        self.cost = 0.0

    def go_on(self) -> None:
        """Run all steps; in a copy, those that it is told."""
        self.at, left = 0, None
        while self.at < len(self.steps.steps):
            if left is None and self.at and self.due(self.at, 0):
                request = self.park(self.at, 0)
                left = None if request is None else _Left(request, None)
            if left is not None:
                self.code = self.adopt(left)
                left = None
            if self.at == len(self.steps.steps):
                break
            try:
                self.running = self.code or self.steps.steps[self.at].code
                self.begins(0)
                exec(self.running, self.namespace)
            except _Left as found:
                left = found.with_traceback(None)
            else:
                self.at += 1
            self.code = None

    # ------------------------------------------------------------------ inside of a main function

    def resolve(self, key: Key) -> object:
        """The objects that stand for markers of ours."""
        match key:
            case ("due",):
                return self.due_inside
            case ("park",):
                return self.leave_inside
        return self.recording.recorder.resolve(key, self.steps.path)

    def due_inside(self, number: int) -> bool:
        """Whether to park before a statement of the main function, which asks."""
        around = sys._getframe(1).f_back
        if around is None or around.f_code is not self.running:
            return False
        self.begins(number)
        return self.due(self.at, number)

    def leave_inside(self, number: int, shared: types.FunctionType) -> None:
        """Park there. A copy leaves the function, to go on with the rest of another text's."""
        request = self.park(self.at, number)
        if request is None:
            return
        cells = dict(zip(shared.__code__.co_freevars, shared.__closure__ or (), strict=True))
        variables = sys._getframe(1).f_locals
        values = {name: value for name, value in variables.items() if name not in cells}
        whole = request["inside"] is None or request["inside"]["whole"]
        raise _Left(request, Inside(number, whole, values, cells))

    def begins(self, inner: int) -> None:
        """Tell that what is printed from here on, a statement of this step printed."""
        for stream in (getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
            if type(stream) is io.TextIOWrapper:  # another may do anything
                with contextlib.suppress(OSError, ValueError):
                    stream.flush()
        self.sign(b"s", self.at, inner)

    def sign(self, what: bytes, one: int, other: int) -> None:
        """Put a sign into the output, at its place."""
        with contextlib.suppress(OSError):  # the program closed it
            os.write(self.output, b"%b%b%08d%08d" % (self.mark, what, one, other))

    def due(self, step: int, inner: int) -> bool:
        """Whether to park before this step, or a statement inside."""
        if not self.numbers:
            return False
        passed = monotonic() - self.last
        wanted = (step, inner) in self.before and passed > self.not_worth
        return bool(wanted or passed > max(self.interval, COST * self.cost * (self.interval > 0)))

    def is_simple(self, error: BaseException | None) -> bool:
        """Whether what the interpreter does at its end can be done in short: what takes its time
        there is to take everything down, and nobody sees that."""
        sources = [program.source for program in self.recording.programs.values()]
        return not (
            bool(sys.warnoptions)
            or any("__del__" in source or "excepthook" in source for source in sources)
            or isinstance(error, KeyboardInterrupt)
        )

    def leave(self, error: BaseException | None) -> NoReturn:
        """End as Python does, in short. The server need not wait until the process is gone."""
        code: Any = 0
        if isinstance(error, SystemExit):
            code = error.code
            if code is not None and not isinstance(code, int):
                print(code, file=sys.stderr)
                code = 1
        elif error is not None:
            sys.excepthook(type(error), error, error.__traceback__)
            code = 1
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        if _exit_handlers() != self.exit_handlers:  # those of libraries say nothing
            atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        status = (code or 0) & 0xFF
        self.recording.publisher.frame("left", status=status)
        _exit(status)

    # ------------------------------------------------------------------ parking

    def park(self, step: int, inner: int) -> dict[str, Any] | None:
        """Leave a copy here. Gives None, and in copies of the copy what they are asked for."""
        began = monotonic()
        known = {self.events, self.faults, self.output, self.given.harbour.fileno(), 0, 1, 2}
        found = [*hazards.hazards(known, self.threads)]
        publisher = self.recording.publisher
        if found:
            publisher.frame("unparked", step=step, inner=inner, reasons=found)
            self.last = monotonic()
            return None
        self.recording.recorder.flush()
        _flush()
        number = self.numbers.pop(0)
        files, directory = hazards.open_files(known), os.getcwd()
        berth, theirs = passing.pair()
        with theirs:
            passing.send(self.given.harbour, b"p%d" % number, [theirs.fileno()])
        answer = berth.recv(1)
        if answer == b"n":
            _look_again(directory, files)
        elif answer != b"s":
            berth.close()
            publisher.frame(
                "unparked", step=step, inner=inner, reasons=["what it wrote can't be kept"]
            )
            return None
        seconds = self.spent + monotonic() - self.began
        publisher.frame("read", paths=self.reads.take())
        publisher.frame("parked", number=number, step=step, inner=inner, seconds=seconds)
        self.sign(b"p", number, 0)
        if not zygote.detach(self.given.launcher):
            berth.close()
            self.last = monotonic()
            self.cost = self.last - began
            return None
        return self.wait(berth, directory, files, seconds)

    def wait(self, berth: Any, directory: str, files: list[hazards.OpenFile],
             seconds: float) -> dict[str, Any]:  # fmt: skip
        """Stay parked. Returns in copies, with what they are asked for."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):
            os.dup2(nowhere, descriptor)
        passing.close([nowhere, self.events, self.faults, self.output])
        name("jit-lsp parked")
        berth.send(b"s")
        while True:
            run, ends, _ = passing.receive(berth, 64)
            if not ends:
                _exit(0)
            if zygote.detach(self.given.launcher):
                break
            passing.close(ends)
        berth.close()
        self.events, self.faults, self.output = zygote.take_ends(ends)
        self.given.harbour.send(b"w" + run)
        self.recording.publisher.connect(Channel(self.events))
        _look_again(directory, files)
        self.spent = seconds
        return receive(self.events)

    def adopt(self, left: _Left) -> types.CodeType | None:
        """Go on with another text; gives what to run of the step that was left inside."""
        request, inside = left.request, left.inside
        tell_crashes(self.faults)
        self.recording.greet(self.given.confined)
        known = request["known"]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", SyntaxWarning)  # it would come before all output
                program = self.steps.read(request["source"], known, inside, self.namespace)
        except (SyntaxError, ValueError, CannotAdopt) as error:
            self.refuse(error)
        self.recording.add(program)
        self.take(request)
        for gone in request["gone"]:
            self.namespace.pop(gone, None)
        for number in request["new"]:  # definitions that nobody has used
            exec(self.steps.steps[number].code, self.namespace)
        self.at = len(known) - (inside is not None)
        return self.steps.take_resumption()

    def refuse(self, reason: object) -> NoReturn:
        self.recording.publisher.frame("refused", reason=str(reason)[:200])
        _exit(0)


def _exit_handlers() -> tuple[int, ...]:
    """How many there are of what something can be left to do to at the end of the program."""
    found = [atexit._ncallbacks()]
    for module, *names in _LEFT_TO_DO:
        held: Any = sys.modules.get(module)
        for attribute in names:
            held = getattr(held, attribute, ())
        found.append(len(held or ()))
    return tuple(found)


_LEFT_TO_DO = (
    ("weakref", "finalize", "_registry"),
    ("logging", "_handlerList"),
    ("multiprocessing.util", "_finalizer_registry"),
)


def _look_again(directory: str, files: list[hazards.OpenFile]) -> None:
    """Find the current folder and the open files in the files as they are seen now."""
    os.chdir(directory)
    hazards.reopen(files)


def _flush() -> None:
    """Let nothing be in a buffer that two processes would write out."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(Exception):  # it may be anything
            stream.flush()  # type: ignore[union-attr]
    ctypes.PyDLL(None).fflush(None)
