"""NumPy's indexing, selection, sorting, searching and sets; and what writes into arrays."""

from __future__ import annotations

from typing import Any

from ..elements import INTS, NUMBERS, default, promote_all
from ..gradients import functions, indexing, products, shapes
from ..gradients.application import FLAT, NoDerivative, Through
from ..opinfo import Arguments, OpError, OpInfo, Unknown, array_of, op
from ..rules import array, nothing, same, scalar
from ..shapes import Sizes, axis_of, broadcast, reduced, sliced, total
from ..types import ArrayType, ScalarType, Type
from ..values import Constant, Operand, Pack, Value


def _getitem(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    return array(source.element, indexed(source.sizes, args["index"]))


def indexed(sizes: Sizes, index: Operand) -> Sizes:
    """The sizes of what an index selects: slices, integers, None, ..., index lists and masks."""
    parts = list(index.items) if isinstance(index, Pack) and index.kind == "tuple" else [index]
    used = sum(_dimensions(part) for part in parts)
    if used > len(sizes):
        raise OpError(f"{used} indices for {len(sizes)} dimensions")
    if not any(_is(part, ...) for part in parts):
        parts.append(Constant(...))
    result: list[int | None] = []
    lists: list[Sizes] = []
    place = apart = -1  # where the dimensions of index lists go; where the last list stood
    axis = 0
    for at, part in enumerate(parts):
        if _is(part, ...):
            left = len(sizes) - used
            result.extend(sizes[axis : axis + left])
            axis += left
        elif _is(part, None):
            result.append(1)
        elif isinstance(part, Constant) and isinstance(part.value, slice):
            result.append(sliced(sizes[axis], part.value))
            axis += 1
        elif isinstance(part, Pack) and part.kind == "slice":
            result.append(None)
            axis += 1
        elif isinstance(part, Constant) and type(part.value) is int:
            size = sizes[axis]
            if size is not None:
                axis_of_index(part.value, size)
            axis += 1
            if lists or any(_is_list(other) for other in parts):
                place, apart = _placed(place, apart, at, len(result))
                lists.append(())
        else:
            which = _list(part)
            place, apart = _placed(place, apart, at, len(result))
            if which.element == "bool":
                if which.ndim == 0:
                    raise Unknown("a single bool")
                for mask, size in zip(which.sizes, sizes[axis:], strict=False):
                    if None not in (mask, size) and mask != size:
                        raise OpError(f"a mask of {mask} for {size} elements")
                lists.append((None,))
                axis += which.ndim
            else:
                lists.append(which.sizes)
                axis += 1
    if lists:
        chosen = broadcast(*lists)
        result[max(place, 0) : max(place, 0)] = chosen
    return tuple(result)


def _selects_view(args: Arguments) -> bool | None:
    """Slices give views, index lists copies, and whole numbers for all axes a scalar."""
    if not isinstance(args["a"], Value):
        return None  # an item of a tuple or a list
    source, index = args.array("a"), args["index"]
    parts = index.items if isinstance(index, Pack) and index.kind == "tuple" else (index,)
    if not source.ndim or source.element not in NUMBERS:
        return None  # an element may be an object itself
    if any(_is_list(part) for part in parts):
        arrays = [_list(part) for part in parts if _is_list(part)]
        return None if any(array.ndim == 0 for array in arrays) else False
    whole = sum(map(_is_whole, parts))
    if not all(_is_whole(p) or _is(p, None) or _is(p, ...) or _is_slice(p) for p in parts):
        return None
    return not len(parts) == whole == source.ndim


def axis_of_index(index: int, size: int) -> None:
    """Check an index against a size."""
    if not -size <= index < size:
        raise OpError(f"index {index} of {size} elements")


def _placed(place: int, apart: int, at: int, here: int) -> tuple[int, int]:
    """Index lists next to each other go where they stand, lists apart go to the front."""
    if place == -1 and apart == -1:
        return here, at
    return (place if apart == at - 1 else 0), at


def _dimensions(part: Operand) -> int:
    if _is(part, None) or _is(part, ...):
        return 0
    if isinstance(part, Constant | Pack) and not _is_list(part):
        return 1
    which = _list(part)
    return which.ndim if which.element == "bool" else 1


def _is(part: Operand, value: object) -> bool:
    return isinstance(part, Constant) and part.value is value


def _is_whole(part: Operand) -> bool:
    if isinstance(part, Value):
        return part.type is ScalarType("int")
    return isinstance(part, Constant) and type(part.value) is int


def _is_slice(part: Operand) -> bool:
    if isinstance(part, Pack):
        return part.kind == "slice"
    return isinstance(part, Constant) and isinstance(part.value, slice)


def _is_list(part: Operand) -> bool:
    if isinstance(part, Value):
        return not isinstance(part.type, ScalarType)
    return isinstance(part, Pack) and part.kind == "list"


def _list(part: Operand) -> ArrayType:
    """An index that is an array, or a list, or an integer that isn't known."""
    which = array_of(part)
    if which.element not in ("bool", "int", *INTS):
        if which.sizes == (0,):
            return ArrayType("i64", (0,))
        raise Unknown("an index that isn't whole numbers")
    return which


def _take(args: Arguments) -> tuple[Type, ...]:
    source, indices, axis = args.array("a"), args.array("indices"), args.constant("axis", None)
    if axis is None:
        return array(source.element, indices.sizes)
    axis = axis_of(axis, source.ndim)
    return array(source.element, source.sizes[:axis] + indices.sizes + source.sizes[axis + 1 :])


def _take_along(args: Arguments) -> tuple[Type, ...]:
    source, indices, axis = args.array("arr"), args.array("indices"), args.constant("axis", -1)
    if axis is None or source.ndim != indices.ndim:
        raise Unknown("axis")
    axis = axis_of(axis, source.ndim)
    sizes = list(broadcast(reduced(source.sizes, axis), reduced(indices.sizes, axis)))
    sizes.insert(axis, indices.sizes[axis])
    return array(source.element, tuple(sizes))


def _where(args: Arguments) -> tuple[Type, ...]:
    condition = args.array("condition")
    if not args.given("x"):
        if not condition.ndim:
            raise OpError("an array without dimensions has no indices")
        return tuple(ArrayType("i64", (None,)) for _ in condition.sizes)
    x, y = args.array("x"), args.array("y")
    element = promote_all([x.element, y.element])
    if element is None:
        raise Unknown("element types")
    return array(element, broadcast(condition.sizes, x.sizes, y.sizes))


def _clip(args: Arguments) -> tuple[Type, ...]:
    names = ["a", *(n for n in ("a_min", "a_max", "min", "max") if args.given(n))]
    arrays = [args.array(name) for name in names]
    element = promote_all(each.element for each in arrays)
    if element is None or args.given("dtype"):
        raise Unknown("element types")
    return array(element, broadcast(*(each.sizes for each in arrays)))


def _choose(args: Arguments) -> tuple[Type, ...]:
    which = args.array("a")
    choices = [array_of(item) for item in args.items_of("choices")]
    element = promote_all(default(each.element) for each in choices)
    if element is None:
        raise Unknown("element types")
    return array(element, broadcast(which.sizes, *(each.sizes for each in choices)))


def _nonzero(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    if not source.ndim:
        raise OpError("an array without dimensions has no indices")
    return tuple(ArrayType("i64", (None,)) for _ in source.sizes)


def _argwhere(args: Arguments) -> tuple[Type, ...]:
    return array("i64", (None, args.array("a").ndim))


def _flatnonzero(args: Arguments) -> tuple[Type, ...]:
    return array("i64", (None,))


def _sort(args: Arguments) -> tuple[Type, ...]:
    return _along(args, args.array("a").element)


def _argsort(args: Arguments) -> tuple[Type, ...]:
    return _along(args, "i64")


def _along(args: Arguments, element: str) -> tuple[Type, ...]:
    source, axis = args.array("a"), args.constant("axis", -1)
    if axis is None:
        return array(element, (total(source.sizes),))
    if not source.ndim and "arg" in args.op.symbol.name:
        return array(element, (1,))
    axis_of(axis, source.ndim)
    return array(element, source.sizes)


def _searchsorted(args: Arguments) -> tuple[Type, ...]:
    return array("i64", args.array("v").sizes)


def _unique(args: Arguments) -> tuple[Type, ...]:
    source = args.array("ar")
    if args.given("axis"):
        raise Unknown("axis")
    extra = ("return_index", "return_inverse", "return_counts")
    if any(args.constant(name, False) for name in extra):
        raise Unknown("several results")
    return array(source.element, (0 if total(source.sizes) == 0 else None,))


def _set(args: Arguments) -> tuple[Type, ...]:
    names = [name for name in ("ar1", "ar2", "x") if name in args]
    element = promote_all(default(args.array(name).element) for name in names)
    if element is None or args.op.symbol.name == "setdiff1d" or args.given("return_indices"):
        element = default(args.array(names[0]).element)
    return array(element, (None,))


def _isin(args: Arguments) -> tuple[Type, ...]:
    return array("bool", args.array("element").sizes)


def _compress(args: Arguments) -> tuple[Type, ...]:
    source, axis = args.array("a"), args.constant("axis", None)
    if axis is None:
        return array(source.element, (None,))
    axis = axis_of(axis, source.ndim)
    return array(source.element, (*source.sizes[:axis], None, *source.sizes[axis + 1 :]))


def _extract(args: Arguments) -> tuple[Type, ...]:
    return array(args.array("arr").element, (None,))


def _interp(args: Arguments) -> tuple[Type, ...]:
    if default(args.array("fp").element).startswith("c"):
        return array("c128", args.array("x").sizes)
    return array("f64", args.array("x").sizes)


def _convolve(args: Arguments) -> tuple[Type, ...]:
    a, v = args.array("a"), args.array("v")
    element = promote_all([default(a.element), default(v.element)])
    sizes = [total(a.sizes), total(v.sizes)]
    if element is None or None in sizes or a.ndim != 1 or v.ndim != 1 or 0 in sizes:
        raise Unknown("sizes")
    longer, shorter = sorted((sizes[0] or 0, sizes[1] or 0), reverse=True)
    mode = args.constant("mode", "valid" if args.op.symbol.name == "correlate" else "full")
    if mode == "valid":
        return array(element, (longer - shorter + 1,))
    return array(element, (longer + shorter - 1 if mode == "full" else longer,))


def _rounded(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    element = default(source.element)
    return array("f16" if element == "bool" else element, source.sizes)


def _bool(args: Arguments) -> tuple[Type, ...]:
    return (ScalarType("bool"),)


def _allclose(args: Arguments) -> tuple[Type, ...]:
    broadcast(args.array("a").sizes, args.array("b").sizes)
    return (ScalarType("bool"),)


def _isclose(args: Arguments) -> tuple[Type, ...]:
    return array("bool", broadcast(args.array("a").sizes, args.array("b").sizes))


def _at(args: Arguments) -> tuple[Type, ...]:
    return ()


_WRITES: dict[str, Any] = {"outputs": 0, "mutates": (0,)}
_INTO_COPY: dict[str, Any] = {**_WRITES, "functional": "ir.with_write"}
_SORT = "a, axis=-1, kind=None, order=None, *, stable=None"
_AT = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "bitwise_or", "bitwise_and")

OPS: list[OpInfo] = [
    # reading
    *op(
        "np.getitem",
        "a, index",
        _getitem,
        "What an index selects; slices and integers give views.",
        "np.ones((2, 3))[0, 1:]",
        aliases=(0,),
        shares=_selects_view,
        put_back="ir.with_item",
        gradient=(indexing.read,),
    ),
    *op(
        "np.take",
        "a, indices, axis=None, out=None, mode='raise'",
        _take,
        "Elements at indices.",
        "np.take(np.ones((2, 3)), [0, 1], axis=1)",
        methods=["take"],
        gradient=(shapes.moved("a"),),
    ),
    *op(
        "np.take_along_axis",
        "arr, indices, axis=-1",
        _take_along,
        "Elements at indices, one list for each row.",
        "np.take_along_axis(np.ones((2, 3)), np.array([[0], [1]]), axis=1)",
        gradient=(shapes.moved("arr"),),
    ),
    *op(
        "np.compress",
        "condition, a, axis=None, out=None",
        _compress,
        "Slices where a condition holds.",
        "np.compress([True, False], np.ones(2))",
        gradient=(None, shapes.moved("a")),
    ),
    *op(
        "np.extract",
        "condition, arr",
        _extract,
        "Elements where a condition holds.",
        "np.extract([True, False], np.ones(2))",
        gradient=(None, shapes.moved("arr")),
    ),
    *op(
        "np.where",
        "condition, x=None, y=None, /",
        _where,
        "From x where a condition holds, else from y.",
        "np.where(np.array([True, False]), 1.0, 0.0)",
        outputs=None,
        fusible=True,
        gradient=(None, "np.where(condition, g, 0.0)", "np.where(condition, 0.0, g)"),
    ),
    *op(
        "np.clip",
        "a, a_min=None, a_max=None, out=None, *, min=None, max=None, dtype=None",
        _clip,
        "Held between two bounds.",
        "np.clip(np.ones(2), 0, 0.5)",
        fusible=True,
        gradient=(
            indexing.below,
            indexing.low_bound,
            indexing.high_bound,
            None,
            indexing.low_bound,
            indexing.high_bound,
        ),
    ),
    *op(
        "np.ndarray.clip",
        "a, min=None, max=None, out=None",
        _clip,
        "Held between two bounds.",
        "np.ones(2).clip(0, 0.5)",
        fusible=True,
        gradient=(indexing.below, indexing.low_bound, indexing.high_bound),
    ),
    *op(
        "np.choose",
        "a, choices, out=None, mode='raise'",
        _choose,
        "From the array that a number names.",
        "np.choose(np.array([0, 1]), [np.ones(2), np.zeros(2)])",
        gradient=(None, shapes.moved("choices")),
    ),
    *op(
        "np.select",
        "condlist, choicelist, default=0",
        None,
        "From the first array whose condition holds.",
        "np.select([np.array([True])], [np.ones(1)])",
        gradient=(None, shapes.moved("choicelist"), shapes.moved("default")),
    ),
    *op(
        "np.piecewise",
        "x, condlist, funclist, *args",
        None,
        "By the function whose condition holds.",
        "np.piecewise(np.ones(1), [np.array([True])], [2.0])",
        effects="calls",
        gradient=NoDerivative("what it calls wasn't traced"),
    ),
    *op(
        "np.ndarray.item",
        "a, *args",
        None,
        "One element as a Python scalar.",
        "np.ones(1).item()",
        gradient=(functions.element,),
    ),
    *op(
        "np.ndarray.tolist",
        "a",
        None,
        "As nested Python lists.",
        "np.ones(1).tolist()",
        gradient=NoDerivative("its elements leave the graph"),
    ),
    *op(
        "np.ndarray.tobytes",
        "a, order='C'",
        scalar("bytes"),
        "The bytes of the elements.",
        "np.ones(1).tobytes()",
        gradient=NoDerivative("it reads numbers from bytes"),
    ),
    # searching and sorting
    *op(
        "np.nonzero",
        "a",
        _nonzero,
        "Indices of what isn't zero.",
        "np.nonzero(np.ones(2))",
        outputs=None,
        methods=["nonzero"],
        gradient=FLAT,
    ),
    *op(
        "np.argwhere",
        "a",
        _argwhere,
        "Indices of what isn't zero, as rows.",
        "np.argwhere(np.ones(2))",
        gradient=FLAT,
    ),
    *op(
        "np.flatnonzero",
        "a",
        _flatnonzero,
        "Indices of what isn't zero, flat.",
        "np.flatnonzero(np.ones(2))",
        gradient=FLAT,
    ),
    *op(
        "np.sort",
        _SORT,
        _sort,
        "A sorted copy.",
        "np.sort(np.array([2, 1]))",
        gradient=(indexing.sorted_,),
    ),
    *op(
        "np.argsort",
        _SORT,
        _argsort,
        "The indices that sort.",
        "np.argsort(np.array([2, 1]))",
        methods=["argsort"],
        gradient=FLAT,
    ),
    *op(
        "np.partition",
        "a, kth, axis=-1, kind='introselect', order=None",
        _sort,
        "A copy with the kth in its place.",
        "np.partition(np.array([2, 1]), 0)",
        gradient=(indexing.parted,),
    ),
    *op(
        "np.argpartition",
        "a, kth, axis=-1, kind='introselect', order=None",
        _argsort,
        "Indices that put the kth in its place.",
        "np.argpartition(np.array([2, 1]), 0)",
        methods=["argpartition"],
        gradient=FLAT,
    ),
    *op(
        "np.lexsort",
        "keys, axis=-1",
        None,
        "Indices that sort by several keys.",
        "np.lexsort([np.array([2, 1])])",
        gradient=FLAT,
    ),
    *op(
        "np.searchsorted",
        "a, v, side='left', sorter=None",
        _searchsorted,
        "Where values would go.",
        "np.searchsorted(np.arange(3), 1)",
        methods=["searchsorted"],
        gradient=FLAT,
    ),
    *op(
        "np.unique",
        "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
        "equal_nan=True",
        _unique,
        "Each value once, sorted.",
        "np.unique(np.array([1, 1]))",
        outputs=None,
        gradient=NoDerivative("which elements it gives depends on which are equal"),
    ),
    *op(
        "np.intersect1d",
        "ar1, ar2, assume_unique=False, return_indices=False",
        _set,
        "Values in both.",
        "np.intersect1d([1, 2], [2])",
        outputs=None,
        gradient=NoDerivative("which elements it gives depends on which are equal"),
    ),
    *op(
        "np.union1d",
        "ar1, ar2",
        _set,
        "Values in one of both.",
        "np.union1d([1, 2], [2])",
        gradient=NoDerivative("which elements it gives depends on which are equal"),
    ),
    *op(
        "np.setdiff1d",
        "ar1, ar2, assume_unique=False",
        _set,
        "Values of the first only.",
        "np.setdiff1d([1, 2], [2])",
        gradient=NoDerivative("which elements it gives depends on which are equal"),
    ),
    *op(
        "np.setxor1d",
        "ar1, ar2, assume_unique=False",
        _set,
        "Values in just one.",
        "np.setxor1d([1, 2], [2])",
        gradient=NoDerivative("which elements it gives depends on which are equal"),
    ),
    *op(
        "np.isin",
        "element, test_elements, assume_unique=False, invert=False, *, kind=None",
        _isin,
        "Whether each is among others.",
        "np.isin(np.arange(3), [1])",
        gradient=FLAT,
    ),
    # numbers
    *op(
        "np.round",
        "a, decimals=0, out=None",
        _rounded,
        "Rounded to decimals.",
        "np.round(np.ones(2))",
        methods=["round"],
        fusible=True,
        gradient=(None,),
    ),
    *op(
        "np.around",
        "a, decimals=0, out=None",
        _rounded,
        "Rounded to decimals.",
        "np.around(np.ones(2))",
        fusible=True,
        gradient=(None,),
    ),
    *op(
        "np.nan_to_num",
        "x, copy=True, nan=0.0, posinf=None, neginf=None",
        same("x"),
        "Without NaN and infinities.",
        "np.nan_to_num(np.ones(2))",
        fusible=True,
        aliases=(0,),
        mutates_when=("copy", False),
        gradient=("np.where(np.isfinite(x), g, 0.0)",),
    ),
    *op(
        "np.interp",
        "x, xp, fp, left=None, right=None, period=None",
        _interp,
        "Between points, linearly.",
        "np.interp(np.ones(2), [0, 2], [0, 1])",
        gradient=Through(functions.interpolated),
    ),
    *op(
        "np.convolve",
        "a, v, mode='full'",
        _convolve,
        "The convolution.",
        "np.convolve(np.ones(3), np.ones(2))",
        gradient=Through(products.convolution),
    ),
    *op(
        "np.correlate",
        "a, v, mode='valid'",
        _convolve,
        "The cross-correlation.",
        "np.correlate(np.ones(3), np.ones(2))",
        gradient=Through(products.correlation),
    ),
    *op(
        "np.sinc",
        "x",
        None,
        "sin(πx) / πx.",
        "np.sinc(np.ones(2))",
        fusible=True,
        gradient=(
            "g * np.where(np.equal(x, 0), 0.0, np.cos(math.pi * x) - r)"
            " / np.where(np.equal(x, 0), 1.0, x)",
        ),
    ),
    *op(
        "np.unwrap",
        "p, discont=None, axis=-1, *, period=6.283185307179586",
        None,
        "Angles without jumps.",
        "np.unwrap(np.ones(2))",
        gradient=("g",),
    ),
    *op(
        "np.angle",
        "z, deg=False",
        None,
        "The angle of complex numbers.",
        "np.angle(np.ones(2))",
        gradient=(functions.angle,),
    ),
    *op(
        "np.polyfit",
        "x, y, deg, rcond=None, full=False, w=None, cov=False",
        None,
        "The polynomial of least squares.",
        "np.polyfit(np.arange(3), np.arange(3), 1)",
        outputs=None,
        gradient=Through(functions.fitted),
    ),
    *op(
        "np.polyval",
        "p, x",
        None,
        "The value of a polynomial.",
        "np.polyval([1, 0], np.ones(2))",
        gradient=Through(functions.horner),
    ),
    *op(
        "np.allclose",
        "a, b, rtol=1e-05, atol=1e-08, equal_nan=False",
        _allclose,
        "Whether all are close.",
        "np.allclose(np.ones(2), 1.0)",
        gradient=FLAT,
    ),
    *op(
        "np.isclose",
        "a, b, rtol=1e-05, atol=1e-08, equal_nan=False",
        _isclose,
        "Whether each is close.",
        "np.isclose(np.ones(2), 1.0)",
        gradient=FLAT,
    ),
    *op(
        "np.array_equal",
        "a1, a2, equal_nan=False",
        _bool,
        "Whether shapes and elements are equal.",
        "np.array_equal(np.ones(2), np.ones(2))",
        gradient=FLAT,
    ),
    *op(
        "np.shares_memory",
        "a, b, /, max_work=None",
        _bool,
        "Whether two arrays overlap.",
        "np.shares_memory(np.ones(2), np.ones(2))",
        gradient=FLAT,
    ),
    *op(
        "np.may_share_memory",
        "a, b, /, max_work=None",
        _bool,
        "Whether two arrays may overlap.",
        "np.may_share_memory(np.ones(2), np.ones(2))",
        gradient=FLAT,
    ),
    # writing
    *op(
        "np.setitem",
        "a, index, value",
        nothing,
        "Writes where an index selects.",
        **_WRITES,
        functional="ir.with_item",
    ),
    *op("np.delitem", "a, index", nothing, "Deletes where an index selects.", **_WRITES),
    *op(
        "np.put",
        "a, ind, v, mode='raise'",
        nothing,
        "Writes at flat indices.",
        methods=["put"],
        **_INTO_COPY,
    ),
    *op(
        "np.put_along_axis",
        "arr, indices, values, axis",
        nothing,
        "Writes at indices, one list for each row.",
        **_INTO_COPY,
    ),
    *op(
        "np.place", "arr, mask, vals", nothing, "Writes where a mask holds, in turn.", **_INTO_COPY
    ),
    *op("np.putmask", "a, mask, values", nothing, "Writes where a mask holds.", **_INTO_COPY),
    *op(
        "np.copyto",
        "dst, src, casting='same_kind', where=True",
        nothing,
        "Writes all of another array.",
        **_INTO_COPY,
    ),
    *op("np.fill_diagonal", "a, val, wrap=False", nothing, "Writes the diagonal.", **_INTO_COPY),
    *op(
        "np.ndarray.fill",
        "a, value",
        nothing,
        "Writes one value everywhere.",
        **_WRITES,
        functional="np.full_like",
    ),
    *op(
        "np.ndarray.sort",
        "a, axis=-1, kind=None, order=None, *, stable=None",
        nothing,
        "Sorts in place.",
        **_WRITES,
        functional="np.sort",
    ),
    *op(
        "np.ndarray.partition",
        "a, kth, axis=-1, kind='introselect', order=None",
        nothing,
        "Puts the kth in its place, in place.",
        **_WRITES,
        functional="np.partition",
    ),
    *op(
        "np.ndarray.byteswap",
        "a, inplace=False",
        same(),
        "The bytes of each element in the opposite order.",
        aliases=(0,),
        mutates_when=("inplace", True),
        gradient=NoDerivative("it reads numbers from bytes"),
    ),
    *op(
        "np.ndarray.setflags",
        "a, write=None, align=None, uic=None",
        nothing,
        "Whether it may be written.",
        **_WRITES,
    ),
    *(
        info
        for name in _AT
        for info in op(
            f"np.{name}.at",
            "a, indices, b",
            _at,
            f"np.{name} into elements at indices.",
            **_INTO_COPY,
        )
    ),
]
