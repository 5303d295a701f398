"""Reading and writing by index, and what finds, sorts and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir.opinfo import Unknown, array_of
from ...ir.shapes import broadcast, sliced
from ...ir.types import ArrayType
from ...ir.values import Constant, Operand, Pack
from ..application import FLOATING, Application
from ..errors import Refused
from ..registry import exports
from .shapes import END

__all__ = ["getitem"]


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of an index: what it is, and the axis of the array that it is for (-1: none)."""

    operand: Operand
    axis: int

    @property
    def literal(self) -> object:
        return self.operand.value if isinstance(self.operand, Constant) else _NONE

    @property
    def is_slice(self) -> bool:
        if isinstance(self.operand, Pack):
            return self.operand.kind == "slice"
        return isinstance(self.literal, slice)

    @property
    def is_number(self) -> bool:
        if isinstance(self.operand, Pack):
            return False
        if isinstance(self.operand, Constant):
            return isinstance(self.literal, int) and not isinstance(self.literal, bool)
        type_ = array_of(self.operand)
        return type_.ndim == 0 and type_.element != "bool"

    @property
    def is_new(self) -> bool:
        return self.axis < 0


_NONE = object()


def _parts(x: Application, index: Operand, ndim: int) -> list[_Part]:
    """The parts of an index, the ellipsis written out."""
    items = index.items if isinstance(index, Pack) and index.kind == "tuple" else (index,)
    if isinstance(index, Constant) and isinstance(index.value, tuple):
        items = tuple(map(Constant, index.value))

    def width(item: Operand) -> int:
        if isinstance(item, Constant):
            return int(item.value is not None)
        try:
            type_ = array_of(item)
        except Unknown:
            return 1
        return type_.ndim if type_.element == "bool" else 1

    dots = [i for i, item in enumerate(items) if isinstance(item, Constant) and item.value is ...]
    used = sum(width(item) for i, item in enumerate(items) if i not in dots)
    full: Operand = Constant(slice(None))
    rest = [full] * (ndim - used)
    at = dots[0] if dots else len(items)
    items = (*items[:at], *rest, *items[at + len(dots) :])
    parts: list[_Part] = []
    axis = 0
    for item in items:
        new = width(item) == 0
        parts.append(_Part(item, -1 if new else axis))
        axis += width(item)
    return parts


@exports("np.getitem", "torch.getitem")
def getitem(x: Application) -> str:
    """Slices, then numbers, then arrays of indices, then new axes."""
    name, index = x.first("a", "input"), x.args["index"]
    type_ = x.array(name)
    try:
        parts = _parts(x, index, type_.ndim)
        value, sizes = _sliced(x, x.value(name), type_, parts)
        arrays = [p for p in parts if not p.is_slice and not p.is_number and not p.is_new]
        if arrays:
            value = _gathered(x, value, sizes, parts, arrays)
            new = [i for i, p in enumerate(parts) if p.is_new]
            if new:
                raise Refused("new axes beside arrays of indices", "np.expand_dims afterwards")
            return value
        return _numbered(x, value, parts)
    except Unknown:
        raise Refused("an index that isn't known") from None


def _sliced(
    x: Application, value: str, type_: ArrayType, parts: Sequence[_Part]
) -> tuple[str, list[int | None]]:
    """The slices of an index, all in one operator; and the sizes afterwards."""
    sizes = list(type_.sizes)
    bounds: list[tuple[str, str, int, int]] = []
    for part in parts:
        if not part.is_slice:
            continue
        start, stop, step = _bounds(part.operand)
        if (start, stop, step) == (Constant(None),) * 3:
            continue
        by = step.value if isinstance(step, Constant) else _NONE
        by = 1 if by is None else by
        if not isinstance(by, int) or not by:
            raise Refused("a slice with a step that isn't known")
        first, last = (0, END) if by > 0 else (END, -END)
        bounds.append((_bound(x, start, first), _bound(x, stop, last), part.axis, by))
        ends: list[Any] = [b.value for b in (start, stop) if isinstance(b, Constant)]
        size = sizes[part.axis]
        sizes[part.axis] = sliced(size, slice(ends[0], ends[1], by)) if len(ends) == 2 else None
    if not bounds:
        return value, sizes
    starts, stops, axes, steps = zip(*bounds, strict=True)
    given = [_joined(x, starts), _joined(x, stops), x.ints(axes)]
    if set(steps) != {1}:
        given.append(x.ints(steps))
    return x.emit("Slice", value, *given), sizes


