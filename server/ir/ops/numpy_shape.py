"""NumPy functions that rearrange, join, split and repeat arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..elements import INTS, default, promote_all, real
from ..gradients import shapes
from ..gradients.application import FLAT, NoDerivative, Through
from ..opinfo import Arguments, OpError, OpInfo, Permutation, TypeRule, Unknown, array_of, op
from ..rules import array, nothing, same, shaped, unless_copied
from ..shapes import Sizes, axes_of, axis_of, broadcast, reshaped, total
from ..types import ArrayType, Type


def _reshape(args: Arguments, sizes: Sizes) -> Sizes:
    wanted = args.constant("shape")
    if isinstance(wanted, int):
        wanted = (wanted,)
    elif len(wanted) == 1 and isinstance(wanted[0], tuple | list):  # a.reshape((2, 3))
        wanted = wanted[0]
    return reshaped(sizes, [_known(size) for size in wanted])


def _reversed(args: Arguments, ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim))[::-1]


def _transpose(args: Arguments, ndim: int) -> tuple[int, ...]:
    axes = args.constant("axes", None)
    if axes is not None and len(axes) == 1 and isinstance(axes[0], tuple | list | None):
        axes = axes[0]
    if axes is None or axes == ():
        return _reversed(args, ndim)
    if len(axes) != ndim:
        raise OpError(f"{len(axes)} axes for {ndim} dimensions")
    return axes_of(axes, ndim)


def _last_two(args: Arguments, ndim: int) -> tuple[int, ...]:
    if ndim < 2:
        raise OpError("a matrix has two dimensions")
    return (*range(ndim - 2), ndim - 1, ndim - 2)


def _swapaxes(args: Arguments, ndim: int) -> tuple[int, ...]:
    first, second = axis_of(args.constant("axis1"), ndim), axis_of(args.constant("axis2"), ndim)
    order = list(range(ndim))
    order[first], order[second] = order[second], order[first]
    return tuple(order)


def _moveaxis(args: Arguments, ndim: int) -> tuple[int, ...]:
    source = axes_of(args.constant("source"), ndim)
    target = axes_of(args.constant("destination"), ndim)
    if len(source) != len(target):
        raise OpError("as many axes must move as there are places")
    order = [axis for axis in range(ndim) if axis not in source]
    for to, axis in sorted(zip(target, source, strict=True)):
        order.insert(to, axis)
    return tuple(order)


def _permuting(
    symbol: str, signature: str, permutation: Permutation, sentence: str, example: str, **more: Any
) -> list[OpInfo]:
    """An op that gives a view with the axes in another order."""
    name = signature.split(",")[0]

    def rule(args: Arguments, sizes: Sizes) -> Sizes:
        return tuple(sizes[axis] for axis in permutation(args, len(sizes)))

    more = {"aliases": _VIEW, "permutes": permutation, "shares": _always, **more}
    return op(symbol, signature, shaped(rule, name), sentence, example, **more)


def _always(args: Arguments) -> bool | None:
    """Any array is viewed; one of NumPy's scalars, which have no dimensions, may be copied."""
    return True if args.array(next(iter(args.op.parameters))).ndim else None


def _if_contiguous(args: Arguments) -> bool | None:
    """What is in C order can be read in other sizes as it lies."""
    plain = "copy" not in args and args.constant("order", "C") == "C"
    return _always(args) if plain and args.array("a").contiguous else None


def _squeeze(args: Arguments, sizes: Sizes) -> Sizes:
    axis = args.constant("axis", None)
    if axis is None:
        if None in sizes:
            raise Unknown("sizes")
        return tuple(size for size in sizes if size != 1)
    axes = axes_of(axis, len(sizes))
    if any(sizes[a] not in (1, None) for a in axes):
        raise OpError("an axis to squeeze isn't of size 1")
    return tuple(size for a, size in enumerate(sizes) if a not in axes)


def _expand(args: Arguments, sizes: Sizes) -> Sizes:
    axis = args.constant("axis")
    count = 1 if isinstance(axis, int) else len(axis)
    axes = axes_of(axis, len(sizes) + count)
    rest = iter(sizes)
    return tuple(1 if a in axes else next(rest) for a in range(len(sizes) + count))


