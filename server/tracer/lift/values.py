"""Recorded operands and results, and the values that a graph has for them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import groupby

from ... import ir
from ...doc.source import Span
from ...ir import ArrayType, Keyword, Region, ScalarType, Symbol, Type
from ...ir.context import Under
from ..operations import UNKNOWN, bounds_of, literal_of, returned_names
from ..sequences import Shift, alike, bindings, inferred, last_part, span_of, type_of
from ..trace import Array, Constant, Event, Frame, HookRun, Loop, Pack, Scalar, SiteOperand, Value
from .lifter import Lifter
from .state import Input, Names, Operand

__all__ = ["INDEX", "OUTSIDE", "Values"]

OUTSIDE = Symbol("ir", "outside")
INDEX = ScalarType("int")
_BRACKET = re.compile(r"[\[(](\d+)")


class Values(ABC):
    """What one graph has for what the events of one frame took and gave."""

    def __init__(self, lifter: Lifter, region: Region, frame: Frame | None) -> None:
        self.lifter, self.trace, self.module = lifter, lifter.trace, lifter.module
        self.region = region
        self.frame = frame
        self.now = Names()
        self.inputs: dict[object, Input] = {}
        self.key: list[object] = []
        """What makes the body what it is, numbered from its start: equal bodies have equal keys."""
        self.turns: list[tuple[Loop, int | ir.Value]] = []
        """The loops around, and the turn that each is in."""
        self.order: dict[ir.Value, int] = {}
        self.around = frame.under if frame is not None else ()
        """What all that is emitted runs under; see ``ir.context``."""
        self.hooks: list[Frame] = []
        """Those of the backward pass that is emitted that were not called yet."""
        self.hook_runs: list[tuple[HookRun, list[Frame]]] = []
        """And those of layers, with the functions that ran in each."""
        self.joined: set[Frame] = set()
        """The functions of other threads that were emitted."""
        self.under: Under = ()
        """What the next nodes run under, beyond that."""
        self.latest: dict[object, ir.Value] = {}
        """The newest array scalar of each value."""

    @abstractmethod
    def emit(self, events: Sequence[Event], depth: int) -> None:
        """Emit events of one frame that lie ``depth`` loops deep, or deeper."""

    @abstractmethod
    def emit_op(self, event: Event) -> None:
        """Emit an event as one operation."""

    @abstractmethod
    def turned_to(self, value: Value, where: SiteOperand | None) -> ir.Value | None:
        """What a loop binds its target to: an item of the array that it goes over."""

    # ------------------------------------------------------------------ operands

    def operands(self, event: Event) -> tuple[list[Operand], dict[str, object]]:
        """An event's operands in order, and its constant keyword arguments as attributes."""
        operands: list[Operand] = []
        attributes: dict[str, object] = {}
        pairs = [
            pair for pair in zip(event.site.operands, event.operands, strict=False)
            if pair[0].role != "bound"
        ]  # fmt: skip
        subscript = event.site.kind in ("getitem", "setitem") or event.site.kind.endswith(":item")

        def role_of(pair: tuple[SiteOperand, Value]) -> str:
            return "index" if subscript and pair[0].role == "*" else pair[0].role

        for role, group in groupby(pairs, role_of):
            items = [
                (where.bracket, self.spread(event, value, where, role)) for where, value in group
            ]
            values = [value for _, some in items for value in some]
            if items[0][0]:
                item: Operand = _packed(items)
            elif role == "index" and len(values) != 1:
                item = ir.Pack("tuple", values)
            else:
                item = values[0]
            if role.isdigit() or role in ("self", "index", "value", "*"):
                operands.append(item)
            elif isinstance(item, ir.Constant) and event.site.is_call:
                attributes[role] = item.value
            else:
                operands.append(Keyword(role, item))
        return operands, attributes

    def spread(
        self, event: Event, value: Value, where: SiteOperand, role: str
    ) -> Sequence[Operand]:
        """What an operand comes to: itself, or the items of one with a star in an index."""
        item = self.operand(event, value, where)
        starred = where.role == "*" and role == "index"
        return item.items if starred and isinstance(item, ir.Pack) else [item]

    def operand(self, event: Event, value: Value, where: SiteOperand) -> Operand:
        """An operand by its value, or by its text where none was recorded."""
        if value is None and where.form in ("literal", "text"):
            return self.written_out(event, self.trace.text(where.span), where)
        return self.resolve(value, where)

    def written_out(self, event: Event, text: str, where: SiteOperand) -> Operand:
        """What was not recorded, by its text: a literal, a slice, or a value from outside."""
        value = literal_of(text)
        if value is not UNKNOWN:
            return ir.as_operand(value)
        bounds = bounds_of(text)
        if bounds is None:
            kind = INDEX if where.role == "index" else ir.OpaqueType("object")
            return self.append(OUTSIDE, [], [kind], [None], where.span)[0]
        recorded = iter([
            (operand, value)
            for operand, value in zip(event.site.operands, event.operands, strict=False)
            if operand.role == "bound"
            and where.span.contains(operand.span.line, operand.span.column)
        ])  # fmt: skip
        parts = [self.bound_of(bound, where, recorded) for bound in bounds]
        numbers = [part.value for part in parts if isinstance(part, ir.Constant)]
        if len(numbers) == len(parts):
            return ir.Constant(slice(*numbers))
        return ir.Pack("slice", parts)

    def bound_of(
        self, text: str, where: SiteOperand, recorded: Iterator[tuple[SiteOperand, Value]]
    ) -> Operand:
        """One bound of a slice; ``recorded`` are those that are no literals, in order."""
        value = literal_of(text) if text else None
        if value is not UNKNOWN:
            return ir.as_operand(value)
        operand, number = next(recorded, (where, None))
        if number is not None:
            return self.resolve(number, operand)
        hint = text if text.isidentifier() else None
        return self.append(OUTSIDE, [], [INDEX], [hint], where.span)[0]

    def resolve(self, value: Value, where: SiteOperand | None) -> Operand:
        """What a recorded operand is in the graph at this point."""
        name = where.name if where is not None else ""
        if name in self.now.carried and not isinstance(value, Pack):
            return self.now.names[name]
        match value:
            case Array():
                return self.now.arrays.get(value.number) or self.named(value, where)
            case Scalar():
                return self.now.scalars.get(value.number) or self.named(value, where)
            case Constant(_, kind) if kind:
                return self.named(value, where)
            case Constant(number):
                if where is not None and id(where) in self.now.shifting:
                    return self.shifted(where, self.now.shifting[id(where)])
                return ir.Constant(number)
            case Pack(items, listed):
                kind = "list" if listed else "tuple"
                return ir.Pack(kind, [self.resolve(item, None) for item in items])
        return self.named(value, where)

    def named(self, value: Value, where: SiteOperand | None) -> ir.Value:
        """A value that no event gave, by the name it was read from: a part that ran plain left
        it."""
        name = where.name if where is not None else ""
        known = self.now.names.get(name)
        if known is not None and self.trusted(name, value) and self.is_like(known, name, value):
            number = value.value if isinstance(value, Scalar) else None
            if self.now.numbers.get(name, number) == number:
                return known
        return self.outside(value, where)

    def is_like(self, known: ir.Value, name: str, value: Value) -> bool:
        """Whether a value can be what a name stands for. Of what a plain part of a loop left in
        it, nothing may have been told."""
        untold = isinstance(value, Array) and value.type is None and name in self.now.settled
        return untold or alike(known.type, type_of(value))

    def shifted(self, where: SiteOperand, shift: Shift) -> ir.Value:
        """A number that each iteration has another of."""
        hint = last_part(where.name) or None
        if shift.first == 0:
            return shift.index
        op, operands = OUTSIDE, list[Operand]()
        if shift.first is not None:
            op, operands = Symbol("py", "add"), [shift.index, ir.Constant(shift.first)]
        elif shift.table:
            numbers = ir.Pack("list", map(ir.Constant, shift.table))
            op, operands = Symbol("py", "getitem"), [numbers, shift.index]
        return self.append(op, operands, [shift.kind], [hint], where.span)[0]

    def trusted(self, name: str, value: Value) -> bool:
        """Whether only events bind ``name``, so that it still is what the last one gave."""
        if name in self.now.settled or not isinstance(value, Array):
            return True
        scope = (self.frame or self.trace.frames[0]).scope
        return "." not in name and name not in scope.rebound

    def outside(self, value: Value, where: SiteOperand | None) -> ir.Value:
        """A value that this graph did not make: an input of a function, or of unrecorded code."""
        item = self.turned_to(value, where)
        if item is not None:
            return item
        name = where.name if where is not None else ""
        key: object = value.number if isinstance(value, Array) else name
        hint = last_part(name) or None
        if isinstance(value, Array) and value.parameter:
            hint = value.parameter
        if self.frame is not None and key and not self.is_local(name):
            found = self.inputs.get(key)
            if found is None:
                parameter = self.region.graph.body.add_parameter(type_of(value), hint)
                found = self.inputs[key] = Input(parameter, value, where)
                self.number(parameter)
            made = found.parameter
        else:
            (made,) = self.append(OUTSIDE, [], [type_of(value)], [hint], span_of(where))
        self.keep(value, made)
        if isinstance(value, Array) and self.is_held(value, name):
            self.lifter.held[made] = value
        if name and not isinstance(value, Array):
            self.now.names[name] = made
            self.now.numbers.pop(name, None)
            if isinstance(value, Scalar):
                self.now.numbers[name] = value.value
        return made

    def is_held(self, array: Array, name: str) -> bool:
        """Whether an array that came from around belongs there, and not to an argument."""
        if array.parameter or self.frame is None:
            return bool(array.parameter)
        root, _, rest = name.partition(".")
        return bool(name) and (
            root not in self.frame.scope.parameters or (root == "self" and bool(rest))
        )

    def is_local(self, name: str) -> bool:
        """Whether a name is one of the function's own, and none that it is given."""
        scope = self.frame.scope if self.frame is not None else None
        return scope is not None and name in scope.locals and name not in scope.parameters

    def keep_as(self, value: Value, known: Operand) -> None:
        """From here on, ``value`` is ``known``, where that is one value."""
        if isinstance(known, ir.Value):
            self.keep(value, known)

    def keep(self, value: Value, known: ir.Value) -> None:
        """From here on, the graph has ``known`` for a value."""
        if isinstance(value, Array):
            self.now.arrays[value.number] = known
        elif isinstance(value, Scalar):
            self.now.scalars[value.number] = known
            self.latest[value.value] = known

    # ------------------------------------------------------------------ results

    def append(self, op: Symbol, operands: Sequence[Operand], types: Sequence[Type],
               hints: Sequence[str | None], span: Span | None, *,
               attributes: dict[str, object] | None = None, mutated: Sequence[int] = (),
               note: str | None = None,
               call: int | None = None) -> tuple[ir.Value, ...]:  # fmt: skip
        """Append an operation, which goes into the key of the body."""
        node = self.region.append(
            op, operands, types, hints, attributes or {}, span, (), mutated, note
        )
        node.under, node.call = self.under, call
        shapes = tuple(self.shape_of(o) for o in operands)
        self.key.append((str(op), shapes, tuple(types), repr(attributes), span, self.under,
                         call))  # fmt: skip
        for value in node.results:
            self.number(value)
        return node.results

    def number(self, value: ir.Value) -> None:
        """Number a value in the order in which the body makes them."""
        self.order[value] = len(self.order)

    def shape_of(self, operand: Operand) -> object:
        """An operand in a body's key."""
        match operand:
            case ir.Value():
                return ("%", self.order.get(operand))
            case ir.Pack(kind=kind, items=items):
                return (kind, *(self.shape_of(i) for i in items))
            case ir.Keyword(name=name, item=item):
                return (name, self.shape_of(item))
        return repr(operand)

    def replace(self, old: ir.Value, new: ir.Value) -> None:
        """``old`` was written in place: who had it has ``new``."""
        for table in (self.now.arrays, self.now.names, self.now.gradients):
            for key in [k for k, v in table.items() if v is old]:
                table[key] = new  # type: ignore[index]
        for taken in self.inputs.values():
            if taken.parameter is old:
                taken.written = True

    def bind(self, event: Event, results: Sequence[Value], values: Sequence[ir.Value]) -> None:
        """The event's results, and the names that they get at once."""
        for result, value in zip(results, values, strict=False):
            self.keep(result, value)
            if isinstance(result, Array | Scalar):
                self.lifter.values[event.index, result.number] = value
        if event.site.unpacked and isinstance(event.result, Array) and values:
            self.unpack(event, values[0])
        for name, bound in bindings(event):
            chosen = next((v for r, v in zip(results, values, strict=False) if r is bound), None)
            if chosen is None:
                continue
            self.now.names[name] = chosen
            self.now.carried.discard(name)
            self.now.settled.discard(name)
            self.now.numbers.pop(name, None)
            if isinstance(bound, Scalar):
                self.now.numbers[name] = bound.value

    def unpack(self, event: Event, value: ir.Value) -> None:
        """``a, b = array``: names get its items."""
        getitem = Symbol("np", "getitem")
        for i, (name, span) in enumerate(event.site.targets):
            operands = (value, ir.Constant(i))
            kind = inferred(getitem, operands)
            if name and isinstance(kind, ArrayType):
                (item,) = self.append(getitem, operands, [kind], [last_part(name)], span)
                self.now.names[name] = item
                self.now.carried.discard(name)

    def find(self, values: Sequence[Value]) -> list[ir.Value]:
        """The graph's values for what a function returned."""
        found = []
        for place, part in enumerate(values):
            if isinstance(part, Array):
                known = self.now.arrays.get(part.number) or self.left_by_loop(place, part)
            else:  # array scalars have no identity; the latest with that value is the one
                known = self.latest.get(part.value) if isinstance(part, Scalar) else None
            if known is None:  # made in a part that ran plain
                (known,) = self.append(OUTSIDE, [], [type_of(part)], [], None)
            found.append(known)
        return found

    def left_by_loop(self, place: int, part: Array) -> ir.Value | None:
        """What a loop left in the name that a function returns there, whose last iterations ran
        plain."""
        if self.frame is None or not self.now.settled:
            return None
        names = returned_names(self.trace.text(self.frame.scope.span))
        name = names[place] if place < len(names) else ""
        known = self.now.names.get(name) if name in self.now.settled else None
        return known if known is not None and alike(known.type, type_of(part)) else None


def _packed(items: Sequence[tuple[str, Sequence[Operand]]]) -> ir.Pack:
    """The tuple or list that operands were written out in, by their brackets."""
    parts: list[Operand] = []
    for _, group in groupby(items, lambda item: _BRACKET.split(item[0], 1)[1]):
        inside = [(_BRACKET.split(bracket, 1)[2], values) for bracket, values in group]
        if inside[0][0]:
            parts.append(_packed(inside))
        else:
            parts += [value for _, values in inside for value in values]
    return ir.Pack("list" if items[0][0][0] == "[" else "tuple", parts)
