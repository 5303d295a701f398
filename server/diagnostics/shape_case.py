"""A failed operation and its operands, as an account of why their shapes don't fit needs them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..doc.source import Span
from ..ir import ArrayType
from ..ir.opinfo import OpInfo
from ..tracer.trace import (
    Array,
    Constant,
    Event,
    Failure,
    Pack,
    Scalar,
    Site,
    SiteOperand,
    Trace,
    Value,
)  # fmt: skip
from . import ops
from .describe import name_at
from .syntax import argument, call_at, literal


@dataclass(frozen=True, slots=True)
class Side:
    """One array of a failed operation."""

    name: str
    span: Span
    value: Value
    type: ArrayType
    operand: SiteOperand | None = None
    """None for an item of a list that is not written out."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Its sizes, all of which are known."""
        return tuple(size or 0 for size in self.type.sizes)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return self.type.ndim


@dataclass(frozen=True, slots=True)
class Mark:
    """What is wrong with one side: the axes that differ, and what is said of them."""

    axes: frozenset[int] = frozenset()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why the shapes don't fit. ``says`` has ways to put it, the fullest first."""

    says: tuple[str, ...]
    sides: tuple[Side, ...]
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """By the position in ``sides``."""


@dataclass(frozen=True)
class Case:
    """A failed operation, as an account of it asks about it."""

    trace: Trace
    failure: Failure
    site: Site

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The operands' values beside ``site.operands``."""
        return tuple(value for _, _, value in self.failure.operands)

    @cached_property
    def event(self) -> Event:
        """The operation as if it had happened."""
        return Event(0, "op", self.site, self.trace.frames[0], None, self.values)

    @cached_property
    def op(self) -> OpInfo | None:
        """What the registry knows of the operation."""
        return ops.info(self.event)

    @cached_property
    def name(self) -> str:
        """The op's name without that of a class."""
        return ops.any_name(self.event)

    @cached_property
    def text(self) -> str:
        """The operation as written, shortened."""
        return name_at(self.trace, self.site.span, 40)

    @cached_property
    def called(self) -> str:
        """The function or the operator as written, where the operands are too long to show."""
        if self.call is not None:
            return f"{ast.unparse(self.call.func)}()"
        sign = ops.SIGNS.get(ops.operator(self.site), "")
        if sign and self.site.kind.startswith("inplace:"):
            return f"{name_at(self.trace, self.site.operands[0].span)} {sign}= …"
        return f"… {sign} …" if sign else self.name

    @cached_property
    def call(self) -> ast.Call | None:
        """The call as written."""
        return call_at(self.trace, self.site)

    def ways(self, fact: str, short: str = "") -> tuple[str, ...]:
        """Headlines that say ``fact``, with as much of the operation as there is room for."""
        heads = (self.text, self.called)
        says = [f"{head}: {fact}" for head in heads] + [fact]
        return tuple(says + [f"{head}: {short}" for head in heads if short])

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """All arrays among the operands, those of lists included."""
        return tuple(self._sides())

    def _said(self) -> Sequence[tuple[int, ...]]:
        """The operands' shapes in NumPy's words, where it names them all in their order.

        They are needed where the operation ran unrecorded, in the plain twin of a loop, and for
        the variable of a comprehension, which is gone by the time that an exception is seen.
        """
        said = shapes_said(self.failure.message)
        elementwise = self.op is not None and self.op.fusible
        all_named = elementwise and "broadcast together" in self.failure.message
        aligned = self.name == "dot" and "not aligned" in self.failure.message
        return said if (all_named or aligned) and len(said) == len(self.site.operands) else ()

    def _seen_before(self, where: SiteOperand) -> ArrayType | None:
        """The type that an operand had when it was last recorded."""
        for event in reversed(self.trace.events):
            if event.site.number == where.site and isinstance(event.result, Array | Scalar):
                return event.result.type
            if event.site is self.site:
                value = event.operands[self.site.operands.index(where)]
                if isinstance(value, Array | Scalar):
                    return value.type
        return None

    @cached_property
    def out(self) -> Side | None:
        """What ``out=`` gave to write into."""
        for where, (_, span, value) in zip(self.site.operands, self.failure.operands, strict=False):
            if where.role == "out" and isinstance(value, Array) and value.type is not None:
                return Side(name_at(self.trace, span), span, value, value.type, where)
        return None

    def constant(self, name: str, default: object = None) -> object:
        """A literal argument, by the name of its parameter."""
        names = [n for n in (self.op.parameters if self.op else ()) if n not in ("*", "/")]
        method = bool(self.site.operands) and self.site.operands[0].role == "self"
        position = names.index(name) - method if name in names else None
        node = argument(self.call, position, name)
        return default if node is None else literal(node)

    def _sides(self) -> Iterator[Side]:
        said = iter(self._said())
        for where, (_, span, value) in zip(self.site.operands, self.failure.operands, strict=False):
            if where.role in ("index", "out") and self.site.kind != "getitem":
                continue
            name = name_at(self.trace, span)
            sizes = next(said, None)
            unknown = value is None or value == Constant(None)
            if unknown and sizes is not None:
                seen = self._seen_before(where)
                if seen is not None:
                    yield Side(name, span, None, seen.with_(sizes=sizes, strides=None), where)
            elif isinstance(value, Array | Scalar) and value.type is not None:
                yield Side(name, span, value, value.type, where)
            elif isinstance(value, Pack):
                for i, item in enumerate(value.items):
                    if isinstance(item, Array) and item.type is not None:
                        yield Side(f"{name}[{i}]", span, item, item.type, where)


def axis_is(axis: int, side: Side) -> str:
    """``axis 1 of x is 784``, ``t has 100 elements``."""
    size = side.sizes[axis]
    if side.ndim == 1:
        return f"{side.name} has {counted(size, 'element')}"
    return f"axis {axis} of {side.name} is {size}"


def both_are(a: Side, i: int, b: Side, j: int) -> str:
    """Two axes and their sizes."""
    second = axis_is(j, b)
    if a.ndim == b.ndim == 1:
        second = f"{b.name} has {b.sizes[j]}"
    return f"{axis_is(i, a)}, {second}"


def shown(sizes: Sequence[int]) -> str:
    """``[50, 1]``, as types show sizes."""
    return f"[{', '.join(map(str, sizes))}]"


def shapes_said(message: str) -> list[tuple[int, ...]]:
    """The shapes that a message of NumPy's names, in its order."""
    return [sizes_in(text) for text in re.findall(r"\((\d*(?:,\d+)*,?)\)", message) if text]


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes of a shape as NumPy writes it, without its parentheses."""
    return tuple(int(n) for n in text.split(",") if n)


def counted(n: int, what: str) -> str:
    """``1 axis``, ``2 axes``."""
    many = "axes" if what == "axis" else what + "s"
    return f"{n} {what if n == 1 else many}"
