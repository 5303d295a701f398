"""NumPy functions that make arrays from sizes, numbers and other objects."""

from __future__ import annotations

from math import ceil

from ..elements import default, promote_all
from ..gradients import functions
from ..gradients.application import FLAT, NoDerivative, Through, unknown
from ..opinfo import Arguments, OpError, OpInfo, TypeRule, Unknown, op
from ..rules import array, unless_copied
from ..types import Type


def _filled(name: str = "shape", otherwise: str | None = "f64") -> TypeRule:
    def rule(args: Arguments) -> tuple[Type, ...]:
        sizes = args.sizes(name)
        if any(size is not None and size < 0 for size in sizes):
            raise OpError("sizes must not be negative")
        element = args.element() or otherwise or default(args.array("fill_value").element)
        return array(element, sizes)

    return rule


def _like(args: Arguments) -> tuple[Type, ...]:
    source = args.array(next(iter(args.op.parameters)))
    sizes = args.sizes("shape") if args.given("shape") else source.sizes
    return array(args.element() or source.element, sizes)


def _array(args: Arguments) -> tuple[Type, ...]:
    source = args.array("object")
    least = args.constant("ndmin", 0)
    sizes = (1,) * (least - source.ndim) + source.sizes
    return array(args.element() or source.element, sizes)


