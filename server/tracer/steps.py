"""A program in steps: each statement compiled by itself, so that the run can be left between two of
them and gone on with from there, with another text behind.

Numbers of sites and what has been resolved for the constants of a step belong to it for good: a
statement that stands in a later text too keeps them, wherever it stands there.
"""

from __future__ import annotations

import ast
import gc
import types
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from .codes import Key, compiled
from .flow import called, main_of, start_of, statements
from .instrument import Cut, Rewriter
from .sites import Cursor, Position, Program, Tables, position


@dataclass(slots=True)
class Step:
    """One statement, compiled; its parts of the tables, and where it stands."""

    code: types.CodeType
    parts: list[tuple[Cursor, Cursor]]
    place: Position
    text: str
    """Of all its lines."""
    inner: tuple[Position, ...] = ()
    """Where the statements of a main function stand."""


class Inside(NamedTuple):
    """A place within a main function: before one of its statements."""

    number: int
    whole: bool
    """Whether the function is as it was, also behind."""
    values: dict[str, Any]
    """The variables that are set there; taken out when they are used."""
    cells: Mapping[str, types.CellType]
    """Those that inner functions share."""


class CannotAdopt(Exception):
    """The new text can't be gone on with; the program has to run from its beginning."""


class Steps:
    """The steps of the text that runs."""

    def __init__(self, path: str, resolve: Callable[[Key], object]) -> None:
        self.path = path
        self.tables = Tables()
        self.steps: list[Step] = []
        self._resumption: types.CodeType | None = None
        self._resumptions = 0
        self._resolve = resolve
        self._resolved: dict[Key, object] = {}
        self._shared: dict[object, object] = {}
        self._flags = 0

    def read(
        self, source: str, known: Sequence[int | None] = (), inside: Inside | None = None,
        namespace: dict[str, Any] | None = None,
    ) -> Program:  # fmt: skip
        """Take a text. For its first statements ``known`` says which step they are already; with
        ``inside``, the last of them is in the midst of running, with the globals ``namespace``.

        Raises:
            SyntaxError: as ``compile`` does.
            CannotAdopt: something that runs can't be moved to where the text has it.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            reading = _Reading(self, source, known, inside)
            if reading.tail is not None and inside is not None and namespace is not None:
                self._resumption = reading.resumption(inside, namespace)
            return reading.program
        finally:
            if collecting:
                gc.enable()

    def take_resumption(self) -> types.CodeType | None:
        """What is to run in place of the step that is in the midst of running, once."""
        code, self._resumption = self._resumption, None
        return code

    def stand_for(self, name: str, value: object) -> Key:
        """The key of a constant that is ``value``."""
        self._resumptions += 1
        key = (name, self._resumptions)
        self._resolved[key] = value
        return key

    def compile(self, body: list[ast.stmt], rewriter: Rewriter) -> types.CodeType:
        """Compile rewritten statements."""
        module = ast.Module(body, [])
        code = compiled(module, self.path, rewriter.constants, self._object, self._flags)
        self._flags |= code.co_flags & _FUTURES
        return _share(code, self._shared)

    def _object(self, key: Key) -> object:
        """The same for the same key, in every text."""
        if key not in self._resolved:
            self._resolved[key] = self._resolve(key)
        return self._resolved[key]


class _Reading:
    """The reading of one text."""

    def __init__(
        self, steps: Steps, source: str, known: Sequence[int | None], inside: Inside | None
    ) -> None:
        tree = ast.parse(source, steps.path)
        self.steps, self.tables, self.inside = steps, steps.tables, inside
        self.tables.at = self.tables.end
        self.program = Program(steps.path, source, self.tables)
        self.program.parts.append(((0, 0, 0), (0, 1, 0)))
        self.rewriter = Rewriter(tree, self.program, 0 if steps.steps else None)
        self.moved: dict[types.CodeType, types.CodeType] = {}
        self.stuck: set[types.CodeType] = set()
        self.cut: Cut | None = None
        self.call: ast.Call | None = None
        self.body: list[ast.stmt] = []
        row = statements(tree)
        self.main = main_of(row)
        old, new = steps.steps, []
        lines = source.splitlines(keepends=True)
        for number, statement in enumerate(row):
            index = known[number] if number < len(known) else None
            step = None if index is None else old[index]
            text = "".join(lines[start_of(statement)[0] - 1 : statement.end_lineno])
            stays = step is not None and (step.place, step.text) == (position(statement), text)
            if step is None or not stays or self._is_inside(number):
                step = self._step(statement, number, step, text)
            self.program.parts += step.parts
            new.append(step)
        self.tables.at = self.tables.end
        if self.moved or self.stuck:
            move_functions(self.moved, self.stuck)
        steps.steps = new

    def _is_inside(self, number: int) -> bool:
        """Whether it has to do with the function that is gone on with."""
        main = self.main
        return self.inside is not None and main is not None and number in (*main[:2],)

    def _step(self, statement: ast.stmt, number: int, old: Step | None, text: str) -> Step:
        place, rewriter, tables = position(statement), self.rewriter, self.tables
        start = tables.at = old.parts[0][0] if old else tables.end
        before = [_signature(tables, part) for part in old.parts] if old else []
        cut, call = None, None
        if self.main is not None and number == self.main.definition:
            whole = self.inside is None or self.inside.whole
            count = len(self.main.body) if whole else self.inside.number if self.inside else 0
            cut = self.cut = Cut(statement, [p[0] for p in old.parts[1:][:count]] if old else [])
            cut.start = start
            rewriter.cut(cut)
        elif self.main is not None and number == self.main.call:
            call = called(statement)
        body = rewriter.statement(_no_docstring(statement) if number else statement)
        parts = cut.parts if cut is not None else [(start, tables.at)]
        stay = len(parts) if old is None or cut is None else 1 + len(cut.places)
        after = [_signature(tables, part) for part in parts[:stay]]
        if old is not None and after != before[:stay]:
            raise CannotAdopt("a statement that stayed is recorded in another way")
        if old is not None and cut is None and call is None and not _holds_code(old.code):
            return Step(old.code, parts, place, text)
        code = self.steps.compile(body, rewriter)
        if cut is not None:
            code = self._with_cells(cut, code, body)
        inner = tuple(position(s) for s in self.main.body) if cut and self.main else ()
        if old is not None and stay == len(parts) == len(old.parts):
            _pair(old.code, code, self.moved)
        elif old is not None and inner[: stay - 1] != old.inner[: stay - 1]:
            name = getattr(statement, "name", "")
            self.stuck.update(_codes_in(_code_named(old.code, name)))
        if call is not None:
            self.call, self.body = call, body
        return Step(code, parts, place, text, inner)

    def _with_cells(self, cut: Cut, code: types.CodeType, body: list[ast.stmt]) -> types.CodeType:
        """The function again, now that it is known which variables its inner functions share."""
        function = cut.node
        assert isinstance(function, ast.FunctionDef)
        inner = _code_named(code, function.name)
        if not inner.co_cellvars:
            return code
        for cells in cut.cells:
            loads = [ast.Name(name, ast.Load()) for name in inner.co_cellvars]
            cells.elts = [ast.copy_location(load, cells) for load in loads]
        return self.steps.compile(body, self.rewriter)

    @property
    def tail(self) -> Cut | None:
        """The function that is gone on with, if one is and can be."""
        return self.cut if self.inside is not None and self.call is not None else None

    def resumption(self, inside: Inside, namespace: dict[str, Any]) -> types.CodeType:
        """The step that calls the main function, with the rest of the function in its place."""
        call, function = self.call, self._rest(inside, namespace)
        assert call is not None
        call.func = self.rewriter.constant(self.steps.stand_for("tail", function), call)
        call.args, call.keywords = [], []
        return self.steps.compile(self.body, self.rewriter)

    def _rest(self, inside: Inside, namespace: dict[str, Any]) -> types.FunctionType:
        """A function of what stands behind a place in the main function, with its variables."""
        cut = self.cut
        assert cut is not None and isinstance(cut.node, ast.FunctionDef)
        function, nothing = cut.node, ast.arguments([], [], None, [], [], None, [])
        names, values = list(inside.values), [tuple(inside.values.values())]
        inside.values.clear()
        take = self.rewriter.constant(self.steps.stand_for("take", values.pop), function)
        start: list[ast.stmt] = [*cut.declared]
        if inside.cells:
            start.append(ast.Nonlocal(list(inside.cells)))
        if names:
            targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
            unpacked = ast.Tuple(targets, ast.Store())
            start.append(ast.Assign([unpacked], ast.Call(take, [], [])))
        rest = [s for group in cut.statements[inside.number :] for s in group]
        tail = ast.FunctionDef(function.name, nothing, [*start, *rest], [])
        cells: list[ast.expr] = [ast.Name(name, ast.Store()) for name in inside.cells]
        around: list[ast.stmt] = [ast.Assign(cells, ast.Constant(None))] if cells else []
        outer = ast.FunctionDef("outer", nothing, [*around, tail], [])
        for made in (*start, *around, tail, outer):
            ast.fix_missing_locations(ast.copy_location(made, function))
        code = _code_named(self.steps.compile([outer], self.rewriter), "outer")
        code = _code_named(code, function.name).replace(co_qualname=function.name)
        closure = tuple(inside.cells[name] for name in code.co_freevars)
        return types.FunctionType(code, namespace, function.name, None, closure)


def move_functions(
    moved: Mapping[types.CodeType, types.CodeType], stuck: Set[types.CodeType]
) -> None:
    """Give all functions that are there the code that has their places in the new text.

    Raises:
        CannotAdopt: one of them is in the midst of running, or its code is ``stuck``.
    """
    functions = []
    for value in gc.get_objects():
        kind = type(value)
        if kind is types.FunctionType and value.__code__ in moved:
            functions.append(value)
        elif kind is types.FunctionType and value.__code__ in stuck:
            raise CannotAdopt("a function that the main function made has moved")
        elif kind in _SUSPENDED and getattr(value, _SUSPENDED[kind]) in {*moved, *stuck}:
            raise CannotAdopt("a generator of a function that moved is in use")
    for function in functions:
        function.__code__ = moved[function.__code__]


_SUSPENDED: dict[type, str] = {
    types.GeneratorType: "gi_code",
    types.CoroutineType: "cr_code",
    types.AsyncGeneratorType: "ag_code",
}
_FUTURES = sum(
    getattr(__import__("__future__"), name).compiler_flag
    for name in __import__("__future__").all_feature_names
)


def _no_docstring(statement: ast.stmt) -> ast.stmt:
    """A text that is no docstring, since it isn't the first statement, must not become one."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return ast.copy_location(ast.Pass(), statement)
    return statement


