"""``jit-lsp hover --grad``, and what editors show: the graph of the gradient by a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .derived import derived, named
from .doc.parsing import parse
from .doc.source import Source
from .ir import ArrayType, Module, PrintOptions, Value, print_module
from .ir.elements import FLOATS
from .ir.gradients.reverse import NotDifferentiable
from .launch import Unusable
from .session import Result
from .tracer.lift import lift

__all__ = ["gradient_at", "gradient_of", "variable_at"]


def gradient_at(result: Result, path: str, line: int, column: int, loss: str, width: int) -> str:
    """What computes ``loss`` and its gradient by the variable at a place, as text.

    Raises:
        Unusable: there is no variable, the loss isn't known, or it has no derivative.
    """
    source = result.sources.get(path)
    found = variable_at(source.text if source is not None else "", line, column)
    if found is None:
        raise Unusable(f"there is no variable at {line}:{column + 1}")
    name, function = found
    module = gradient_of(lift(result.trace).module, function, name, loss, result.sources.values())
    return print_module(module, PrintOptions(width=width))


def gradient_of(
    module: Module, function: str | None, by: str, loss: str, sources: Iterable[Source]
) -> Module:
    """The graph of ``loss`` and its gradient by a variable of a function, or of the program.

    Without a loss, of the number there that is called so, else of the last that has a name.

    Raises:
        Unusable: there is nothing of these names, or no derivative.
    """
    loss = loss or _likely_loss(module, function, by)
    if function is not None and not _is_in(module, function, loss):
        function = None  # the loss is elsewhere: a value of the program, or a function
    try:
        made, graph = derived(module, function, loss, by, 1, sources)
    except NotDifferentiable as error:
        raise Unusable(f"{error.node.op} can't be differentiated: {error.reason}") from None
    return made.only(graph)


def _likely_loss(module: Module, function: str | None, by: str) -> str:
    for name in dict.fromkeys((function, "main")):
        graph = module.graphs.get(name or "main")
        values = list(graph.body.values()) if graph is not None else []
        names = [value.hint for value in values if value.hint not in (None, by) and _number(value)]
        if names:
            return "loss" if "loss" in names else str(names[-1])
    raise Unusable(f"no number is computed that could be differentiated by {by}")


def _number(value: Value) -> bool:
    type_ = value.type
    return isinstance(type_, ArrayType) and type_.element in FLOATS and type_.size == 1


def variable_at(text: str, line: int, column: int) -> tuple[str, str | None] | None:
    """The name at a place, and the innermost function around it; None where there is no name."""
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
    return (name, function) if name is not None else None


def _is_in(module: Module, function: str, loss: str) -> bool:
    graph = module.graphs.get(function)
    return graph is not None and bool(named(graph.body.values(), loss))