def _flat(args: Arguments, sizes: Sizes) -> Sizes:
    return (total(sizes),)


def _keep(args: Arguments, sizes: Sizes) -> Sizes:
    return sizes


def _axis_kept(args: Arguments, sizes: Sizes) -> Sizes:
    axis = args.constant("axis", None)
    for each in () if axis is None else (axis,) if isinstance(axis, int) else axis:
        axis_of(each, len(sizes))
    return sizes


def _rot90(args: Arguments, sizes: Sizes) -> Sizes:
    first, second = axes_of(args.constant("axes", (0, 1)), len(sizes))
    order = list(sizes)
    if args.constant("k", 1) % 2:
        order[first], order[second] = order[second], order[first]
    return tuple(order)


def _broadcast_to(args: Arguments) -> tuple[Type, ...]:
    source, wanted = args.array("array"), args.sizes("shape")
    if broadcast(source.sizes, wanted) != wanted:
        raise OpError(f"{source.sizes} can't be broadcast to {wanted}")
    return array(source.element, wanted)


def _broadcast_arrays(args: Arguments) -> tuple[Type, ...]:
    arrays = [array_of(item) for item in args.items_of("args")]
    sizes = broadcast(*(each.sizes for each in arrays))
    return tuple(ArrayType(default(each.element), sizes) for each in arrays)


def _at_least(ndim: int) -> TypeRule:
    def rule(args: Arguments) -> tuple[Type, ...]:
        items = args.items_of("arys")
        if len(items) != 1:
            raise Unknown("several arrays")
        source = array_of(items[0])
        sizes: Sizes = source.sizes
        if ndim == 3 and len(sizes) == 2:
            sizes = (*sizes, 1)
        elif ndim == 3 and len(sizes) == 1:
            sizes = (1, *sizes, 1)
        else:
            sizes = (1,) * (ndim - len(sizes)) + sizes
        return array(source.element, sizes)

    return rule


def _arrays(args: Arguments, name: str) -> list[ArrayType]:
    arrays = [array_of(item) for item in args.items_of(name)]
    if not arrays:
        raise OpError("at least one array is needed")
    return arrays


def _joined_element(arrays: list[ArrayType]) -> str:
    element = promote_all(default(each.element) for each in arrays)
    if element is None:
        raise Unknown("element types")
    return element


def _joined(arrays: list[ArrayType], axis: int) -> Sizes:
    first = arrays[0].sizes
    if not first:
        raise OpError("arrays without dimensions can't be joined")
    axis = axis_of(axis, len(first))
    if any(len(each.sizes) != len(first) for each in arrays):
        raise OpError("arrays to join differ in their number of dimensions")
    sizes: list[int | None] = []
    for at, column in enumerate(zip(*(each.sizes for each in arrays), strict=True)):
        known = {size for size in column if size is not None}
        if at == axis:
            sizes.append(total_of(column))
        elif len(known) > 1:
            raise OpError(f"arrays to join differ in axis {at}: {sorted(known)}")
        else:
            sizes.append(known.pop() if known else None)
    return tuple(sizes)


def total_of(sizes: Sizes) -> int | None:
    """The sum of sizes; None where one isn't known."""
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _concatenate(args: Arguments) -> tuple[Type, ...]:
    arrays = _arrays(args, "arrays")
    axis = args.constant("axis", 0)
    element = args.element() or _joined_element(arrays)
    if axis is None:
        return array(element, (total_of(tuple(total(each.sizes) for each in arrays)),))
    return array(element, _joined(arrays, axis))


def _stack(args: Arguments) -> tuple[Type, ...]:
    arrays = _arrays(args, "arrays")
    sizes = arrays[0].sizes
    if any(each.sizes != sizes for each in arrays):
        if any(None in each.sizes for each in arrays):
            raise Unknown("sizes")
        raise OpError("arrays to stack differ in shape")
    axis = axis_of(args.constant("axis", 0), len(sizes) + 1)
    wanted = args.element() or _joined_element(arrays)
    return array(wanted, (*sizes[:axis], len(arrays), *sizes[axis:]))


