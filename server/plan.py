"""How a new text of a program begins like an old one: what of a run needs not be done again.

A program is a row of statements. Most of them do something when their turn comes; those are its
*spine*. A plain ``def`` or ``class`` does nothing but bind a name, and may change, come and go
without consequence until the name is used.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .doc.parsing import parse
from .tracer.flow import main_of, start_of, statements
from .tracer.names import Names, in_scope


class Unreadable(Exception):
    """The text can't be parsed here; the worker says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run that was left before some statement goes on with another text: with its statement
    ``len(known)``, or in the midst of the last of ``known``."""

    known: tuple[int | None, ...]
    """For each statement until then: which one it was; None for a definition that is new."""
    new: tuple[int, ...]
    """Definitions that are to be run now: those, and a main function of which some is new."""
    gone: tuple[str, ...]
    """Names whose definitions there are no more."""
    inside: bool
    """Whether it was left within its main function."""
    whole: bool
    """Whether that is as it was."""
    moved: bool
    """Whether some of the statements stand elsewhere now."""


@dataclass(eq=False)
class Statement:
    """One statement of a program's row."""

    text: str
    line: int
    dump: str
    definition: str | None = None
    """The name that it binds, where it does nothing else."""
    names: frozenset[str] = frozenset()
    """All names in it."""
    used: frozenset[str] = frozenset()
    """Names that it reads when its turn comes."""
    later: frozenset[str] = frozenset()
    """Names that what it defines reads when it is called."""
    bound: frozenset[str] = frozenset()
    """Names that it may bind, at any time."""
    texts: frozenset[str] = frozenset()
    """Short texts that stand in it; some may be paths."""

    def same(self, other: Statement) -> bool:
        """Whether both do the same, wherever they stand."""
        return self.dump == other.dump


@dataclass(frozen=True, slots=True)
class Main:
    """A function whose statements are run one by one, too: where it is called and defined."""

    call: int
    definition: int
    head: str
    """All of the definition but its statements."""
    body: list[Statement]


Place = tuple[int, int]
"""Before a statement; with a second number, before that statement of the main function, which the
first one calls."""


class Outline:
    """The statements of one text. ``before`` is that of an earlier one, for what hasn't changed."""

    def __init__(self, text: str, before: Outline | None = None) -> None:
        """Read a text.

        Raises:
            Unreadable: it is no Python that we know.
        """
        try:
            tree = parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Unreadable from error
        self.text = text
        self._names = Names(tree)
        self.imports = leading_imports(tree)
        known = {s.text: s for s in before.statements if ";" not in s.text} if before else {}
        lines = text.splitlines(keepends=True)
        row = statements(tree)
        self.statements: list[Statement] = [_read(node, lines, known) for node in row]
        self.main = _main(row, lines, known)

    @cached_property
    def _definitions(self) -> Mapping[str, frozenset[str]]:
        return {s.definition: s.later for s in self.statements if s.definition}

    def facts(self, name: str) -> object:
        """What decides how statements with this name are recorded."""
        names = self._names
        shadows = name in names.bound and (name in _BUILTINS or name in names.imported)
        return (
            name in names.unstable, name in names.modules, names.imported.get(name),
            name in names.loose, shadows,
        )  # fmt: skip

    def uses(self, before: Iterable[Statement]) -> frozenset[str]:
        """Names that are read while the statements are run, also in what they call. With
        ``ALL`` among them, there may be any."""
        found: set[str] = set()
        todo = [name for statement in before for name in statement.used]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += self._definitions.get(name, ())
        return frozenset(found | ({ALL} if found & _REACHING else set()))


ALL = "*"
_REACHING = frozenset(("globals", "vars", "locals", "dir", "eval", "exec", "__main__", "__dict__"))
"""Names by which others are reached that don't stand there."""


