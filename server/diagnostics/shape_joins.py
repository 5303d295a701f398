"""Shape conflicts of joining arrays, and of reshaping one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

from .shape_case import Case, Conflict, Mark, Side, axis_is, both_are, counted, shown


def join(case: Case) -> Conflict | None:
    """Arrays that differ in an axis along which they aren't joined."""
    sides = case.sides
    if len(sides) < 2:
        return None
    raised = [_raised(case.name, side) for side in sides]
    odd = _odd_one([len(sizes) for sizes in raised])
    if odd is not None:
        other = 0 if odd else 1
        a, b = sides[other], sides[odd]
        says = f"{a.name} has {counted(a.ndim, 'axis')}, {b.name} has {b.ndim}"
        return Conflict(case.ways(says), _few(sides, (other, odd)))
    joined = _joined_axis(case, len(raised[0]))
    for axis in range(len(raised[0])):
        odd = _odd_one([sizes[axis] for sizes in raised]) if axis != joined else None
        if odd is not None:
            return _unequal(case, raised, axis, odd)
    return None


def _unequal(case: Case, raised: Sequence[tuple[int, ...]], axis: int, odd: int) -> Conflict:
    """Arrays to be joined differ in an axis other than the joined one."""
    sides = case.sides
    sizes = [r[axis] for r in raised]
    other = next(i for i, size in enumerate(sizes) if size != sizes[odd])
    a, b = sides[other], sides[odd]
    own = [axis - (len(r) - s.ndim) for r, s in zip(raised, sides, strict=True)]
    if case.name in ("column_stack", "dstack") and b.ndim == 1:
        own = [min(axis, s.ndim - 1) for s in sides]
    both = both_are(a, own[other], b, own[odd])
    if len(sides) > 2 and sizes.count(sizes[other]) == len(sides) - 1:
        rest = f"all others have {sizes[other]}" if b.ndim == 1 else f"of all others {sizes[other]}"
        both = f"{axis_is(own[odd], b)}, {rest}"
    rows = _few(sides, (other, odd))
    mark = Mark(frozenset({own[odd]}), f"must be {sizes[other]}")
    short = f"sizes {sizes[other]} and {sizes[odd]} differ"
    return Conflict(case.ways(both, short), rows, {rows.index(b): mark})


def _raised(name: str, side: Side) -> tuple[int, ...]:
    """The sizes that the joining function gives an array first."""
    sizes = side.sizes
    if name == "vstack":
        return (1,) * (2 - len(sizes)) + sizes
    if name == "column_stack" and len(sizes) == 1:
        return (*sizes, 1)
    if name == "dstack":
        return {0: (1, 1, 1), 1: (1, *sizes, 1), 2: (*sizes, 1)}.get(len(sizes), sizes)
    return sizes if sizes or name == "stack" else (1,)


def _joined_axis(case: Case, ndim: int) -> int | None:
    """The axis along which sizes may differ."""
    if case.name in ("concatenate", "append"):
        axis = case.constant("axis", case.constant("dim", 0))
        return axis % ndim if isinstance(axis, int) and ndim else None
    return {"vstack": 0, "hstack": 0 if ndim == 1 else 1, "column_stack": 1, "dstack": 2}.get(
        case.name
    )


def _odd_one(items: Sequence[int]) -> int | None:
    """The position of the first that differs from what most of them are; None where all agree."""
    if len(set(items)) < 2:
        return None
    usual = max(items, key=items.count) if len(items) > 2 else items[0]
    return next(i for i, item in enumerate(items) if item != usual)


def _few(sides: Sequence[Side], wanted: tuple[int, int]) -> tuple[Side, ...]:
    """All sides where they are few, else those that differ."""
    return tuple(sides) if len(sides) <= 3 else tuple(sides[i] for i in sorted(wanted))


_RESHAPE = re.compile(r"cannot reshape array of size (\d+) into shape \(((?:[\d,-]|newaxis)*)\)")


def reshape(case: Case) -> Conflict | None:
    """A shape with another number of elements."""
    shape = _RESHAPE.search(case.failure.message)
    if shape is None or not case.sides:
        return None
    given = shape[2].replace("newaxis", "-1")  # NumPy's word for a -1 behind other sizes
    count, wanted = int(shape[1]), [int(n) for n in given.split(",") if n]
    a, needed = case.sides[0], prod(n for n in wanted if n >= 0)
    if -1 in wanted or "-1" in case.trace.text(case.site.span):
        says = f"{a.name} has {count:,} elements, which {needed:,} does not divide"
    else:
        says = f"{a.name} has {count:,} elements, {shown(wanted)} needs {needed:,}"
    return Conflict(case.ways(says), (a,))