def _joined(x: Application, bounds: Sequence[str]) -> str:
    """One list of bounds, each of which is a list of one."""
    constants = [x.scope.model.constants.get(bound) for bound in bounds]
    known = [c for c in constants if c is not None]
    if len(known) == len(constants):
        return x.array_constant(np.concatenate(known))
    return x.emit("Concat", *bounds, axis=0)


def _bounds(operand: Operand) -> tuple[Operand, Operand, Operand]:
    if isinstance(operand, Pack):
        start, stop, step = operand.items
        return start, stop, step
    assert isinstance(operand, Constant)
    part: Any = operand.value
    return Constant(part.start), Constant(part.stop), Constant(part.step)


def _bound(x: Application, operand: Operand, default: int) -> str:
    if isinstance(operand, Constant):
        number = default if operand.value is None else x.fixed(operand.value)
        return x.ints([number])
    return x.emit("Reshape", x.of(operand, "i64"), x.ints([1]))


def _numbered(x: Application, value: str, parts: Sequence[_Part]) -> str:
    """Single indices and new axes: each index takes its axis away, from the last to the first."""
    numbers = [part for part in parts if part.is_number]
    for part in reversed(numbers):
        value = x.emit("Gather", value, x.of(part.operand, "i64"), axis=part.axis)
    left = [part for part in parts if not part.is_number]
    new = [place for place, part in enumerate(left) if part.is_new]
    return x.emit("Unsqueeze", value, x.ints(new)) if new else value


def _gathered(
    x: Application,
    value: str,
    sizes: Sequence[int | None],
    parts: Sequence[_Part],
    arrays: Sequence[_Part],
) -> str:
    """Arrays of indices, which broadcast with each other and with single indices."""
    advanced = [part for part in parts if not part.is_slice and not part.is_new]
    if len(arrays) == len(advanced) == 1:
        (part,) = arrays
        type_ = array_of(part.operand)
        if type_.element == "bool":
            return _masked(x, value, part, type_, len(sizes))
        return x.emit("Gather", value, x.of(part.operand, "i64"), axis=part.axis)
    if any(array_of(part.operand).element == "bool" for part in arrays):
        raise Refused("masks beside other indices", "np.nonzero of the mask")
    axes = [part.axis for part in advanced]
    first = axes[0]
    apart = axes != list(range(first, first + len(axes)))
    rest = [axis for axis in range(len(sizes)) if axis not in axes]
    value = x.transposed(value, [*axes, *rest])
    taken = x.emit("GatherND", value, _places(x, [part.operand for part in advanced]))
    if apart or not first:
        return taken
    wide = max(array_of(part.operand).ndim for part in advanced)
    ndim = wide + len(rest)
    order = [*range(wide, wide + first), *range(wide), *range(wide + first, ndim)]
    return x.transposed(taken, order)


def _places(x: Application, indices: Sequence[Operand]) -> str:
    """Broadcast indices beside each other along a new last axis."""
    sizes = broadcast(*(array_of(index).sizes for index in indices))
    columns = []
    for index in indices:
        value = x.of(index, "i64")
        if array_of(index).sizes != sizes:
            value = x.emit("Expand", value, x.shape(sizes))
        columns.append(x.emit("Unsqueeze", value, x.ints([len(sizes)])))
    return x.emit("Concat", *columns, axis=-1) if len(columns) > 1 else columns[0]


def _masked(x: Application, value: str, part: _Part, type_: ArrayType, ndim: int) -> str:
    mask = x.of(part.operand)
    if type_.ndim == 1:
        return x.emit("Compress", value, mask, axis=part.axis)
    if part.axis:
        raise Refused("a mask of several dimensions behind others", "np.nonzero of the mask")
    found = x.emit("Transpose", x.emit("NonZero", mask), perm=[1, 0])
    return x.emit("GatherND", value, found)


