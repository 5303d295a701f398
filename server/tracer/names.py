"""What the text of a program says about its names: imports, rebindings, and certain Python
scalars."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from . import nodes

SCALAR_CALLS = frozenset({"len", "int", "float", "bool", "ord", "hash", "isinstance", "id", "str"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_BINDING = frozenset((
    ast.For, ast.AsyncFor, ast.comprehension, ast.Assign, ast.Global, ast.Nonlocal, ast.NamedExpr,
    ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar, ast.MatchMapping, ast.Import, ast.ImportFrom,
))  # fmt: skip
"""All nodes that bind a name, but names themselves."""


class Names:
    """The names of one file, whatever the scope: coarse, but certain in what it says.

    Attributes:
        unstable: names that a callee or the expression itself may rebind while an expression is
            evaluated (declared global or nonlocal, or bound by a walrus).
        bound: every name that the file binds anywhere.
        modules: names bound by ``import`` alone; they hold modules.
        loose: names that loops, comprehensions and unpacking bind; what they hold was seldom
            recorded before.
        imported: name to qualified name, for names that absolute imports alone bind, always alike.
    """

    def __init__(self, tree: ast.AST) -> None:
        self.unstable: set[str] = set()
        self.bound: set[str] = set()
        modules: set[str] = set()
        imported: dict[str, str] = {}
        other: set[str] = set()
        self.loose: set[str] = set()
        for node in nodes.walk(tree):
            if type(node) is ast.Name:  # most are, and most are only read
                if type(node.ctx) is not ast.Load:
                    other.add(node.id)
                continue
            if type(node) not in _BINDING:
                continue
            match node:
                case ast.For(target) | ast.AsyncFor(target) | ast.comprehension(target):
                    self.loose.update(_names(target))
                case ast.Assign([ast.Tuple() as target]):
                    self.loose.update(_names(target))
            match node:
                case ast.Global(names) | ast.Nonlocal(names):
                    self.unstable.update(names)
                case ast.NamedExpr(ast.Name(name)):
                    self.unstable.add(name)
                case (
                    ast.arg(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name)
                    | ast.ClassDef(name)
                ):  # fmt: skip
                    other.add(name)
                case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)):
                    other.add(name)
                case ast.MatchStar(str(name)) | ast.MatchMapping(_, _, str(name)):
                    other.add(name)
                case ast.Import(aliases):
                    for alias in aliases:
                        name = alias.asname or alias.name.partition(".")[0]
                        modules.add(name)
                        whole = alias.name if alias.asname else name
                        if imported.setdefault(name, whole) != whole:
                            other.add(name)
                case ast.ImportFrom(module, aliases, level):
                    for alias in aliases:
                        name = alias.asname or alias.name
                        whole = f"{module}.{alias.name}"
                        if level or imported.setdefault(name, whole) != whole:
                            other.add(name)
        self.bound = other | set(imported) | modules
        self.modules = {n for n in modules if n in imported and n not in other}
        self.imported = {n: q for n, q in imported.items() if n not in other}

    def scalars(self, body: list[ast.stmt], parameters: Iterable[str]) -> frozenset[str]:
        """Names of one function that hold Python scalars whenever they are read.

        Not flow-sensitive: each binding of such a name must be a scalar, and each must be of a form
        that is understood here.
        """
        bindings: dict[str, list[ast.expr]] = {}
        foreign = {*parameters, *self.unstable}
        understood: set[int] = set()
        inside = list(in_scope(body))
        for node in inside:
            match node:
                case ast.Assign([ast.Name(name) as target], value):
                    pass
                case ast.AugAssign(ast.Name(name) as target, _, value):
                    pass
                case ast.For(ast.Name(name) as target, ast.Call(ast.Name("range"))):
                    if "range" in self.bound:
                        continue
                    value = ast.Constant(0)
                case _:
                    foreign.update(_binds_otherwise(node))
                    continue
            bindings.setdefault(name, []).append(value)
            understood.add(id(target))
        for node in inside:
            stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
            if stored and id(node) not in understood:
                foreign.add(node.id)  # type: ignore[attr-defined]  # a Name, as just seen
        found = frozenset(bindings) - foreign
        while True:  # a greatest fixed point: drop names until all that is left supports itself
            kept = frozenset(
                n for n in found if all(self.is_scalar(value, found) for value in bindings[n])
            )
            if kept == found:
                return found
            found = kept

    def is_scalar(self, node: ast.expr, scalars: frozenset[str]) -> bool:
        """Whether ``node`` certainly gives a Python scalar (or string), given names that do."""
        match node:
            case ast.Constant() | ast.JoinedStr():
                return True
            case ast.Name(name):
                return name in scalars
            case ast.BinOp(left, _, right):
                return self.is_scalar(left, scalars) and self.is_scalar(right, scalars)
            case ast.UnaryOp(ast.Not()):
                return True
            case ast.UnaryOp(_, operand):
                return self.is_scalar(operand, scalars)
            case ast.Call(ast.Name(name)):
                return name in SCALAR_CALLS and name not in self.bound
            case ast.Compare(left, ops, comparators):
                if all(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in ops):
                    return True
                return all(self.is_scalar(n, scalars) for n in [left, *comparators])
            case ast.IfExp(_, body, orelse):
                return self.is_scalar(body, scalars) and self.is_scalar(orelse, scalars)
        return False


def in_scope(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of one scope: those below ``body``, but nothing inside nested functions or
    classes."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack += nodes.children(node)


def _names(target: ast.expr) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def _binds_otherwise(node: ast.AST) -> list[str]:
    match node:
        case ast.Global(names) | ast.Nonlocal(names):
            return list(names)
        case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
            return [name]
        case ast.MatchMapping(_, _, str(name)):
            return [name]
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Import(aliases) | ast.ImportFrom(_, aliases):
            return [(a.asname or a.name).partition(".")[0] for a in aliases]
    return []