def _asarray(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    return array(args.element() or source.element, source.sizes)


def _at_least_1d(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    return array(args.element() or source.element, source.sizes or (1,))


def _arange(args: Arguments) -> tuple[Type, ...]:
    start, stop, step = (
        args.constant("start", 0),
        args.constant("stop", None),
        args.constant("step", 1),
    )
    if stop is None:
        start, stop = 0, start
    if not all(isinstance(part, int | float) for part in (start, stop, step)):
        raise Unknown("bounds that aren't numbers")
    if not step:
        raise OpError("arange with a step of 0")
    elements = [type(part).__name__ for part in (start, stop, step) if type(part) is not bool]
    element = args.element() or promote_all(elements or ["int"]) or "i64"
    return array(element, (max(0, ceil((stop - start) / step)),))


def _spaced(args: Arguments) -> tuple[Type, ...]:
    start, stop = args.array("start"), args.array("stop")
    if start.ndim or stop.ndim or args.constant("retstep", False):
        raise Unknown("bounds that are arrays")
    elements = (default(start.element), default(stop.element), "f64")
    element = args.element() or promote_all(elements)
    if element is None:
        raise Unknown("element types")
    return array(element, (args.constant("num", 50),))


def _eye(args: Arguments) -> tuple[Type, ...]:
    rows = args.constant("N")
    columns = args.constant("M", None)
    return array(args.element() or "f64", (rows, rows if columns is None else columns))


def _identity(args: Arguments) -> tuple[Type, ...]:
    n = args.constant("n")
    return array(args.element() or "f64", (n, n))


def _vander(args: Arguments) -> tuple[Type, ...]:
    source = args.array("x")
    n = args.constant("N", None)
    element = promote_all([default(source.element), "i64"])
    if element is None or source.ndim != 1:
        raise Unknown("element types")
    return array(element, (source.sizes[0], source.sizes[0] if n is None else n))


def _indices(args: Arguments) -> tuple[Type, ...]:
    sizes = args.sizes("dimensions")
    if args.constant("sparse", False):
        raise Unknown("sparse")
    return array(args.element() or "i64", (len(sizes), *sizes))


def _tri(args: Arguments) -> tuple[Type, ...]:
    return _eye(args)


def _window(args: Arguments) -> tuple[Type, ...]:
    return array("f64", (args.constant("M"),))


_LIKE = "a, dtype=None, order='K', subok=True, shape=None, *, device=None"
_FILL = "shape, dtype=None, order='C', *, device=None, like=None"

OPS: list[OpInfo] = [
    *op(
        "np.zeros",
        _FILL,
        _filled(),
        "Filled with 0.",
        "np.zeros((2, 3))",
        gradient=FLAT,
    ),
    *op(
        "np.ones",
        _FILL,
        _filled(),
        "Filled with 1.",
        "np.ones((2, 3))",
        gradient=FLAT,
    ),
    *op(
        "np.empty",
        _FILL,
        _filled(),
        "Not filled: the elements are arbitrary.",
        "np.empty((2, 3))",
        effects="uninitialised",
        gradient=FLAT,
    ),
    *op(
        "np.full",
        "shape, fill_value, dtype=None, order='C', *, device=None, like=None",
        _filled(otherwise=None),
        "Filled with one value.",
        "np.full((2, 3), 7)",
        gradient=(None, "g"),
    ),
    *op(
        "np.zeros_like",
        _LIKE,
        _like,
        "0 in the shape of another array.",
        "np.zeros_like(np.ones(2))",
        gradient=(None,),
    ),
    *op(
        "np.ones_like",
        _LIKE,
        _like,
        "1 in the shape of another array.",
        "np.ones_like(np.ones(2))",
        gradient=(None,),
    ),
    *op(
        "np.empty_like",
        _LIKE.replace("a,", "prototype,", 1),
        _like,
        "Arbitrary elements in the shape of another array.",
        "np.empty_like(np.ones(2))",
        effects="uninitialised",
        gradient=(None,),
    ),
    *op(
        "np.full_like",
        "a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None",
        _like,
        "One value in the shape of another array.",
        "np.full_like(np.ones(2), 7)",
        gradient=(None, "g"),
    ),
    *op(
        "np.array",
        "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None",
        _array,
        "An array of the given elements.",
        "np.array([1, 2])",
        aliases=(0,),
        shares=unless_copied,
        gradient=("g",),
    ),
    *op(
        "np.asarray",
        "a, dtype=None, order=None, *, device=None, copy=None, like=None",
        _asarray,
        "As an array, without a copy where it is one.",
        "np.asarray([1, 2])",
        aliases=(0,),
        gradient=("g",),
    ),
    *op(
        "np.asanyarray",
        "a, dtype=None, order=None, *, device=None, copy=None, like=None",
        _asarray,
        "As asarray, subclasses too.",
        "np.asanyarray([1, 2])",
        aliases=(0,),
        gradient=("g",),
    ),
    *op(
        "np.ascontiguousarray",
        "a, dtype=None, *, like=None",
        _at_least_1d,
        "In C order, without a copy where it is.",
        "np.ascontiguousarray([1, 2])",
        aliases=(0,),
        gradient=("g",),
    ),
    *op(
        "np.asfortranarray",
        "a, dtype=None, *, like=None",
        _at_least_1d,
        "In Fortran order, without a copy where it is.",
        "np.asfortranarray([1, 2])",
        aliases=(0,),
        gradient=("g",),
    ),
    *op(
        "np.frombuffer",
        "buffer, dtype=None, count=-1, offset=0, *, like=None",
        None,
        "The memory of a buffer.",
        "np.frombuffer(b'ab', dtype='u1')",
        aliases=(0,),
        gradient=NoDerivative("it reads numbers from bytes"),
    ),
    *op(
        "np.fromiter",
        "iter, dtype, count=-1, *, like=None",
        None,
        "The items of an iterator.",
        "np.fromiter(range(3), dtype='i8')",
        gradient=FLAT,
    ),
    *op(
        "np.fromfunction",
        "function, shape, *, dtype=None, like=None",
        None,
        "What a function makes of indices.",
        "np.fromfunction(lambda i: i, (3,))",
        effects="calls",
        gradient=NoDerivative("what it calls wasn't traced"),
    ),
    *op(
        "np.loadtxt",
        "fname, dtype=None, comments='#', delimiter=None, converters=None, skiprows=0",
        None,
        "Read from a text file.",
        "np.loadtxt(['1 2'])",
        outputs=None,
        effects="io",
        gradient=FLAT,
    ),
    *op(
        "np.load",
        "file, mmap_mode=None, allow_pickle=False",
        None,
        "Read from a file.",
        "",
        outputs=None,
        effects="io",
        gradient=FLAT,
    ),
    *op(
        "np.save",
        "file, arr, allow_pickle=True",
        None,
        "Write to a file.",
        "",
        outputs=0,
        effects="io",
        gradient=FLAT,
    ),
    *op(
        "np.savetxt",
        "fname, X, fmt='%.18e', delimiter=' '",
        None,
        "Write to a text file.",
        "",
        outputs=0,
        effects="io",
        gradient=FLAT,
    ),
    *op(
        "np.arange",
        "start, stop=None, step=1, dtype=None, *, device=None, like=None",
        _arange,
        "Numbers from start up to stop.",
        "np.arange(0, 10, 3)",
        gradient=(functions.range_start, None, "g * np.arange(r.sizes[0])"),
    ),
    *op(
        "np.linspace",
        "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None",
        _spaced,
        "Numbers at equal distances.",
        "np.linspace(0, 1, 5)",
        outputs=None,
        gradient=Through(functions.evenly),
    ),
    *op(
        "np.logspace",
        "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0",
        _spaced,
        "Numbers at equal ratios, by exponents.",
        "np.logspace(0, 1, 5)",
        gradient=Through(functions.evenly),
    ),
    *op(
        "np.geomspace",
        "start, stop, num=50, endpoint=True, dtype=None, axis=0",
        _spaced,
        "Numbers at equal ratios.",
        "np.geomspace(1, 10, 5)",
        gradient=Through(functions.evenly),
    ),
    *op(
        "np.eye",
        "N, M=None, k=0, dtype=None, order='C', *, device=None, like=None",
        _eye,
        "1 on a diagonal.",
        "np.eye(2, 3)",
        gradient=FLAT,
    ),
    *op(
        "np.identity",
        "n, dtype=None, *, like=None",
        _identity,
        "The identity matrix.",
        "np.identity(2)",
        gradient=FLAT,
    ),
    *op(
        "np.tri",
        "N, M=None, k=0, dtype=None, *, like=None",
        _tri,
        "1 on and below a diagonal.",
        "np.tri(3)",
        gradient=FLAT,
    ),
    *op(
        "np.vander",
        "x, N=None, increasing=False",
        _vander,
        "Powers of x as columns.",
        "np.vander(np.arange(3))",
        gradient=Through(functions.powers),
    ),
    *op(
        "np.indices",
        "dimensions, dtype=None, sparse=False",
        _indices,
        "The indices of a grid.",
        "np.indices((2, 3))",
        gradient=FLAT,
    ),
    *op("np.hanning", "M", _window, "The Hann window.", "np.hanning(5)", gradient=FLAT),
    *op("np.hamming", "M", _window, "The Hamming window.", "np.hamming(5)", gradient=FLAT),
    *op("np.blackman", "M", _window, "The Blackman window.", "np.blackman(5)", gradient=FLAT),
    *op("np.bartlett", "M", _window, "The Bartlett window.", "np.bartlett(5)", gradient=FLAT),
    *op(
        "np.kaiser",
        "M, beta",
        _window,
        "The Kaiser window.",
        "np.kaiser(5, 14)",
        gradient=(None, unknown("the Kaiser window by its beta")),
    ),
]
