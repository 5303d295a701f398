"""The command line, ``jit-lsp``. What it promises is listed in docs/command-line.md.

The order here is for speed: the interpreter that will most likely be needed is started first, and
comes up while we read our options; the worker then gets its program, and works while the rest of
the server is loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .interpreters import find_interpreter
from .spawn import Spawned

if TYPE_CHECKING:
    import argparse

    from .launch import Worker

_RUNNING = {"check", "trace", "hover"}
"""Commands that run a program confined."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    program: list[str] = []
    if given[:1] != ["run"] and "--" in given:
        cut = given.index("--")
        given, program = given[:cut], given[cut + 1 :]
    ahead = _spawn_ahead(given)
    try:
        from .options import parser

        options = parser().parse_args(given)
        options.program = program
        worker = _start(options, ahead)
    except BaseException:
        if ahead is not None:
            ahead.discard()
        raise
    if ahead is not None and (worker is None or worker.ends is not ahead):
        ahead.discard()
    return _run(options, worker)


def _run(options: argparse.Namespace, worker: Worker | None) -> int:
    if options.stdio or options.tcp is not None:
        from . import lsp  # heavy, and needed here alone

        if options.stdio:
            lsp.serve_stdio()
        else:
            lsp.serve_tcp(*options.tcp)
        return 0
    if options.command is None:
        from .options import parser

        parser().print_help()
        return 2
    import gc

    from . import commands  # after the start, on purpose
    from .launch import Unusable

    gc.freeze()  # what is loaded stays to the end: the last collections need not look at it
    try:
        status: int = commands.COMMANDS[options.command](options, worker)
    except Unusable as error:
        print(f"jit-lsp: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return status


def _spawn_ahead(given: Sequence[str]) -> Spawned | None:
    """A process of the interpreter that the command will most likely ask for.

    A guess, from a glance at the arguments: where the options or the project's configuration say
    otherwise, it is ended unused.
    """
    if not given or given[0] not in _RUNNING:
        return None
    explicit = None
    for option, value in zip(given, [*given[1:], ""], strict=True):
        name, _, inline = option.partition("=")
        if name == "--interpreter":
            explicit = inline or value
    file = next((argument for argument in given if argument.endswith(".py")), None)
    if file is None or not os.path.isfile(file):
        return None
    try:
        return Spawned(find_interpreter(os.path.dirname(file), explicit))
    except OSError:
        return None


def _start(options: argparse.Namespace, ahead: Spawned | None) -> Worker | None:
    """The worker of the first file; None where there is none: the command will say why."""
    if options.command not in _RUNNING:
        return None
    from .launch import NotText, Unusable, request_for, start, text_of

    file = options.files[0] if options.command == "check" else options.file
    try:
        request = request_for(file, options, text_of(file))
        fits = ahead is not None and ahead.interpreter == request.interpreter
        return start(request, ahead if fits else None)
    except (OSError, NotText, Unusable):
        return None


if __name__ == "__main__":
    raise SystemExit(main())
