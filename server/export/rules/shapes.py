"""Ops that move elements: other sizes, other orders of axes, joined and taken apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from ...ir import registry
from ...ir.opinfo import array_of
from ...ir.values import Operand
from ..application import Application, type_of
from ..errors import Refused
from ..registry import exports

END = 2**62
"""Beyond the end of any axis."""


def source_of(x: Application) -> str:
    """The name of the argument that is the array."""
    return x.first("a", "input", "ary", "m", "array", "v", "x", "A")


def _value(x: Application) -> str:
    return x.value(source_of(x), x.result.element)


def _in_c_order(x: Application) -> None:
    order = x.constant("order", default="C")
    if order not in ("C", "K", "A"):
        raise Refused(f"order={order!r}", "a transpose before and after")


@exports("np.reshape", "np.ravel", "np.ndarray.flatten", "torch.reshape", "torch.Tensor.view")
def reshape(x: Application) -> str:
    """The same elements in other sizes."""
    _in_c_order(x)
    return x.reshaped(_value(x), x.array(source_of(x)).sizes, x.result.sizes)


@exports(
    "np.squeeze", "np.expand_dims", "torch.squeeze", "torch.unsqueeze", "torch.flatten",
    "torch.nn.Flatten",
)  # fmt: skip
def regrouped(x: Application) -> str:
    """Dimensions made one, or of size 1 and gone or new."""
    value, given = _value(x), x.array(source_of(x))
    if given.sizes == x.result.sizes:
        return value
    sizes = x.result.sizes
    if given.ndim >= 1 and len(sizes) == 2 and not x.exporter.open and given.ndim > 2:
        return _flat(x, value, given.sizes)
    return x.reshaped(value, given.sizes, sizes)


@exports("np.atleast_1d", "np.atleast_2d", "np.atleast_3d")
def at_least(x: Application) -> str:
    """With dimensions of size 1 more, where there are too few."""
    if len(x.node.operands) != 1:
        raise Refused("of several arrays", "one call for each")
    (operand,) = x.node.operands
    value, sizes = x.of(operand), array_of(operand).sizes
    return value if sizes == x.result.sizes else x.reshaped(value, sizes, x.result.sizes)


def _flat(x: Application, value: str, sizes: Sequence[int | None]) -> str:
    """To a matrix: where all but the first axes become one, ``Flatten`` says it without sizes."""
    known = x.known(tuple(sizes))
    for axis in range(len(known)):
        if (prod(known[:axis]), prod(known[axis:])) == x.result.sizes:
            return x.emit("Flatten", value, axis=axis)
    return x.reshaped(value, known, x.result.sizes)


@exports(
    "np.transpose", "np.permute_dims", "np.ndarray.T", "np.matrix_transpose", "np.ndarray.mT",
    "np.swapaxes", "np.moveaxis", "torch.transpose", "torch.permute", "torch.t", "torch.Tensor.T",
    "torch.Tensor.mT",
)  # fmt: skip
def transpose(x: Application) -> str:
    """The axes in another order."""
    ndim = x.array(source_of(x)).ndim
    return x.transposed(_value(x), _order(x, ndim))


def _order(x: Application, ndim: int) -> Sequence[int]:
    order = registry.permutation(x.node)
    if order is not None:
        return order
    name, last = x.node.op.name.rpartition(".")[2], list(range(ndim))
    if name in ("swapaxes", "transpose") and not x.given("axes"):
        one = x.axis("axis1", "dim0", ndim=ndim)
        other = x.axis("axis2", "dim1", ndim=ndim)
        last[one], last[other] = other, one
        return last
    if name == "permute":
        return [axis % ndim for axis in x.numbers("dims")]
    if name == "moveaxis":
        start = [axis % ndim for axis in x.numbers("source")]
        end = [axis % ndim for axis in x.numbers("destination")]
        rest = iter(axis for axis in range(ndim) if axis not in start)
        return [start[end.index(axis)] if axis in end else next(rest) for axis in range(ndim)]
    if name in ("mT", "matrix_transpose"):
        return [*last[:-2], *last[:-3:-1]]
    return last[::-1]  # T, t, and transpose without axes


@exports("np.broadcast_to", "torch.Tensor.expand")
def expand(x: Application) -> str:
    """Repeated along axes of size 1."""
    return x.emit("Expand", _value(x), x.shape(x.result.sizes))


@exports("np.tile", "torch.Tensor.repeat")
def tile(x: Application) -> str:
    """Repeated as a whole."""
    value, ndim = _value(x), x.array(source_of(x)).ndim
    repeats = x.numbers("reps", "repeats")
    wide = max(ndim, len(repeats))
    if wide > ndim:
        value = x.emit("Unsqueeze", value, x.ints(range(wide - ndim)))
    return x.emit("Tile", value, x.ints([1] * (wide - len(repeats)) + list(repeats)))


@exports("np.repeat")
def repeat(x: Application) -> str:
    """Each element so many times."""
    value, type_ = _value(x), x.array("a")
    count = x.constant("repeats")
    if not isinstance(count, int):
        raise Refused("another count for each element", "np.repeat with one count")
    sizes = list(type_.sizes)
    if not x.given("axis"):
        value, sizes, axis = x.emit("Reshape", value, x.ints([-1])), [type_.size], 0
    else:
        axis = x.axis("axis", ndim=type_.ndim)
    wide = x.emit("Unsqueeze", value, x.ints([axis + 1]))
    repeats = [1] * (len(sizes) + 1)
    repeats[axis + 1] = count
    return x.reshaped(x.emit("Tile", wide, x.ints(repeats)), tuple(sizes), x.result.sizes)


def _parts(x: Application) -> list[tuple[str, int]]:
    """The values that are joined, and how many dimensions each has."""
    element = x.result.element
    items: Sequence[Operand] = x.items(x.first("arrays", "tup", "tensors"))
    return [(x.of(item, element), array_of(item).ndim) for item in items]


@exports("np.concatenate", "np.concat", "torch.cat")
def concatenate(x: Application) -> str:
    """One after the other."""
    values = _parts(x)
    if x.constant("axis", "dim", default=0) is None or (x.given("axis") is False and "axis" in
                                                      x.args and not x.torch):  # fmt: skip
        return x.emit("Concat", *(x.emit("Reshape", v, x.ints([-1])) for v, _ in values), axis=0)
    return x.emit("Concat", *(v for v, _ in values),
                  axis=x.axis("axis", "dim", ndim=values[0][1]))  # fmt: skip


@exports("np.stack", "torch.stack")
def stack(x: Application) -> str:
    """Along a new axis."""
    axis = x.axis("axis", "dim", ndim=x.result.ndim)
    return x.emit("Concat", *_widened(x, _parts(x), lambda ndim: [axis]), axis=axis)


@exports("np.vstack", "np.hstack", "np.dstack", "np.column_stack")
def stacked(x: Application) -> str:
    """Along the first, second or third axis, with dimensions in front or behind as that needs."""
    name, parts = x.node.op.name, _parts(x)
    flat = max(ndim for _, ndim in parts) <= 1
    if name == "hstack":
        return x.emit("Concat", *_widened(x, parts, lambda n: [0] if n == 0 else []),
                      axis=0 if flat else 1)  # fmt: skip
    new: Callable[[int], list[int]]
    match name:
        case "vstack":
            axis, new = 0, lambda n: [[0, 1], [0]][n] if n < 2 else []
        case "dstack":
            axis, new = 2, lambda n: [[0, 1, 2], [0, 2], [2]][n] if n < 3 else []
        case _:
            axis, new = 1, lambda n: [[0, 1], [1]][n] if n < 2 else []
    return x.emit("Concat", *_widened(x, parts, new), axis=axis)


def _widened(
    x: Application, parts: Sequence[tuple[str, int]], new: Callable[[int], list[int]]
) -> list[str]:
    return [x.emit("Unsqueeze", v, x.ints(new(n))) if new(n) else v for v, n in parts]


@exports(
    "np.split", "np.array_split", "np.vsplit", "np.hsplit", "np.dsplit", "torch.chunk",
    "torch.split",
)  # fmt: skip
def split(x: Application) -> Sequence[str]:
    """In pieces, whose sizes the program has shown."""
    type_ = x.array(source_of(x))
    pieces = [type_of(value).sizes for value in x.node.results]
    names = {"vsplit": 0, "hsplit": min(1, type_.ndim - 1), "dsplit": 2}
    axis = names.get(x.node.op.name)
    if axis is None:
        axis = x.axis("axis", "dim", ndim=type_.ndim)
    sizes = x.known(tuple(piece[axis] for piece in pieces))
    if len(sizes) == 1:
        return [x.value(source_of(x))]
    return x.emit_many("Split", len(sizes), x.value(source_of(x)), x.ints(sizes), axis=axis)


@exports("torch.unbind")
def unbind(x: Application) -> Sequence[str]:
    """Each slice of an axis."""
    axis, count = x.axis("dim", ndim=x.array("input").ndim), len(x.node.results)
    value = x.value("input")
    pieces = x.emit_many("Split", count, value, axis=axis, num_outputs=count) if count > 1 else (
        [value])  # fmt: skip
    return [x.emit("Squeeze", piece, x.ints([axis])) for piece in pieces]


def backwards(x: Application, value: str, axes: Sequence[int]) -> str:
    """Elements in the opposite order along axes."""
    if not axes:
        return value
    ends = x.ints([-1] * len(axes)), x.ints([-END] * len(axes))
    return x.emit("Slice", value, *ends, x.ints(axes), x.ints([-1] * len(axes)))


@exports("np.flip", "np.fliplr", "np.flipud", "torch.flip")
def flip(x: Application) -> str:
    """In the opposite order."""
    name = x.node.op.name
    if name in ("fliplr", "flipud"):
        axes: tuple[int, ...] = (int(name == "fliplr"),)
    else:
        axes = x.axes("axis", "dims", ndim=x.result.ndim)
    return backwards(x, _value(x), axes)


@exports("np.roll", "torch.roll")
def roll(x: Application) -> str:
    """Moved round."""
    value, sizes = _value(x), x.result.sizes
    shifts = x.numbers("shift", "shifts")
    if not x.given(x.first("axis", "dims")):
        flat = x.emit("Reshape", value, x.ints([-1]))
        return x.reshaped(_moved(x, flat, 0, sum(shifts)), sizes, sizes)
    axes = [axis % len(sizes) for axis in x.numbers("axis", "dims")]
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    for axis, shift in zip(axes, shifts, strict=True):
        value = _moved(x, value, axis, shift)
    return value


def _moved(x: Application, value: str, axis: int, shift: int) -> str:
    if not shift:
        return value
    cut, on = x.ints([-shift]), x.ints([axis])
    back = x.emit("Slice", value, cut, x.ints([END]), on)
    front = x.emit("Slice", value, x.ints([-END]), cut, on)
    return x.emit("Concat", back, front, axis=axis)


@exports("np.tril", "np.triu", "torch.tril", "torch.triu")
def triangle(x: Application) -> str:
    """One triangle, the other 0."""
    if x.array(source_of(x)).ndim < 2:
        raise Refused("of a vector", "np.broadcast_to before")
    offset = x.number(x.constant("k", "diagonal", default=0), "i64")
    value, upper = _value(x), int("triu" in x.node.op.name)
    if x.result.element == "bool":  # which has no kernel in runtimes
        number = x.cast(value, "bool", "i32")
        return x.cast(x.emit("Trilu", number, offset, upper=upper), "i32", "bool")
    return x.emit("Trilu", value, offset, upper=upper)


@exports("np.pad")
def pad(x: Application) -> str:
    """More elements at the ends of axes."""
    mode = x.constant("mode", default="constant")
    if mode not in ("constant", "edge", "reflect", "wrap"):
        raise Refused(f"mode={mode!r}", "np.pad with mode='edge'")
    ndim, width = x.result.ndim, x.constant("pad_width")
    pairs = width if isinstance(width, tuple | list) else (width,)
    if not any(isinstance(pair, tuple | list) for pair in pairs):
        pairs = [tuple(pairs) * (3 - len(pairs))]
    pairs = [tuple(pair) * (3 - len(pair)) for pair in pairs]
    pairs = list(pairs) * ndim if len(pairs) == 1 else pairs
    widths = x.ints([*(a for a, _ in pairs), *(b for _, b in pairs)])
    value = x.value("array", x.result.element)
    if mode != "constant":
        return x.emit("Pad", value, widths, mode=mode)
    fill = x.constant("constant_values", default=0)
    if not isinstance(fill, int | float):
        raise Refused("another value for each side", "np.pad with one value")
    return x.emit("Pad", value, widths, x.number(fill, x.result.element))


@exports(
    "np.ndarray.astype", "np.astype", "np.copy", "np.ndarray.copy", "np.ndarray.__copy__",
    "np.asarray", "np.ascontiguousarray", "np.asanyarray", "np.asfortranarray", "np.array",
    "ir.detached", "torch.clone", "torch.detach", "torch.Tensor.contiguous", "torch.Tensor.to",
    "torch.Tensor.float", "torch.Tensor.double", "torch.Tensor.half", "torch.Tensor.bfloat16",
    "torch.Tensor.long", "torch.Tensor.int", "torch.Tensor.bool", "torch.nn.Identity",
    "torch.tensor", "torch.Tensor.cpu", "torch.Tensor.type_as",
)  # fmt: skip
def converted(x: Application) -> str:
    """The same elements, perhaps of another type."""
    name = x.first("a", "x", "object", "input", "data")
    value = x.value(name, x.result.element)
    if x.array(name).ndim < x.result.ndim:  # a number as an array, which has one dimension
        return x.emit("Unsqueeze", value, x.ints([0]))
    return value


@exports("np.diagonal", "np.diag")
def diagonal(x: Application) -> str:
    """The diagonal of a matrix; of a vector, ``diag`` is the matrix with it."""
    name = source_of(x)
    type_, offset = x.array(name), x.constant("offset", "k", default=0)
    value = x.value(name)
    if offset or type_.ndim > 2:
        raise Refused(
            "beside the diagonal, or of more than two dimensions", "np.einsum('ii->i', a)"
        )
    if type_.ndim == 1:
        (size,) = x.known(type_.sizes)
        eye = x.array_constant(np.eye(size, dtype=bool))
        return x.where(eye, value, x.number(0, type_.element))
    rows, columns = x.known(type_.sizes)
    places = np.arange(min(rows, columns), dtype=np.int64)
    return x.emit("GatherND", value, x.array_constant(np.stack([places, places], 1)))
