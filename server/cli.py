"""The command line, ``jit-lsp``. What it promises is listed in docs/command-line.md."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence

from . import __version__
from .launch import NotText, Unusable, Worker, request_for, start, text_of

_EARLY = {"check", "trace", "hover"}
"""Commands whose worker is started before the rest of the server is loaded: both take as long."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    program: list[str] = []
    if given[:1] != ["run"] and "--" in given:
        cut = given.index("--")
        given, program = given[:cut], given[cut + 1 :]
    options = _parser().parse_args(given)
    options.program = program
    if options.stdio or options.tcp is not None:
        from . import lsp  # heavy, and needed here alone

        if options.stdio:
            lsp.serve_stdio()
        else:
            lsp.serve_tcp(*options.tcp)
        return 0
    if options.command is None:
        _parser().print_help()
        return 2
    worker = _start_early(options) if options.command in _EARLY else None
    from . import commands  # after the start, on purpose

    gc.freeze()  # what is loaded stays to the end: the last collections need not look at it
    try:
        status: int = commands.COMMANDS[options.command](options, worker)
    except Unusable as error:
        print(f"jit-lsp: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return status


def _start_early(options: argparse.Namespace) -> Worker | None:
    """The worker of the first file; None where it can't be had: the command will say why."""
    file = options.files[0] if options.command == "check" else options.file
    try:
        return start(request_for(file, options, text_of(file)))
    except (OSError, NotText, Unusable):
        return None


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"not a time in seconds: {text}")
    return value


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"not HOST:PORT: {text}")
    return host.strip("[]"), int(port)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jit-lsp",
        description="Runs array programs on save and shows what every value was.",
    )
    parser.add_argument("--version", action="version", version=f"jit-lsp {__version__}")
    parser.add_argument(
        "--stdio", action="store_true", help="serve an editor over stdin and stdout"
    )
    parser.add_argument(
        "--tcp", type=_address, metavar="HOST:PORT", help="serve an editor over a socket"
    )
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(command=name)
        return added

    checked = command("check", "run files and report what is wrong; -- passes arguments on")
    _running(checked)
    checked.add_argument("--format", choices=("text", "json"), default="text")
    checked.add_argument("--select", metavar="R,..", help="only these rules")
    checked.add_argument("--ignore", metavar="R,..", help="all but these rules")
    checked.add_argument("files", nargs="+", metavar="FILE")

    traced = command("trace", "run a file and print its graph")
    _running(traced)
    traced.add_argument("--function", metavar="NAME", help="the graph of one function alone")
    traced.add_argument("--format", choices=("text", "json"), default="text")
    traced.add_argument(
        "-O", dest="level", type=int, choices=(0, 1, 2), default=0, help="how much to simplify"
    )
    traced.add_argument("-o", "--output", metavar="FILE", help="write there, not to stdout")
    traced.add_argument("file", metavar="FILE")

    hovered = command("hover", "run a file and show what an editor would, over a place")
    _running(hovered)
    hovered.add_argument("file", metavar="FILE")
    hovered.add_argument("place", metavar="LINE:COLUMN", help="both from 1")

    ran = command("run", "as python FILE, with an explanation where it failed")
    ran.add_argument("--interpreter", metavar="PYTHON", help="the Python that runs the file")
    ran.add_argument("--findings", metavar="JSON", help="write all findings there, as JSON")
    ran.add_argument("file", metavar="FILE")
    ran.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")

    explained = command("explain", "print the page of a rule")
    explained.add_argument("rule", metavar="RULE")
    return parser


def _running(parser: argparse.ArgumentParser) -> None:
    """The options of every command that runs a program confined."""
    parser.add_argument("--interpreter", metavar="PYTHON", help="the Python that runs the file")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="wall-clock limit (10)")
    parser.add_argument("--no-sandbox", dest="sandbox", action="store_false")


if __name__ == "__main__":
    raise SystemExit(main())
