"""Shape conflicts of indices, and of values with the part of an array that they go into."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..ir import ArrayType
from ..tracer.trace import Array
from .describe import name_at
from .shape_case import Case, Conflict, Mark, Side, both_are, shapes_said, shown, sizes_in
from .shape_elementwise import broadcast_conflict
from .syntax import target_span


def getitem(case: Case) -> Conflict | None:
    """A mask of another length, or index lists that can't be paired."""
    pairs = list(zip(case.site.operands, case.values, strict=False))
    if not pairs or not isinstance(pairs[0][1], Array):
        return None
    indexed = [
        Side(name_at(case.trace, o.span), o.span, v, v.type, o)
        for o, v in pairs
        if isinstance(v, Array) and v.type is not None and o.role in ("0", "self", "index")
    ]
    array, indices = indexed[0], indexed[1:]
    masks = [side for side in indices if side.type.element == "bool"]
    if len(indices) == len(masks) == 1 and sum(o.role == "index" for o, _ in pairs) == 1:
        return _mask(case, array, masks[0])
    if len(indices) > 1 and not masks:
        found = broadcast_conflict(case, indices)
        if found is not None:
            names = " and ".join(side.name for side in indices)
            sizes = " and ".join(shown(side.sizes) for side in indices)
            says = f"{case.text}: the index lists {names} are paired, and are {sizes}"
            return Conflict((says, *found.says), (array, *found.sides), _shifted(found.marks))
    return None


def _shifted(marks: Mapping[int, Mark]) -> dict[int, Mark]:
    return {position + 1: mark for position, mark in marks.items()}


def _mask(case: Case, array: Side, mask: Side) -> Conflict | None:
    for axis in range(min(array.ndim, mask.ndim)):
        if array.sizes[axis] != mask.sizes[axis]:
            both = both_are(array, axis, mask, axis)
            mark = Mark(frozenset({axis}), f"must be {array.sizes[axis]}")
            return Conflict(case.ways(both), (array, mask), {1: mark})
    return None


_ROOM = re.compile(
    r"could not broadcast input array from shape \(([\d,]*)\) into shape \(([\d,]*)\)"
    r"|value array of shape \(([\d,]*)\) could not be broadcast to indexing result of shape "
    r"\(([\d,]*)\)"
    r"|cannot assign (\d+) input values to the (\d+) output values"
)


def store(case: Case) -> Conflict | None:
    """A value into a part of an array: NumPy says how large the part is."""
    if case.failure.message.startswith("setting an array element with a sequence"):
        return _one_element(case)
    room = _ROOM.search(case.failure.message)
    said = shapes_said(case.failure.message)
    if room is not None:
        given, free = (g for g in room.groups() if g is not None)
        values, part = sizes_in(given), sizes_in(free)
    elif case.site.kind.startswith("inplace:") and len(said) > 1:
        part, values = said[:2]
    else:
        return getitem(case)
    target = next((s for s in case.sides if s.operand and s.operand.role == "0"), None)
    value = next((s for s in case.sides if s.operand and s.operand.role == "value"), None)
    if target is None:
        return None
    whole = name_at(case.trace, target_span(case.trace, case.site), 40)
    into = Side(whole, case.site.span, None, ArrayType(target.type.element, part))
    says = f"{whole} has room for {shown(part)}, the value is {shown(values)}"
    sides: tuple[Side, ...] = (into,)
    marks: dict[int, Mark] = {}
    if value is not None:
        sides = (into, value)
        for back in range(1, min(len(part), value.ndim) + 1):
            if part[-back] != value.sizes[-back] and value.sizes[-back] != 1:
                marks = {1: Mark(frozenset({value.ndim - back}), f"must be {part[-back]} or 1")}
                break
    return Conflict((says,), sides, marks)


def _one_element(case: Case) -> Conflict | None:
    """An array into a single element."""
    value = next((s for s in case.sides if s.operand and s.operand.role == "value"), None)
    if value is None or not value.ndim:
        return None
    whole = name_at(case.trace, target_span(case.trace, case.site), 40)
    says = f"{whole} is one element, the value is {shown(value.sizes)}"
    return Conflict((says,), case.sides)
