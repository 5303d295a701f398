"""The worker: runs one program in the user's interpreter, instrumented, and reports what it did.

To the program everything looks as under ``python FILE``: its ``__main__``, ``sys.argv``,
``sys.path``, output, exit status and tracebacks. The server drives it with two signals, so that no
thread or timer of ours ever runs in the program: one hands over the log, one writes the running
lines (from C, even where Python code can't run).
"""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import os
import signal
import sys
import types
from collections.abc import Iterator, Mapping
from importlib.machinery import SourceFileLoader
from typing import Any, NoReturn

from . import again, examples, failure, frontends, importer, limits
from .blocked import effect
from .instrument import instrument
from .publish import Channel, Places, Publisher
from .recorder import Recorder
from .sandbox import Sandbox, seal
from .sites import Program, Tables
from .wire import VERSION, Unpacker

HAND_OVER = signal.SIGRTMIN + 3 if hasattr(signal, "SIGRTMIN") else None
SHOW_LINES = signal.SIGRTMIN + 4 if hasattr(signal, "SIGRTMIN") else None
_FOLDER = os.path.dirname(__file__)


def main(events: int, faults: int, request: dict[str, Any], sandbox: Sandbox | None) -> None:
    """Run what is requested. Returns or raises as the program did."""
    sandbox = sandbox or Sandbox()
    os.set_inheritable(events, False)
    os.set_inheritable(faults, False)
    recording = Recording(events, sandbox)
    limited = limits.apply(request["limits"], sandbox)
    seal(sandbox)
    recording.greet([*sandbox.means, *limited])
    with heard(recording.recorder, faults):
        _run(request, recording)