@exports("ir.with_item")
def with_item(x: Application) -> str:
    """A copy in which a value stands where an index selects."""
    type_, element = x.array("a"), x.result.element
    array, new = x.value("a", element), x.value("value", element)
    given = x.array("value")
    try:
        parts = _parts(x, x.args["index"], type_.ndim)
    except Unknown:
        raise Refused("an index that isn't known") from None
    masks = [p for p in parts if not p.is_slice and not p.is_number and not p.is_new]
    if len(masks) == 1 and len(parts) == 1 and array_of(masks[0].operand).element == "bool":
        return _put_where(x, array, masks[0], type_, new, given)
    if any(array_of(p.operand).element == "bool" for p in masks):
        raise Refused("a write by masks beside other indices", "np.where")
    if all(p.is_slice and _bounds(p.operand) == (Constant(None),) * 3 for p in parts):
        return x.emit("Expand", new, x.shape(type_.sizes)) if given.sizes != type_.sizes else new
    sizes = x.known(type_.sizes)
    if not masks and all(isinstance(p.operand, Constant) and not p.is_new for p in parts):
        return _put_at(x, array, sizes, [p.literal for p in parts], new, given)
    if len(parts) == type_.ndim and not any(p.is_slice or p.is_new for p in parts):
        places = _places(x, [p.operand for p in parts])
        return _scattered(x, array, places, new, given, _together(parts))
    if all(p.is_slice and _bounds(p.operand) == (Constant(None),) * 3 for p in parts[1:]):
        places = _places(x, [parts[0].operand])
        wanted = (*array_of(parts[0].operand).sizes, *sizes[1:])
        return _scattered(x, array, places, new, given, wanted)
    raise Refused("a write by arrays of indices beside slices", "a write by all indices")


def _together(parts: Sequence[_Part]) -> tuple[int | None, ...]:
    return broadcast(*(array_of(part.operand).sizes for part in parts))


def _scattered(
    x: Application,
    array: str,
    places: str,
    new: str,
    given: ArrayType,
    sizes: Sequence[int | None],
) -> str:
    if given.sizes != tuple(sizes):
        new = x.emit("Expand", new, x.shape(tuple(sizes)))
    return x.emit("ScatterND", array, places, new)


def _put_where(
    x: Application, array: str, part: _Part, type_: ArrayType, new: str, given: ArrayType
) -> str:
    """A mask: one value is chosen by it, several are scattered to where it holds."""
    mask = x.of(part.operand)
    masked = array_of(part.operand)
    if given.ndim == 0 or (given.ndim <= type_.ndim - masked.ndim):
        wide = list(range(masked.ndim, type_.ndim))
        return x.where(x.emit("Unsqueeze", mask, x.ints(wide)) if wide else mask, new, array)
    places = x.emit("Transpose", x.emit("NonZero", mask), perm=[1, 0])
    return x.emit("ScatterND", array, places, new)


def _put_at(
    x: Application,
    array: str,
    sizes: Sequence[int],
    index: Sequence[Any],
    new: str,
    given: ArrayType,
) -> str:
    """Slices and numbers that are known: the places are a constant."""
    taken = [
        np.arange(size)[part] if isinstance(part, slice) else np.arange(size)[[part]]
        for size, part in zip(sizes, index, strict=True)
    ]
    grids = np.meshgrid(*taken, indexing="ij")
    kept = [grid.shape[axis] for grid in grids[:1] for axis, part in enumerate(index)
            if isinstance(part, slice)]  # fmt: skip
    whole = len(index)
    while whole and index[whole - 1] == slice(None):  # axes that are written as a whole
        whole -= 1
    first: Any = (..., *[0] * (len(index) - whole), slice(None))
    places = np.stack(grids[:whole], -1)[first]
    shape = [places.shape[axis] for axis, part in enumerate(index[:whole])
             if isinstance(part, slice)]  # fmt: skip
    places = places.reshape(*shape, whole).astype(np.int64)
    if given.sizes != tuple(kept):
        new = x.emit("Expand", new, x.ints(kept))
    return x.emit("ScatterND", array, x.array_constant(places), new)


@exports("np.take", "torch.index_select")
def take(x: Application) -> str:
    """Slices at indices."""
    name = x.first("a", "input")
    value, index = x.value(name), x.value(x.first("indices", "index"), "i64")
    if not x.given(x.first("axis", "dim")):
        return x.emit("Gather", x.emit("Reshape", value, x.ints([-1])), index, axis=0)
    return x.emit("Gather", value, index, axis=x.axis("axis", "dim", ndim=x.array(name).ndim))


@exports("np.take_along_axis", "torch.gather")
def gather(x: Application) -> str:
    """Elements at indices along an axis."""
    name = x.first("arr", "input")
    value, index = x.value(name), x.value(x.first("indices", "index"), "i64")
    if not x.torch and x.constant("axis", default=-1) is None:
        raise Refused("of the flattened array", "an axis")
    axis = x.axis("axis", "dim", ndim=x.array(name).ndim, default=-1)
    return x.emit("GatherElements", value, index, axis=axis)


