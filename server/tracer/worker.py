"""The worker: runs one program in the user's interpreter, instrumented, and reports what it did.

To the program everything looks as under ``python FILE``: its ``__main__``, ``sys.argv``,
``sys.path``, output, exit status and tracebacks. The server drives it with two signals, so that no
thread or timer of ours ever runs in the program: one hands over the log, one writes the running
lines (from C, even where Python code can't run).
"""

from __future__ import annotations

import builtins
import faulthandler
import os
import signal
import sys
import types
from importlib.machinery import SourceFileLoader
from typing import Any, NoReturn

from . import examples, failure, frontends, importer, limits
from .blocked import effect
from .instrument import instrument
from .publish import Channel, Publisher
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
    publisher = Publisher(Channel(events))
    recorder = Recorder(publisher.entries)
    recorder.frontends = list(frontends.ALL)
    publisher.facts = recorder.facts
    publisher.parts = lambda thing: recorder.parts(thing)
    recorder.leaving = lambda line: publisher.frame("leaving", line=line)
    limited = limits.apply(request["limits"], sandbox)
    seal(sandbox)
    publisher.frame(
        "hello", version=VERSION, python=sys.version.split()[0], process=os.getpid(),
        confined=[*sandbox.means, *limited],
    )  # fmt: skip
    faulthandler.enable(faults)
    if HAND_OVER is None or SHOW_LINES is None:
        _run(request, recorder, publisher, sandbox)
        return
    ignore_signals()  # what they are again while the interpreter ends
    faulthandler.register(SHOW_LINES, faults)
    signal.signal(HAND_OVER, lambda *_: recorder.flush())
    signal.siginterrupt(HAND_OVER, False)
    try:
        _run(request, recorder, publisher, sandbox)
    finally:
        signal.signal(HAND_OVER, signal.SIG_IGN)


def ignore_signals() -> None:
    """Let the server's signals do nothing: their default would end a process that isn't ready."""
    for number in (HAND_OVER, SHOW_LINES):
        if number is not None:
            signal.signal(number, signal.SIG_IGN)


def _run(request: dict[str, Any], recorder: Recorder, publisher: Publisher,
         sandbox: Sandbox) -> None:  # fmt: skip
    path, source = request["path"], request["source"]
    programs: dict[str, Program] = {}
    tables = Tables()
    try:
        rewritten = instrument(source, path, tables, twins=request.get("twins", True))
        code = rewritten.code(lambda key: recorder.resolve(key, path))
        programs[path] = rewritten.program
        publisher.program(rewritten.program)
    except SyntaxError as error:
        _syntax_error(error, publisher)
    except Exception as error:  # whatever is wrong with us, the program runs
        publisher.frame("unrecorded", reason=repr(error)[:500])
        try:
            code = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as refused:
            _syntax_error(refused, publisher)
    importer.install(request["project"], tables, programs, recorder, publisher)
    del source
    module = _main_module(path)
    sys.argv[:] = [request.get("shown") or path, *request.get("arguments", ())]
    sys.orig_argv[1:] = sys.argv
    sys.path.insert(0, os.path.dirname(path))
    asked = request.get("examples", "") if sandbox.wanted else ""
    request.clear()
    try:
        exec(code, module.__dict__)
    except SystemExit as error:
        recorder.flush()
        publisher.frame("done", status="exit", code=_exit_code(error), line=_line(error, programs))
        raise
    except BaseException as error:
        failure.report(error, programs, recorder, publisher, effect(error, sandbox))
        publisher.frame("done", status="raised")
        _raise_as_plain(error)
        raise
    wrong = examples.run(asked, programs, recorder, publisher) if asked else None
    if wrong is not None:
        failure.report(wrong, programs, recorder, publisher, effect(wrong, sandbox))
    recorder.flush()
    publisher.frame("done", status="finished", dropped=publisher.dropped)


def _syntax_error(error: SyntaxError | ValueError, publisher: Publisher) -> NoReturn:
    """Say why the program can't be compiled, and end as Python does: by the error alone."""
    failure.report_syntax(error, publisher)
    publisher.frame("done", status="syntax")
    _raise_as_plain(error)
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


def _raise_as_plain(error: BaseException) -> None:
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
