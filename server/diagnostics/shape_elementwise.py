"""Shapes that don't broadcast, and results that don't fit where they should be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .shape_case import Case, Conflict, Mark, Side, both_are, shown


def elementwise(case: Case) -> Conflict | None:
    """Operands that don't broadcast, or a result without room."""
    sides = case.sides
    found = broadcast_conflict(case, sides)
    result = _broadcast(side.sizes for side in sides)
    if found is not None or result is None or not sides:
        return found
    if case.site.kind.startswith("inplace:"):
        return no_room(case, result, sides[0], (sides[0], sides[-1]))
    return no_room(case, result, case.out, sides)


def no_room(
    case: Case, result: tuple[int, ...], target: Side | None, sides: Sequence[Side]
) -> Conflict | None:
    """A result that doesn't fit where it should be written."""
    if target is None or result == target.sizes:
        return None
    says = f"the result is {shown(result)}, {target.name} has room for {shown(target.sizes)}"
    rows = tuple(sides) if target in sides else (*sides, target)
    return Conflict(case.ways(says), rows)


def broadcast_conflict(case: Case, sides: Sequence[Side]) -> Conflict | None:
    """The last axis along which sizes differ and none of two is 1."""
    for back in range(1, max((side.ndim for side in sides), default=0) + 1):
        wide = [s for s in sides if s.ndim >= back and s.sizes[-back] != 1]
        sizes = {s.sizes[-back] for s in wide}
        if len(sizes) < 2:
            continue
        first = wide[0]
        other = next(s for s in wide if s.sizes[-back] != first.sizes[-back])
        if [s.sizes[-back] for s in wide].count(first.sizes[-back]) == 1 and len(wide) > 2:
            first, other = other, first  # the odd one out of three comes last
        mark = Mark(frozenset({other.ndim - back}), _lines_up(first, other, back))
        both = both_are(first, first.ndim - back, other, other.ndim - back)
        short = f"sizes {first.sizes[-back]} and {other.sizes[-back]} don't broadcast"
        return Conflict(case.ways(both, short), tuple(sides), {sides.index(other): mark})
    return None


def _lines_up(first: Side, other: Side, back: int) -> str:
    """What to say of the size that doesn't fit: where it would, or what would."""
    short, long = sorted((first, other), key=lambda s: s.ndim)
    size = short.sizes[-back]
    fits = [axis for axis in range(long.ndim - short.ndim) if long.sizes[axis] == size]
    if short.ndim == 1 and len(fits) == 1:
        return f"lines up with axis {long.ndim - 1}, not with axis {fits[0]}"
    return f"must be {first.sizes[-back]} or 1"


def _broadcast(shapes: Iterator[tuple[int, ...]]) -> tuple[int, ...] | None:
    result: tuple[int, ...] = ()
    for sizes in shapes:
        ndim = max(len(result), len(sizes))
        a = (1,) * (ndim - len(result)) + result
        b = (1,) * (ndim - len(sizes)) + sizes
        if any(m != n and 1 not in (m, n) for m, n in zip(a, b, strict=True)):
            return None
        result = tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))
    return result