def _code_named(code: types.CodeType, name: str) -> types.CodeType:
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def _codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes_in(constant)


def _holds_code(code: types.CodeType) -> bool:
    return any(isinstance(constant, types.CodeType) for constant in code.co_consts)


def _signature(tables: Tables, part: tuple[Cursor, Cursor]) -> list[object]:
    """All that is known of a part, but for places."""
    (site, scope, loop), (site_end, scope_end, loop_end) = part
    return [
        *(
            (s.kind, s.scope, s.loop, s.callee, s.certain, s.discarded, s.unpacked,
             [(o.role, o.form, o.text, o.site, o.path) for o in s.operands],
             [name for name, _ in s.targets])
            for s in tables.sites[site:site_end]
        ),
        *((s.kind, s.name, s.parent) for s in tables.scopes[scope:scope_end]),
        *((x.scope, x.parent, x.target) for x in tables.loops[loop:loop_end]),
    ]  # fmt: skip


def _pair(old: types.CodeType, new: types.CodeType,
          moved: dict[types.CodeType, types.CodeType]) -> None:  # fmt: skip
    """Pair the functions in two codes that differ in places alone."""
    inner = [[c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (old, new)]
    if len(inner[0]) != len(inner[1]):
        raise CannotAdopt("a statement that stayed has other functions")
    for one, other in zip(*inner, strict=True):
        moved[one] = other
        _pair(one, other, moved)


def _share(code: types.CodeType, known: dict[object, object]) -> types.CodeType:
    """Let equal constants be one object in all steps, as they are in a program compiled whole."""
    constants: list[Any] = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            constants.append(_share(constant, known))
        elif type(constant) in _SHAREABLE:
            constants.append(known.setdefault((type(constant), repr(constant)), constant))
        else:
            constants.append(constant)
    return code.replace(co_consts=tuple(constants))


_SHAREABLE = frozenset((int, float, complex, str, bytes, tuple, frozenset))
