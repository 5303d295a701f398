"""Nodes of a rewritten program: made at the places of those that they stand beside, or copied.

A debugger shows the line of each instruction, and stops where the line changes. So what is put
before an expression stands where the expression begins, and what is put behind it where its own
instruction stands: the lines are those of the program as it was written.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Any, TypeVar

from .sites import position

N = TypeVar("N", bound=ast.AST)


def at(new: N, old: ast.AST) -> N:
    """Give ``new`` the position of ``old``."""
    new.lineno, new.col_offset, new.end_lineno, new.end_col_offset = position(old)  # type: ignore[attr-defined]
    return new


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below, less contexts and operators; several times as fast as
    ``ast.iter_child_nodes``, in no certain order."""
    found: list[ast.AST] = []
    for value in vars(node).values():
        if isinstance(value, ast.AST):
            if value._fields:
                found.append(value)
        elif type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo += children(node)


def copy(nodes: list[N]) -> list[N]:
    """A deep copy of trees; several times as fast as ``copy.deepcopy``, whose generality isn't
    needed."""
    return [_copied(node) for node in nodes]


def _copied(node: N) -> N:
    if not node._fields:
        return node  # contexts and operators are shared
    new = type(node).__new__(type(node))
    for name, value in vars(node).items():
        if isinstance(value, ast.AST):
            value = _copied(value)
        elif isinstance(value, list):
            value = [_copied(v) if isinstance(v, ast.AST) else v for v in value]
        setattr(new, name, value)
    return new


# What is evaluated first of a node: the field, or the first item of the field.
_FIRST: dict[type[ast.AST], str] = {
    ast.Assert: "test", ast.Assign: "value", ast.Attribute: "value", ast.AugAssign: "target",
    ast.AnnAssign: "value", ast.AsyncFor: "iter", ast.AsyncWith: "items", ast.Await: "value",
    ast.BinOp: "left", ast.BoolOp: "values", ast.Call: "func", ast.Compare: "left",
    ast.Delete: "targets", ast.Expr: "value", ast.For: "iter", ast.If: "test", ast.IfExp: "test",
    ast.List: "elts", ast.Match: "subject", ast.NamedExpr: "value", ast.Raise: "exc",
    ast.Return: "value", ast.Set: "elts", ast.Starred: "value", ast.Subscript: "value",
    ast.Tuple: "elts", ast.UnaryOp: "operand", ast.While: "test", ast.With: "items",
    ast.withitem: "context_expr",
}  # fmt: skip
if sys.version_info >= (3, 12):  # they have no frame of their own any more
    _FIRST |= dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp), "generators")
    _FIRST[ast.comprehension] = "iter"


def first(node: ast.AST) -> ast.AST:
    """Where to stand with what is evaluated before ``node``, so that a debugger sees no line twice
    and none out of turn: at the beginning of what is evaluated first of it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Constant):
        return node.func  # ours
    if _on_one_line(node):
        return node
    inner: Any = node
    while isinstance(inner, ast.AST) and (name := _FIRST.get(type(inner))) is not None:
        below = getattr(inner, name)
        below = below[0] if isinstance(below, list) and below else below
        if not isinstance(below, ast.AST):
            break
        inner = below
    return _spot(inner.lineno, inner.col_offset) if hasattr(inner, "lineno") else node


def last(node: ast.AST) -> ast.AST:
    """Where to stand with what is evaluated right after ``node``: on the line of its own
    instruction."""
    if _on_one_line(node):
        return node
    named = node.func if isinstance(node, ast.Call) else node
    if isinstance(named, ast.Attribute):
        return _spot(named.end_lineno or named.lineno, 0)
    return _spot(node.lineno, node.col_offset)  # type: ignore[attr-defined]


def _on_one_line(node: ast.AST) -> bool:
    return node.lineno == node.end_lineno  # type: ignore[attr-defined, no-any-return]


def _spot(line: int, column: int) -> ast.AST:
    """Something at a place without extent."""
    return ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