def plan(old: Outline, left: Place, new: Outline) -> Plan | None:
    """How a run of ``old``, left at a place, goes on with ``new``; None where it can't."""
    step, inner = left
    prefix = old.statements[:step]
    spine = [i for i, statement in enumerate(prefix) if statement.definition is None]
    known: list[int | None] = []
    for statement in new.statements:
        if statement.definition is not None:
            known.append(None)
        elif not spine:
            break
        elif prefix[spine[0]].same(statement):
            known.append(spine.pop(0))
        else:
            return None
    if spine or (inner and not _goes_on_inside(old, new, left, len(known))):
        return None
    behind = new.statements[: len(known)]
    main = new.main if inner else None
    changed = _match(prefix, behind, known)
    if changed is None:
        return None
    whole, began = True, list[Statement]()
    if main is not None and old.main is not None:
        call, name = new.statements[main.call], behind[main.definition].definition
        began = [replace(call, used=call.used - {str(name)}), *main.body[:inner]]
        index = known[main.definition] = old.main.definition
        whole = prefix[index].same(behind[main.definition])
        changed.discard(str(name))
    if changed:
        uses = old.uses([*prefix, *began]) | new.uses([*behind, *began])
        if ALL in uses or changed & uses or changed & _bound_elsewhere(prefix, behind, changed):
            return None
    kept = [s for n, s in zip(known, behind, strict=True) if n is not None]
    if main is not None and not whole:
        kept.remove(behind[main.definition])
    if any(old.facts(n) != new.facts(n) for s in (*kept, *began) for n in s.names):
        return None
    names = {s.definition for s in behind}
    moved = any(
        n is not None and prefix[n].line != s.line for n, s in zip(known, behind, strict=True)
    )
    again = [] if main is None or whole else [main.definition]
    return Plan(
        known=(*known, *([step] if inner else [])),
        new=tuple(sorted([*again, *(i for i, n in enumerate(known) if n is None)])),
        gone=tuple(s.definition for s in prefix if s.definition and s.definition not in names),
        inside=bool(inner),
        whole=whole,
        moved=moved or (bool(inner) and _has_moved(old, new, inner)),
    )


def edited(old: Outline, new: Outline) -> Place | None:
    """The first place of ``new`` that has to be run again after an edit; None where there is
    none."""
    number = _first_difference(old.statements, new.statements)
    if number == len(new.statements):
        return None
    names = {s.definition for o in (old, new) for s in o.statements[number : number + 1]}
    if None in names:
        return number, 0
    one, other = old.main, new.main
    if one and other and number == other.definition == one.definition and one.head == other.head:
        return other.call, _first_difference(one.body, other.body)
    for later, statement in enumerate(new.statements[number:], number):
        if statement.definition is None and names & new.uses([statement]):
            return later, 0
    return None


def _first_difference(one: Sequence[Statement], other: Sequence[Statement]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if not a.same(b)), min(len(one), len(other)))


def _goes_on_inside(old: Outline, new: Outline, left: Place, step: int) -> bool:
    """Whether the step is the call of a main function that begins as the one that was left."""
    step_then, inner = left
    one, other = old.main, new.main
    if one is None or other is None or (one.call, other.call) != (step_then, step):
        return False
    same = old.statements[step_then].same(new.statements[step]) and one.head == other.head
    return (
        same
        and inner < len(other.body)
        and _first_difference(one.body[:inner], other.body[:inner]) == min(inner, len(other.body))
    )


def _has_moved(old: Outline, new: Outline, inner: int) -> bool:
    assert old.main is not None and new.main is not None
    bodies = zip(old.main.body[:inner], new.main.body[:inner], strict=True)
    return any(one.line != other.line for one, other in bodies)


def _match(
    prefix: Sequence[Statement], behind: Sequence[Statement], known: list[int | None]
) -> set[str] | None:
    """Fill in which definitions are those of before. Gives the names of all others, on both sides;
    None where a name is defined twice."""
    before = {s.definition: (rank, i) for rank, i, s in _definitions(prefix)}
    after = {s.definition: (rank, i) for rank, i, s in _definitions(behind)}
    count = sum(s.definition is not None for s in (*prefix, *behind))
    if len(before) + len(after) != count:
        return None
    changed = {name for name in before.keys() | after.keys() if name is not None}
    for name, (rank, number) in after.items():
        if name in before:
            old_rank, index = before[name]
            if old_rank == rank and prefix[index].same(behind[number]):
                known[number] = index
                changed.discard(str(name))
    return changed


def _definitions(row: Sequence[Statement]) -> Iterator[tuple[int, int, Statement]]:
    """Each definition, with how many statements of the spine stand before it."""
    rank = 0
    for i, statement in enumerate(row):
        if statement.definition is None:
            rank += 1
        else:
            yield rank, i, statement


def _bound_elsewhere(
    prefix: Sequence[Statement], behind: Sequence[Statement], names: set[str]
) -> set[str]:
    return {
        name
        for statement in (*prefix, *behind)
        for name in statement.bound & names
        if name != statement.definition
    }


# ---------------------------------------------------------------- reading one statement


