"""The statements that a program is run by: those at its top, and those of ``if __name__ ==
"__main__":`` in place of it. Shared by both sides of the process boundary."""

from __future__ import annotations

import ast
from typing import NamedTuple

from .names import in_scope


def statements(tree: ast.Module) -> list[ast.stmt]:
    """Every statement that is run by itself, in order.

    >>> tree = ast.parse("import os\\nif __name__ == '__main__':\\n    a = 1\\n    b = 2")
    >>> [ast.unparse(statement) for statement in statements(tree)]
    ['import os', 'a = 1', 'b = 2']
    """
    found: list[ast.stmt] = []
    sure = not any(
        isinstance(node, ast.Name) and node.id == "__name__" and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(tree)
    )
    for statement in tree.body:
        if sure and _is_main_guard(statement):
            found += statement.body  # type: ignore[attr-defined]  # an If, as just seen
        else:
            found.append(statement)
    return found


def _is_main_guard(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")])):
            return not statement.orelse
    return False


def start_of(statement: ast.stmt) -> tuple[int, int]:
    """The line and column where a statement begins, decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    return min((node.lineno, node.col_offset) for node in [statement, *decorators])


class Main(NamedTuple):
    """A function that holds what the program does: a statement calls it, and does little else. Its
    statements are run one by one, too."""

    call: int
    """The number of the statement that calls it."""
    definition: int
    """That of the one that defines it."""
    body: list[ast.stmt]
    """Its statements; a docstring and declarations do nothing."""


def main_of(row: list[ast.stmt]) -> Main | None:
    """The first such function in a row of statements.

    >>> row = statements(ast.parse("def main():\\n    'Text.'\\n    a = 1\\n    b = 2\\nmain()"))
    >>> found = main_of(row)
    >>> found.call, found.definition, len(found.body)
    (1, 0, 2)
    """
    functions: dict[str, list[int]] = {}
    for number, statement in enumerate(row):
        name = getattr(statement, "name", None)
        if isinstance(name, str):
            functions.setdefault(name, []).append(number)
    for number, statement in enumerate(row):
        call = called(statement)
        if call is not None and isinstance(call.func, ast.Name):
            places = functions.get(call.func.id, [])
            if len(places) == 1 and places[0] < number:
                body = _statements_of(row[places[0]])
                if len(body) > 1:
                    return Main(number, places[0], body)
    return None


def called(statement: ast.stmt) -> ast.Call | None:
    """The call that a statement is: by itself, or for its exit status."""
    match statement:
        case ast.Expr(ast.Call(ast.Name("exit" | "quit"), [ast.Call() as call], [])):
            return call
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("sys"), "exit"), [ast.Call() as call], [])):
            return call
        case ast.Raise(ast.Call(ast.Name("SystemExit"), [ast.Call() as call], []), None):
            return call
        case ast.Expr(ast.Call() as call):
            return call
    return None


def _statements_of(function: ast.stmt) -> list[ast.stmt]:
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return []
    body = function.body
    match body[0]:
        case ast.Expr(ast.Constant(str())):
            body = body[1:]
    for node in in_scope(body):
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return []  # its statements are run when somebody asks for the next value
        if isinstance(node, ast.Global | ast.Nonlocal) and node not in body:
            return []
    return [s for s in body if not isinstance(s, ast.Global | ast.Nonlocal)]
