"""``jit-lsp trace``: the graph of a run, what is made of it, and what it computes."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from .asked import as_given, traced
from .derived import derived
from .diagnostics.model import Finding, Severity
from .diagnostics.report import one_line
from .diagnostics.rules import ir_verifier, no_derivative
from .doc.source import Source
from .exporting import onnx_of
from .formats import terminal_width, write_text
from .forms import FORMS, write_form
from .ir import Module, PrintOptions, print_module
from .ir.gradients.reverse import NotDifferentiable
from .ir.graph import Node
from .ir.interpreter import ExecutionError
from .ir.passes.manager import optimise
from .ir.passes.one_stage import only_stage, stages_of
from .launch import Unusable, Worker
from .session import Result
from .supervisor import Exchange
from .tracer.lift import Lifted, lift


def show_trace(options: argparse.Namespace, started: Worker | None) -> int:
    """``jit-lsp trace``: run a file and print its graph, or what it computes."""
    status: list[int] = []

    def use(result: Result, exchange: Exchange) -> None:
        status.append(_shown(result, options, exchange))

    result = traced(options.file, options, started, use=use if options.execute else None)
    return status[0] if status else _shown(result, options, None)


def _shown(result: Result, options: argparse.Namespace, exchange: Exchange | None) -> int:
    """Show what is asked for of a run. ``exchange`` asks its worker, if that waits."""
    runs_once = options.format == "onnx" or (options.execute and options.grad is None)
    lifted = lift(result.trace, unrolled=runs_once, whole=result.request.whole)
    module = lifted.module
    invalid = list(ir_verifier.findings(module, result.trace.path))
    name = options.function or "main"
    if options.wrt is not None and options.grad is None:
        raise Unusable("--wrt names what to differentiate by; --grad LOSS says what")
    if options.grad is not None and not invalid:
        try:
            module, name = derived(
                module,
                options.function,
                options.grad,
                options.wrt,
                options.derivatives,
                result.sources.values(),
            )
        except NotDifferentiable as error:
            return _report(result, options.file, [no_derivative.finding(error, result.trace.path)])
        except Unusable:
            if result.trace.outcome.status != "finished":  # a value may be missing for that alone
                _report(result, options.file, invalid)
            raise
    whole = module
    if options.execute or options.inputs is not None:
        return _execute(result, module, name, options, exchange)
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
    if options.stage is not None and not invalid:
        module = _stage(module, options.stage)
    if options.format == "onnx" and not invalid:
        return _export(result, whole, name, lifted, options)
    if options.format in FORMS:
        text = FORMS[options.format](module)
    else:
        text = print_module(module, PrintOptions(width=terminal_width(sys.stdout))) + "\n"
    write_form(text, options.output)
    return _report(result, options.file, invalid)


def _stage(module: Module, number: int) -> Module:
    """One stage of a module, by itself."""
    known = stages_of(module)
    if number not in known:
        there = ", ".join(map(str, known))
        raise Unusable(f"no stage {number} was recorded; there are: {there}")
    chosen = module.copy()
    only_stage(chosen, number)
    return chosen


def _export(
    result: Result, module: Module, name: str, lifted: Lifted, options: argparse.Namespace
) -> int:
    """``jit-lsp trace --format onnx``: write the model of one graph."""
    made = onnx_of(module, name, lifted, custom=options.allow_custom)
    if isinstance(made, Finding):
        return _report(result, options.file, [made])
    write_form(made, options.output)
    return _report(result, options.file, [])


def _execute(
    result: Result,
    module: Module,
    name: str,
    options: argparse.Namespace,
    exchange: Exchange | None,
) -> int:
    """``jit-lsp trace --execute``: compute the graph, from the arrays in a file."""
    from .calls import Calls  # with NumPy, which nothing else here needs
    from .executed import executed

    if not options.execute:
        raise Unusable("--inputs are for --execute")
    if name not in module.graphs:
        known = ", ".join(module.graphs)
        raise Unusable(f"no function {name!r} was recorded; there are: {known}")
    try:
        calls = Calls(exchange) if exchange is not None else None
        results = executed(module, name, options.inputs, options.level, calls)
    except ExecutionError as error:
        place = _place(error.node, result, options)
        print(f"jit-lsp: {place}{error.node.op}: {error.reason}", file=sys.stderr)
        return 1
    for node, note in calls.notes.items() if calls is not None else ():
        print(f"jit-lsp: {_place(node, result, options)}{node.op}: {note}", file=sys.stderr)
    write_form(results.data() if options.output is not None else results.text(), options.output)
    return _report(result, options.file, [])


def _place(node: Node, result: Result, options: argparse.Namespace) -> str:
    """Where a node stands, as messages begin."""
    shown = as_given(result.trace.path, options.file)
    return f"{replace(node.span, path=shown(node.span.path))}: " if node.span is not None else ""


def _report(result: Result, file: str, invalid: list[Finding]) -> int:
    """Say on stderr what ended a run whose graph is shown, and what is wrong with the graph."""
    shown = as_given(result.request.file, file)
    errors = [f.moved(shown) for f in result.findings if f.severity is Severity.ERROR]
    for finding in errors:
        print(f"jit-lsp: {finding.span}: {one_line(finding)}", file=sys.stderr)
    sources = {shown(p): Source(shown(p), s.text) for p, s in result.sources.items()}
    write_text([f.moved(shown) for f in invalid], sources, sys.stderr)
    return int(bool(errors or invalid))
