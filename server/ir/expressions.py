"""Nodes written as NumPy is written: ``writer.np.exp(x) * 2`` appends two nodes to a graph.

Types of results are those of the registry's type rules, so that what is written this way verifies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..doc.source import Span
from . import registry
from .elements import COMPLEX, default
from .graph import Node, Region
from .opinfo import array_of
from .symbol import Symbol
from .types import ArrayType, Type
from .values import Attribute, Constant, Keyword, Operand, Pack, Value, as_operand

__all__ = ["Expr", "Untyped", "Writer", "fit"]


class Untyped(Exception):
    """No type rule says what the result of an op would be."""


class Writer:
    """Appends nodes to ``region``, before ``before``, each at the place that is set."""

    def __init__(self, region: Region, before: Node | None = None) -> None:
        self.region: Final = region
        self.before = before
        self.span: Span | None = None
        self.call_path: tuple[Span, ...] = ()
        self.np: Final = Namespace(self, Symbol("np", "ndarray"), "")

    def at(self, node: Node) -> None:
        """Give what is written from now on the place of ``node``."""
        self.span, self.call_path = node.span, node.call_path

    def expr(self, operand: Operand) -> Expr:
        """An operand, to write expressions with."""
        return Expr(self, operand)

    def operand(self, value: object) -> Operand:
        """What an argument, which may hold expressions, is as an operand."""
        return _operand(value)

    def zeros(self, type_: ArrayType) -> Expr:
        """Zeros in the sizes of a type."""
        sizes = tuple(int(size) for size in known_sizes(type_))
        made = self.apply("np.zeros", [sizes], {"dtype": type_.element})
        assert isinstance(made, Expr)  # one result
        return made

    def apply(
        self,
        op: str | Symbol,
        arguments: Sequence[object],
        keywords: Mapping[str, object] | None = None,
        types: Sequence[Type] | None = None,
        hints: Sequence[str | None] = (),
    ) -> Any:
        """The results of an op: one ``Expr``, or a tuple of them if there are several.

        Raises:
            Untyped: no rule says which types they have, and ``types`` doesn't either.
        """
        symbol = op if isinstance(op, Symbol) else Symbol.parse(op)
        operands = [_operand(argument) for argument in arguments]
        attributes: dict[str, Attribute] = {}
        for name, value in (keywords or {}).items():
            if isinstance(value, Expr):
                operands.append(Keyword(name, value.operand))
            else:
                attributes[name] = value
        types = types or registry.infer(symbol, operands, attributes)
        if types is None:
            raise Untyped(f"what {symbol} gives here isn't known")
        node = self.region.append(
            symbol,
            operands,
            types,
            hints,
            attributes,
            self.span,
            self.call_path,
            before=self.before,
        )
        results = tuple(map(self.expr, node.results))
        return results[0] if len(results) == 1 else results


class Namespace:
    """``np`` in an expression: its functions append nodes."""

    def __init__(self, writer: Writer, example: Symbol, path: str) -> None:
        self._writer: Final = writer
        self._example: Final = example
        self._path: Final = path

    def __getattr__(self, name: str) -> Namespace:
        path = f"{self._path}.{name}" if self._path else name
        return Namespace(self._writer, self._example, path)

    def __call__(self, *arguments: object, **keywords: object) -> Any:
        symbol = Symbol(self._example.namespace, self._path)
        return self._writer.apply(symbol, arguments, keywords)


class Expr:
    """An operand in an expression; operators append the nodes that NumPy's would stand for."""

    __slots__ = ("operand", "writer")

    def __init__(self, writer: Writer, operand: Operand) -> None:
        self.writer: Final = writer
        self.operand: Final = operand

    @property
    def type(self) -> ArrayType:
        """What it is as an array."""
        return array_of(self.operand)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes; raises ``Untyped`` where one isn't known."""
        return known_sizes(self.type)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.type.ndim

    @property
    def T(self) -> Expr:
        """The axes the other way round."""
        return self._do("transpose", self)

    def __getitem__(self, index: object) -> Expr:
        return self._do("getitem", self, index)

    def __neg__(self) -> Expr:
        return self._do("negative", self)

    def __add__(self, other: object) -> Expr:
        return self._do("add", self, other)

    def __radd__(self, other: object) -> Expr:
        return self._do("add", other, self)

    def __sub__(self, other: object) -> Expr:
        return self._do("subtract", self, other)

    def __rsub__(self, other: object) -> Expr:
        return self._do("subtract", other, self)

    def __mul__(self, other: object) -> Expr:
        return self._do("multiply", self, other)

    def __rmul__(self, other: object) -> Expr:
        return self._do("multiply", other, self)

    def __truediv__(self, other: object) -> Expr:
        return self._do("divide", self, other)

    def __rtruediv__(self, other: object) -> Expr:
        return self._do("divide", other, self)

    def __pow__(self, other: object) -> Expr:
        return self._do("power", self, other)

    def __rpow__(self, other: object) -> Expr:
        return self._do("power", other, self)

    def __matmul__(self, other: object) -> Expr:
        return self._do("matmul", self, other)

    def __gt__(self, other: object) -> Expr:
        return self._compare("greater", other)

    def __ge__(self, other: object) -> Expr:
        return self._compare("greater_equal", other)

    def __lt__(self, other: object) -> Expr:
        return self._compare("less", other)

    def __le__(self, other: object) -> Expr:
        return self._compare("less_equal", other)

    def _compare(self, name: str, other: object) -> Expr:
        if default(self.type.element) in COMPLEX:
            raise Untyped("complex numbers have no order")
        return self._do(name, self, other)

    def _do(self, name: str, *arguments: object) -> Expr:
        made = self.writer.apply(Symbol("np", name), arguments)
        assert isinstance(made, Expr)  # these have one result
        return made


