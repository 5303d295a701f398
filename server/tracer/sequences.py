"""How the events of one frame group into runs of loops and iterations, and what they bind.

Pure functions that ``lift`` stands on. ``depth`` counts loops from the outermost, from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from .. import ir
from ..doc.source import Span
from ..ir import ArrayType, ModuleType, OpaqueType, ScalarType, Symbol, Type, registry
from .trace import Array, Constant, Event, Pack, Scalar, SiteOperand, Thing, Value


def runs(events: Sequence[Event], depth: int) -> Iterator[list[Event]]:
    """Split events of one loop where it began anew: its count of iterations fell."""
    run: list[Event] = []
    for event in events:
        if run and iteration_of(event, depth) < iteration_of(run[-1], depth):
            yield run
            run = []
        run.append(event)
    yield run


def iterations(events: Sequence[Event], depth: int) -> Iterator[list[Event]]:
    """Split a run by iterations; comprehensions aren't counted: there, where a site comes again."""
    if iteration_of(events[0], depth):
        for _, counted in groupby(events, lambda e: iteration_of(e, depth)):
            yield list(counted)
        return
    group: list[Event] = []
    seen: set[int] = set()
    for event in events:
        if event.site.number in seen:
            yield group
            group, seen = [], set()
        group.append(event)
        seen.add(event.site.number)
    yield group


def iteration_of(event: Event, depth: int) -> int:
    """How many iterations of the loop at ``depth`` had begun; 0 where they aren't counted."""
    return event.iteration[depth] if depth < len(event.iteration) else 0


@dataclass(frozen=True, slots=True)
class Shift:
    """An operand that is another number in other iterations."""

    kind: Type
    index: ir.Value
    first: int | None = None
    """What it is in the first, where it goes up by one with the index."""
    table: tuple[object, ...] = ()
    """What it is in each, where all were recorded."""


def shifting(
    groups: Sequence[list[Event]], depth: int, index: ir.Value, *, complete: bool
) -> dict[int, Shift]:
    """Operands, by id, that are another number in other iterations, and how they follow the loop's
    index. ``complete`` says that no iteration is missing in ``groups``."""
    numbers: dict[int, dict[int, dict[tuple[int, ...], set[Any]]]] = {}
    for turn, group in enumerate(groups):
        for event in group:
            inside = event.iteration[depth + 1 :]
            for where, value in zip(event.site.operands, event.operands, strict=False):
                if isinstance(value, Constant) and type(value.value) in _NUMBERS:
                    turns = numbers.setdefault(id(where), {}).setdefault(turn, {})
                    turns.setdefault(inside, set()).add((type(value.value), value.value))
    counted = [iteration_of(group[0], depth) for group in groups]
    found: dict[int, Shift] = {}
    for operand, seen in numbers.items():
        places: dict[tuple[int, ...], list[set[Any]]] = {}
        for inside, each in (pair for turn in seen.values() for pair in turn.items()):
            places.setdefault(inside, []).append(each)
        if any(each != sets[0] for sets in places.values() for each in sets):
            all_there = complete and len(seen) == len(groups)
            found[operand] = _shift(seen, counted, index, complete=all_there)
    return found


def _shift(
    seen: Mapping[int, Mapping[tuple[int, ...], set[Any]]],
    counted: Sequence[int],
    index: ir.Value,
    *,
    complete: bool,
) -> Shift:
    """How an operand follows the index, by what it was in each turn, and there in each of the loops
    inside."""
    turns = {turn: set.union(*inside.values()) for turn, inside in seen.items()}
    kinds = {kind for numbers in turns.values() for kind, _ in numbers}
    type_ = ScalarType(kinds.pop().__name__) if len(kinds) == 1 else OpaqueType("object")
    if any(len(numbers) > 1 for numbers in turns.values()) or isinstance(type_, OpaqueType):
        return Shift(type_, index)
    numbers = {turn: number for turn, ((_, number),) in turns.items()}
    if type_.name == "int" and all(counted):
        offsets = {number - counted[turn] for turn, number in numbers.items()}
        if len(offsets) == 1:
            return Shift(type_, index, offsets.pop() + 1)
    return Shift(type_, index, None, tuple(numbers.values()) if complete else ())


