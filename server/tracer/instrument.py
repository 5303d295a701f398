"""Rewriting a program so that it records what it does, and does exactly what it did.

Every operation stays what it is, evaluated natively in the user's own frame. A recorder around it
looks at the finished value and returns it unchanged::

    a + b * c        R(.r, 1, a + R(.r, 0, b * c, b, c), a, 0)     # 0 and 1 are sites
    x[i] = v         x[i] = v; STORE(.r, 2, x, i, v)
    a += b           a += BEFORE(.r, 3, b, a); AFTER(.r, 3, a, b)

``.r`` is the frame's record, which stands for the frame: an empty cell (see ``codes``), under which
the recorder keeps the weak tokens of the latest results of the frame's sites, so that an operand
that is no plain name is found through its own site. Modules and class bodies have a constant one.

Loops, functions, lambdas and comprehensions get a plain *twin*, which runs in place of what is
recorded while its cell says so::

    if CELL.plain: CELL.plain -= 1; <the body as written>
    else: ENTER(CELL, .r); <the recorded body>

    <as written> if NEXT(CELL.runs, 0) else ENTER(CELL, .r) or <recorded>

All nodes keep the positions of what they stand for, so that tracebacks read as they do plain.
"""

from __future__ import annotations

import ast
import builtins
import gc
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from . import nodes, unseen
from .codes import MARK, RECORD, Key, compiled
from .names import Names, in_scope
from .opaque import Opaque
from .regions import block_of
from .sites import Cursor, Loop, Operand, Position, Program, Scope, Site, Tables, position

WRITTEN_ATTRIBUTES = frozenset({"real", "imag", "flat"})
"""Attributes of arrays that an assignment writes through, as ``x[...] = v`` would."""
VIEW_ATTRIBUTES = frozenset({"T", "mT", "H", "mH", "real", "imag", "flat"})
MAX_OPERANDS = 8
_CALL_BACK = frozenset({
    "numpy.apply_along_axis", "numpy.apply_over_axes", "numpy.fromfunction", "numpy.piecewise",
})  # fmt: skip
"""What NumPy computes by calling functions of the program."""
_WRAPPING = frozenset({"Add", "Sub", "Mult"})
"""Operators whose result on integers is taken modulo 2**n without a word."""

# Builtins whose calls say nothing of arrays; recording them would only cost.
SILENT = frozenset(
    [
        "super",
        "locals",
        "globals",
        "vars",
        "dir",
        "eval",
        "exec",
        "breakpoint",
        "isinstance",
        "issubclass",
        "len",
        "range",
        "type",
        "id",
        "getattr",
        "setattr",
        "hasattr",
        "delattr",
        "str",
        "repr",
        "enumerate",
        "zip",
        "__import__",
        "int",
        "bool",
        "ord",
        "chr",
        "hash",
        "callable",
        "input",
        "open",
        "format",
        "hex",
        "bin",
        "oct",
        "bytes",
        "bytearray",
        "frozenset",
        "set",
        "dict",
        "property",
        "staticmethod",
        "classmethod",
        "object",
        "iter",
        "next",
        "ascii",
        "memoryview",
        "slice",
        "tuple",
        "list",
        "map",
        "filter",
        "reversed",
    ]
)
_BUILTINS = frozenset(dir(builtins))
_HOOKS = frozenset({
    "register_hook", "register_forward_hook", "register_forward_pre_hook",
    "register_full_backward_hook", "register_full_backward_pre_hook",
    "register_post_accumulate_grad_hook",
})  # fmt: skip
_FSTRINGS_HAVE_POSITIONS = sys.version_info >= (3, 12)
_JUMPS_AT_COMPARISONS = sys.version_info < (3, 12)
_PASSES_THROUGH = (
    ast.Name, ast.IfExp, ast.BoolOp, ast.Await, ast.Yield, ast.YieldFrom, ast.Attribute, ast.Call,
    ast.Subscript, ast.ListComp, ast.NamedExpr, ast.BinOp, ast.UnaryOp,
)  # fmt: skip
"""What may give an array that something else made, or a number that no array was needed for."""


@dataclass(slots=True)
class _ScopeState:
    number: int
    kind: str  # module, class, function, lambda, comprehension
    parent: _ScopeState | None
    scalars: frozenset[str] = frozenset()
    uses_record: bool = False

    @property
    def owner(self) -> _ScopeState:
        """The scope whose invocation owns the record: comprehensions share their parent's."""
        state = self
        while state.kind == "comprehension" and state.parent is not None:
            state = state.parent
        return state


@dataclass(slots=True)
class Instrumented:
    """A rewritten program, to be compiled, and the constants that its markers stand for."""

    tree: ast.Module
    program: Program
    constants: Mapping[bytes, Key]

    def code(self, resolve: Callable[[Key], object], flags: int = 0) -> types.CodeType:
        """Compile, with ``resolve`` giving the object for each marker's key."""
        return compiled(self.tree, self.program.path, self.constants, resolve, flags)


def instrument(
    source: str,
    path: str,
    tables: Tables | None = None,
    *,
    twins: bool = True,
    calls: bool = False,
) -> Instrumented:
    """Parse and rewrite ``source``; ``tables`` has what the run's other files came to. With
    ``calls``, what calls are made with is to be kept.

    Raises:
        SyntaxError: as ``compile`` does, and ValueError for a NUL character.
    """
    collecting = gc.isenabled()
    gc.disable()  # a tree of many small objects, none of them garbage
    try:
        tree = ast.parse(source, path)
        program = Program(path, source, tables or Tables())
        return _Instrumenter(tree, program, twins, calls=calls).run()
    finally:
        if collecting:
            gc.enable()


def instrument_after(
    module: ast.Module, scope: int, tree: ast.Module, program: Program
) -> Instrumented:
    """Rewrite the statements ``tree``, to run where the ``module`` with the number ``scope`` has
    run; ``program`` is new, and gets the sites."""
    return _Instrumenter(tree, program, False, scope, module).run()


class Cut:
    """A function whose statements can be left between, and what it comes to. ``places`` are those
    of the statements that were known before."""

    def __init__(self, node: ast.stmt, places: Sequence[Cursor]) -> None:
        self.node = node
        self.places = places
        self.parts: list[tuple[Cursor, Cursor]] = []
        """Of what comes before its statements, then of each."""
        self.statements: list[list[ast.stmt]] = []
        """What runs in place of each; all but the first begin by asking whether to leave."""
        self.cells: list[ast.Tuple] = []
        """In each such question: the variables that inner functions share, once they are known."""
        self.declared: list[ast.stmt] = []
        self.start: Cursor = (0, 0, 0)

    def last_site(self, first: int) -> int:
        """Behind its sites, if it has any, else the first."""
        return max([first, *(end[0] for begin, end in self.parts[1:] if begin[0] < end[0])])