def fit(expr: Expr, type_: ArrayType) -> Expr:
    """Sum over the axes along which ``type_`` was broadcast, and cast to its elements.

    Of complex numbers, real elements get the real parts.
    """
    if default(expr.type.element) in COMPLEX and default(type_.element) not in COMPLEX:
        expr = expr.writer.np.real(expr)
    wanted, given = known_sizes(type_), expr.sizes
    extra = len(given) - len(wanted)
    if extra < 0:
        expr, extra = expr.writer.np.broadcast_to(expr, wanted), 0
        given = expr.sizes
    axes = [*range(extra)]
    axes += [a + extra for a, size in enumerate(wanted) if size == 1 != given[a + extra]]
    if axes:
        expr = expr.writer.np.sum(expr, axis=tuple(axes), keepdims=not extra)
        if expr.sizes != wanted:
            expr = expr.writer.np.reshape(expr, shape=tuple(map(int, wanted)))
    if expr.sizes != wanted:
        expr = expr.writer.np.broadcast_to(expr, wanted)
    if expr.type.element != type_.element:
        expr = expr.writer.apply("np.ndarray.astype", [expr], {"dtype": type_.element})
    return expr


def known_sizes(type_: ArrayType) -> tuple[int, ...]:
    """The sizes of a type; raises ``Untyped`` where one isn't known."""
    known = [size for size in type_.sizes if size is not None]
    if len(known) != type_.ndim:
        raise Untyped(f"not all sizes of {type_} are known")
    return tuple(known)


def _operand(value: object) -> Operand:
    """The operand for an argument, which may hold expressions."""
    if isinstance(value, Expr):
        return value.operand
    if isinstance(value, list | tuple):
        return Pack("list" if isinstance(value, list) else "tuple", map(_operand, value))
    if isinstance(value, slice):
        parts = [value.start, value.stop, value.step]
        if any(isinstance(part, Expr | Value) for part in parts):
            return Pack("slice", map(_operand, parts))
        return Constant(value)
    return as_operand(value)
