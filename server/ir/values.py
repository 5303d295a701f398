"""Values, and what else a node can take: constants, packs of operands, operands passed by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from .literals import Atom, same_atom
from .symbol import Symbol
from .types import SCALARS, ArrayType, ListType, OpaqueType, ScalarType, TupleType, Type

if TYPE_CHECKING:
    from .graph import Node, Region

__all__ = [
    "Attribute",
    "Constant",
    "GraphError",
    "Keyword",
    "Operand",
    "Pack",
    "Value",
    "as_operand",
    "substitute",
    "type_of",
    "values_of",
]

Attribute = Any
"""An atom (see ``literals``), a ``Type``, a ``Symbol``, or a tuple of attributes."""


class GraphError(Exception):
    """The graph can't be built or changed in this way."""


class Value:
    """One value: a parameter of a region or a result of a node. Of its type only the names of
    dimensions may ever change; a pass that makes tensors arrays changes the family too."""

    __slots__ = ("hint", "number", "owner", "type", "uses")

    def __init__(self, owner: Node | Region, type: Type, hint: str | None, number: int) -> None:
        self.owner: Final = owner
        self.type = type
        self.hint = hint if hint is None or _plain(hint) else _clean(hint)
        self.number = number
        self.uses: Final[dict[Node, int]] = {}
        """The nodes that take this value, and how often each does."""

    def name_dimensions(self, names: tuple[str | None, ...]) -> None:
        """Give the dimensions of an array these names."""
        if isinstance(self.type, ArrayType):
            self.type = self.type.named(names)

    @property
    def node(self) -> Node | None:
        """The node that defines it; None for a parameter."""
        return self.owner.defining

    @property
    def region(self) -> Region:
        """The region it is defined in."""
        return self.owner.enclosing

    def replace_uses(self, new: Operand) -> None:
        """Let every node that takes this value take ``new`` instead."""
        if new is self:
            return
        for node in list(self.uses):
            node.set_operands(tuple(substitute(item, {self: new}) for item in node.operands))

    def __str__(self) -> str:
        return f"%{self.number}" if self.hint is None else f"%{self.hint}.{self.number}"

    __repr__ = __str__


class Constant:
    """A literal operand: an atom, a type or a symbol."""

    __slots__ = ("value",)

    def __init__(self, value: Atom | Type | Symbol | Any) -> None:
        self.value: Final = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and same_attribute(self.value, other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), repr(self.value)))

    def __repr__(self) -> str:
        return f"Constant({self.value!r})"


class Pack:
    """A ``tuple``, ``list`` or ``slice`` of operands, taken as one operand."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: str, items: Iterable[Operand]) -> None:
        self.kind: Final = kind
        self.items: Final = tuple(items)
        if kind not in ("tuple", "list", "slice"):
            raise GraphError(f"a pack is a tuple, list or slice, not {kind!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pack) and (self.kind, self.items) == (other.kind, other.items)

    def __hash__(self) -> int:
        return hash((self.kind, self.items))

    def __repr__(self) -> str:
        return f"Pack({self.kind!r}, {self.items!r})"


class Keyword:
    """An operand that is passed by name: ``where=%mask.3``."""

    __slots__ = ("item", "name")

    def __init__(self, name: str, item: Operand) -> None:
        self.name: Final = name
        self.item: Final = item
        if not _WORD.fullmatch(name):
            raise GraphError(f"not the name of an argument: {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyword) and (self.name, self.item) == (other.name, other.item)

    def __hash__(self) -> int:
        return hash((self.name, self.item))

    def __repr__(self) -> str:
        return f"Keyword({self.name!r}, {self.item!r})"


Operand = Value | Constant | Pack | Keyword


def as_operand(value: object) -> Operand:
    """The operand for a Python object: sequences and slices are packed, the rest is constant."""
    if isinstance(value, Value | Constant | Pack | Keyword):
        return value
    if isinstance(value, tuple | list):
        return Pack("list" if isinstance(value, list) else "tuple", map(as_operand, value))
    if isinstance(value, slice):
        parts = [value.start, value.stop, value.step]
        if any(isinstance(part, Value) for part in parts):
            return Pack("slice", map(as_operand, parts))
    return Constant(value)


def type_of(operand: Operand) -> Type:
    """The type that an operand has as a value."""
    match operand:
        case Value(type=type_):
            return type_
        case Keyword(item=item):
            return type_of(item)
        case Pack(kind="tuple", items=items):
            return TupleType(tuple(map(type_of, items)))
        case Pack(kind="list", items=items):
            types = {type_of(item) for item in items}
            item_type = types.pop() if len(types) == 1 else OpaqueType("object")
            return ListType(item_type, len(items))
        case Constant(value=value):
            name = "none" if value is None else type(value).__name__
            return ScalarType(name) if name in SCALARS else OpaqueType(name)
    return OpaqueType("slice")


def values_of(operand: Operand) -> Iterator[Value]:
    """Every value in an operand, in order."""
    if isinstance(operand, Value):
        yield operand
    elif isinstance(operand, Pack):
        for item in operand.items:
            yield from values_of(item)
    elif isinstance(operand, Keyword):
        yield from values_of(operand.item)


def substitute(operand: Operand, new: Mapping[Value, Operand]) -> Operand:
    """The operand with other values in the places of those that ``new`` maps."""
    match operand:
        case Value():
            return new.get(operand, operand)
        case Pack(kind=kind, items=items):
            return Pack(kind, [substitute(item, new) for item in items])
        case Keyword(name=name, item=item):
            return Keyword(name, substitute(item, new))
    return operand


def same_attribute(a: Attribute, b: Attribute) -> bool:
    """Whether two attributes are alike in type too."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same_attribute, a, b))
    return same_atom(a, b)


def frozen_attributes(attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """The attributes with lists made tuples; raises ``TypeError`` for what can't be one."""
    for name in attributes:
        if not _WORD.fullmatch(name):
            raise TypeError(f"not the name of an attribute: {name!r}")
    return {name: _frozen(value) for name, value in attributes.items()}


def _frozen(value: Attribute) -> Attribute:
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if value is None or isinstance(value, _ATTRIBUTES) or value is Ellipsis:
        return value
    raise TypeError(f"not an attribute: {value!r}")


def _plain(hint: str) -> bool:
    return hint.isascii() and hint.isidentifier()


def _clean(hint: str) -> str | None:
    """A hint that the text form can hold: words with dots between."""
    return ".".join(re.sub(r"\W", "_", part) for part in hint.split(".") if part) or None


_ATTRIBUTES = (bool, int, float, complex, str, bytes, slice, Type, Symbol)
_WORD = re.compile(r"[^\W\d]\w*")