def type_of_both(one: Type, other: Type) -> Type:
    """The narrowest type that is known to fit two."""
    if one is other:
        return one
    if not isinstance(one, ArrayType) or not isinstance(other, ArrayType):
        return OpaqueType("object")
    if one.element != other.element or one.ndim != other.ndim:
        return OpaqueType("object")
    pairs = zip(one.sizes, other.sizes, strict=True)
    return ArrayType(one.element, tuple(a if a == b else None for a, b in pairs))


def variety(groups: Sequence[list[Event]]) -> str | None:
    """A remark on whether all recorded iterations had the same types."""
    kinds = {
        tuple((e.site.number, type_of(e.result)) for e in group if isinstance(e.result, Array))
        for group in groups
    }
    if len(groups) < 2:
        return None
    return "same types each time" if len(kinds) == 1 else f"{len(kinds)} kinds of iterations"


def bound_and_read_first(body: Sequence[Event]) -> tuple[dict[str, Value], set[str]]:
    """Names that the body binds, with what to, and those that it reads before."""
    bound: dict[str, Value] = {}
    reads: set[str] = set()
    for event in body:
        reads |= {o.name for o in event.site.operands if o.name and o.name not in bound}
        for name, value in bindings(event):
            if isinstance(value, Array | Scalar):
                bound.setdefault(name, value)
    return bound, reads & set(bound)


def bindings(event: Event) -> list[tuple[str, Value]]:
    """Names that an event binds, and what to."""
    if event.kind == "op" and event.site.kind.startswith("inplace:") and event.site.operands:
        name = event.site.operands[0].name  # none for what a list or a dictionary holds
        return [(name, event.result)] if name else []
    return event.site.bound(event.result)


def parts_of(value: Value) -> tuple[Array | Scalar, ...]:
    """The arrays and scalars that a call gave."""
    if isinstance(value, Pack):
        return tuple(v for v in value.items if isinstance(v, Array | Scalar))
    return (value,) if isinstance(value, Array | Scalar) else ()


def hints_of(event: Event, results: Sequence[Value]) -> list[str | None]:
    """The last part of the name that each result is bound to."""
    bound = event.site.bound(event.result)
    return [next((last_part(n) for n, v in bound if v is result), None) for result in results]


def span_of(where: SiteOperand | None) -> Span | None:
    """Where an operand stands."""
    return None if where is None else where.span


def last_part(name: str) -> str:
    """``weight`` of ``self.weight``."""
    return name.rpartition(".")[2]


def type_of(value: Value) -> Type:
    """The graph's type for a recorded value."""
    match value:
        case Array(type=ArrayType() as kind) | Scalar(type=kind):
            return kind
        case Constant(None, kind) if kind:
            return OpaqueType(kind)
        case Thing(kind=kind) if kind:
            return ModuleType(kind) if value.is_layer else OpaqueType(kind)
    return OpaqueType("object")


def alike(one: Type, other: Type) -> bool:
    """Whether a name can have kept its value: arrays of one element type and rank, or alike
    objects."""
    if isinstance(one, ArrayType) and isinstance(other, ArrayType):
        return one.element == other.element and one.ndim == other.ndim
    return one is other


def inferred(op: Symbol, operands: Sequence[ir.values.Operand]) -> Type:
    """What the registry says that an operation gives; an opaque type where it can't say."""
    try:
        types = registry.infer(op, operands, {}, ())
    except ValueError:
        types = None
    return types[0] if types else OpaqueType("object")


_NUMBERS: Final = (bool, int, float, complex)