def _read(
    node: ast.stmt, lines: list[str], known: Mapping[str, Statement], *, always: bool = False
) -> Statement:
    """``always``: whether it takes effect even if it is a definition."""
    line, _ = start_of(node)
    text = "".join(lines[line - 1 : node.end_lineno])
    same = known.get(text)
    if same is not None and (same.definition is None or not always):
        return Statement(
            text, line, same.dump, same.definition, same.names, same.used, same.later, same.bound,
            same.texts,
        )  # fmt: skip
    name = None if always else _definition(node)
    names, bound, texts = set(), set(), set()
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=found, ctx=context):
                names.add(found)
                if not isinstance(context, ast.Load):
                    bound.add(found)
            case ast.FunctionDef(name=found) | ast.AsyncFunctionDef(name=found):
                bound.add(found)
            case ast.ClassDef(name=found):
                bound.add(found)
            case ast.Attribute(attr=found) if found in _REACHING:
                names.add(found)
            case ast.Import(aliases) | ast.ImportFrom(_, aliases):
                bound |= {(a.asname or a.name).partition(".")[0] for a in aliases}
                names |= {a.name for a in aliases} & _REACHING
            case ast.Global(found) | ast.Nonlocal(found):
                bound |= {*found}
            case ast.Constant(str(found)) if len(found) < _LONGEST_PATH and "\n" not in found:
                texts.add(found)
    names |= bound
    used = names if name is None else _used_at_once(node)
    return Statement(
        text, line, ast.dump(node), name, frozenset(names),
        frozenset(used), frozenset(names - used), frozenset(bound), frozenset(texts),
    )  # fmt: skip


def _main(row: list[ast.stmt], lines: list[str], known: Mapping[str, Statement]) -> Main | None:
    found = main_of(row)
    if found is None or _definition(row[found.definition]) is None:
        return None
    function = row[found.definition]
    assert isinstance(function, ast.FunctionDef)
    alone = [s for s in function.body if s not in found.body]
    head = ast.FunctionDef(
        function.name, function.args, alone or [ast.Pass()], [], function.returns
    )
    body = [_read(node, lines, known, always=True) for node in found.body]
    return Main(found.call, found.definition, ast.dump(head), body)


_LONGEST_PATH = 256
_BUILTINS = frozenset(dir(builtins))
_EXCEPTIONS = frozenset(
    name for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)  # fmt: skip


def _definition(node: ast.stmt) -> str | None:
    """The name that a statement binds, where it does nothing else."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return node.name if _is_plain_function(node) else None
        case ast.ClassDef(name, bases, [], body, []):
            if all(isinstance(b, ast.Name) and b.id in _PLAIN_BASES for b in bases):
                return name if all(map(_is_plain_member, body)) else None
    return None


_PLAIN_BASES = _EXCEPTIONS | {"object"}


def _is_plain_function(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.decorator_list:
        return False
    arguments = node.args
    defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    return all(map(_is_literal, defaults)) and all(map(_is_plain_type, _annotations(node)))


def _is_plain_member(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Expr(ast.Constant()):
            return True
        case ast.Assign([ast.Name()], value):
            return _is_literal(value)
        case ast.AnnAssign(ast.Name(), annotation, value):
            return _is_plain_type(annotation) and (value is None or _is_literal(value))
    return _is_plain_function(node)


def _is_literal(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.UnaryOp(ast.USub(), ast.Constant()):
            return True
        case ast.Tuple(elements):
            return all(map(_is_literal, elements))
    return False


def _is_plain_type(node: ast.expr) -> bool:
    plain = ast.Name | ast.Attribute | ast.Subscript | ast.Constant | ast.Tuple | ast.List
    return all(
        isinstance(inner, plain | ast.BinOp | ast.BitOr | ast.expr_context)
        for inner in ast.walk(node)
    )


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    a = node.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
    return [x for x in [node.returns, *(argument.annotation for argument in every)] if x]


def _used_at_once(node: ast.stmt) -> set[str]:
    """Names that a definition reads when its turn comes: of annotations and bases."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            at_once: list[ast.expr] = _annotations(node)
        case ast.ClassDef():
            at_once = list(node.bases)
            for member in node.body:
                if isinstance(member, ast.AnnAssign):
                    at_once.append(member.annotation)
                elif isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                    at_once += _annotations(member)
        case _:
            at_once = []
    return {n.id for e in at_once for n in in_scope([e]) if isinstance(n, ast.Name)}


def leading_imports(tree: ast.Module) -> list[str]:
    """The modules that a program imports before it does anything else."""
    names: list[str] = []
    for statement in tree.body:
        match statement:
            case ast.Import(aliases):
                names += [alias.name for alias in aliases]
            case ast.ImportFrom("__future__") | ast.Expr(ast.Constant()):
                continue
            case ast.ImportFrom(str(module), _, 0):
                names.append(module)
            case _:
                break
    return names
