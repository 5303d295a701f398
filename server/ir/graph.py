"""Regions and nodes.

A region has parameters, then nodes in order. A node applies an op to operands and defines results;
nodes such as loops have regions of their own, which may use what the regions around them define.
Every value is defined once.

Everything is built and changed through the methods here, which keep the uses of every value up to
date. Values that a mutating node consumed are dead below it: its first results succeed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ..doc.source import Span
from .context import Under, within
from .symbol import Symbol
from .types import ScalarType, Type
from .values import (
    Attribute,
    Constant,
    GraphError,
    Operand,
    Value,
    frozen_attributes,
    substitute,
    values_of,
)

if TYPE_CHECKING:
    from .module import Graph, Module

__all__ = [
    "CALL",
    "DEEPEST",
    "LOOP",
    "NEXT",
    "RETURN",
    "STAGE",
    "TERMINATORS",
    "YIELD",
    "Node",
    "Region",
    "copy_into",
]


class Node:
    """An op applied to operands. Made by the methods of ``Region`` only.

    ``mutated`` are the positions of operands that the node changes in place; the first results are
    the new versions of those, in that order. ``call_path`` are the calls that led to ``span``, the
    nearest first. ``under`` is what it runs under, beyond what holds around it; see ``context``.
    ``call`` is the number of a call of code that isn't known here, where it can be made again.
    """

    __slots__ = (
        "attributes",
        "call",
        "call_path",
        "mutated",
        "next",
        "note",
        "op",
        "operands",
        "prev",
        "region",
        "regions",
        "results",
        "span",
        "under",
    )

    def __init__(
        self,
        region: Region,
        op: Symbol,
        operands: tuple[Operand, ...],
        attributes: Mapping[str, Attribute],
        span: Span | None,
        call_path: tuple[Span, ...],
        mutated: tuple[int, ...],
        note: str | None,
    ) -> None:
        self.region = region
        self.op = op
        self.operands = operands
        self.attributes = attributes
        self.span = span
        self.call_path = call_path
        self.mutated = mutated
        self.note = note
        self.under: Under = ()
        self.call: int | None = None
        self.results: tuple[Value, ...] = ()
        self.regions: tuple[Region, ...] = ()
        self.prev: Node | None = None
        self.next: Node | None = None
        for operand in operands:
            if operand.__class__ is Value:
                uses = operand.uses
                uses[self] = uses.get(self, 0) + 1
            elif operand.__class__ is not Constant:
                self._use(operand, 1)

    @property
    def defining(self) -> Node:
        """Itself: what defines the values that it owns."""
        return self

    @property
    def enclosing(self) -> Region:
        """The region it stands in."""
        return self.region

    @property
    def result(self) -> Value:
        """The only result of a node that has one."""
        (result,) = self.results
        return result

    @property
    def consumed(self) -> tuple[Value, ...]:
        """The values that this node changes in place; dead below it."""
        return tuple(v for i in self.mutated for v in values_of(self.operands[i]))

    @property
    def under_in_all(self) -> Under:
        """What it runs under with what holds around it in the graph."""
        under, owner = self.under, self.region.owner
        while isinstance(owner, Node):
            under, owner = within(owner.under, under), owner.region.owner
        return under

    @property
    def callee(self) -> str | None:
        """Name of the graph that a call node calls."""
        return self.attributes["callee"] if self.op is CALL else None

    def values(self) -> Iterator[Value]:
        """Every value among the operands, packed ones too, in order, repeated as often as used."""
        for operand in self.operands:
            yield from values_of(operand)

    def set_operands(self, operands: Sequence[Operand]) -> None:
        """Take other operands."""
        for operand in self.operands:
            self._use(operand, -1)
        self.operands = tuple(operands)
        for operand in self.operands:
            self._use(operand, 1)

    def carry(self, value: Value) -> tuple[Value, Value]:
        """Let a loop carry one more value round, from ``value`` on; its end must give one more.

        Returns the parameter inside, and what the loop gives.
        """
        (region,) = self.regions
        parameter = region.add_parameter(value.type, value.hint)
        result = Value(self, value.type, value.hint, region.module.next_number())
        self.set_operands([*self.operands, value])
        self.results = (*self.results, result)
        return parameter, result

    def erase(self) -> None:
        """Take the node out of its region. Nothing may use its results any more."""
        for result in self.results:
            if result.uses:
                raise GraphError(f"{result} is still used and can't be erased")
        self._unlink()
        for node in [self, *(inner for region in self.regions for inner in region.walk())]:
            for operand in node.operands:
                node._use(operand, -1)

    def move_before(self, other: Node) -> None:
        """Move to just before ``other``, which may be in another region of the same module."""
        self._unlink()
        other.region._link(self, other)
        self.region = other.region

    def _unlink(self) -> None:
        region, before, after = self.region, self.prev, self.next
        if before is None:
            region.first = after
        else:
            before.next = after
        if after is None:
            region.last = before
        else:
            after.prev = before
        self.prev = self.next = None

    def _use(self, operand: Operand, change: int) -> None:
        for value in values_of(operand):
            count = value.uses.get(self, 0) + change
            if count:
                value.uses[self] = count
            else:
                del value.uses[self]

    def __repr__(self) -> str:
        return f"<{', '.join(map(str, self.results))} = {self.op}>"


class Region:
    """Parameters, then nodes in order; the last node may be one that ends the region."""

    __slots__ = ("first", "last", "module", "owner", "parameters")

    def __init__(self, module: Module, owner: Graph | Node) -> None:
        self.module: Final = module
        self.owner: Final = owner
        self.parameters: Final[list[Value]] = []
        self.first: Node | None = None
        self.last: Node | None = None
        if self.depth > DEEPEST:
            raise GraphError(f"regions can't nest more than {DEEPEST} deep")

    def __iter__(self) -> Iterator[Node]:
        node = self.first
        while node is not None:
            after = node.next  # read first, so that the loop's body may erase the node
            yield node
            node = after

    @property
    def defining(self) -> None:
        """No node defines the values that it owns."""
        return None

    @property
    def enclosing(self) -> Region:
        """Itself: where the values that it owns are defined."""
        return self

    @property
    def terminator(self) -> Node | None:
        """The node that ends the region, if it has been set."""
        return self.last if self.last is not None and self.last.op in TERMINATORS else None

    @property
    def outer(self) -> Region | None:
        """The region around the node that has this one; None for the body of a graph."""
        return self.owner.region if isinstance(self.owner, Node) else None

    @property
    def depth(self) -> int:
        """How many regions are around it."""
        depth, around = 0, self.outer
        while around is not None:
            depth, around = depth + 1, around.outer
        return depth

    @property
    def graph(self) -> Graph:
        """The graph whose body this region is part of."""
        owner = self.owner
        while isinstance(owner, Node):
            owner = owner.region.owner
        return owner

    def walk(self) -> Iterator[Node]:
        """Every node of the region and of those inside it, outer before inner."""
        stack: list[Iterator[Node]] = [iter(self)]
        while stack:
            for node in stack[-1]:
                yield node
                if node.regions:
                    stack.extend(iter(region) for region in reversed(node.regions))
                    break
            else:
                stack.pop()

    def values(self) -> Iterator[Value]:
        """Every value defined in the region and inside it, in the order of the text."""
        yield from self.parameters
        for node in self.walk():
            yield from node.results
            for region in node.regions:
                yield from region.parameters

    def add_parameter(self, type: Type, hint: str | None = None) -> Value:
        """A new last parameter."""
        value = Value(self, type, hint, self.module.next_number())
        self.parameters.append(value)
        return value

    def append(
        self,
        op: Symbol,
        operands: Sequence[Operand],
        result_types: Sequence[Type] = (),
        hints: Sequence[str | None] = (),
        attributes: Mapping[str, Attribute] = MappingProxyType({}),
        span: Span | None = None,
        call_path: tuple[Span, ...] = (),
        mutated: Sequence[int] = (),
        note: str | None = None,
        before: Node | None = None,
    ) -> Node:
        """A new node at the end, ahead of the node that ends the region, or before ``before``.

        ``hints`` go with ``result_types`` one by one and may be fewer. An operand at a position in
        ``mutated`` is changed in place, and the first results are the new versions of those. A node
        put before another runs under the same.
        """
        if attributes:
            attributes = frozen_attributes(attributes)
        node = Node(self, op, tuple(operands), attributes, span, call_path, tuple(mutated), note)
        if len(result_types) == 1:
            hint = hints[0] if hints else None
            node.results = (Value(node, result_types[0], hint, self.module.next_number()),)
        elif result_types:
            padded = [*hints, *([None] * (len(result_types) - len(hints)))]
            node.results = tuple(
                Value(node, type, hint, self.module.next_number())
                for type, hint in zip(result_types, padded, strict=True)
            )
        if before is not None:
            node.under = before.under
        self._link(node, before or self.terminator)
        return node

    def append_with_regions(
        self, parameters: Sequence[Sequence[tuple[Type, str | None]]], *args: Any, **kwargs: Any
    ) -> Node:
        """As ``append``, and the node gets one region for each list of parameters."""
        node = self.append(*args, **kwargs)
        try:
            node.regions = tuple(Region(self.module, node) for _ in parameters)
        except GraphError:
            node.erase()
            raise
        for region, wanted in zip(node.regions, parameters, strict=True):
            for type, hint in wanted:
                region.add_parameter(type, hint)
        return node

    def append_loop(
        self,
        count: int | None,
        carried: Sequence[tuple[str | None, Value]],
        index_hint: str | None = None,
        span: Span | None = None,
        *,
        types: Sequence[Type] | None = None,
        attributes: Mapping[str, Attribute] = MappingProxyType({}),
        call_path: tuple[Span, ...] = (),
        note: str | None = None,
        before: Node | None = None,
    ) -> Node:
        """A loop that ran ``count`` times (None: not known) with these values carried round.

        Its region has the index as first parameter, then one for each carried value, and ends with
        ``set_next``. The results are the carried values after the loop. ``types`` are those of the
        carried values where they differ from the types at the start.
        """
        types = [value.type for _, value in carried] if types is None else types
        hints = [hint for hint, _ in carried]
        return self.append_with_regions(
            [[(ScalarType("int"), index_hint), *zip(types, hints, strict=True)]],
            LOOP,
            [value for _, value in carried],
            types,
            hints,
            {"count": count, **attributes},
            span,
            call_path,
            note=note,
            before=before,
        )

    def append_call(
        self,
        graph: Graph,
        operands: Sequence[Operand],
        result_types: Sequence[Type] = (),
        hints: Sequence[str | None] = (),
        span: Span | None = None,
        call_path: tuple[Span, ...] = (),
        mutated: Sequence[int] = (),
        note: str | None = None,
        before: Node | None = None,
    ) -> Node:
        """A call of another graph of the module."""
        attributes = {"callee": graph.name}
        return self.append(
            CALL, operands, result_types, hints, attributes, span, call_path, mutated, note, before
        )

    def mark_stage(self, number: int) -> Node:
        """What follows belongs to stage ``number``: 0 is forward, 1 is backward."""
        return self.append(STAGE, (), attributes={"stage": number})

    def set_return(self, values: Sequence[Operand], span: Span | None = None) -> Node:
        """End the body of a graph; what it gives back are ``values``."""
        return self._end(RETURN, values, span)

    def set_next(self, values: Sequence[Operand], span: Span | None = None) -> Node:
        """End the body of a loop; ``values`` are the carried ones of the next turn."""
        return self._end(NEXT, values, span)

    def set_yield(self, values: Sequence[Operand], span: Span | None = None) -> Node:
        """End the region of any other node; ``values`` are its results."""
        return self._end(YIELD, values, span)

    def _end(self, op: Symbol, values: Sequence[Operand], span: Span | None) -> Node:
        if self.terminator is not None:
            self.terminator.erase()
        return self.append(op, values, span=span)

    def _link(self, node: Node, before: Node | None) -> None:
        last = self.last if before is None else before.prev
        node.prev, node.next = last, before
        if last is None:
            self.first = node
        else:
            last.next = node
        if before is None:
            self.last = node
        else:
            before.prev = node


DEEPEST: Final = 100
"""How deep regions may nest. What goes through them may call itself for each that is around."""

CALL: Final = Symbol("ir", "call")
LOOP: Final = Symbol("ir", "loop")
STAGE: Final = Symbol("ir", "stage")
RETURN: Final = Symbol("ir", "return")
NEXT: Final = Symbol("ir", "next")
YIELD: Final = Symbol("ir", "yield")
TERMINATORS: Final = frozenset({RETURN, NEXT, YIELD})


def append_copy(
    target: Region, node: Node, new: dict[Value, Operand], before: Node | None = None
) -> Node:
    """A copy of ``node`` without its regions, in ``target``. ``new`` has what stands for the values
    that it takes, and gets its results."""
    copy = target.append(
        node.op,
        [substitute(operand, new) for operand in node.operands],
        [value.type for value in node.results],
        [value.hint for value in node.results],
        node.attributes,
        node.span,
        node.call_path,
        node.mutated,
        node.note,
        before,
    )
    copy.under, copy.call = node.under, node.call
    new.update(zip(node.results, copy.results, strict=True))
    return copy


def copy_into(
    source: Region,
    target: Region,
    new: dict[Value, Operand],
    *,
    keep_numbers: bool = False,
    before: Node | None = None,
) -> None:
    """Copy parameters and nodes of ``source`` to the end of ``target``, or to before ``before``.

    ``new`` maps what was copied to its copy. Parameters that it maps already aren't copied, and so
    a body can be written out in another place with its arguments filled in.
    """
    for parameter in source.parameters:
        if parameter not in new:
            copied = target.add_parameter(parameter.type, parameter.hint)
            new[parameter] = copied
            if keep_numbers:
                copied.number = parameter.number
    for node in source:
        copy = append_copy(target, node, new, before)
        if keep_numbers:
            for old, value in zip(node.results, copy.results, strict=True):
                value.number = old.number
        copy.regions = tuple(Region(target.module, copy) for _ in node.regions)
        for region, inner in zip(node.regions, copy.regions, strict=True):
            copy_into(region, inner, new, keep_numbers=keep_numbers)
