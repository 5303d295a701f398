"""What a gradient rule sees of one application of an op, and how rules are written.

The row of an op in ``ops`` has its ``gradient``: one rule for each argument, in order. A rule is

- an expression in the arguments, the result ``r`` and its gradient ``g``: ``"g * np.cos(x)"``;
- a function of an ``Application`` that gives an expression, as those in this package do;
- ``None``, where the result doesn't change with the argument, or hardly ever does.

What a rule gives may be in broadcast sizes and of wider elements: it is summed and cast to those of
the argument. For an argument that is a list, it is a list; or an array whose first axis is that of
the list. Instead of rules for each argument, ``Through`` says how the op could have been written,
``FLAT`` that its results don't change with small changes of any argument, and ``NoDerivative`` why
there is no derivative.

The gradient of a complex value x + iy is dL/dx - i dL/dy. With that, a rule for complex numbers is
the rule for real ones, without a conjugate anywhere, as long as the op is holomorphic. Rules of
those that aren't (``absolute``, ``real``, ``var``) say what differs, by ``conj`` mostly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final

from ..elements import COMPLEX, default
from ..expressions import Expr, Writer, known_sizes
from ..graph import Node
from ..opinfo import Arguments, OpInfo, Unknown, array_of, constant_of
from ..shapes import axes_of
from ..types import ArrayType
from ..values import Constant, Operand, Pack, Value

__all__ = [
    "FLAT",
    "Application",
    "Flat",
    "NoDerivative",
    "Rule",
    "Through",
    "Unsupported",
    "conj",
    "evaluate",
    "is_complex",
    "unknown",
]

Rule = str | Callable[["Application"], Any] | None


class Unsupported(Exception):
    """The gradient isn't known for these arguments."""


@dataclass(frozen=True, slots=True)
class Through:
    """An op is differentiated as what could be written for it: an expression, or what makes one."""

    form: str | Callable[[Application], Any]


class Flat(Enum):
    """The type of ``FLAT``."""

    FLAT = "flat"


FLAT: Final = Flat.FLAT
"""Results of an op don't change with small changes of its arguments."""


@dataclass(frozen=True, slots=True)
class NoDerivative:
    """An op has no derivative that could be given."""

    reason: str


class Application:
    """One application of an op: arguments by name, results and their gradients.

    Reading a value says that the derivative needs it; ``read`` gives what is to be used for it.
    """

    def __init__(
        self,
        node: Node,
        info: OpInfo,
        args: Arguments,
        gradients: Sequence[Expr | None],
        writer: Writer,
        read: Callable[[Value], Operand],
    ) -> None:
        self.node: Final = node
        self.info: Final = info
        self.args: Final = args
        self.writer: Final = writer
        self.np: Final[Any] = writer.np
        self._gradients: Final = gradients
        self._read: Final = read

    def __getitem__(self, name: str) -> Any:
        """An argument: a Python object where it is constant, else an ``Expr``."""
        operand = self.args.get(name)
        if operand is None:
            return self.info.defaults[name]
        return self.argument(operand)

    def argument(self, operand: Operand) -> Any:
        """An operand as ``[]`` gives it."""
        match operand:
            case Constant(value=value):
                return value
            case Value():
                return self.writer.expr(self._read(operand))
            case Pack(kind=kind, items=items):
                parts = [self.argument(item) for item in items]
                if kind == "slice":
                    return slice(*parts)
                return tuple(parts) if kind == "tuple" else parts
        raise Unsupported("an argument that isn't a value")

    def given(self, name: str) -> bool:
        """Whether an argument is given, and isn't None."""
        return self.args.given(name)

    def constant(self, name: str) -> Any:
        """The Python value of an argument, or its default; raises ``Unknown``."""
        if name not in self.args:
            return self.info.defaults[name]
        return constant_of(self.args[name])

    def type(self, name: str) -> ArrayType:
        """An argument as an array."""
        return array_of(self.args[name])

    def sizes(self, name: str) -> tuple[int, ...]:
        """The sizes of an argument."""
        return tuple(map(int, known_sizes(self.type(name))))

    def axes(self, name: str) -> tuple[int, ...]:
        """The axes that the argument ``axis`` means of ``name``, counted from 0."""
        return axes_of(self.constant("axis"), len(self.sizes(name)))

    def items(self, name: str) -> tuple[Operand, ...]:
        """The items of an argument that is a sequence."""
        try:
            return self.args.items_of(name)
        except Unknown:
            raise Unsupported(f"{name} isn't written out as a list") from None

    def rules(self) -> Mapping[str, Rule]:
        """The rules of the op by the arguments that they are for."""
        names = (name.removeprefix("*") for name in self.info.parameters if name != "*")
        assert isinstance(self.info.gradient, tuple)
        return dict(zip(names, self.info.gradient, strict=False))

    def refuse(self, *names: str) -> None:
        """Raise ``Unsupported`` if one of these arguments is given."""
        for name in names:
            default = self.info.defaults.get(name)
            if self.given(name) and self.args[name] != Constant(default):
                raise Unsupported(f"{name}= is given")

    def only_real(self) -> None:
        """Raise ``Unsupported`` if an argument or a result is complex."""
        for value in (*self.node.values(), *self.node.results):
            try:
                element = array_of(value).element
            except Unknown:
                continue
            if element in COMPLEX:
                raise Unsupported("its derivative for complex numbers isn't known")

    def used(self, place: int) -> bool:
        """Whether anything depends on a result."""
        return self._gradients[place] is not None

    @property
    def g(self) -> Expr:
        """The gradient of the only result."""
        return self.gs[0]

    @property
    def gs(self) -> list[Expr]:
        """The gradient of each result; zeros for those that nothing used."""
        results = self.node.results
        return [
            gradient if gradient is not None else self.writer.zeros(array_of(result))
            for result, gradient in zip(results, self._gradients, strict=True)
        ]

    @property
    def r(self) -> Expr:
        """The only result."""
        return self.rs[0]

    @property
    def rs(self) -> list[Expr]:
        """The results."""
        return [self.writer.expr(self._read(result)) for result in self.node.results]


def evaluate(rule: Rule, at: Application) -> Any:
    """What a rule gives. Raises ``Unsupported``, ``Untyped`` or ``Unknown``."""
    if not isinstance(rule, str):
        return rule(at) if rule is not None else None
    if at.given("where") and at.args["where"] != Constant(True):
        raise Unsupported("where= is given")
    names = {"np": at.np, "math": math, "conj": conj, "is_complex": is_complex}
    return eval(_compiled(rule), names, _Names(at))


def conj(expr: Expr) -> Expr:
    """The conjugate; the same where numbers are real."""
    if not is_complex(expr):
        return expr
    made = expr.writer.np.conjugate(expr)
    assert isinstance(made, Expr)  # it has one result
    return made


def is_complex(expr: Expr) -> bool:
    """Whether elements are complex."""
    return default(expr.type.element) in COMPLEX


def unknown(what: str) -> Callable[[Application], Any]:
    """The rule for an argument by which the derivative isn't known."""

    def rule(at: Application) -> Any:
        raise Unsupported(what)

    return rule


class _Names(dict[str, Any]):
    """The names in an expression, looked up when it comes to them."""

    def __init__(self, at: Application) -> None:
        super().__init__()
        self.at: Final = at

    def __missing__(self, name: str) -> Any:
        if name in ("g", "r", "gs", "rs"):
            return getattr(self.at, name)
        if name in self.at.args or name in self.at.info.defaults:
            return self.at[name]
        raise KeyError(name)


@cache
def _compiled(expression: str) -> Any:
    return compile(expression, "<gradient>", "eval")
