"""What is known of a program before it runs: its scopes, its loops, and the sites that get
recorded.

A *site* is one place in the text that applies an operation: an operator, call, subscript,
attribute, or store. The instrumenter makes them; they are sent once, and every event names its site
by number. Positions are kept as ``ast`` gives them (columns in UTF-8 bytes) and converted when
sent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Position = tuple[int, int, int, int]
"""(line, column, end line, end column), lines from 1, columns from 0 in UTF-8 bytes."""


def position(node: ast.AST) -> Position:
    """Where ``node`` stands in the text it was parsed from."""
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


@dataclass(slots=True)
class Operand:
    """One operand of a site.

    ``role`` is its place: a number for positions, ``self`` for a method's receiver, ``index``,
    ``bound`` (of the slice before it), ``value``, a keyword's name, or ``*``. ``form`` says how it
    is known at run time: ``name`` (re-read from the frame), ``attribute`` (a dotted name, re-read
    passively), ``site`` (another site's result), ``literal`` or ``text`` (not known: only what is
    written is).
    """

    role: str
    form: str
    text: str
    place: Position
    site: int | None = None
    path: tuple[str, ...] = ()
    bracket: str = ""
    """Where it is an item of tuples or lists written out in the role: ``(`` or ``[`` of each, from
    the outermost, and the number of the item there, as in ``[0(2``."""

    @property
    def recorded(self) -> bool:
        """Whether an event carries a token for it."""
        return self.form in ("name", "attribute", "site")


@dataclass(slots=True)
class Site:
    """A place that gets recorded. ``kind`` is one of the constants below, with its detail behind a
    colon."""

    kind: str
    place: Position
    scope: int
    loop: int | None
    operands: list[Operand]
    callee: str = ""
    """For calls: the qualified name where the text decides it (``numpy.linalg.qr``), else as
    written."""
    certain: bool = False
    """Whether ``callee`` is certain: reached from an import that nothing rebinds."""
    targets: list[tuple[str, Position]] = field(default_factory=list)
    """Names that the result is bound to at once."""
    unpacked: bool = False
    """Whether ``targets`` get the items of the result rather than the result."""
    discarded: bool = False
    """Whether the value of the expression is thrown away (an expression statement)."""


@dataclass(slots=True)
class Scope:
    """A module, class body, function or lambda."""

    kind: str
    name: str
    place: Position
    parent: int | None
    parameters: list[str] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    """Names that its own body binds."""
    rebound: list[str] = field(default_factory=list)
    """Names that get a value there from something that is no site, such as ``a = b``."""


@dataclass(slots=True)
class Loop:
    """A ``for`` or ``while`` statement, or a comprehension."""

    place: Position
    scope: int
    parent: int | None
    target: str
    """The text of the loop's target, empty for ``while``."""


Cursor = tuple[int, int, int]
"""A place in the tables: the numbers of a site, a scope and a loop."""


class Tables:
    """All that is known of a run's files, numbered through. What is added goes to where ``at``
    says: to the end, or in place of what was known of an earlier text of a file."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.scopes: list[Scope] = []
        self.loops: list[Loop] = []
        self.at: Cursor = (0, 0, 0)

    @property
    def end(self) -> Cursor:
        """Behind everything."""
        return len(self.sites), len(self.scopes), len(self.loops)

    def add_site(self, site: Site) -> int:
        """Gives its number."""
        number, scope, loop = self.at
        self.sites[number : number + 1] = [site]
        self.at = (number + 1, scope, loop)
        return number

    def add_scope(self, scope: Scope) -> int:
        """Gives its number."""
        site, number, loop = self.at
        self.scopes[number : number + 1] = [scope]
        self.at = (site, number + 1, loop)
        return number

    def add_loop(self, loop: Loop) -> int:
        """Gives its number."""
        site, scope, number = self.at
        self.loops[number : number + 1] = [loop]
        self.at = (site, scope, number + 1)
        return number


class Program:
    """The static part of one file: its parts of the tables, in the order of the text."""

    def __init__(self, path: str, source: str, tables: Tables) -> None:
        self.path = path
        self.source = source
        self.tables = tables
        self.parts: list[tuple[Cursor, Cursor]] = []
        """First of each, and behind the last."""

    @property
    def sites(self) -> Iterator[int]:
        """The numbers of its sites."""
        return self._numbers(0)

    @property
    def scopes(self) -> Iterator[int]:
        """The numbers of its scopes; the first is that of the module."""
        return self._numbers(1)

    @property
    def loops(self) -> Iterator[int]:
        """The numbers of its loops."""
        return self._numbers(2)

    def _numbers(self, kind: int) -> Iterator[int]:
        for first, end in self.parts:
            yield from range(first[kind], end[kind])
