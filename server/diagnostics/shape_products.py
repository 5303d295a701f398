"""Shape conflicts of matrix products, contractions and linear systems."""

from __future__ import annotations

from ..ir import shapes
from .shape_case import Case, Conflict, Mark, Side, both_are, counted
from .shape_elementwise import no_room


def matmul(case: Case) -> Conflict | None:
    """Inner sizes, the stacks before them, and the room for the result."""
    return _inner(case, batched=True)


def dot(case: Case) -> Conflict | None:
    """Inner sizes of ``dot`` and its like, which know no stacks."""
    return _inner(case, batched=False)


def _inner(case: Case, *, batched: bool) -> Conflict | None:
    if len(case.sides) != 2:
        return None
    a, b = case.sides
    if not a.ndim or not b.ndim:
        scalar = a if not a.ndim else b
        says = f"{scalar.name} is one number, neither vector nor matrix"
        return Conflict(case.ways(says), (a, b))
    left, right = a.ndim - 1, max(b.ndim - 2, 0)
    if case.name == "inner":
        right = b.ndim - 1
    if a.sizes[left] != b.sizes[right]:
        return _pair(case, a, left, b, right)
    found = _stacks(case, a, b) if batched else None
    if found is None and batched and case.out is not None:
        try:
            result = tuple(size or 0 for size in shapes.matmul(a.sizes, b.sizes))
        except shapes.ShapeError:
            return None
        return no_room(case, result, case.out, (a, b))
    return found


def _stacks(case: Case, a: Side, b: Side) -> Conflict | None:
    """Matrix products whose stacks differ: the axes before the last two."""
    for back in range(3, min(a.ndim, b.ndim) + 1):
        m, n = a.sizes[-back], b.sizes[-back]
        if m != n and 1 not in (m, n):
            return _pair(case, a, a.ndim - back, b, b.ndim - back, must=f"must be {m} or 1")
    return None


def _pair(case: Case, a: Side, i: int, b: Side, j: int, must: str = "") -> Conflict:
    """Two axes that had to be equal."""
    both = both_are(a, i, b, j)
    short = f"sizes {a.sizes[i]} and {b.sizes[j]} differ"
    mark = Mark(frozenset({j}), must or f"must be {a.sizes[i]}")
    return Conflict(case.ways(both, short), case.sides, {case.sides.index(b): mark})


def tensordot(case: Case) -> Conflict | None:
    """The pairs of axes that are summed over."""
    axes = case.constant("axes", 2)
    if len(case.sides) != 2:
        return None
    a, b = case.sides
    if isinstance(axes, int):
        first, second = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    elif isinstance(axes, tuple | list) and len(axes) == 2:
        first, second = ([x] if isinstance(x, int) else list(x) for x in axes)
    else:
        return None
    for i, j in zip(first, second, strict=False):
        if a.sizes[i] != b.sizes[j]:
            return _pair(case, a, i % a.ndim, b, j % b.ndim)
    return None


def einsum(case: Case) -> Conflict | None:
    """A letter that stands for two sizes, or letters that are too many or too few."""
    subscripts = case.constant("subscripts")
    if not isinstance(subscripts, str) or "." in subscripts:
        return None
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    if len(terms) != len(case.sides):
        return None
    seen: dict[str, tuple[Side, int]] = {}
    for term, side in zip(terms, case.sides, strict=True):
        if len(term) != side.ndim:
            says = f"'{term}' names {counted(len(term), 'axis')}, {side.name} has {side.ndim}"
            return Conflict(case.ways(says), case.sides)
        for axis, letter in enumerate(term):
            first, at = seen.setdefault(letter, (side, axis))
            m, n = first.sizes[at], side.sizes[axis]
            if m == n or 1 in (m, n):
                continue
            says = f"{letter} is {m} in {first.name} and {n} in {side.name}"
            mark = Mark(frozenset({axis}), f"must be {m}, '{letter}'")
            return Conflict(case.ways(says), case.sides, {case.sides.index(side): mark})
    return None


def solve(case: Case) -> Conflict | None:
    """A system that isn't square, or a right side of another length."""
    if len(case.sides) != 2:
        return square(case)
    a, b = case.sides
    if a.ndim < 2 or a.sizes[-1] != a.sizes[-2]:
        return square(case)
    axis = b.ndim - 1 if b.ndim == 1 else b.ndim - 2
    if b.ndim and a.sizes[-2] != b.sizes[axis]:
        return _pair(case, a, a.ndim - 2, b, axis)
    return None


def lstsq(case: Case) -> Conflict | None:
    """Equations and right sides of different number."""
    a, b = case.sides[:2] if len(case.sides) > 1 else (None, None)
    if a is None or b is None or a.ndim != 2 or not b.ndim or a.sizes[0] == b.sizes[0]:
        return None
    return _pair(case, a, 0, b, 0)


def linear(case: Case) -> Conflict | None:
    """Features of an input that aren't those of the weights, whose rows are outputs."""
    if len(case.sides) < 2 or not case.sides[0].ndim:
        return None
    x, weight = case.sides[:2]
    if x.sizes[-1] == weight.sizes[-1]:
        return None
    return _pair(case, x, x.ndim - 1, weight, weight.ndim - 1)


def batches(case: Case) -> Conflict | None:
    """Predictions and targets of different number."""
    if len(case.sides) != 2 or not all(side.ndim for side in case.sides):
        return None
    a, b = case.sides
    return _pair(case, a, 0, b, 0) if a.sizes[0] != b.sizes[0] else None


def square(case: Case) -> Conflict | None:
    """A matrix that has to be square."""
    if not case.sides:
        return None
    a = case.sides[0]
    if a.ndim < 2:
        says = f"{a.name} has {counted(a.ndim, 'axis')}, a matrix has 2"
        return Conflict(case.ways(says), (a,))
    if a.sizes[-1] == a.sizes[-2]:
        return None
    says = f"{a.name} must be square, it is {a.sizes[-2]} by {a.sizes[-1]}"
    axes = frozenset({a.ndim - 2, a.ndim - 1})
    return Conflict(case.ways(says), (a,), {0: Mark(axes, "must be equal")})