def _stacked(least: int, axis: int) -> TypeRule:
    """vstack, hstack, dstack: arrays made of at least so many dimensions, then joined."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        arrays = [_raised(each, least) for each in _arrays(args, "tup")]
        at = 0 if axis == 1 and arrays[0].ndim == 1 else axis
        element = args.element() or _joined_element(arrays)
        return array(element, _joined(arrays, at))

    return rule


def _raised(source: ArrayType, least: int) -> ArrayType:
    sizes = source.sizes
    if least == 3 and len(sizes) < 3:
        sizes = {0: (1, 1, 1), 1: (1, *sizes, 1), 2: (*sizes, 1)}[len(sizes)]
    return source.with_(sizes=(1,) * (least - len(sizes)) + sizes, strides=None, names=())


def _column_stack(args: Arguments) -> tuple[Type, ...]:
    arrays = _arrays(args, "tup")
    columns = [
        each if each.ndim > 1 else each.with_(sizes=((*each.sizes, 1) if each.ndim else (1, 1)))
        for each in arrays
    ]
    return array(_joined_element(columns), _joined(columns, 1))


def _split(args: Arguments) -> tuple[Type, ...]:
    source = args.array("ary")
    axis = axis_of(args.constant("axis", 0), source.ndim)
    return _parts(args, source, axis, strict=args.op.symbol.name == "split")


def _split_along(axis: int) -> TypeRule:
    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("ary")
        at = 0 if axis == 1 and source.ndim == 1 else axis
        return _parts(args, source, axis_of(at, source.ndim), strict=True)

    return rule


def _parts(args: Arguments, source: ArrayType, axis: int, strict: bool) -> tuple[Type, ...]:
    size, where = source.sizes[axis], args.constant("indices_or_sections")
    if size is None:
        raise Unknown("size")
    if isinstance(where, int):
        if where < 1 or (strict and size % where):
            raise OpError(f"{size} can't be split into {where} equal parts")
        each, extra = divmod(size, where)
        lengths = [each + 1] * extra + [each] * (where - extra)
    else:
        cuts = [0, *where, size]
        lengths = [len(range(size)[a:b]) for a, b in pairwise(cuts)]
    before, after = source.sizes[:axis], source.sizes[axis + 1 :]
    return tuple(ArrayType(source.element, (*before, n, *after)) for n in lengths)


def _repeat(args: Arguments) -> tuple[Type, ...]:
    source, repeats = args.array("a"), args.constant("repeats")
    sizes, axis = source.sizes, args.constant("axis", None)
    if axis is None:
        sizes, axis = (total(sizes),), 0
    axis = axis_of(axis, len(sizes))
    size = sizes[axis]
    if not isinstance(repeats, int):
        if size is not None and len(repeats) not in (1, size):
            raise OpError(f"{len(repeats)} repeats for {size} elements")
        if len(repeats) == 1:
            repeats = repeats[0]
    count = repeats * size if isinstance(repeats, int) and size is not None else None
    if not isinstance(repeats, int):
        count = sum(repeats)
    return array(source.element, (*sizes[:axis], count, *sizes[axis + 1 :]))


def _tile(args: Arguments) -> tuple[Type, ...]:
    source, reps = args.array("A"), args.sizes("reps")
    ndim = max(source.ndim, len(reps))
    sizes = (1,) * (ndim - source.ndim) + source.sizes
    reps = (1,) * (ndim - len(reps)) + reps
    return array(
        source.element,
        tuple(
            None if size is None else size * _known(rep)
            for size, rep in zip(sizes, reps, strict=True)
        ),
    )


def _pad(args: Arguments) -> tuple[Type, ...]:
    source, width = args.array("array"), args.constant("pad_width")
    pairs: list[tuple[int, int]]
    if isinstance(width, int):
        pairs = [(width, width)] * source.ndim
    elif all(isinstance(w, int) for w in width):
        pairs = [tuple(width) if len(width) == 2 else (width[0], width[0])] * source.ndim
    else:
        pairs = [(w[0], w[-1]) for w in width] * (source.ndim if len(width) == 1 else 1)
    if len(pairs) != source.ndim:
        raise OpError(f"{len(pairs)} widths for {source.ndim} dimensions")
    return array(
        source.element,
        tuple(
            None if size is None else size + before + after
            for size, (before, after) in zip(source.sizes, pairs, strict=True)
        ),
    )


def _roll(args: Arguments, sizes: Sizes) -> Sizes:
    return _axis_kept(args, sizes)


def _resize(args: Arguments, sizes: Sizes) -> Sizes:
    return args.sizes("new_shape")


def _append(args: Arguments) -> tuple[Type, ...]:
    both = [args.array("arr"), args.array("values")]
    element, axis = _joined_element(both), args.constant("axis", None)
    if axis is None:
        return array(element, (total_of(tuple(total(each.sizes) for each in both)),))
    return array(element, _joined(both, axis))


def _delete(args: Arguments) -> tuple[Type, ...]:
    source, axis, what = args.array("arr"), args.constant("axis", None), args.constant("obj")
    sizes = source.sizes
    if axis is None:
        sizes, axis = (total(sizes),), 0
    axis = axis_of(axis, len(sizes))
    size = sizes[axis]
    if size is None or not isinstance(what, int):
        raise Unknown("what is deleted")
    axis_of(what, size)
    return array(source.element, (*sizes[:axis], size - 1, *sizes[axis + 1 :]))


def _insert(args: Arguments) -> tuple[Type, ...]:
    source, axis, where = args.array("arr"), args.constant("axis", None), args.constant("obj")
    sizes = source.sizes
    if axis is None:
        sizes, axis = (total(sizes),), 0
    axis = axis_of(axis, len(sizes))
    size = sizes[axis]
    values = args.array("values")
    if size is None or not isinstance(where, int) or values.ndim:
        raise Unknown("what is inserted")
    axis_of(where, size + 1)
    return array(source.element, (*sizes[:axis], size + 1, *sizes[axis + 1 :]))


def _diagonal(args: Arguments, sizes: Sizes) -> Sizes:
    if len(sizes) < 2:
        raise OpError("a diagonal needs two dimensions")
    first = axis_of(args.constant("axis1", 0), len(sizes))
    second = axis_of(args.constant("axis2", 1), len(sizes))
    rest = tuple(size for a, size in enumerate(sizes) if a not in (first, second))
    return (*rest, _diagonal_length(sizes[first], sizes[second], args.constant("offset", 0)))


def _diagonal_length(rows: int | None, columns: int | None, offset: int) -> int | None:
    if rows is None or columns is None:
        return None
    return max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))


def _diag(args: Arguments, sizes: Sizes) -> Sizes:
    k = args.constant("k", 0)
    if len(sizes) == 2:
        return (_diagonal_length(*sizes, k),)
    if len(sizes) != 1:
        raise OpError("diag takes one or two dimensions")
    size = None if sizes[0] is None else sizes[0] + abs(k)
    return (size, size)


def _diagflat(args: Arguments, sizes: Sizes) -> Sizes:
    count = total(sizes)
    size = None if count is None else count + abs(args.constant("k", 0))
    return (size, size)


def _triangle(args: Arguments, sizes: Sizes) -> Sizes:
    if len(sizes) == 1:
        return (sizes[0], sizes[0])
    if not sizes:
        raise OpError("a triangle needs a dimension")
    return sizes


def _astype(args: Arguments) -> tuple[Type, ...]:
    wanted = args.element()
    if wanted is None:
        raise Unknown("dtype")
    source = args.array(next(iter(args.op.parameters)))
    return (ArrayType(wanted, source.sizes, names=source.names),)


def _view(args: Arguments) -> tuple[Type, ...]:
    wanted = args.element()
    if wanted is not None:
        raise Unknown("another element type")
    return array(args.array("a").element, args.array("a").sizes)


def _real(args: Arguments) -> tuple[Type, ...]:
    source = args.array("val")
    return array(real(default(source.element)), source.sizes)


def _ix(args: Arguments) -> tuple[Type, ...]:
    arrays = [array_of(item) for item in args.items_of("args")]
    if any(each.ndim != 1 or each.element not in INTS for each in arrays):
        raise Unknown("index lists")
    n = len(arrays)
    return tuple(
        ArrayType(each.element, (1,) * i + each.sizes + (1,) * (n - i - 1))
        for i, each in enumerate(arrays)
    )


def _meshgrid(args: Arguments) -> tuple[Type, ...]:
    arrays = [array_of(item) for item in args.items_of("xi")]
    if args.constant("sparse", False) or not arrays:
        raise Unknown("sparse")
    sizes = [total(each.sizes) for each in arrays]
    if args.constant("indexing", "xy") == "xy" and len(sizes) > 1:
        sizes[:2] = sizes[1::-1]
    return tuple(ArrayType(default(each.element), tuple(sizes)) for each in arrays)


def _known_sizes(args: Arguments) -> tuple[int, ...]:
    return tuple(_known(size) for size in args.array("a").sizes)


def _known(size: object) -> int:
    if not isinstance(size, int):
        raise Unknown("a size that isn't a whole number")
    return size


_VIEW = (0,)

OPS: list[OpInfo] = [
    *op(
        "np.reshape",
        "a, /, shape, order='C', *, copy=None",
        shaped(_reshape),
        "The same elements in other sizes.",
        "np.reshape(np.ones(6), (2, 3))",
        aliases=_VIEW,
        shares=_if_contiguous,
        regroups=True,
        neutral=True,
        gradient=(shapes.reshaped,),
    ),
    *op(
        "np.ndarray.reshape",
        "a, *shape, order='C', copy=None",
        shaped(_reshape),
        "The same elements in other sizes.",
        "np.ones(6).reshape(2, 3)",
        aliases=_VIEW,
        shares=_if_contiguous,
        regroups=True,
        neutral=True,
        gradient=(shapes.reshaped,),
    ),
    *op(
        "np.ravel",
        "a, order='C'",
        shaped(_flat),
        "One dimension; a view if it can be.",
        "np.ravel(np.ones((2, 3)))",
        methods=["ravel"],
        aliases=_VIEW,
        shares=_if_contiguous,
        regroups=True,
        neutral=True,
        gradient=(shapes.reshaped,),
    ),
    *op(
        "np.ndarray.flatten",
        "a, order='C'",
        shaped(_flat),
        "One dimension, always a copy.",
        "np.ones((2, 3)).flatten()",
        gradient=(shapes.reshaped,),
    ),
    *_permuting(
        "np.transpose",
        "a, axes=None",
        _transpose,
        "The axes in another order.",
        "np.transpose(np.ones((2, 3)))",
        gradient=(shapes.turned,),
    ),
    *_permuting(
        "np.ndarray.transpose",
        "a, *axes",
        _transpose,
        "The axes in another order.",
        "np.ones((2, 3)).transpose(1, 0)",
        gradient=(shapes.turned,),
    ),
    *_permuting(
        "np.permute_dims",
        "a, axes=None",
        _transpose,
        "The axes in another order.",
        "np.permute_dims(np.ones((2, 3)))",
        gradient=(shapes.turned,),
    ),
    *_permuting(
        "np.ndarray.T",
        "a",
        _reversed,
        "The axes the other way round.",
        "np.ones((2, 3)).T",
        gradient=(shapes.turned,),
    ),
    *_permuting(
        "np.matrix_transpose",
        "x, /",
        _last_two,
        "The last two axes exchanged.",
        "np.matrix_transpose(np.ones((2, 3)))",
        methods=["mT"],
        gradient=(shapes.turned,),
    ),
    *_permuting(
        "np.swapaxes",
        "a, axis1, axis2",
        _swapaxes,
        "Two axes exchanged.",
        "np.swapaxes(np.ones((2, 3)), 0, 1)",
        methods=["swapaxes"],
        gradient=(shapes.turned,),
    ),
    *_permuting(
        "np.moveaxis",
        "a, source, destination",
        _moveaxis,
        "Axes moved to other places.",
        "np.moveaxis(np.ones((2, 3)), 0, 1)",
        gradient=(shapes.turned,),
    ),
    *op(
        "np.squeeze",
        "a, axis=None",
        shaped(_squeeze),
        "Without axes of size 1.",
        "np.squeeze(np.ones((1, 3)))",
        methods=["squeeze"],
        aliases=_VIEW,
        shares=_always,
        regroups=True,
        neutral=True,
        gradient=(shapes.reshaped,),
    ),
    *op(
        "np.expand_dims",
        "a, axis",
        shaped(_expand),
        "With an axis of size 1 more.",
        "np.expand_dims(np.ones(3), 0)",
        aliases=_VIEW,
        shares=_always,
        regroups=True,
        gradient=(shapes.reshaped,),
    ),
    *op(
        "np.flip",
        "m, axis=None",
        shaped(_axis_kept, "m"),
        "In the opposite order.",
        "np.flip(np.ones(3))",
        aliases=_VIEW,
        shares=_always,
        gradient=("np.flip(g, axis=axis)",),
    ),
    *op(
        "np.fliplr",
        "m",
        shaped(_keep, "m"),
        "Columns in the opposite order.",
        "np.fliplr(np.ones((2, 3)))",
        aliases=_VIEW,
        shares=_always,
        gradient=("np.fliplr(g)",),
    ),
    *op(
        "np.flipud",
        "m",
        shaped(_keep, "m"),
        "Rows in the opposite order.",
        "np.flipud(np.ones((2, 3)))",
        aliases=_VIEW,
        shares=_always,
        gradient=("np.flipud(g)",),
    ),
    *op(
        "np.rot90",
        "m, k=1, axes=(0, 1)",
        shaped(_rot90, "m"),
        "Turned by right angles.",
        "np.rot90(np.ones((2, 3)))",
        aliases=_VIEW,
        shares=_always,
        gradient=(shapes.moved("m"),),
    ),
    *op(
        "np.roll",
        "a, shift, axis=None",
        shaped(_roll),
        "Moved round by some places.",
        "np.roll(np.arange(3), 1)",
        gradient=(shapes.rolled,),
    ),
    *op(
        "np.broadcast_to",
        "array, shape, subok=False",
        _broadcast_to,
        "Repeated along axes of size 1, without a copy.",
        "np.broadcast_to(np.ones(3), (2, 3))",
        aliases=_VIEW,
        shares=_always,
        gradient=("g",),
    ),
    *op(
        "np.broadcast_arrays",
        "*args, subok=False",
        _broadcast_arrays,
        "All in one shape.",
        "np.broadcast_arrays(np.ones(3), np.ones((2, 1)))",
        outputs=None,
        aliases=_VIEW,
        gradient=(shapes.all_of,),
    ),
    *op(
        "np.atleast_1d",
        "*arys",
        _at_least(1),
        "With at least one dimension.",
        "np.atleast_1d(1.0)",
        aliases=_VIEW,
        gradient=(shapes.all_of,),
    ),
    *op(
        "np.atleast_2d",
        "*arys",
        _at_least(2),
        "With at least two dimensions.",
        "np.atleast_2d(1.0)",
        aliases=_VIEW,
        gradient=(shapes.all_of,),
    ),
    *op(
        "np.atleast_3d",
        "*arys",
        _at_least(3),
        "With at least three dimensions.",
        "np.atleast_3d(1.0)",
        aliases=_VIEW,
        gradient=(shapes.all_of,),
    ),
    *op(
        "np.concatenate",
        "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'",
        _concatenate,
        "One after the other along an axis.",
        "np.concatenate([np.ones(2), np.ones(3)])",
        gradient=(shapes.joined(None),),
    ),
    *op(
        "np.concat",
        "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'",
        _concatenate,
        "As concatenate.",
        "np.concat([np.ones(2), np.ones(3)])",
        gradient=(shapes.joined(None),),
    ),
    *op(
        "np.stack",
        "arrays, axis=0, out=None, *, dtype=None, casting='same_kind'",
        _stack,
        "Along a new axis.",
        "np.stack([np.ones(2), np.ones(2)])",
        gradient=(shapes.stacked,),
    ),
    *op(
        "np.vstack",
        "tup, *, dtype=None, casting='same_kind'",
        _stacked(2, 0),
        "As rows.",
        "np.vstack([np.ones(2), np.ones(2)])",
        gradient=(shapes.joined(0, 2),),
    ),
    *op(
        "np.hstack",
        "tup, *, dtype=None, casting='same_kind'",
        _stacked(1, 1),
        "Side by side.",
        "np.hstack([np.ones(2), np.ones(2)])",
        gradient=(shapes.joined(1, 1),),
    ),
    *op(
        "np.dstack",
        "tup",
        _stacked(3, 2),
        "Along the third axis.",
        "np.dstack([np.ones(2), np.ones(2)])",
        gradient=(shapes.joined(2, 3),),
    ),
    *op(
        "np.column_stack",
        "tup",
        _column_stack,
        "As columns.",
        "np.column_stack([np.ones(2), np.ones(2)])",
        gradient=(shapes.columns,),
    ),
    *op(
        "np.block",
        "arrays",
        None,
        "Put together from blocks.",
        "np.block([[np.ones(2)], [np.ones(2)]])",
        gradient=Through(shapes.blocks),
    ),
    *op(
        "np.split",
        "ary, indices_or_sections, axis=0",
        _split,
        "In equal parts.",
        "np.split(np.ones(4), 2)",
        outputs=None,
        aliases=_VIEW,
        gradient=(shapes.parts(None),),
    ),
    *op(
        "np.array_split",
        "ary, indices_or_sections, axis=0",
        _split,
        "In parts as equal as can be.",
        "np.array_split(np.ones(5), 2)",
        outputs=None,
        aliases=_VIEW,
        gradient=(shapes.parts(None),),
    ),
    *op(
        "np.vsplit",
        "ary, indices_or_sections",
        _split_along(0),
        "In parts of rows.",
        "np.vsplit(np.ones((4, 2)), 2)",
        outputs=None,
        aliases=_VIEW,
        gradient=(shapes.parts(0),),
    ),
    *op(
        "np.hsplit",
        "ary, indices_or_sections",
        _split_along(1),
        "In parts of columns.",
        "np.hsplit(np.ones((2, 4)), 2)",
        outputs=None,
        aliases=_VIEW,
        gradient=(shapes.parts(1),),
    ),
    *op(
        "np.dsplit",
        "ary, indices_or_sections",
        _split_along(2),
        "In parts along the third axis.",
        "np.dsplit(np.ones((1, 1, 4)), 2)",
        outputs=None,
        aliases=_VIEW,
        gradient=(shapes.parts(2),),
    ),
    *op(
        "np.repeat",
        "a, repeats, axis=None",
        _repeat,
        "Each element several times.",
        "np.repeat(np.ones(2), 3)",
        methods=["repeat"],
        gradient=(shapes.moved("a"),),
    ),
    *op(
        "np.tile",
        "A, reps",
        _tile,
        "The whole several times.",
        "np.tile(np.ones(2), 3)",
        gradient=(shapes.moved("A"),),
    ),
    *op(
        "np.pad",
        "array, pad_width, mode='constant', constant_values=0",
        _pad,
        "With a border.",
        "np.pad(np.ones(2), 1)",
        gradient=(shapes.padded,),
    ),
    *op(
        "np.resize",
        "a, new_shape",
        shaped(_resize),
        "In other sizes, repeated as needed.",
        "np.resize(np.ones(2), (3,))",
        gradient=(shapes.moved("a"),),
    ),
    *op(
        "np.append",
        "arr, values, axis=None",
        _append,
        "A copy with values behind.",
        "np.append(np.ones(2), 1.0)",
        gradient=(shapes.moved("arr"), shapes.moved("values")),
    ),
    *op(
        "np.insert",
        "arr, obj, values, axis=None",
        _insert,
        "A copy with values in between.",
        "np.insert(np.ones(2), 1, 0.0)",
        gradient=(shapes.moved("arr"), None, shapes.moved("values")),
    ),
    *op(
        "np.delete",
        "arr, obj, axis=None",
        _delete,
        "A copy without some elements.",
        "np.delete(np.ones(2), 1)",
        gradient=(shapes.moved("arr"),),
    ),
    *op(
        "np.diagonal",
        "a, offset=0, axis1=0, axis2=1",
        shaped(_diagonal),
        "The elements of a diagonal.",
        "np.diagonal(np.ones((2, 3)))",
        methods=["diagonal"],
        aliases=_VIEW,
        shares=_always,
        gradient=(shapes.moved("a"),),
    ),
    *op(
        "np.diag",
        "v, k=0",
        shaped(_diag, "v"),
        "A diagonal, or a matrix with it.",
        "np.diag(np.ones(3))",
        aliases=_VIEW,
        shares=lambda args: args.array("v").ndim == 2,
        gradient=(shapes.diagonal,),
    ),
    *op(
        "np.diagflat",
        "v, k=0",
        shaped(_diagflat, "v"),
        "A matrix with this diagonal.",
        "np.diagflat(np.ones(3))",
        gradient=(shapes.diagonal_matrix,),
    ),
    *op(
        "np.tril",
        "m, k=0",
        shaped(_triangle, "m"),
        "The lower triangle.",
        "np.tril(np.ones((2, 3)))",
        gradient=("np.tril(g, k)",),
    ),
    *op(
        "np.triu",
        "m, k=0",
        shaped(_triangle, "m"),
        "The upper triangle.",
        "np.triu(np.ones((2, 3)))",
        gradient=("np.triu(g, k)",),
    ),
    *op(
        "np.ndarray.astype",
        "a, dtype, order='K', casting='unsafe', subok=True, copy=True",
        _astype,
        "With elements of another type.",
        "np.ones(2).astype('f4')",
        aliases=(0,),
        shares=unless_copied,
        neutral=True,
        gradient=("g",),
    ),
    *op(
        "np.astype",
        "x, dtype, /, *, copy=True, device=None",
        _astype,
        "With elements of another type.",
        "np.astype(np.ones(2), np.float32)",
        aliases=(0,),
        shares=unless_copied,
        neutral=True,
        gradient=("g",),
    ),
    *op(
        "np.copy",
        "a, order='K', subok=False",
        same(),
        "A copy.",
        "np.copy(np.ones(2))",
        methods=["copy", "__copy__"],
        gradient=("g",),
    ),
    *op(
        "np.ndarray.view",
        "a, dtype=None, type=None",
        _view,
        "The same memory, read anew.",
        "np.ones(2).view()",
        aliases=_VIEW,
        gradient=("g",),
    ),
    *op(
        "np.real",
        "val",
        _real,
        "The real parts.",
        "np.real(np.ones(2))",
        aliases=_VIEW,
        gradient=("g",),
    ),
    *op(
        "np.imag",
        "val",
        _real,
        "The imaginary parts.",
        "np.imag(np.ones(2))",
        aliases=_VIEW,
        gradient=("g * -1j if is_complex(val) else None",),
    ),
    *op(
        "np.ndarray.real",
        "val",
        _real,
        "The real parts.",
        "np.ones(2).real",
        aliases=_VIEW,
        gradient=("g",),
    ),
    *op(
        "np.ndarray.imag",
        "val",
        _real,
        "The imaginary parts.",
        "np.ones(2).imag",
        aliases=_VIEW,
        gradient=("g * -1j if is_complex(val) else None",),
    ),
    *op(
        "np.ndarray.flat",
        "a",
        None,
        "An iterator over the elements.",
        "np.ones(2).flat",
        aliases=_VIEW,
        gradient=NoDerivative("its elements leave the graph"),
    ),
    *op(
        "np.ndarray.shape",
        "a",
        None,
        "The sizes.",
        "np.ones(2).shape",
        known=_known_sizes,
        gradient=FLAT,
    ),
    *op(
        "np.ix_",
        "*args",
        _ix,
        "Index lists that select a grid.",
        "np.ix_(np.array([0, 1]), np.array([2]))",
        outputs=None,
        aliases=(0,),
        gradient=FLAT,
    ),
    *op(
        "np.meshgrid",
        "*xi, copy=True, sparse=False, indexing='xy'",
        _meshgrid,
        "Coordinates of a grid.",
        "np.meshgrid(np.ones(2), np.ones(3))",
        outputs=None,
        gradient=(shapes.grid,),
    ),
    *op(
        "np.ndarray.resize",
        "a, *new_shape, refcheck=True",
        nothing,
        "Other sizes in the same object.",
        outputs=0,
        mutates=(0,),
    ),
]
