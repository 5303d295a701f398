"""What is known of a program before it runs: its scopes, its loops, and the sites that get
recorded.

A *site* is one place in the text that applies an operation: an operator, call, subscript,
attribute, or store. The instrumenter makes them; they are sent once, and every event names its site
by number. Positions are kept as ``ast`` gives them (columns in UTF-8 bytes) and converted when
sent.
"""

from __future__ import annotations

import ast
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
    ``value``, a keyword's name, or ``*``. ``form`` says how it is known at run time: ``name``
    (re-read from the frame), ``attribute`` (a dotted name, re-read passively), ``site`` (another
    site's result), ``literal`` or ``text`` (not known: only what is written is).
    """

    role: str
    form: str
    text: str
    place: Position
    site: int | None = None
    path: tuple[str, ...] = ()
    bracket: str = ""
    """``(`` or ``[`` where it is an item of a tuple or list written out in the role."""

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


@dataclass(slots=True)
class Tables:
    """All that is known of a run's files before they run, numbered through."""

    sites: list[Site] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)


class Program:
    """The static part of one file: its part of the tables."""

    def __init__(self, path: str, source: str, tables: Tables) -> None:
        self.path = path
        self.source = source
        self.tables = tables
        self.first_site = len(tables.sites)
        self.first_scope = len(tables.scopes)
        self.first_loop = len(tables.loops)
        self.end_site, self.end_scope = self.first_site, self.first_scope
        """Set when the whole file has been read."""
