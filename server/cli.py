"""The command line, ``jit-lsp``. What it promises is listed in docs/command-line.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from . import __version__
from .diagnostics.model import Finding, Severity
from .diagnostics.report import one_line
from .diagnostics.rules import all_rules, judge
from .doc.source import Source
from .formats import as_json, summary, terminal_width, write, write_text
from .hover import hover
from .interpreters import find_interpreter
from .ir import Module, PrintOptions, print_module
from .session import Cancel, Limits, Request, Result, read, trace
from .supervisor import run_transparent
from .tracer.lift import lift
from .tracer.trace import Trace

Say = Callable[[str], None]


class Unusable(Exception):
    """What was asked for can't be done; the text says why. Exit status 2."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    program: list[str] = []
    if given[:1] != ["run"] and "--" in given:
        cut = given.index("--")
        given, program = given[:cut], given[cut + 1 :]
    options = _parser().parse_args(given)
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
    try:
        status: int = options.command(options, tuple(program))
    except Unusable as error:
        print(f"jit-lsp: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return status


def check(options: argparse.Namespace, program: tuple[str, ...]) -> int:
    """``jit-lsp check``: run the files and write the findings."""
    selected = _selection(options.select, options.ignore)
    findings: list[Finding] = []
    sources: dict[str, Source] = {}
    seconds = 0.0
    for file in options.files:
        result = _traced(file, options, program)
        seconds += result.seconds
        shown = _shown(result.request.path, file)
        findings += [f.moved(shown) for f in result.findings if selected(f.code)]
        sources |= {shown(p): Source(shown(p), s.text) for p, s in result.sources.items()}
    if options.format == "json":
        json.dump(as_json(findings, sources), sys.stdout)
        print()
    else:
        write_text(findings, sources, sys.stdout)
        print(summary(findings, len(options.files), seconds))
    return int(any(f.severity.loud for f in findings))


def show_trace(options: argparse.Namespace, program: tuple[str, ...]) -> int:
    """``jit-lsp trace``: run a file and print its graph."""
    result = _traced(options.file, options, program)
    module = lift(result.trace).module
    if options.function is not None:
        if options.function not in module.graphs:
            known = ", ".join(module.graphs)
            raise Unusable(f"no function {options.function!r} was recorded; there are: {known}")
        kept = Module()
        graph = module.graphs[options.function]
        kept.graphs[graph.name] = graph
        module = kept
    text = print_module(module, PrintOptions(width=terminal_width(sys.stdout))) + "\n"
    if options.output is None:
        sys.stdout.write(text)
    else:
        try:
            Path(options.output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise Unusable(f"{options.output}: {error.strerror}") from None
    return _report(result, options.file)


def show_hover(options: argparse.Namespace, program: tuple[str, ...]) -> int:
    """``jit-lsp hover``: what an editor would show over a place."""
    line, _, column = options.place.partition(":")
    if not (line.isdigit() and column.isdigit() and int(line) and int(column)):
        raise Unusable(f"a place is LINE:COLUMN, both from 1, not {options.place!r}")
    result = _traced(options.file, options, program)
    found = hover(result, result.request.path, int(line), int(column) - 1)
    if found is None:
        print(f"nothing was recorded at {options.file}:{options.place}")
        return 0
    write(found.doc, sys.stdout)
    return 0


def run(options: argparse.Namespace, program: tuple[str, ...]) -> int:
    """``jit-lsp run``: as ``python FILE``, with an explanation where it failed."""
    path = Path(options.file)
    try:
        interpreter = find_interpreter(path.absolute().parent, options.interpreter)
    except FileNotFoundError as error:
        raise Unusable(str(error)) from None
    try:
        request = read(Request(str(path.absolute()), "", interpreter, tuple(options.arguments)))
    except OSError:
        request = None
    if not isinstance(request, Request):  # Python itself says best what is wrong with the file
        return subprocess.call([interpreter, options.file, *options.arguments])
    return run_transparent(request, lambda recorded: _explain_run(recorded, options))


def _explain_run(recorded: Trace, options: argparse.Namespace) -> None:
    findings = judge(recorded)
    if options.findings is not None:
        text = json.dumps(as_json(findings, recorded.sources))
        Path(options.findings).write_text(text, encoding="utf-8")
        return
    shown = _shown(recorded.path, options.file)
    sources = {shown(p): Source(shown(p), s.text) for p, s in recorded.sources.items()}
    loud = [f.moved(shown) for f in findings if f.severity.loud]
    if loud:
        sys.stderr.write("\n")
        write_text(loud, sources, sys.stderr)


def _report(result: Result, file: str) -> int:
    """Say on stderr what ended a run whose graph is shown."""
    shown = _shown(result.request.path, file)
    errors = [f.moved(shown) for f in result.findings if f.severity is Severity.ERROR]
    for finding in errors:
        print(f"jit-lsp: {finding.span}: {one_line(finding)}", file=sys.stderr)
    return int(bool(errors))


def explain(options: argparse.Namespace, program: tuple[str, ...]) -> int:
    """``jit-lsp explain RULE``: print a rule's page."""
    rules = all_rules()
    if options.rule not in rules:
        raise Unusable(_unknown_rule(options.rule))
    rule = rules[options.rule]
    print(f"# {rule.name}\n\n{rule.page}", end="")
    return 0


def _traced(file: str, options: argparse.Namespace, program: tuple[str, ...]) -> Result:
    path = Path(file)
    if path.is_dir():
        raise Unusable(f"{file} is a folder; name a file")
    limits = Limits()
    if options.timeout is not None:
        limits = replace(limits, wall=options.timeout)
    try:
        interpreter = find_interpreter(path.absolute().parent, options.interpreter)
        request = read(
            Request(str(path.absolute()), "", interpreter, program, limits, options.sandbox)
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(f"{file}: {reason}" if error.strerror else reason) from None
    return request if isinstance(request, Result) else trace(request, Cancel())


def _shown(path: str, given: str) -> Callable[[str], str]:
    """Names of files as the user would write them: the one given as given, others from here."""

    def shown(other: str) -> str:
        if other == path:
            return given
        relative = os.path.relpath(other)
        return other if relative.startswith("..") else relative

    return shown


def _selection(select: str | None, ignore: str | None) -> Callable[[str], bool]:
    """Whether a rule's findings are wanted.

    Raises:
        Unusable: a rule that there isn't.
    """
    wanted = _rules(select) if select is not None else set(all_rules())
    wanted -= _rules(ignore or "")
    return wanted.__contains__


def _rules(text: str) -> set[str]:
    names = {name.strip() for name in text.split(",") if name.strip()}
    for name in names:
        if name not in all_rules():
            raise Unusable(_unknown_rule(name))
    return names


def _unknown_rule(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, all_rules(), 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"there is no rule {name!r}{hint}"


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
    parser.add_argument("--tcp", type=_address, metavar="HOST:PORT", help="serve an editor over a socket")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, what: Callable[..., int], text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(command=what)
        return added

    checked = command("check", check, "run files and report what is wrong; -- passes arguments on")
    _running(checked)
    checked.add_argument("--format", choices=("text", "json"), default="text")
    checked.add_argument("--select", metavar="R,..", help="only these rules")
    checked.add_argument("--ignore", metavar="R,..", help="all but these rules")
    checked.add_argument("files", nargs="+", metavar="FILE")

    traced = command("trace", show_trace, "run a file and print its graph")
    _running(traced)
    traced.add_argument("--function", metavar="NAME", help="the graph of one function alone")
    traced.add_argument("-o", "--output", metavar="FILE", help="write there, not to stdout")
    traced.add_argument("file", metavar="FILE")

    hovered = command("hover", show_hover, "run a file and show what an editor would, over a place")
    _running(hovered)
    hovered.add_argument("file", metavar="FILE")
    hovered.add_argument("place", metavar="LINE:COLUMN", help="both from 1")

    ran = command("run", run, "as python FILE, with an explanation where it failed")
    ran.add_argument("--interpreter", metavar="PYTHON", help="the Python that runs the file")
    ran.add_argument("--findings", metavar="JSON", help="write all findings there, as JSON")
    ran.add_argument("file", metavar="FILE")
    ran.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")

    explained = command("explain", explain, "print the page of a rule")
    explained.add_argument("rule", metavar="RULE")
    return parser


def _running(parser: argparse.ArgumentParser) -> None:
    """The options of every command that runs a program confined."""
    parser.add_argument("--interpreter", metavar="PYTHON", help="the Python that runs the file")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="wall-clock limit (10)")
    parser.add_argument("--no-sandbox", dest="sandbox", action="store_false")


if __name__ == "__main__":
    raise SystemExit(main())
