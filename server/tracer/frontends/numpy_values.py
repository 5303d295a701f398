"""What is looked at in NumPy's arrays: at the moment of an operation (see ``remarks``), and in the
end.

The first works on exact arrays, by NumPy's own loops on integers, so that neither warnings nor
``errstate`` come into play.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..publish import Statistics
from ..remarks import Found, Remarks

MAX_ELEMENTS = 1 << 20
"""Of larger arrays only every so many rows are looked at."""
MOST_COUNTED = 1 << 17
"""Elements that statistics are taken of; of a larger array, every so many."""
MOST_DIGESTED = 1 << 15
"""Elements of an array that are looked at before and after a call."""
_FRACTION = 1e-6
"""Fractions smaller than that, for the size of the number, come from rounding."""


def fill_in(remarks: Remarks, np: Any) -> None:
    """Give the checks that know NumPy."""
    array = np.ndarray

    def wrapped(result: Any, sign: str, a: Any, b: Any) -> Found:
        """How many elements of ``a sign b`` don't fit, and the first: its operands, what it should
        be, and what it is."""
        known = [_whole(value, array) for value in (a, b)]
        if result.size == 0:
            return None
        if a is result or b is result:  # in place: what it was can be worked out
            return _wrapped_in_place(result, sign, b) if a is result and b is not result else None
        if not all(known):
            return None
        limits = np.iinfo(result.dtype)
        low, high = _bounds(sign, _range(a, array), _range(b, array))
        if limits.min <= low and high <= limits.max:
            return None
        return _first(result, sign, a, b)

    def _wrapped_in_place(result: Any, sign: str, b: Any) -> Found:
        if sign == "Mult" or not _whole(b, array):
            return None
        if type(b) is array and np.may_share_memory(result, b):
            return None
        old = result - b if sign == "Add" else result + b
        if old.dtype != result.dtype:
            return None
        return _first(result, sign, old, b)

    def _first(result: Any, sign: str, a: Any, b: Any) -> Found:
        if result.size > MAX_ELEMENTS:
            a, b = (_sample(np.broadcast_to(value, result.shape)) for value in (a, b))
            result = _sample(result)
        bad = _wrong(result, sign, a, b)
        count = int(np.count_nonzero(bad))
        if not count:
            return None
        where = int(np.flatnonzero(bad)[0])
        left, right = (_element(value, where, result.shape) for value in (a, b))
        exact = _exact(sign, left, right)
        return count, left, right, exact, result.ravel()[where].item()

    def _wrong(result: Any, sign: str, a: Any, b: Any) -> Any:
        """Which elements differ from the exact ones."""
        if result.dtype.itemsize < 8:
            wide = [np.asarray(value, dtype=np.int64) for value in (a, b)]
            return _exact(sign, *wide) != result
        if sign == "Mult":
            a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
            return np.abs(a * b - result) > 2.0**62
        a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        same = (a ^ b) >= 0
        return (same if sign == "Add" else ~same) & ((a ^ result) < 0)

    def _element(value: Any, where: int, shape: tuple[int, ...]) -> int:
        if type(value) is not array:
            return int(value)
        return int(np.broadcast_to(value, shape).flat[where])

    def cut(target: Any, value: Any) -> Found:
        """How many elements have a fraction that whole numbers can't hold, and the first."""
        if type(value) is not array or value.dtype.kind != "f" or value.size == 0:
            return None
        value = _sample(value) if value.size > MAX_ELEMENTS else value
        finite = value[np.isfinite(value)]
        whole = np.trunc(finite)
        lost = np.abs(finite - whole) > _FRACTION * np.maximum(np.abs(whole), 1.0)
        count = int(np.count_nonzero(lost))
        return (count, finite[lost][0].item()) if count else None

    def repeated(indices: tuple[Any, ...]) -> Found:
        """How many elements were selected, how many different ones, and the most frequent one with
        its number of times."""
        if not all(type(i) is array and i.dtype.kind in "iu" and i.size for i in indices):
            return None
        if any(index.size > MAX_ELEMENTS for index in indices):
            return None
        together = np.stack([index.ravel() for index in np.broadcast_arrays(*indices)])
        distinct, times = np.unique(together, axis=1, return_counts=True)
        if distinct.shape[1] == together.shape[1]:
            return None
        most = int(times.argmax())
        return together.shape[1], distinct.shape[1], int(times[most]), *distinct[:, most].tolist()

    def digest(value: Any) -> object:
        """A number that another value of an element changes; of many elements, some are looked
        at."""
        if type(value) is not array or value.dtype.hasobject:
            return None
        if value.size > MOST_DIGESTED:
            value = value.ravel(order="K") if value.flags.forc else value
            value = value[:: -(-value.size // MOST_DIGESTED)]
        return hash(value.tobytes())

    def part(view: Any) -> Callable[[Any], Any]:
        """What gives a view once more of its base, or all of that."""
        base = view.base
        if not base.flags.c_contiguous:
            return lambda owner: owner
        offset = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        shape, dtype, strides = view.shape, view.dtype, view.strides
        return lambda owner: array(shape, dtype, owner, offset, strides)

    remarks.wrapped, remarks.cut, remarks.repeated = wrapped, cut, repeated
    remarks.array, remarks.digest, remarks.part = array, digest, part


def statistics(np: Any) -> Callable[[Any], Statistics]:
    """What is told of an array's elements."""

    def of(value: Any) -> Statistics:
        if value.dtype.kind not in "biuf" or value.size == 0:
            return None
        size, sampled = value.size, value.size > MOST_COUNTED
        if sampled:
            value = value.ravel(order="K") if value.flags.forc else value
            value = value[:: -(-value.size // MOST_COUNTED)]
            size = value.size
        with np.errstate(all="ignore"):
            nans = infinite = 0
            if value.dtype.kind == "f":
                nans = int(np.count_nonzero(np.isnan(value)))
                if nans or not np.isfinite(value).all():
                    value = value[np.isfinite(value)]
                    infinite = size - nans - value.size
            zeros = value.size - int(np.count_nonzero(value))
            numbers: list[float | None] = [None] * 4
            if value.size:
                found = value.mean(dtype=float), value.std(dtype=float), value.min(), value.max()
                numbers = [n if math.isfinite(n) else None for n in map(float, found)]
        return *numbers, zeros, nans, infinite, sampled

    return of


def _sample(value: Any) -> Any:
    """Every so many rows of a large array."""
    return value[:: -(-value.size // MAX_ELEMENTS)]


def _whole(value: Any, array: Any) -> bool:
    """Whether it is a whole number, or an array of them that can be widened exactly."""
    if type(value) is array:
        return value.dtype.kind in "iub" and value.dtype.str[1:] != "u8" and value.size > 0
    return type(value) is int or type(value) is bool


def _range(value: Any, array: Any) -> tuple[int, int]:
    """The smallest and the largest element."""
    if type(value) is not array:
        return int(value), int(value)
    return int(value.min()), int(value.max())


def _bounds(sign: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """Between what the exact results lie."""
    corners = [_exact(sign, x, y) for x in a for y in b]
    return min(corners), max(corners)


def _exact(sign: str, a: Any, b: Any) -> Any:
    return a + b if sign == "Add" else a - b if sign == "Sub" else a * b
