"""What a block of statements takes and gives that the program asks not to be looked into."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from . import nodes
from .names import Names

MOST_TAKEN = 8
"""Variables that are told of."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LEAVES = (
    ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Global,
    ast.Nonlocal, ast.Break, ast.Continue, ast.Delete,
)  # fmt: skip
"""What does something to the function around that no other function could do in its place."""


class Block:
    """The names of variables that a ``with`` reads from outside, and of those that it surely leaves
    behind; and the source of a function that does the same, where there is one."""

    __slots__ = ("given", "source", "taken")

    def __init__(self, taken: Sequence[str], given: Sequence[str], source: str | None) -> None:
        self.taken, self.given, self.source = taken, given, source


def block_of(node: ast.With | ast.AsyncWith, names: Names, known: frozenset[str]) -> Block:
    """What a ``with`` statement takes and gives; ``known`` are functions and classes of the file,
    which are no variables."""
    uses = list(_uses(node))
    first: dict[str, bool] = {}
    for name, stores in uses:
        first.setdefault(name, stores)
    fixed = names.modules | set(names.imported) | names.unstable | known
    variables = [n for n in first if n in names.bound and n not in fixed]
    taken = [name for name in variables if not first[name]][:MOST_TAKEN]
    stored = {name for name, stores in uses if stores}
    sure = set(_surely_bound(node))
    given = [n for n in variables if n in sure or (n in stored and n in taken)]
    return Block(taken, given, _source(node, taken, given))


def _source(
    node: ast.With | ast.AsyncWith, taken: Sequence[str], given: Sequence[str]
) -> str | None:
    if any(isinstance(inner, _LEAVES) for inner in nodes.walk(node)):
        return None
    tab = "    "
    body = ast.unparse(node).replace("\n", f"\n{tab}")
    results = "".join(f"{name}, " for name in given)
    return f"def with_({', '.join(taken)}):\n{tab}{body}\n{tab}return ({results})\n"


def _surely_bound(node: ast.With | ast.AsyncWith) -> Iterator[str]:
    """Variables that are bound where a block has come to its end."""
    for item in node.items:
        if item.optional_vars is not None:
            yield from _targets(item.optional_vars)
    for statement in node.body:
        match statement:
            case ast.Assign(targets):
                for target in targets:
                    yield from _targets(target)
            case ast.AugAssign(target) | ast.AnnAssign(target, value=ast.expr()):
                yield from _targets(target)
            case ast.With() | ast.AsyncWith():
                yield from _surely_bound(statement)


def _targets(target: ast.expr) -> Iterator[str]:
    return (n.id for n in ast.walk(target) if isinstance(n, ast.Name) and _stores(n))


def _uses(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """Names in the order in which they are used, and whether each is bound."""
    match node:
        case ast.Name(name):
            yield name, _stores(node)
        case ast.AugAssign(ast.Name(name), _, value):
            yield name, False
            yield from _uses(value)
            yield name, True
        case ast.Assign(targets, value):
            yield from _all(value, *targets)
        case ast.AnnAssign(target, _, value):
            yield from _all(*([value] if value is not None else []), target)
        case ast.NamedExpr(target, value):
            yield from _all(value, target)
        case ast.For(target, over, body, orelse) | ast.AsyncFor(target, over, body, orelse):
            yield from _all(over, target, *body, *orelse)
        case _ if isinstance(node, (*_COMPREHENSIONS, *_DEFINITIONS, ast.Lambda)):
            inner = list(_all(*ast.iter_child_nodes(node)))
            own = {name for name, stores in inner if stores}
            own |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
            yield from ((name, False) for name, _ in inner if name not in own)
            if isinstance(node, _DEFINITIONS):
                yield node.name, True
        case _:
            yield from _all(*ast.iter_child_nodes(node))


def _all(*parts: ast.AST) -> Iterator[tuple[str, bool]]:
    for part in parts:
        yield from _uses(part)


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)