class Recording:
    """What is recorded of one program."""

    def __init__(self, events: int, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.channel = Channel(events)
        self.publisher = Publisher(self.channel)
        self.recorder = self.publisher.recorder()
        self.recorder.frontends = list(frontends.ALL)
        self.recorder.leaving = lambda line: self.publisher.frame("leaving", line=line)
        self.programs = self.recorder.programs

    def greet(self, confined: list[str]) -> None:
        """Say who we are, and what confines us."""
        self.publisher.frame(
            "hello", version=VERSION, python=sys.version.split()[0], process=os.getpid(),
            confined=confined,
        )  # fmt: skip

    def add(self, program: Program) -> None:
        """A file is going to run."""
        self.programs[program.path] = program
        self.publisher.program(program)

    def raised(self, error: BaseException) -> None:
        """The program was ended by ``error``."""
        if isinstance(error, SystemExit):
            self.recorder.flush()
            line = _line(error, self.programs)
            self._tell_of_arrays()
            self.publisher.frame("done", status="exit", code=_exit_code(error), line=line)
            return
        blocked = effect(error, self.sandbox)
        failure.report(error, self.programs, self.recorder, self.publisher, blocked)
        self._tell_of_breaks(error)
        self._tell_of_arrays()
        self.publisher.frame("done", status="raised")
        raise_as_plain(error)

    def finished(self, asked: str) -> None:
        """The program came to its end; ``asked`` is a file whose examples are to be run."""
        if asked and self.sandbox.wanted:
            wrong = examples.run(asked, self.programs, self.recorder, self.publisher)
            if wrong is not None:
                blocked = effect(wrong, self.sandbox)
                failure.report(wrong, self.programs, self.recorder, self.publisher, blocked)
        self.recorder.flush()
        self._tell_of_breaks(None)
        self._tell_of_arrays()
        self.publisher.frame("done", status="finished", dropped=self.publisher.dropped)

    def answer(self, tables: Tables) -> None:
        """Make calls of the run again, as long as the server asks. Nothing is recorded of them."""
        self.recorder.hand_over = lambda entries: None
        self.publisher.connect(lambda data: None)
        again.answer(self.channel, self.recorder.calls, tables.sites.__getitem__)

    def _tell_of_breaks(self, error: BaseException | None) -> None:
        places = {path: Places(program.source) for path, program in self.programs.items()}
        found = self.recorder.breaks(error)
        if found:
            breaks = [[path, places[path](place), reason] for path, place, reason in found]
            self.publisher.frame("breaks", breaks=breaks)

    def _tell_of_arrays(self) -> None:
        self.publisher.statistics(self.recorder.statistics)
        if self.recorder.whole:
            self.publisher.contents(self.recorder.contents)


@contextlib.contextmanager
def heard(recorder: Recorder, faults: int) -> Iterator[None]:
    """While the program runs: answer the server's signals, and tell of a crash."""
    if HAND_OVER is None or SHOW_LINES is None:
        tell_crashes(faults)
        yield
        return
    ignore_signals()  # what they are again while the interpreter ends
    tell_crashes(faults)
    signal.signal(HAND_OVER, lambda *_: recorder.flush())
    signal.siginterrupt(HAND_OVER, False)
    try:
        yield
    finally:
        signal.signal(HAND_OVER, signal.SIG_IGN)


def tell_crashes(faults: int) -> None:
    """Write the running lines there, when the process crashes and when the server asks."""
    faulthandler.enable(faults)
    if SHOW_LINES is not None:
        faulthandler.register(SHOW_LINES, faults)


def ignore_signals() -> None:
    """Let the server's signals do nothing: their default would end a process that isn't ready."""
    for number in (HAND_OVER, SHOW_LINES):
        if number is not None:
            signal.signal(number, signal.SIG_IGN)


def _run(request: dict[str, Any], recording: Recording) -> None:
    path, source = request["path"], request["source"]
    recorder, publisher, tables = recording.recorder, recording.publisher, Tables()
    recorder.whole = bool(request.get("whole") or request.get("replay"))
    if request.get("replay"):
        recorder.keep_contents()
    try:
        twins, calls = request.get("twins", True), bool(request.get("calls"))
        recorder.remarks.patient = calls
        rewritten = instrument(source, path, tables, twins=twins, calls=calls)
        code = rewritten.code(lambda key: recorder.resolve(key, path))
        recording.add(rewritten.program)
    except SyntaxError as error:
        syntax_error(error, publisher)
    except Exception as error:  # whatever is wrong with us, the program runs
        publisher.frame("unrecorded", reason=repr(error)[:500])
        try:
            code = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as refused:
            syntax_error(refused, publisher)
    del source
    namespace = set_up(request, tables, recording)
    asked, stays = request.get("examples", ""), bool(request.get("calls"))
    request.clear()
    try:
        exec(code, namespace)
    except BaseException as error:
        recording.raised(error)
        if stays:
            recording.answer(tables)
        raise
    recording.finished(asked)
    if stays:
        recording.answer(tables)


def set_up(request: Mapping[str, Any], tables: Tables, recording: Recording) -> dict[str, Any]:
    """Let all be as when ``python FILE`` has started; gives the program's globals."""
    path = request["path"]
    recording.recorder.fake = bool(request.get("fake"))
    importer.install(
        request["project"], tables, recording.programs, recording.recorder, recording.publisher,
        request.get("texts"), bool(request.get("calls")),
    )  # fmt: skip
    module = _main_module(path)
    sys.argv[:] = [request.get("shown") or path, *request.get("arguments", ())]
    sys.orig_argv[1:] = sys.argv
    sys.path.insert(0, os.path.dirname(path))
    return module.__dict__


def syntax_error(error: SyntaxError | ValueError, publisher: Publisher) -> NoReturn:
    """Say why the program can't be compiled, and end as Python does: by the error alone."""
    failure.report_syntax(error, publisher)
    publisher.frame("done", status="syntax")
    raise_as_plain(error)
    raise error.with_traceback(None)


def receive(descriptor: int) -> dict[str, Any]:
    """The request."""
    unpacker = Unpacker()
    while True:
        data = os.read(descriptor, 1 << 16)
        if not data:
            raise SystemExit("jit-lsp: the server went away")
        frames = unpacker.feed(data)
        if frames:
            return frames[0]


def _main_module(path: str) -> types.ModuleType:
    """A ``__main__`` as ``python FILE`` makes it."""
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __annotations__={},
        __builtins__=builtins,
        __cached__=None,
        __file__=path,
        __loader__=SourceFileLoader("__main__", path),
    )
    sys.modules["__main__"] = module
    return module


def raise_as_plain(error: BaseException) -> None:
    """Let the interpreter end by ``error`` as it would have, without our frames in the
    traceback."""
    hook = sys.excepthook

    def trimmed(kind: Any, value: BaseException, tb: types.TracebackType | None) -> None:
        while tb is not None and tb.tb_frame.f_code.co_filename.startswith(_FOLDER):
            tb = tb.tb_next
        hook(kind, value.with_traceback(tb), tb)

    sys.excepthook = trimmed


def _exit_code(error: SystemExit) -> int | None:
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else 1


def _line(error: BaseException, programs: dict[str, Program]) -> int | None:
    """The program's innermost line that ``error`` came through."""
    line, tb = None, error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename in programs:
            line = tb.tb_lineno
        tb = tb.tb_next
    return line
