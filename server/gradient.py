"""``jit-lsp hover --grad``: the graph of the gradient by the variable at a place."""

from __future__ import annotations

import ast

from .derived import derived, named
from .ir import Module, PrintOptions, print_module
from .ir.gradients.reverse import NotDifferentiable
from .launch import Unusable
from .parsing import parse
from .session import Result
from .tracer.lift import lift

__all__ = ["gradient_at"]


def gradient_at(result: Result, path: str, line: int, column: int, loss: str, width: int) -> str:
    """What computes ``loss`` and its gradient by the variable at a place, as text.

    Raises:
        Unusable: there is no variable, the loss isn't known, or it has no derivative.
    """
    source = result.sources.get(path)
    name, function = _variable(source.text if source is not None else "", line, column)
    module = lift(result.trace).module
    if function is not None and not _is_in(module, function, loss):
        function = None  # the loss is elsewhere: a value of the program, or a function
    try:
        made, graph = derived(module, function, loss, name, 1, result.sources.values())
    except NotDifferentiable as error:
        raise Unusable(f"{error.node.op} can't be differentiated: {error.reason}") from None
    return print_module(made.only(graph), PrintOptions(width=width))


def _variable(text: str, line: int, column: int) -> tuple[str, str | None]:
    """The name at a place, and the innermost function around it."""
    try:
        tree = parse(text)
    except SyntaxError:
        tree = ast.Module([], [])
    prefix = len("".join(text.splitlines()[line - 1 : line])[:column].encode())
    name: str | None = None
    function: str | None = None
    for node in ast.walk(tree):  # the outermost first
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            function = node.name
        if not isinstance(node, ast.Name | ast.arg) or node.lineno != line:
            continue
        if node.col_offset <= prefix < (node.end_col_offset or 0):
            name = node.id if isinstance(node, ast.Name) else node.arg
    if name is None:
        raise Unusable(f"there is no variable at {line}:{column + 1}")
    return name, function


def _is_in(module: Module, function: str, loss: str) -> bool:
    graph = module.graphs.get(function)
    return graph is not None and bool(named(graph.body.values(), loss))
