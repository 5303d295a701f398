"""Sizes and what becomes of them: broadcasting, axes, slices. A size is None where not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

__all__ = [
    "Dimension",
    "ShapeError",
    "Sizes",
    "axes_of",
    "axis_of",
    "broadcast",
    "matmul",
    "reduced",
    "reshaped",
    "sliced",
    "total",
]

Sizes = tuple[int | None, ...]


class Dimension(int):
    """A size that has a name. What type rules take over from their operands keeps it; what they
    compute has none."""

    name: str

    def __new__(cls, size: int, name: str) -> Dimension:
        """``size`` as the variable or parameter ``name`` of the program has it."""
        made = super().__new__(cls, size)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Dimension], tuple[int, str]]:
        return Dimension, (int(self), self.name)


class ShapeError(ValueError):
    """NumPy would refuse these sizes."""


def broadcast(*shapes: Sizes) -> Sizes:
    """The sizes of elementwise ops on arrays of these sizes."""
    ndim = max(map(len, shapes), default=0)
    result: list[int | None] = []
    for axis in range(-ndim, 0):
        sizes = [shape[axis] for shape in shapes if len(shape) >= -axis]
        known = {size for size in sizes if size is not None and size != 1}
        if len(known) > 1:
            raise ShapeError(f"sizes {' and '.join(map(str, sorted(known)))} don't broadcast")
        if known:
            (size,) = known
            result.append(_with_name(size, sizes))
        else:
            result.append(None if None in sizes else 1)
    return tuple(result)


def _with_name(size: int, sizes: Iterable[int | None]) -> int:
    """The first of equal sizes that has a name, else ``size``."""
    return next((s for s in sizes if isinstance(s, Dimension) and s == size), size)


def axis_of(axis: int, ndim: int) -> int:
    """The axis counted from 0."""
    if not -ndim <= axis < ndim:
        raise ShapeError(f"axis {axis} of an array with {ndim} dimensions")
    return axis % ndim


def axes_of(axis: int | Iterable[int] | None, ndim: int) -> tuple[int, ...]:
    """The axes counted from 0; None means all. Axis 0 of no dimensions is allowed: it is none."""
    if axis is None or (ndim == 0 and axis in (0, -1)):
        return tuple(range(ndim))
    axes = tuple(axis_of(a, ndim) for a in ([axis] if isinstance(axis, int) else axis))
    if len(set(axes)) != len(axes):
        raise ShapeError(f"axis {axis} has the same axis twice")
    return axes


def reduced(sizes: Sizes, axis: int | Iterable[int] | None, keepdims: bool = False) -> Sizes:
    """What a reduction over ``axis`` leaves."""
    axes = axes_of(axis, len(sizes))
    if keepdims:
        return tuple(1 if i in axes else size for i, size in enumerate(sizes))
    return tuple(size for i, size in enumerate(sizes) if i not in axes)


def reshaped(sizes: Sizes, wanted: Sequence[int]) -> Sizes:
    """``wanted`` with its -1 filled in."""
    if sum(size < 0 for size in wanted) > 1 or min(wanted, default=0) < -1:
        raise ShapeError(f"can't reshape to {tuple(wanted)}")
    count, rest = total(sizes), prod(size for size in wanted if size != -1)
    if -1 not in wanted:
        if count is not None and count != rest:
            raise ShapeError(f"can't reshape {count} elements to {tuple(wanted)}")
        return tuple(wanted)
    if count is None:
        return tuple(None if size == -1 else size for size in wanted)
    if rest == 0 or count % rest:
        raise ShapeError(f"can't reshape {count} elements to {tuple(wanted)}")
    return tuple(count // rest if size == -1 else size for size in wanted)


def matmul(a: Sizes, b: Sizes) -> Sizes:
    """The sizes of ``a @ b``."""
    if not a or not b:
        raise ShapeError("matmul needs at least one dimension on both sides")
    left, right = (a if len(a) > 1 else (1, *a)), (b if len(b) > 1 else (*b, 1))
    inner = {left[-1], right[-2]} - {None}
    if len(inner) > 1:
        raise ShapeError(f"inner sizes {left[-1]} and {right[-2]} differ")
    result = broadcast(left[:-2], right[:-2])
    result += (left[-2],) if len(a) > 1 else ()
    return result + ((right[-1],) if len(b) > 1 else ())


def sliced(size: int | None, part: slice) -> int | None:
    """How many elements ``part`` takes of ``size``."""
    if size is None:
        return None
    count = len(range(*part.indices(size)))
    return size if count == size else count  # all of it, under its name


def total(sizes: Sizes) -> int | None:
    """Number of elements."""
    known = [size for size in sizes if size is not None]
    return prod(known) if len(known) == len(sizes) else None