class Rewriter:
    """Rewrites a file statement by statement. ``scope`` is its module's, where that is known."""

    def __init__(self, tree: ast.Module, program: Program, scope: int | None) -> None:
        self._inner = _Instrumenter(tree, program, True, scope)

    def cut(self, cut: Cut | None) -> None:
        """Rewrite a function so, when its turn comes."""
        self._inner.cut = cut

    def constant(self, key: Key, at: ast.AST) -> ast.Constant:
        """A marker."""
        return self._inner.constant(key, at)

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """What is to run in place of a statement of the file's top."""
        return self._inner.body([node])

    @property
    def constants(self) -> Mapping[bytes, Key]:
        """What the markers in what was rewritten so far stand for."""
        return self._inner.constants


class _Instrumenter:
    def __init__(
        self,
        tree: ast.Module,
        program: Program,
        twins: bool,
        scope: int | None = None,
        before: ast.Module | None = None,
        calls: bool = False,
    ) -> None:
        self.tree = tree
        self.calls = calls
        body = [*(before.body if before else ()), *tree.body]
        self.names = Names(ast.Module(body, []))
        self.twins = twins
        self.program = program
        self.tables = program.tables
        self.marks: dict[Key, bytes] = {}
        self.opaque = Opaque(program.source)
        self.recorded = frozenset(self.opaque.beside(body))
        self.definitions = frozenset(
            node.name
            for node in body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        )
        self.classes: list[str] = []
        self.loop: int | None = None
        self.decides: set[ast.Compare] = set()
        self.iterated = False
        """Whether inside of what a comprehension iterates over."""
        self.cut: Cut | None = None
        self.start = self.tables.at
        if scope is None:
            scope = self.tables.add_scope(Scope("module", "", (1, 0, 1, 0), None))
        self.scope = _ScopeState(scope, "module", None)

    def run(self) -> Instrumented:
        self.tree.body = self.body(self.tree.body)
        self.program.parts.append((self.start, self.tables.at))
        return Instrumented(self.tree, self.program, self.constants)

    @property
    def constants(self) -> dict[bytes, Key]:
        return {mark: key for key, mark in self.marks.items()}

    # ------------------------------------------------------------------ building nodes

    def constant(self, key: Key, at: ast.AST) -> ast.Constant:
        mark = self.marks.setdefault(key, MARK + str(len(self.marks)).encode())
        return nodes.at(ast.Constant(mark), at)

    def call(self, key: Key, at: ast.AST, arguments: list[ast.expr],
             start: ast.AST | None = None) -> ast.Call:  # fmt: skip
        return nodes.at(ast.Call(self.constant(key, start or at), arguments, []), at)

    def record(self, at: ast.AST) -> ast.expr:
        owner = self.scope.owner
        if owner.kind in ("function", "lambda"):
            owner.uses_record = True
            return nodes.at(ast.Name(RECORD, ast.Load()), at)
        return self.constant(("record", owner.number), at)

    def number(self, value: int, at: ast.AST) -> ast.Constant:
        return nodes.at(ast.Constant(value), at)

    def new_site(self, node: ast.AST, kind: str, operands: list[Operand], callee: str = "",
                 certain: bool = False) -> int:  # fmt: skip
        return self.tables.add_site(
            Site(
                kind, position(node), self.scope.owner.number, self.loop, operands, callee, certain
            )
        )

    def arguments(self, operands: Iterable[Operand], at: ast.AST) -> tuple[Key, list[ast.expr]]:
        """What the recorder is called with for these operands: its forms, and one argument each."""
        forms: list[object] = []
        values: list[ast.expr] = []
        for operand in [o for o in operands if o.recorded][:MAX_OPERANDS]:
            starred = operand.role == "*"
            if operand.site is not None:
                forms.append(("site", starred))
                values.append(self.number(operand.site, at))
            else:
                loose = operand.form == "name" and operand.text in self.names.loose
                forms.append(("loose" if loose else operand.path, starred))
                values.append(nodes.at(ast.Name(operand.text, ast.Load()), at))
        return tuple(forms), values

    def wrap(self, node: ast.expr, kind: str, how: str, operands: list[Operand], child: bool,
             callee: str = "", certain: bool = False) -> tuple[ast.expr, int]:  # fmt: skip
        site = self.new_site(node, kind, operands, callee, certain)
        start, end = nodes.first(node), nodes.last(node)
        forms, values = self.arguments(operands, end)
        head: list[ast.expr] = [self.record(start), self.number(site, start), node]
        return self.call(("op", how, child, forms), end, head + values, start), site

    def leaf(self, node: ast.expr, at: ast.AST) -> tuple[ast.expr, int]:
        """A site that only notes which value came out of an expression."""
        site = self.new_site(at, "leaf", [])
        start = nodes.first(node)
        arguments = [self.record(start), self.number(site, start), node]
        return self.call(("op", "leaf", True, ()), nodes.last(node), arguments, start), site

    # ------------------------------------------------------------------ operands

    def dotted(self, node: ast.expr) -> tuple[str, tuple[str, ...]] | None:
        """``a.b.c`` as (a, (b, c)), where reading it again is harmless."""
        path: list[str] = []
        while isinstance(node, ast.Attribute) and node.attr not in VIEW_ATTRIBUTES:
            path.append(self.mangled(node.attr))
            node = node.value
        if isinstance(node, ast.Name) and node.id not in self.names.unstable:
            return node.id, tuple(reversed(path))
        return None

    def qualified(self, node: ast.expr) -> str | None:
        """The full name of what ``node`` means, where imports decide it."""
        chain = self.dotted(node)
        if chain is None or chain[0] not in self.names.imported:
            return None
        return ".".join([self.names.imported[chain[0]], *chain[1]])

    def mangled(self, attribute: str) -> str:
        if not attribute.startswith("__") or attribute.endswith("__") or not self.classes:
            return attribute
        owner = self.classes[-1].lstrip("_")
        return f"_{owner}{attribute}" if owner else attribute

    def operand(self, node: ast.expr, role: str, operands: list[Operand]) -> ast.expr:
        """Rewrite ``node``, and add how its value will be known."""
        place = position(node)

        def known(form: str, text: str = "", **more: object) -> None:
            operands.append(Operand(role, form, text, place, **more))  # type: ignore[arg-type]

        match node:
            case ast.Constant():
                known("literal")
                return node
            case ast.Name(name) if name not in self.names.unstable:
                foreign = name in self.names.modules or (
                    name not in self.names.bound and name in _BUILTINS
                )
                known("text" if foreign else "name", name)
                return node
            case ast.Attribute() if (chain := self.dotted(node)) and chain[1]:
                if chain[0] in self.names.modules:
                    known("text")
                else:
                    known("attribute", chain[0], path=chain[1])
                return node
            case ast.Tuple() | ast.List() if _is_literal(node):
                known("literal")
                return node
            case ast.Tuple(elements) | ast.List(elements):
                opened = "[" if isinstance(node, ast.List) else "("
                for number, element in enumerate(elements):
                    first = len(operands)
                    elements[number] = self.operand(element, role, operands)
                    for item in operands[first:]:
                        item.bracket = f"{opened}{number}{item.bracket}"
                return node
            case ast.Starred(value):
                node.value = self.operand(value, "*", operands)
                return node
            case ast.Slice():
                known("text")
                for part in ("lower", "upper", "step"):
                    bound = getattr(node, part)
                    if bound is not None and not _is_literal(bound):
                        setattr(node, part, self.bound(bound, operands))
                return node
            case ast.UnaryOp(ast.USub() | ast.UAdd(), ast.Constant()):
                known("literal")
                return node
        new, site = self.expr(node, child=True)
        if site is None and isinstance(node, _PASSES_THROUGH):
            new, site = self.leaf(new, node)
        if site is None:
            known("text")
        else:
            known("site", site=site)
        return new

    def bound(self, node: ast.expr, operands: list[Operand]) -> ast.expr:
        """Rewrite one bound of a slice, whose number is an operand of its own."""
        new = self.operand(node, "bound", operands)
        if not operands[-1].recorded:
            new, site = self.leaf(new, node)
            operands[-1] = Operand("bound", "site", "", position(node), site)
        return new

    # ------------------------------------------------------------------ expressions

    def expr(self, node: ast.expr, child: bool = False) -> tuple[ast.expr, int | None]:
        """Rewrite; say which site now gives the value. ``child``: the value is an operand."""
        visit = getattr(self, "expr_" + type(node).__name__, None)
        if visit is not None:
            result: tuple[ast.expr, int | None] = visit(node, child)
            return result
        self.children(node)
        return node, None

    def children(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.expr(value)[0])
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        value[i] = self.expr(item)[0]
                    elif isinstance(item, ast.keyword):
                        item.value = self.expr(item.value)[0]

    def is_scalar(self, node: ast.expr) -> bool:
        return self.names.is_scalar(node, self.scope.owner.scalars)

    def expr_JoinedStr(self, node: ast.JoinedStr, child: bool) -> tuple[ast.expr, None]:
        if _FSTRINGS_HAVE_POSITIONS:
            self.children(node)
        return node, None

    def expr_FormattedValue(self, node: ast.FormattedValue, child: bool) -> tuple[ast.expr, None]:
        node.value = self.expr(node.value)[0]
        return node, None

    def expr_BinOp(self, node: ast.BinOp, child: bool) -> tuple[ast.expr, int | None]:
        if self.is_scalar(node) or _is_text(node.left) or _is_text(node.right):
            self.children(node)
            return node, None
        operands: list[Operand] = []
        node.left = self.operand(node.left, "0", operands)
        node.right = self.operand(node.right, "1", operands)
        how = _operator(node.op, [node.left, node.right], operands)
        return self.wrap(node, f"binary:{type(node.op).__name__}", how, operands, child)

    def expr_UnaryOp(self, node: ast.UnaryOp, child: bool) -> tuple[ast.expr, int | None]:
        if isinstance(node.op, ast.Not) or self.is_scalar(node.operand):
            self.children(node)
            return node, None
        operands: list[Operand] = []
        node.operand = self.operand(node.operand, "0", operands)
        negative = isinstance(node.op, ast.USub) and len(operands) == 1 and operands[0].recorded
        how = "operator:Sub:0:o0" if negative else "operator"
        return self.wrap(node, f"unary:{type(node.op).__name__}", how, operands, child)

    def expr_Compare(self, node: ast.Compare, child: bool) -> tuple[ast.expr, int | None]:
        never = len(node.ops) != 1 or isinstance(
            node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn
        )
        if never or self.is_scalar(node) or _is_text(node.left) or _is_text(node.comparators[0]):
            self.children(node)
            return node, None
        operands: list[Operand] = []
        node.left = self.operand(node.left, "0", operands)
        node.comparators = [self.operand(node.comparators[0], "1", operands)]
        kind, place = f"compare:{type(node.ops[0]).__name__}", node
        new, site = self.wrap(node, kind, "operator", operands, child)
        if node in self.decides:
            new = nodes.at(ast.Compare(self.constant(("same",), new), [ast.Eq()], [new]), place)
        return new, site

    def deciding(self, test: ast.expr) -> ast.expr:
        """Note the comparisons that say where to go on. Python 3.11 jumps at the place of such a
        comparison, and at that of the whole statement where it is anything else: what is wrapped
        around one has to be a comparison too (``SAME == value`` is the value)."""
        todo = [test] if _JUMPS_AT_COMPARISONS else []
        while todo:
            match todo.pop():
                case ast.BoolOp(values=values):
                    todo += values
                case ast.UnaryOp(ast.Not(), operand):
                    todo.append(operand)
                case ast.IfExp(inner, body, orelse):
                    todo += [inner, body, orelse]
                case ast.Compare() as comparison:
                    self.decides.add(comparison)
        return test

    def expr_IfExp(self, node: ast.IfExp, child: bool) -> tuple[ast.expr, None]:
        self.deciding(node.test)
        self.children(node)
        return node, None

    def expr_Call(self, node: ast.Call, child: bool) -> tuple[ast.expr, int | None]:
        func = node.func
        if isinstance(func, ast.Name) and func.id in SILENT and func.id not in self.names.bound:
            self.children(node)
            return node, None
        operands: list[Operand] = []
        callee = self.qualified(func)
        certain = callee is not None
        if callee is None and isinstance(func, ast.Attribute):
            callee = "." + func.attr
            func.value = self.operand(func.value, "self", operands)
            if func.attr == "resize":  # refuses an array that has weak references
                func.value = self.call(
                    ("forget",), func.value, [self.record(func.value), func.value]
                )
        elif callee is None and isinstance(func, ast.Name):
            callee = func.id
            certain = func.id not in self.names.bound and func.id in _BUILTINS
            if certain:
                callee = "builtins." + func.id
        elif callee is None:
            node.func = self.expr(func)[0]
        if isinstance(func, ast.Attribute) and func.attr == "_exit" and node.args:
            node.args[0] = self.call(("flush",), node.args[0], [node.args[0]])
        node.args = [self.operand(a, str(i), operands) for i, a in enumerate(node.args)]
        for keyword in node.keywords:
            if keyword.arg is None:
                keyword.value = self.expr(keyword.value)[0]
            else:
                keyword.value = self.operand(keyword.value, keyword.arg, operands)
        watched = unseen.may_write(
            node, operands, callee or "", certain, self.recorded, patient=self.calls
        )
        how = "call:watched" if watched else "call"
        new, site = self.wrap(node, "call", how, operands, child, callee or "", certain)
        if watched:
            self.watch(node, site, operands, callee or "")
        self.announce(node, site, callee or "", certain)
        plain = certain and (callee or "").startswith(("builtins.", "numpy."))
        if self.calls and (not plain or callee in _CALL_BACK):
            new = self.remembered(new, node, site)
        return new, site

    def remembered(self, new: ast.expr, node: ast.Call, site: int) -> ast.expr:
        """A call, of which is kept what it is made with: function and arguments pass by."""
        given: list[tuple[ast.expr | ast.keyword, int | str]]
        given = [(item, "*" if isinstance(item, ast.Starred) else number)
                 for number, item in enumerate(node.args)]  # fmt: skip
        given += [(keyword, keyword.arg or "**") for keyword in node.keywords]
        node.func = self.look_at(("calls", "began", not given), site, node.func)
        for number, (item, place) in enumerate(given):
            key = ("calls", "given", place, number == len(given) - 1)
            if isinstance(item, ast.expr) and not isinstance(item, ast.Starred):
                node.args[number] = self.look_at(key, site, item)
            else:
                item.value = self.look_at(key, site, item.value)
        return self.look_at(("calls", "ended"), site, new)

    def announce(self, node: ast.Call, site: int, callee: str, certain: bool) -> None:
        """Have some calls be known right before they begin: what they do can't be seen of what they
        give. The graph of gradients is gone when a backward pass has ended."""
        func, name = node.func, callee.rpartition(".")[2]
        if not certain and isinstance(func, ast.Attribute) and name in ("backward", "step"):
            func.value = self.announced(name, site, func.value)
        elif not certain and isinstance(func, ast.Attribute) and name in _HOOKS:
            func.value = self.announced("hook", site, func.value)
            if node.args and not isinstance(node.args[0], ast.Starred):
                node.args[0] = self.announced("hooked", site, node.args[0])
            for keyword in node.keywords:
                if keyword.arg == "hook":
                    keyword.value = self.announced("hooked", site, keyword.value)
        elif certain and callee in ("torch.autograd.grad", "torch.autograd.backward"):
            if node.args and not isinstance(node.args[0], ast.Starred):
                node.args[0] = self.announced("backward", site, node.args[0])
            for keyword in node.keywords:
                if keyword.arg in ("outputs", "tensors"):
                    keyword.value = self.announced("backward", site, keyword.value)

    def announced(self, name: str, site: int, value: ast.expr) -> ast.expr:
        at = nodes.last(value)
        return self.call(("begins", name), at, [self.number(site, at), value], nodes.first(value))

    def watch(self, node: ast.Call, site: int, operands: list[Operand], callee: str) -> None:
        """Have looked at right before the call what it may write into: as the last argument passes
        by, or the object that a method is called on, where it can't be read again by then."""
        func, given, what = node.func, [o for o in operands if o.recorded], "call"
        if isinstance(func, ast.Attribute) and given and given[0].role == "self":
            own = given.pop(0)
            if not node.args and not node.keywords:
                func.value = self.look_at(("watch", "own", ()), site, func.value)
                return
            if not (self.calls or unseen.may_write_owner(callee)):
                pass
            elif own.form != "site":
                given.insert(0, own)
                what = "method"
            elif not unseen.calls(node):
                func.value = self.look_at(("watch", "own", ()), site, func.value)
                what = "more"
        last: ast.expr | ast.Starred | ast.keyword
        last = node.keywords[-1] if node.keywords else node.args[-1]
        forms, values = self.arguments(given, nodes.last(last))
        if isinstance(last, ast.keyword | ast.Starred):
            last.value = self.look_at(("watch", what, forms), site, last.value, *values)
        else:
            node.args[-1] = self.look_at(("watch", what, forms), site, last, *values)

    def expr_Subscript(self, node: ast.Subscript, child: bool) -> tuple[ast.expr, int | None]:
        key = node.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and not child:
            self.children(node)
            return node, None
        operands: list[Operand] = []
        node.value = self.operand(node.value, "0", operands)
        node.slice = self.operand(node.slice, "index", operands)
        return self.wrap(node, "getitem", "view", operands, child)

    def expr_Attribute(self, node: ast.Attribute, child: bool) -> tuple[ast.expr, int | None]:
        if node.attr not in VIEW_ATTRIBUTES:
            node.value = self.expr(node.value)[0]
            return node, None
        operands: list[Operand] = []
        node.value = self.operand(node.value, "0", operands)
        return self.wrap(node, f"attribute:{node.attr}", "view", operands, child)

    def expr_NamedExpr(self, node: ast.NamedExpr, child: bool) -> tuple[ast.expr, int | None]:
        node.value, site = self.expr(node.value, child)
        self.bind(site, [node.target])
        return node, site

    def expr_Lambda(self, node: ast.Lambda, child: bool) -> tuple[ast.expr, None]:
        self.defaults(node.args)
        if self.iterated:  # where nothing may be assigned, and so no record made
            return node, None
        plain, first_site = nodes.copy([node.body]), self.tables.at[0]
        with self.scoped("lambda", "<lambda>", node, _parameters(node.args)) as state:
            node.body = self.expr(node.body)[0]
            if state.uses_record:
                key = self.new_cell("lambda", state.number, (first_site, self.tables.at[0]))
                at = nodes.first(node.body)
                node.body = self.sampled(key, plain[0], node.body, self.entered(key, at))
        return node, None

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, child: bool
    ) -> tuple[ast.expr, None]:
        first = node.generators[0]
        first.iter = self.iterable(first.iter)
        state, outer = self.scope, self.loop
        self.scope = _ScopeState(state.number, "comprehension", state)
        target = ast.unparse(first.target)
        number = self.loop = self.tables.add_loop(
            Loop(position(node), state.owner.number, outer, target)
        )
        counted = self.repeated(node, number)
        self.scope, self.loop = state, outer
        if counted is None:
            return node, None
        start, end = nodes.first(node), nodes.last(node)
        head: list[ast.expr] = [self.constant(counted, start), self.record(start)]
        return self.call(("around",), end, [*head, node], start), None

    def repeated(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, loop: int
    ) -> Key | None:
        """Rewrite what runs for each item; gives the cell that counts how often, if one does."""
        for generator in node.generators[1:]:
            generator.iter = self.iterable(generator.iter, loop)
        for generator in node.generators[:-1]:
            generator.ifs = [self.each(self.deciding(test), loop)[0] for test in generator.ifs]
        counted: Key | None = None
        tests = node.generators[-1].ifs
        for number, test in enumerate(tests):
            tests[number], key = self.each(self.deciding(test), loop, counted is None)
            counted = counted or key
        for name in ("key", "value", "elt"):
            if hasattr(node, name):
                item, key = self.each(getattr(node, name), loop, counted is None)
                setattr(node, name, item)
                counted = counted or key
        return counted

    def iterable(self, node: ast.expr, loop: int | None = None) -> ast.expr:
        """Rewrite what a comprehension iterates over, once or for each item of its ``loop``."""
        outer, self.iterated = self.iterated, True
        new = self.expr(node)[0] if loop is None else self.each(node, loop)[0]
        self.iterated = outer
        return new

    def each(self, node: ast.expr, loop: int, counts: bool = False) -> tuple[ast.expr, Key | None]:
        """Rewrite an expression that is evaluated over and over."""
        plain, first_site = nodes.copy([node]), self.tables.at[0]
        recorded = self.expr(node)[0]
        sites = (first_site, self.tables.at[0])
        if sites[0] == sites[1]:
            return recorded, None
        key = self.new_cell("each" if counts else "part", loop, sites)
        at = nodes.first(recorded)
        begin = self.call(("iterate",), at, [self.constant(key, at), self.record(at)])
        return self.sampled(key, plain[0], recorded, begin), key if counts else None

    def sampled(self, key: Key, plain: ast.expr, recorded: ast.expr, begin: ast.expr) -> ast.expr:
        """``recorded`` behind its beginning, beside its ``plain`` twin."""
        at = nodes.first(recorded)
        last = nodes.at(ast.BoolOp(ast.Or(), [begin, recorded]), at)  # it gives None
        if not self.twins:
            return last
        runs = nodes.at(ast.Attribute(self.constant(key, at), "runs", ast.Load()), at)
        test = self.call(("next",), at, [runs, self.number(0, at)])
        return nodes.at(ast.IfExp(test, plain, last), at)

    def entered(self, key: Key, at: ast.AST) -> ast.Call:
        """The beginning of a recorded body: its record is made, which only a variable that inner
        functions share can be."""
        made = ast.NamedExpr(ast.Name(RECORD, ast.Store()), ast.Constant(0))
        nothing = ast.arguments([], [], None, [], [], None, [])
        shared = ast.BoolOp(
            ast.And(), [ast.Constant(0), ast.Lambda(nothing, ast.Name(RECORD, ast.Load()))]
        )
        for node in (*ast.walk(made), *ast.walk(shared)):
            if isinstance(node, ast.expr):
                nodes.at(node, at)
        return self.call(("enter",), at, [self.constant(key, at), made, shared])

    expr_ListComp = expr_SetComp = expr_DictComp = expr_GeneratorExp = comprehension

    def defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.expr(d)[0] for d in arguments.defaults]
        arguments.kw_defaults = [d and self.expr(d)[0] for d in arguments.kw_defaults]

    # ------------------------------------------------------------------ statements

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            visit = getattr(self, "stmt_" + type(statement).__name__, self.stmt)
            result = visit(statement)
            out.extend(result if isinstance(result, list) else [result])
        return out

    def stmt(self, node: ast.stmt) -> ast.stmt:
        """Any statement without a method of its own: rewrite what is inside."""
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                if name == "test":
                    self.deciding(value)
                setattr(node, name, self.expr(value)[0])
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.body(value))
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        value[i] = self.expr(item)[0]
                    elif isinstance(item, ast.excepthandler):
                        self.stmt(item)  # type: ignore[arg-type]
                    elif isinstance(item, ast.match_case):
                        item.guard = item.guard and self.expr(self.deciding(item.guard))[0]
                        item.body = self.body(item.body)
        return node

    def bind(self, site: int | None, targets: list[ast.expr]) -> None:
        """Note which names the result of ``site`` is bound to."""
        if site is None:
            rebound = self.tables.scopes[self.scope.owner.number].rebound
            rebound += [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            return
        names = self.tables.sites[site].targets
        for target in targets:
            items = [target]
            if isinstance(target, ast.Tuple | ast.List):
                items = target.elts
                self.tables.sites[site].unpacked = True
            for item in items:
                chain = self.dotted_text(item)
                names.append((chain, position(item)))

    def dotted_text(self, node: ast.expr) -> str:
        """``a.b`` for names and attributes, nothing for any other target."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute) and (root := self.dotted_text(node.value)):
            return f"{root}.{node.attr}"
        return ""

    def stmt_Expr(self, node: ast.Expr) -> ast.stmt:
        node.value, site = self.expr(node.value)
        if site is not None:
            self.tables.sites[site].discarded = True
        return node

    def stmt_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        after: list[ast.stmt] = []
        value: list[Operand] = []
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if _pairs(targets, values):
                for i, (target, item) in enumerate(zip(targets, values, strict=True)):
                    operands: list[Operand] = []
                    values[i] = self.operand(item, "value", operands)
                    self.bind(operands[0].site if len(operands) == 1 else None, [target])
                    targets[i] = self.target(target, after, operands)
                return [node, *after]
        if any(_writes(t) for t in node.targets):
            node.value = self.operand(node.value, "value", value)
            site = value[-1].site if len(value) == 1 else None
            node.value = self.given(node, site)
        else:
            node.value, site = self.expr(node.value)
        self.bind(site, [t for t in node.targets if not isinstance(t, ast.Subscript)])
        node.targets = [self.target(t, after, value) for t in node.targets]
        return [node, *after]

    def stmt_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        after: list[ast.stmt] = []
        if node.value is not None:
            node.value, site = self.expr(node.value)
            self.bind(site, [node.target])
        return [node, *after]

    def stmt_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        operands: list[Operand] = []
        after: list[ast.stmt] = []
        kind = f"inplace:{type(node.op).__name__}"
        target = node.target
        if isinstance(target, ast.Name):
            if target.id in self.scope.owner.scalars or _is_text(node.value):
                node.value = self.expr(node.value)[0]
                return [node]
            value = self.operand(node.value, "1", operands)
            own = Operand("0", "name", target.id, position(target))
            site = self.new_site(node, kind, [own, *operands])
            load = nodes.at(ast.Name(target.id, ast.Load()), target)
            node.value = self.look_at(("before",), site, value, load)
            forms, values = self.arguments(operands, target)
            hook = self.call(
                ("after", _sign(node.op, value, operands), forms),
                target,
                [self.record(target), self.number(site, target), load, *values],
            )
            return [node, nodes.at(ast.Expr(hook), target)]
        chain, place = self.dotted(target), self.place(target)
        node.value = self.operand(node.value, "value", operands)
        if isinstance(target, ast.Subscript):
            self.store(target, node, kind + ":item", operands, after)
        elif isinstance(target, ast.Attribute):
            if chain is not None and chain[0] not in self.names.modules:
                own = Operand("0", "attribute", chain[0], position(target), None, chain[1])
                self.look(node, kind + ":attribute", [own, *operands], after)
                return [node, *after]
            target.value = self.expr(target.value)[0]
        if place is not None:
            after.append(self.element(node, kind + ":element", place, operands))
        return [node, *after]

    def place(self, node: ast.expr) -> _Place | None:
        """How to find again what lists, dictionaries and attributes hold there."""
        match node:
            case ast.Name(name) if name not in self.names.unstable | self.names.modules:
                return _Place(name)
            case ast.Attribute(value, attribute) if (inner := self.place(value)) is not None:
                return inner.then(self.mangled(attribute))
            case ast.Subscript(value, key) if (inner := self.place(value)) is not None:
                if inner.captures or isinstance(key, ast.Slice | ast.Tuple):
                    return None
                if isinstance(key, ast.Constant) and isinstance(key.value, str | int):
                    return inner.then((key.value,))
                if isinstance(key, ast.Name) and key.id not in self.names.unstable:
                    return inner.then((), key.id)
                return inner.then(None)
        return None

    def element(self, node: ast.AugAssign, kind: str, place: _Place,
                operands: list[Operand]) -> ast.stmt:  # fmt: skip
        """Look at an element before and after: it is written to, or another takes its place."""
        target, at = node.target, nodes.last(node.target)
        own = Operand("0", "attribute", "", position(target))  # no name: keys may vary
        site = self.new_site(node, kind, [own, *operands])
        if place.captures and isinstance(target, ast.Subscript):
            target.slice = self.look_at(("key",), site, target.slice)

        def found(where: ast.AST) -> list[ast.expr]:
            keys = [nodes.at(ast.Name(key, ast.Load()), where) for key in place.keys]
            root = nodes.at(ast.Name(place.root, ast.Load()), where)
            return [root, nodes.at(ast.Tuple(list(keys), ast.Load()), where)]

        given = found(nodes.last(node.value))
        node.value = self.look_at(("before", place.steps), site, node.value, *given)
        forms, values = self.arguments(operands, at)
        head: list[ast.expr] = [self.record(at), self.number(site, at), *found(at)]
        hook = self.call(("after", "", forms, place.steps), at, [*head, *values])
        return nodes.at(ast.Expr(hook), at)

    def target(
        self, node: ast.expr, after: list[ast.stmt], value: list[Operand] | None = None
    ) -> ast.expr:
        """Rewrite what is assigned to; ``after`` gets the looks to take once the store is done."""
        match node:
            case ast.Tuple(elements) | ast.List(elements):
                node.elts = [self.target(e, after) for e in elements]
            case ast.Starred(inner):
                node.value = self.target(inner, after)
            case ast.Attribute(attr=attribute) if attribute in WRITTEN_ATTRIBUTES:
                operands: list[Operand] = []
                node.value = self.operand(node.value, "0", operands)
                if len(operands) == 1 and operands[0].recorded:
                    line, column = node.end_lineno or 0, node.end_col_offset or 0
                    place = (line, column - len(attribute), line, column)
                    name = Operand("name", "literal", attribute, place)
                    operands += [name, *(value or [])]
                    self.look(node, f"setattr:{attribute}", operands, after)
            case ast.Attribute():
                node.value = self.expr(node.value)[0]
            case ast.Subscript():
                self.store(node, node, "setitem", value or [], after)
        return node

    def store(self, target: ast.Subscript, whole: ast.AST, kind: str, value: list[Operand],
              after: list[ast.stmt]) -> None:  # fmt: skip
        operands: list[Operand] = []
        target.value = self.operand(target.value, "0", operands)
        known = len(operands) == 1 and operands[0].recorded
        single = not isinstance(target.slice, ast.Tuple | ast.List | ast.Slice)
        target.slice = self.operand(target.slice, "index", operands)
        if known:
            self.look(whole, kind, operands + value, after, len(operands) - 1)
        site = operands[-1].site
        if known and single and site is not None and kind != "setitem":
            target.slice = self.look_at(("index",), site, target.slice)

    def given(self, node: ast.Assign, site: int | None) -> ast.expr:
        """The value of ``x[..] = value``, looked at while it is there: a temporary is gone after
        the statement."""
        value = node.value
        match node.targets:
            case [ast.Subscript(ast.Name(name))] if name not in self.names.unstable:
                if site is None:
                    return value
                load = nodes.at(ast.Name(name, ast.Load()), nodes.last(value))
                return self.look_at(("given",), site, value, load)
        return value

    def look_at(self, key: Key, site: int, value: ast.expr, *more: ast.expr) -> ast.expr:
        """``value``, which a recorder sees on its way, with ``more`` to compare it with."""
        start = nodes.first(value)
        head = [self.record(start), self.number(site, start)]
        return self.call(key, nodes.last(value), [*head, value, *more], start)

    def look(self, node: ast.AST, kind: str, operands: list[Operand], after: list[ast.stmt],
             indices: int = 0) -> None:  # fmt: skip
        """After the statement, note that its first operand was written.

        ``indices`` of the operands behind it say where.
        """
        site = self.new_site(node, kind, operands)
        at = nodes.last(node.target if isinstance(node, ast.AugAssign) else node)
        forms, values = self.arguments(operands, at)
        head: list[ast.expr] = [self.record(at), self.number(site, at)]
        how = "update" if kind.startswith("inplace:") else "store"
        where = sum(o.recorded for o in operands[1 : indices + 1])
        after.append(nodes.at(ast.Expr(self.call((how, where, forms), at, head + values)), at))

    def stmt_Delete(self, node: ast.Delete) -> ast.stmt:
        for target in node.targets:
            if isinstance(target, ast.Attribute | ast.Subscript):
                target.value = self.expr(target.value)[0]
            if isinstance(target, ast.Subscript):
                target.slice = self.expr(target.slice)[0]
        return node

    def stmt_Global(self, node: ast.stmt) -> ast.stmt:
        return node

    stmt_Nonlocal = stmt_TypeAlias = stmt_Global

    def imports(self, node: ast.stmt) -> list[ast.stmt]:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if future:
            return [node]
        return [node, nodes.at(ast.Expr(self.call(("imported",), node, [])), node)]

    stmt_Import = stmt_ImportFrom = imports

    def stmt_With(self, node: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        opaque = node in self.opaque
        around = self.around(node) if opaque else ([], [])
        after: list[ast.stmt] = []
        for item in node.items:
            item.context_expr = self.expr(item.context_expr)[0]
            if item.optional_vars is not None:
                item.optional_vars = self.target(item.optional_vars, after)
        if not opaque:
            node.body = after + self.body(node.body)
        return [*around[0], node, *around[1]]

    stmt_AsyncWith = stmt_With

    def around(self, node: ast.With | ast.AsyncWith) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What comes before and after a block that isn't looked into: to the graph it is a call,
        that takes the variables which it reads and gives those which it binds."""
        block = block_of(node, self.names, self.definitions)
        end = node.items[-1].context_expr
        head = nodes.at(ast.Pass(), node)
        head.end_lineno, head.end_col_offset = end.end_lineno, end.end_col_offset
        spot = nodes.last(node)
        taken: list[Operand] = []
        before: list[ast.expr] = []
        for place, name in enumerate(block.taken):
            operand = Operand(str(place), "name", name, position(head))
            if name in block.given:  # it may be another afterwards
                load = nodes.at(ast.Name(name, ast.Load()), spot)
                noted, operand.site = self.leaf(load, head)
                before.append(noted)
            taken.append(operand)
        site = self.new_site(head, "call", taken, "with")
        self.tables.sites[site].unpacked = True
        self.tables.sites[site].targets += [(name, position(head)) for name in block.given]
        forms, values = self.arguments(taken, spot)

        def hook(key: Key, *more: ast.expr) -> ast.expr:
            return self.call(key, spot, [self.record(spot), self.number(site, spot), *more])

        if values:
            last = len(values) - 1
            loads = [nodes.at(ast.Name(n, ast.Load()), spot) for n in block.taken]
            before.append(hook(("watch", "call", forms[:-1]), loads[-1], *values[:-1]))
        if self.calls and block.source is not None:
            before.append(hook(("calls", "block", block.source, not values)))
            before += [
                hook(("calls", "given", place, place == last), value)
                for place, value in enumerate(loads)
            ]
        names: list[ast.expr] = [nodes.at(ast.Name(n, ast.Load()), spot) for n in block.given]
        given = nodes.at(ast.Tuple(names, ast.Load()), spot)
        after = hook(("op", "call:watched", False, forms), given, *values)
        if self.calls:
            after = hook(("calls", "ended"), after)
        return self.unless_unbound(before, spot), self.unless_unbound([after], spot)

    def unless_unbound(self, hooks: list[ast.expr], at: ast.AST) -> list[ast.stmt]:
        """Statements of ours, left at a variable that isn't there."""
        if not hooks:
            return []
        error = nodes.at(ast.Name("NameError", ast.Load()), at)
        handler = nodes.at(ast.ExceptHandler(error, None, [nodes.at(ast.Pass(), at)]), at)
        body: list[ast.stmt] = [nodes.at(ast.Expr(hook), at) for hook in hooks]
        return [nodes.at(ast.Try(body, [handler], [], []), at)]

    def stmt_For(self, node: ast.For | ast.AsyncFor | ast.While) -> list[ast.stmt]:
        first_site = self.tables.at[0]
        twin = self.twins and not _declares(node.body)
        plain = nodes.copy(node.body) if twin else []
        plain_test = nodes.copy([node.test]) if twin and isinstance(node, ast.While) else []
        before: list[ast.stmt] = []
        outer, target = self.loop, ""
        if not isinstance(node, ast.While):
            node.iter = self.expr(node.iter)[0]
            target = ast.unparse(node.target)
        self.loop = self.tables.add_loop(
            Loop(position(node), self.scope.owner.number, outer, target)
        )
        if isinstance(node, ast.While):
            node.test = self.expr(self.deciding(node.test))[0]
            tested = self.tables.at[0] > first_site
        else:
            node.target = self.target(node.target, before)
        at = node.body[0]
        body = before + self.body(node.body)
        number, self.loop = self.loop, outer
        sites = (first_site, self.tables.at[0])
        after: list[ast.stmt] = []
        if sites[0] < sites[1]:
            key = self.new_cell("loop", number, sites)
            end = nodes.last(node.test) if isinstance(node, ast.While) else node
            leave = self.call(("leave",), end, [self.constant(key, end), self.record(end)])
            after = [nodes.at(ast.Expr(leave), end)] if twin else []
            body = self.guard(key, plain, body, at, loop=True) if twin else body
            if plain_test and tested and isinstance(node, ast.While):
                start = nodes.first(plain_test[0])
                running_plain = self.cell_field(key, start, ast.Load())
                node.test = nodes.at(ast.IfExp(running_plain, plain_test[0], node.test), start)
        node.body = body
        node.orelse = self.body(node.orelse)
        return [node, *after]

    stmt_AsyncFor = stmt_While = stmt_For

    def new_cell(self, kind: str, number: int, sites: tuple[int, int]) -> Key:
        return ("cell", kind, number, *sites)

    def cell_field(self, key: Key, at: ast.AST, context: ast.expr_context) -> ast.Attribute:
        # An attribute, since the compiler would fold a subscript of the marker.
        return nodes.at(ast.Attribute(self.constant(key, at), "plain", context), at)

    def guard(self, key: Key, plain: list[ast.stmt], recorded: list[ast.stmt], at: ast.AST, *,
              loop: bool) -> list[ast.stmt]:  # fmt: skip
        """``recorded`` behind its entry, beside its ``plain`` twin; both begin ``at`` a place."""
        at = nodes.first(at)
        begin = self.entered(key, at)
        if loop:
            begin = self.call(("iterate",), at, [self.constant(key, at), self.record(at)])
        recorded = [nodes.at(ast.Expr(begin), at), *recorded]
        if not plain:
            return recorded
        less = ast.AugAssign(self.cell_field(key, at, ast.Store()), ast.Sub(), self.number(1, at))
        choice = ast.If(
            self.cell_field(key, at, ast.Load()), [nodes.at(less, at), *plain], recorded
        )
        return [nodes.at(choice, at)]

    def stmt_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.decorator_list = [self.expr(d)[0] for d in node.decorator_list]
        node.bases = [self.expr(b)[0] for b in node.bases]
        for keyword in node.keywords:
            keyword.value = self.expr(keyword.value)[0]
        if node in self.opaque:
            return node
        self.classes.append(node.name)
        with self.scoped("class", node.name, node, []):
            node.body = self.body(node.body)
        self.classes.pop()
        return node

    def stmt_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        node.decorator_list = [self.expr(d)[0] for d in node.decorator_list]
        self.defaults(node.args)
        if node in self.opaque:
            return node
        head, body = _split_docstring(node.body)
        if not body:
            return node
        declared = [n for n in in_scope(body) if isinstance(n, ast.Global | ast.Nonlocal)]
        twin = self.twins and all(d in body for d in declared)
        if twin and declared:  # a declaration may stand once only, ahead of both twins
            body = [s for s in body if s not in declared] or [nodes.at(ast.Pass(), body[0])]
            head = [*head, *declared]
        parameters = _parameters(node.args)
        plain = nodes.copy(body) if twin else []
        first_site, at = self.tables.at[0], body[0]
        with self.scoped("function", node.name, node, parameters) as state:
            state.scalars = self.names.scalars(node.body, parameters)
            self.tables.scopes[state.number].locals = sorted(
                {n.id for n in in_scope(body) if isinstance(n, ast.Name) and _stores(n)}
                - self.names.unstable
            )
            cut = self.cut if self.cut is not None and self.cut.node is node else None
            recorded = self.body(body) if cut is None else self.cut_body(cut, body, declared)
            sites = (first_site, self.tables.at[0] if cut is None else cut.last_site(first_site))
            if sites[0] < sites[1] or state.uses_record:
                key = self.new_cell("function", state.number, sites)
                recorded = self.guard(key, plain, recorded, at, loop=False)
        node.body = head + recorded
        return node

    stmt_AsyncFunctionDef = stmt_FunctionDef

    def cut_body(
        self, cut: Cut, body: list[ast.stmt], declared: list[ast.Global | ast.Nonlocal]
    ) -> list[ast.stmt]:
        """The statements of a function, with a question between each two whether to leave."""
        cut.declared += declared
        cut.parts.append((cut.start, self.tables.at))
        for number, statement in enumerate(body):
            known = number < len(cut.places)
            self.tables.at = cut.places[number] if known else self.tables.end
            first, group = self.tables.at, self.body([statement])
            cut.parts.append((first, self.tables.at))
            cut.statements.append(
                [self.question(number, cut, statement), *group] if number else group
            )
        self.tables.at = self.tables.end
        return [statement for group in cut.statements for statement in group]

    def question(self, number: int, cut: Cut, at: ast.AST) -> ast.stmt:
        """``DUE(number) and PARK(number, lambda: (cells, ..))``."""
        cells = nodes.at(ast.Tuple([], ast.Load()), at)
        cut.cells.append(cells)
        nothing = ast.arguments([], [], None, [], [], None, [])
        shared = nodes.at(ast.Lambda(nothing, cells), at)
        due = self.call(("due",), at, [self.number(number, at)])
        park = self.call(("park",), at, [self.number(number, at), shared])
        return nodes.at(ast.Expr(nodes.at(ast.BoolOp(ast.And(), [due, park]), at)), at)

    def scoped(self, kind: str, name: str, node: ast.AST, parameters: list[str]) -> _Scoped:
        return _Scoped(self, kind, name, position(node), parameters)


@dataclass(frozen=True, slots=True)
class _Place:
    """A name, and the way from what it holds: attributes, keys that are written out, keys that are
    names (the empty tuple), and None for a key that has to be looked at when it is there."""

    root: str
    steps: tuple[str | tuple[str | int] | tuple[()] | None, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def captures(self) -> bool:
        return None in self.steps

    def then(self, step: str | tuple[str | int] | tuple[()] | None, *keys: str) -> _Place:
        return _Place(self.root, (*self.steps, step), (*self.keys, *keys))


class _Scoped:
    """A nested scope, entered and left with ``with``."""

    def __init__(
        self, owner: _Instrumenter, kind: str, name: str, place: Position, parameters: list[str]
    ) -> None:
        self.owner, self.outer, self.loop = owner, owner.scope, owner.loop
        made = Scope(kind, name, place, owner.scope.owner.number, parameters)
        self.state = _ScopeState(owner.tables.add_scope(made), kind, owner.scope)

    def __enter__(self) -> _ScopeState:
        self.owner.scope, self.owner.loop = self.state, None
        return self.state

    def __exit__(self, *exc: object) -> None:
        self.owner.scope, self.owner.loop = self.outer, self.loop


def _operator(op: ast.operator, nodes: list[ast.expr], operands: list[Operand]) -> str:
    """How an operator is recorded: with its sign and operands where integers may wrap."""
    name = type(op).__name__
    if name not in _WRAPPING or len(operands) != 2:
        return "operator"
    parts: list[str] = []
    for node, operand in zip(nodes, operands, strict=True):
        whole = _whole(node)
        if operand.recorded and operand.role != "*":
            parts.append(f"o{sum(part.startswith('o') for part in parts)}")
        elif whole is not None:
            parts.append(whole)
    return ":".join(["operator", name, *parts]) if len(parts) == 2 else "operator"


def _sign(op: ast.operator, value: ast.expr, operands: list[Operand]) -> str:
    """The same for an augmented assignment: the sign, and the value where it is written out."""
    name = type(op).__name__
    if name not in _WRAPPING or len(operands) != 1:
        return ""
    whole = _whole(value)
    return name if operands[0].recorded else f"{name}:{whole}" if whole is not None else ""


def _whole(node: ast.expr) -> str | None:
    """A whole number as it is written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Constant) and type(inner.value) is int:
        return str(inner.value if inner is node else -inner.value)
    return None


def _parameters(arguments: ast.arguments) -> list[str]:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    rest = [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return [a.arg for a in [*named, *rest]]


def _split_docstring(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    match body:
        case [ast.Expr(ast.Constant(str())), *_]:
            return body[:1], body[1:]
    return [], body


def _declares(body: list[ast.stmt]) -> bool:
    return any(isinstance(n, ast.Global | ast.Nonlocal) for n in in_scope(body))


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _writes(target: ast.expr) -> bool:
    """Whether assigning to it writes into an array, if it is one's."""
    if isinstance(target, ast.Attribute):
        return target.attr in WRITTEN_ATTRIBUTES
    return isinstance(target, ast.Subscript)


def _pairs(targets: list[ast.expr], values: list[ast.expr]) -> bool:
    """Whether ``a, b = x, y`` binds each to each."""
    starred = any(isinstance(e, ast.Starred) for e in [*targets, *values])
    return len(targets) == len(values) and not starred


def _is_literal(node: ast.expr) -> bool:
    """Whether it is written out in numbers and strings alone, at any depth."""
    if isinstance(node, ast.Tuple | ast.List):
        return all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Constant)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )
