"""What the commands of ``jit-lsp`` do. ``cli`` parses, starts the worker, and comes here."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from .asked import as_given, traced, unknown_rule
from .checking import check
from .derived import derived
from .diagnostics.model import Finding, Severity
from .diagnostics.report import one_line
from .diagnostics.rules import all_rules, ir_verifier, no_derivative
from .doc.source import Source
from .exporting import onnx_of
from .formats import as_json, terminal_width, write, write_text
from .forms import FORMS, write_form
from .hover import hover
from .interpreters import find_interpreter
from .ir import Module, PrintOptions, print_module
from .ir.gradients.reverse import NotDifferentiable
from .ir.interpreter import ExecutionError
from .ir.passes.manager import optimise
from .launch import Request, Unusable, Worker
from .session import Result, judged, read
from .supervisor import run_transparent
from .tracer.lift import Lifted, lift
from .tracer.trace import Trace


def show_trace(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp trace``: run a file and print its graph."""
    result = traced(options.file, options, started)
    lifted = lift(result.trace, unrolled=options.format == "onnx")
    module = lifted.module
    invalid = list(ir_verifier.findings(module, result.trace.path))
    name = options.function or "main"
    if options.wrt is not None and options.grad is None:
        raise Unusable("--wrt names what to differentiate by; --grad LOSS says what")
    if options.grad is not None and not invalid:
        try:
            module, name = derived(
                module, options.function, options.grad, options.wrt, options.derivatives
            )
        except NotDifferentiable as error:
            return _report(result, options.file, [no_derivative.finding(error, result.trace.path)])
    whole = module
    if options.execute or options.inputs is not None:
        return _execute(result, module, name, options)
    if options.level and not invalid:
        module = optimise(module, options.level)
    if options.grad is not None:
        module = module.only(name)
    elif options.function is not None:
        if options.function not in module.graphs:
            known = ", ".join(module.graphs)
            _report(result, options.file, invalid)
            raise Unusable(f"no function {options.function!r} was recorded; there are: {known}")
        module = module.only(options.function)
    if options.format == "onnx" and not invalid:
        return _export(result, whole, name, lifted, options)
    if options.format in FORMS:
        text = FORMS[options.format](module)
    else:
        text = print_module(module, PrintOptions(width=terminal_width(sys.stdout))) + "\n"
    write_form(text, options.output)
    return _report(result, options.file, invalid)


def _export(
    result: Result, module: Module, name: str, lifted: Lifted, options: argparse.Namespace
) -> int:
    """``jit-lsp trace --format onnx``: write the model of one graph."""
    made = onnx_of(module, name, lifted, custom=options.allow_custom)
    if isinstance(made, Finding):
        return _report(result, options.file, [made])
    write_form(made, options.output)
    return _report(result, options.file, [])


def _execute(result: Result, module: Module, name: str, options: argparse.Namespace) -> int:
    """``jit-lsp trace --execute``: compute the graph, from the arrays in a file."""
    from .executed import executed  # with NumPy, which nothing else here needs

    if not options.execute:
        raise Unusable("--inputs are for --execute")
    if name not in module.graphs:
        known = ", ".join(module.graphs)
        raise Unusable(f"no function {name!r} was recorded; there are: {known}")
    try:
        results = executed(module, name, options.inputs, options.level)
    except ExecutionError as error:
        span = error.node.span
        shown = as_given(result.trace.path, options.file)
        place = f"{replace(span, path=shown(span.path))}: " if span is not None else ""
        print(f"jit-lsp: {place}{error.node.op}: {error.reason}", file=sys.stderr)
        return 1
    write_form(results.data() if options.output is not None else results.text(), options.output)
    return _report(result, options.file, [])


def show_hover(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp hover``: what an editor would show over a place."""
    line, _, column = options.place.partition(":")
    if not (line.isdigit() and column.isdigit() and int(line) and int(column)):
        raise Unusable(f"a place is LINE:COLUMN, both from 1, not {options.place!r}")
    result = traced(options.file, options, started)
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


def _report(result: Result, file: str, invalid: list[Finding]) -> int:
    """Say on stderr what ended a run whose graph is shown, and what is wrong with the graph."""
    shown = as_given(result.request.file, file)
    errors = [f.moved(shown) for f in result.findings if f.severity is Severity.ERROR]
    for finding in errors:
        print(f"jit-lsp: {finding.span}: {one_line(finding)}", file=sys.stderr)
    sources = {shown(p): Source(shown(p), s.text) for p, s in result.sources.items()}
    write_text([f.moved(shown) for f in invalid], sources, sys.stderr)
    return int(bool(errors or invalid))


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
