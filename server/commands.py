"""What the commands of ``jit-lsp`` do. ``cli`` parses, starts the worker, and comes here."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from .asked import as_given, traced, unknown_rule
from .checking import check
from .diagnostics.rules import all_rules
from .doc.source import Source
from .formats import as_json, terminal_width, write, write_text
from .interpreters import find_interpreter
from .launch import Request, Unusable, Worker
from .session import judged, read
from .supervisor import run_transparent
from .tracer.trace import Trace


def show_trace(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp trace``: run a file and print its graph."""
    from .tracing import show_trace as show  # with much that a check doesn't need

    return show(options, started)


def show_hover(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp hover``: what an editor would show over a place."""
    line, _, column = options.place.partition(":")
    if not (line.isdigit() and column.isdigit() and int(line) and int(column)):
        raise Unusable(f"a place is LINE:COLUMN, both from 1, not {options.place!r}")
    result = traced(options.file, options, started)
    if options.grad is not None:
        from .gradient import gradient_at  # with the passes, which a check doesn't need

        at = (result.request.file, int(line), int(column) - 1)
        print(gradient_at(result, *at, options.grad, terminal_width(sys.stdout)))
        return 0
    from .hover import hover  # with the graph, which a check doesn't need

    found = hover(result, result.request.file, int(line), int(column) - 1)
    if found is None:
        print(f"nothing was recorded at {options.file}:{options.place}")
        return 0
    write(found.doc, sys.stdout)
    return 0


def run(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp run``: as ``python FILE``, with an explanation where it failed."""
    path = Path(options.file)
    try:
        interpreter = find_interpreter(str(path.absolute().parent), options.interpreter)
    except FileNotFoundError as error:
        raise Unusable(str(error)) from None
    try:
        asked = Request(
            str(path.absolute()), "", interpreter, tuple(options.arguments), shown=options.file
        )
        request = read(asked)
    except OSError:
        request = None
    if not isinstance(request, Request):  # Python itself says best what is wrong with the file
        return subprocess.call([interpreter, options.file, *options.arguments])
    return run_transparent(request, lambda recorded: _explain_run(recorded, options))


def _explain_run(recorded: Trace, options: argparse.Namespace) -> None:
    findings = judged(recorded)
    if options.findings is not None:
        text = json.dumps(as_json(findings, recorded.sources))
        Path(options.findings).write_text(text, encoding="utf-8")
        return
    shown = as_given(recorded.path, options.file)
    sources = {shown(p): Source(shown(p), s.text) for p, s in recorded.sources.items()}
    loud = [f.moved(shown) for f in findings if f.severity.loud]
    if loud:
        sys.stderr.write("\n")
        write_text(loud, sources, sys.stderr)


def explain(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp explain RULE``: print a rule's page."""
    rules = all_rules()
    if options.rule not in rules:
        raise Unusable(unknown_rule(options.rule))
    from .diagnostics.pages import page

    print(page(rules[options.rule]), end="")
    return 0


COMMANDS = {
    "check": check,
    "trace": show_trace,
    "hover": show_hover,
    "run": run,
    "explain": explain,
}
"""By the names that the command line gives them."""