@exports("np.compress")
def compress(x: Application) -> str:
    """Slices where a condition holds."""
    axis = x.axis("axis", ndim=x.array("a").ndim) if x.given("axis") else None
    return x.emit("Compress", x.value("a"), x.truth("condition"), axis=axis)


@exports("np.extract", "torch.masked_select")
def extract(x: Application) -> str:
    """Elements where a condition holds, as a vector."""
    name = x.first("arr", "input")
    mask, value = x.truth(x.first("condition", "mask")), x.value(name)
    if x.torch and x.array("mask").sizes != x.array("input").sizes:
        raise Refused("a mask that broadcasts", "a mask of the same sizes")
    flat = x.emit("Reshape", mask, x.ints([-1]))
    return x.emit("Compress", x.emit("Reshape", value, x.ints([-1])), flat, axis=0)


@exports("np.nonzero", "np.argwhere", "np.flatnonzero")
def nonzero(x: Application) -> str | list[str]:
    """Where elements are not 0."""
    name = x.node.op.name.rpartition(".")[2]
    value = x.value("a")
    if not x.array("a").ndim:
        raise Refused("of a number", "a comparison")
    if name == "flatnonzero":
        found = x.emit("NonZero", x.emit("Reshape", value, x.ints([-1])))
        return x.emit("Squeeze", found, x.ints([0]))
    found = x.emit("NonZero", value)
    if name == "argwhere":
        return x.emit("Transpose", found, perm=[1, 0])
    count = len(x.node.results)
    pieces = x.emit_many("Split", count, found, axis=0, num_outputs=count) if count > 1 else [found]
    return [x.emit("Squeeze", piece, x.ints([0])) for piece in pieces]


@exports("torch.topk")
def topk(x: Application) -> list[str]:
    """The largest along an axis, and where they are."""
    axis = x.axis("dim", ndim=x.array("input").ndim, default=-1)
    count = x.ints([x.constant("k")])
    largest = int(x.constant("largest", default=True))
    return x.emit_many("TopK", 2, x.value("input"), count, axis=axis, largest=largest)


@exports("np.sort", "torch.sort")
def sort(x: Application) -> list[str]:
    """Sorted, and for PyTorch where everything was."""
    return _sorted(x)[: len(x.node.results)]


@exports("np.argsort", "torch.argsort")
def argsort(x: Application) -> str:
    """The indices that sort."""
    return _sorted(x)[1]


def _sorted(x: Application) -> list[str]:
    name = x.first("a", "input")
    type_, value = x.array(name), x.value(name)
    if type_.element not in (*FLOATING, "i32", "i64"):
        value = x.cast(value, type_.element, "i64")
    if not x.torch and x.args.constant("axis", -1) is None:
        value, axis, size = x.emit("Reshape", value, x.ints([-1])), 0, type_.size
    else:
        axis = x.axis("axis", "dim", ndim=type_.ndim, default=-1)
        size = type_.sizes[axis]
    count = x.shape((size,))
    down = int(bool(x.constant("descending", default=False)))
    found = x.emit_many("TopK", 2, value, count, axis=axis, largest=down)
    if type_.element not in (*FLOATING, "i32", "i64"):
        found[0] = x.cast(found[0], "i64", type_.element)
    return found


@exports("np.unique")
def unique(x: Application) -> str:
    """The elements that there are, sorted."""
    flags = ("return_index", "return_inverse", "return_counts")
    if any(x.constant(flag, default=False) for flag in flags) or len(x.node.results) > 1:
        raise Refused("with more than the values", "np.unique without further results")
    name = x.first("ar")
    axis = x.axis("axis", ndim=x.array(name).ndim) if x.given("axis") else None
    return x.emit_many("Unique", 1, x.value(name), axis=axis)[0]


@exports("torch.nn.functional.one_hot")
def one_hot(x: Application) -> str:
    """1 at the place of each class, 0 elsewhere."""
    (*_, classes) = x.known(x.result.sizes)
    values = x.array_constant(np.array([0, 1], np.int64))
    return x.emit("OneHot", x.value("input", "i64"), x.ints([classes]), values, axis=-1)


@exports("np.searchsorted")
def searchsorted(x: Application) -> str:
    """How many are smaller than each."""
    strict = "Greater" if x.constant("side", default="left") == "left" else "GreaterOrEqual"
    element = x.loop_element("a", "v")
    wanted = x.emit("Unsqueeze", x.value("v", element), x.ints([-1]))
    beside = x.cast(x.emit(strict, wanted, x.value("a", element)), "bool", "i64")
    return x.emit("ReduceSum", beside, x.ints([-1]), keepdims=0)
