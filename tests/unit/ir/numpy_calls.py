"""Random calls of NumPy functions: for each op, arguments that mostly make sense."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from jit_lsp.ir import registry
from jit_lsp.ir.elements import FLOATS, INTS, NUMBERS
from jit_lsp.ir.interpreter import dtype_of

Call = tuple[tuple[Any, ...], dict[str, Any]]


class Draw:
    """Random arguments from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shape(self, least: int = 0, most: int = 3) -> tuple[int, ...]:
        return tuple(
            self.random.choice((0, 1, 1, 2, 3, 4)) for _ in range(self.random.randint(least, most))
        )

    def full(self, least: int = 0, most: int = 3) -> tuple[int, ...]:
        return tuple(self.random.randint(1, 4) for _ in range(self.random.randint(least, most)))

    def of(self, shape: tuple[int, ...], elements: tuple[str, ...] = NUMBERS) -> Any:
        element = self.random.choice(elements)
        count = int(np.prod(shape))
        numbers = [self.random.choice((1, 2, 3, 5)) for _ in range(count)]
        return np.array(numbers).reshape(shape).astype(dtype_of(element))

    def array(self, least: int = 0, most: int = 3, elements: tuple[str, ...] = NUMBERS) -> Any:
        return self.of(self.shape(least, most), elements)

    def scalar(self) -> Any:
        return self.random.choice((True, 2, 3, 0.5, 2j))

    def operands(self, count: int) -> tuple[Any, ...]:
        """Arrays that broadcast, most of the time, and sometimes a Python scalar."""
        shape = self.shape()
        items: list[Any] = []
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.15:
                items.append(self.scalar())
            elif kind < 0.25:
                items.append(self.array())
            else:
                own = tuple(1 if self.random.random() < 0.3 else size for size in shape)
                items.append(self.of(own[self.random.randint(0, len(own)) :]))
        return tuple(items)

    def axis(self, ndim: int) -> int:
        return self.random.randint(-ndim, ndim - 1) if ndim else 0

    def axes(self, ndim: int) -> Any:
        kind = self.random.random()
        if not ndim:
            return self.random.choice((None, 0, -1, (0,)))
        if kind < 0.3:
            return None
        if kind < 0.7:
            return self.axis(ndim)
        return tuple(self.random.sample(range(ndim), self.random.randint(0, ndim)))

    def maybe(self, **keywords: Any) -> dict[str, Any]:
        return {name: v for name, v in keywords.items() if self.random.random() < 0.4}

    def index(self, shape: tuple[int, ...]) -> Any:
        parts: list[Any] = []
        for size in shape[: self.random.randint(0, len(shape))]:
            kind = self.random.random()
            if kind < 0.35:
                cut = [self.random.choice((None, -3, -1, 0, 1, 2, 5)) for _ in range(2)]
                parts.append(slice(*cut, self.random.choice((None, 1, 2, -1))))
            elif kind < 0.6:
                parts.append(self.random.randint(-size, max(size - 1, 0)))
            elif kind < 0.75 and size:
                parts.append(self.of_indices(size))
            elif kind < 0.85:
                parts.append(np.array([self.random.random() < 0.5 for _ in range(size)], bool))
            else:
                parts.append(slice(None))
            if self.random.random() < 0.1:
                parts.append(None)
        if self.random.random() < 0.2:
            parts.insert(self.random.randint(0, len(parts)), ...)
        return parts[0] if len(parts) == 1 and self.random.random() < 0.5 else tuple(parts)

    def of_indices(self, size: int) -> Any:
        count = self.random.choice((1, 2, 2))
        indices = [self.random.randrange(size) for _ in range(count)]
        return indices if self.random.random() < 0.4 else np.array(indices)

    def matrix(self, square: bool = False, elements: tuple[str, ...] = (*INTS, *FLOATS)) -> Any:
        m, n = self.random.randint(1, 4), self.random.randint(1, 4)
        a = self.of((*self.shape(0, 1), m, m if square else n), elements)
        if square:  # well conditioned and symmetric
            a = np.broadcast_to(np.eye(m) * 8 + 1, a.shape).astype(a.dtype)
        return a


def _reduce(draw: Draw, *, single: bool = False, full: bool = False, **keywords: Any) -> Call:
    a = draw.of(draw.full()) if full else draw.array()
    axis = draw.random.choice((None, draw.axis(a.ndim))) if single else draw.axes(a.ndim)
    return (a,), {**draw.maybe(axis=axis), **draw.maybe(**keywords)}


def _keep(draw: Draw) -> Call:
    return _reduce(draw, keepdims=True)


def _keep_dtype(draw: Draw) -> Call:
    return _reduce(draw, keepdims=True, dtype="f64")


def _arg(draw: Draw) -> Call:
    return _reduce(draw, single=True, full=True, keepdims=True)


def _shape_of(draw: Draw, a: Any) -> tuple[int, ...]:
    options = {(a.size,), (-1,), (1, a.size), (a.size, 1), a.shape[::-1], (2, -1), (3, -1)}
    return draw.random.choice(sorted(options))


def _list(draw: Draw, least: int = 0) -> list[Any]:
    shape = draw.shape(least, 2)
    return [
        draw.of(shape if draw.random.random() < 0.9 else draw.shape(least, 2))
        for _ in range(draw.random.randint(1, 3))
    ]


def _join_list(draw: Draw) -> Call:
    axis = draw.random.choice((0, 0, 1, -1, None))
    shape = draw.shape(1, 3)
    items = []
    for _ in range(draw.random.randint(1, 3)):
        own = list(shape)
        if axis is not None and -len(own) <= axis < len(own):
            own[axis] = draw.random.randint(0, 3)
        items.append(draw.of(tuple(own)))
    return (items,), {"axis": axis}


def _with(a: Any, *rest: Any, **keywords: Any) -> Call:
    return (a, *rest), keywords


def _along(draw: Draw, *rest: Any, full: bool = False) -> Call:
    a = draw.of(draw.full(1)) if full else draw.array()
    return (a, *rest), draw.maybe(axis=draw.axis(a.ndim))


def _fft(draw: Draw) -> Call:
    a = draw.of(draw.full(1), (*INTS, "f32", "f64", "c64", "c128"))
    return (a,), draw.maybe(axis=draw.axis(a.ndim), n=draw.random.randint(1, 5))


def _take(draw: Draw) -> Call:
    a = draw.of(draw.full(1))
    axis = draw.random.choice((None, draw.axis(a.ndim)))
    size = a.size if axis is None else a.shape[axis]
    return (a, draw.of_indices(size)), {"axis": axis}


def _take_along(draw: Draw) -> Call:
    a = draw.of(draw.full(1))
    axis = draw.axis(a.ndim)
    return (a, np.argsort(a, axis=axis)), {"axis": axis}


def _getitem(draw: Draw) -> Call:
    a = draw.array()
    return (a, draw.index(a.shape)), {}


def _matmul(draw: Draw) -> Call:
    m, k, n = draw.full(3, 3)
    batch = draw.shape(0, 1)
    a = draw.of((*batch, m, k)[draw.random.choice((0, 0, 0, len(batch) + 1)) :])
    b = draw.of((*(batch if draw.random.random() < 0.5 else ()), k, n))
    if draw.random.random() < 0.2:
        b = draw.of((k,))
    if draw.random.random() < 0.1:
        b = draw.array()
    return (a, b), {}


def _solve(draw: Draw) -> Call:
    a = draw.matrix(square=True)
    return (a, draw.of(draw.random.choice([(a.shape[-1],), (a.shape[-1], 2)]), FLOATS)), {}


def _einsum(draw: Draw) -> Call:
    i, j, k = draw.full(3, 3)
    return draw.random.choice(
        [
            (("ij,jk->ik", draw.of((i, j)), draw.of((j, k))), {}),
            (("ij,jk", draw.of((i, j)), draw.of((j, k))), {}),
            (("ii->i", draw.of((i, i))), {}),
            (("ij->", draw.of((i, j))), {}),
            (("i,j->ij", draw.of((i,)), draw.of((j,))), {}),
        ]
    )


def _tensordot(draw: Draw) -> Call:
    i, j, k = draw.full(3, 3)
    return draw.random.choice(
        [
            ((draw.of((i, j)), draw.of((j, k))), {"axes": 1}),
            ((draw.of((i, j)), draw.of((i, j))), {"axes": 2}),
            ((draw.of((i, j, k)), draw.of((k, i))), {"axes": ([0, 2], [1, 0])}),
            ((draw.of((i,)), draw.of((k,))), {"axes": 0}),
        ]
    )


def _filled(draw: Draw, *rest: Any) -> Call:
    shape: Any = draw.random.choice((draw.shape(), draw.random.randint(0, 3)))
    return (shape, *rest), draw.maybe(dtype=draw.random.choice(NUMBERS))


def _like(draw: Draw, *rest: Any) -> Call:
    return (draw.array(), *rest), draw.maybe(dtype="f32", shape=(2, 3))


def _as_array(draw: Draw) -> Call:
    what: Any = draw.random.choice((draw.array(), [1, 2], [1.0, 2], [[True], [False]], 3, 0.5, []))
    return (what,), draw.maybe(dtype="f32")


def _window(draw: Draw, *rest: Any) -> Call:
    return (draw.random.randint(1, 6), *rest), {}


def _rows(draw: Draw) -> Call:
    m, n = draw.full(2, 2)
    return (draw.of((m, n), FLOATS),), {}


def _set(draw: Draw) -> Call:
    return (draw.array(1, 1), draw.array(1, 1)), {}


def _flat_pair(draw: Draw) -> Call:
    return (draw.of(draw.full(1, 1)), draw.of(draw.full(1, 1))), draw.maybe(
        mode=draw.random.choice(("full", "same", "valid"))
    )


def _drawn(*parameters: Any) -> Callable[[Draw], Call]:
    def call(draw: Draw) -> Call:
        return parameters, {"size": draw.random.choice((draw.shape(), 3))}

    return call


def _split(draw: Draw, ndim: int = 1) -> Call:
    a = draw.of(draw.full(ndim, 3))
    return (a, draw.random.choice((1, 2, [1], [1, 2], [0, 5]))), {}


CALLS: dict[str, Callable[[Draw], Call]] = {
    **dict.fromkeys(("sum", "prod", "nansum", "nanprod", "mean", "nanmean"), _keep_dtype),
    **dict.fromkeys(
        [
            "std",
            "var",
            "max",
            "min",
            "amax",
            "amin",
            "ptp",
            "all",
            "any",
            "nanstd",
            "nanvar",
            "nanmax",
            "nanmin",
            "median",
            "nanmedian",
            "average",
            "count_nonzero",
            "linalg.norm",
        ],
        _keep,
    ),
    **dict.fromkeys(("argmax", "argmin", "nanargmax", "nanargmin"), _arg),
    **dict.fromkeys(
        ("cumsum", "cumprod", "nancumsum", "nancumprod"),
        lambda d: _reduce(d, single=True, dtype="f64"),
    ),
    "quantile": lambda d: _with(d.of(d.full(), FLOATS), 0.5, **d.maybe(keepdims=True)),
    "percentile": lambda d: _with(d.of(d.full(), FLOATS), [25.0, 75.0], **d.maybe(axis=0)),
    "nanquantile": lambda d: _with(d.of(d.full(), FLOATS), 0.5),
    "nanpercentile": lambda d: _with(d.of(d.full(), FLOATS), 50),
    "diff": lambda d: _with(d.array(), **d.maybe(n=d.random.randint(1, 3), axis=-1)),
    "histogram": lambda d: _with(d.array(elements=("f64", "i64")), **d.maybe(bins=5)),
    "digitize": lambda d: _with(d.array(elements=FLOATS), np.array([0.0, 2.0])),
    "cov": lambda d: _with(d.of(d.full(2, 2), (*INTS, *FLOATS)), **d.maybe(rowvar=False)),
    "trace": lambda d: _with(d.array(2, 3)),
    "reshape": lambda d: (lambda a: _with(a, _shape_of(d, a)))(d.array()),
    "ndarray.reshape": lambda d: (lambda a: _with(a, *_shape_of(d, a)))(d.array()),
    "transpose": lambda d: _with(d.of((2, 3, 4)), d.random.choice((None, (1, 0, 2), (-1, 0, 1)))),
    "permute_dims": lambda d: _with(d.array(3, 3), (1, 0, 2)),
    "ndarray.transpose": lambda d: _with(
        d.array(3, 3), *d.random.choice(((), (1, 0, 2), ((2, 1, 0),)))
    ),
    "matrix_transpose": lambda d: _with(d.array(2, 3)),
    "ndarray.mT": lambda d: _with(d.array(2, 3)),
    "swapaxes": lambda d: _with(d.array(2, 3), 0, -1),
    "moveaxis": lambda d: _with(d.array(3, 3), *d.random.choice(((0, -1), ([0, 1], [-1, 0])))),
    "squeeze": lambda d: _with(d.array(), **d.maybe(axis=0)),
    "expand_dims": lambda d: _with(d.array(), d.random.choice((0, -1, (0, 1)))),
    "flip": lambda d: _along(d),
    "fliplr": lambda d: _with(d.array(2)),
    "flipud": lambda d: _with(d.array(1)),
    "rot90": lambda d: _with(d.array(2), **d.maybe(k=d.random.randint(0, 3))),
    "roll": lambda d: _along(d, 1),
    "broadcast_to": lambda d: _with(d.of((3, 1)), d.random.choice(((3, 4), (2, 3, 1), (4, 3)))),
    "broadcast_arrays": lambda d: (d.operands(2), {}),
    "concatenate": _join_list,
    "concat": _join_list,
    "stack": lambda d: _with(_list(d), **d.maybe(axis=-1)),
    "vstack": lambda d: _with(_list(d)),
    "hstack": lambda d: _with(_list(d, 1)),
    "dstack": lambda d: _with(_list(d)),
    "column_stack": lambda d: _with(_list(d, 1)),
    "split": _split,
    "array_split": _split,
    "vsplit": lambda d: _split(d, 2),
    "hsplit": _split,
    "dsplit": lambda d: _split(d, 3),
    "repeat": lambda d: _with(d.of((2, 3)), d.random.choice((2, [1, 2])), **d.maybe(axis=0)),
    "tile": lambda d: _with(d.array(), d.random.choice((2, (2, 3), (1, 2, 2)))),
    "pad": lambda d: _with(d.of(d.full(2, 2)), d.random.choice((1, (1, 2), ((1, 2), (0, 3))))),
    "resize": lambda d: _with(d.of(d.full()), (2, 3)),
    "append": lambda d: (lambda a: _with(a, a, **d.maybe(axis=0)))(d.array()),
    "insert": lambda d: _with(d.of(d.full(1)), 0, 1, **d.maybe(axis=0)),
    "delete": lambda d: _with(d.of(d.full(1)), 0, **d.maybe(axis=0)),
    "diagonal": lambda d: _with(d.array(2, 3), **d.maybe(offset=d.random.randint(-2, 2))),
    "diag": lambda d: _with(d.array(1, 2), **d.maybe(k=d.random.randint(-2, 2))),
    "diagflat": lambda d: _with(d.array(), **d.maybe(k=d.random.randint(-2, 2))),
    "tril": lambda d: _with(d.array(1)),
    "triu": lambda d: _with(d.array(1)),
    "astype": lambda d: _with(d.array(elements=(*INTS, *FLOATS)), dtype=d.random.choice(NUMBERS)),
    "ix_": lambda d: (tuple(d.array(1, 1, elements=INTS) for _ in range(2)), {}),
    "meshgrid": lambda d: (tuple(d.array(1, 1) for _ in range(2)), d.maybe(indexing="ij")),
    **dict.fromkeys(("zeros", "ones", "empty"), _filled),
    "full": lambda d: _filled(d, d.random.choice((1, 0.5, True))),
    **dict.fromkeys(("zeros_like", "ones_like", "empty_like"), _like),
    "full_like": lambda d: _like(d, 1),
    **dict.fromkeys(
        ("array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray"), _as_array
    ),
    "arange": lambda d: (
        d.random.choice(((5,), (1, 5), (0, 1, 0.25), (5, 0, -2), (3, 0), (2.5,)))
        and _with(*d.random.choice(((5,), (1, 5), (0, 1, 0.25), (5, 0, -2), (3, 0), (2.5,))))
    ),
    "linspace": lambda d: _with(0, d.random.choice((1, 1.0, 2j)), **d.maybe(num=5)),
    "logspace": lambda d: _with(0, 1, **d.maybe(num=5)),
    "geomspace": lambda d: _with(1, 8, **d.maybe(num=5)),
    "eye": lambda d: _with(3, **d.maybe(M=4, dtype="i32")),
    "identity": lambda d: _with(3, **d.maybe(dtype="i32")),
    "tri": lambda d: _with(3, **d.maybe(M=4, dtype="i32")),
    "vander": lambda d: _with(d.array(1, 1), **d.maybe(N=4)),
    "indices": lambda d: _with((2, 3), **d.maybe(dtype="f32")),
    **dict.fromkeys(("hanning", "hamming", "blackman", "bartlett"), _window),
    "kaiser": lambda d: _window(d, 14),
    "getitem": _getitem,
    "take": _take,
    "take_along_axis": _take_along,
    "compress": lambda d: _with([True, False], d.of((2, 2)), **d.maybe(axis=0)),
    "extract": lambda d: (lambda a: _with(a.astype(bool), a))(d.array()),
    "where": lambda d: (d.operands(d.random.choice((1, 3, 3))), {}),
    "clip": lambda d: _with(d.array(elements=FLOATS), 0, d.random.choice((1, 0.5, np.float64(1)))),
    "ndarray.clip": lambda d: _with(d.array(elements=FLOATS), 0, 1.0),
    "choose": lambda d: _with(np.array([0, 1]), [d.of((2,)), d.of((2,))]),
    "ndarray.tobytes": lambda d: _with(d.array()),
    **dict.fromkeys(("nonzero", "argwhere", "flatnonzero"), lambda d: _with(d.array())),
    "sort": _along,
    "argsort": _along,
    "partition": lambda d: _along(d, 0, full=True),
    "argpartition": lambda d: _along(d, 0, full=True),
    "searchsorted": lambda d: _with(np.arange(4), d.array(elements=INTS)),
    "unique": lambda d: _with(d.array()),
    **dict.fromkeys(("intersect1d", "union1d", "setdiff1d", "setxor1d"), _set),
    "isin": lambda d: _with(d.array(), d.array()),
    "round": lambda d: _with(d.array(), **d.maybe(decimals=1)),
    "around": lambda d: _with(d.array(), **d.maybe(decimals=1)),
    "nan_to_num": lambda d: _with(d.array()),
    "interp": lambda d: _with(d.array(elements=FLOATS), [0.0, 2.0], [0.0, 1.0]),
    "convolve": _flat_pair,
    "correlate": _flat_pair,
    **dict.fromkeys(("isclose", "allclose"), lambda d: (d.operands(2), {})),
    **dict.fromkeys(
        ("array_equal", "shares_memory", "may_share_memory"), lambda d: (d.operands(2), {})
    ),
    "ndarray.byteswap": lambda d: _with(d.array()),
    "matmul": _matmul,
    "dot": _matmul,
    "vdot": lambda d: (lambda a: _with(a, d.of(a.shape)))(d.array()),
    "inner": lambda d: (lambda a: _with(a, d.of(a.shape)))(d.array()),
    "outer": lambda d: _with(d.array(), d.array()),
    "kron": lambda d: _with(d.array(1), d.array(1)),
    "tensordot": _tensordot,
    "einsum": _einsum,
    "cross": lambda d: _with(d.of((2, 3), FLOATS), d.of((3,), FLOATS)),
    **dict.fromkeys(
        [
            "linalg.inv",
            "linalg.det",
            "linalg.slogdet",
            "linalg.cholesky",
            "linalg.eigh",
            "linalg.eigvalsh",
        ],
        lambda d: _with(d.matrix(square=True)),
    ),
    "linalg.pinv": lambda d: _with(d.matrix()),
    "linalg.solve": _solve,
    "linalg.qr": lambda d: _with(d.matrix(), **d.maybe(mode=d.random.choice(("complete", "r")))),
    "linalg.svd": lambda d: _with(d.matrix(), **d.maybe(full_matrices=False, compute_uv=False)),
    "linalg.matrix_power": lambda d: _with(d.matrix(square=True), d.random.randint(0, 3)),
    "linalg.matrix_rank": lambda d: _with(d.matrix(elements=("f32", "f64"))),
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft"), _fft),
    **dict.fromkeys(
        ("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn"),
        lambda d: _with(d.of(d.full(2), ("i64", "f32", "f64", "c64"))),
    ),
    **dict.fromkeys(("fft.fftshift", "fft.ifftshift"), lambda d: _with(d.array())),
    **dict.fromkeys(("fft.fftfreq", "fft.rfftfreq"), _window),
    "random.rand": lambda d: (d.full(1), {}),
    "random.randn": lambda d: (d.full(1), {}),
    "random.randint": lambda d: _with(3, size=d.shape()),
    **dict.fromkeys(
        [
            "random.random_sample",
            "random.random",
            "random.uniform",
            "random.normal",
            "random.standard_normal",
            "random.exponential",
            "random.poisson",
            "random.laplace",
            "random.lognormal",
        ],
        _drawn(),
    ),
    "random.integers": lambda d: _with(3, size=d.shape()),
    "random.binomial": _drawn(3, 0.5),
    "random.beta": _drawn(1, 1),
    "random.gamma": _drawn(1.0),
    "random.geometric": _drawn(0.5),
    "random.choice": lambda d: _with(d.random.choice((3, d.of((3,)))), d.shape()),
    "random.permutation": lambda d: _with(d.random.choice((3, d.of((3, 2))))),
    "random.permuted": lambda d: _with(d.of((3, 2))),
}


def call_for(name: str) -> Callable[[Draw], Call] | None:
    """How to call ``np.<name>`` at random; ufuncs by their arity, methods as their functions."""
    if name in CALLS:
        return CALLS[name]
    found = getattr(np, name, None)
    if isinstance(found, np.ufunc):
        return lambda draw: (draw.operands(found.nin), {})
    if name.startswith("random.Generator."):
        function = call_for("random." + name.removeprefix("random.Generator."))
        if function is None:
            return None

        def with_generator(draw: Draw) -> Call:
            args, keywords = function(draw)
            return (np.random.default_rng(0), *args), keywords

        return with_generator
    if name.startswith("ndarray."):
        return call_for(name.removeprefix("ndarray.")) or (lambda draw: ((draw.array(),), {}))
    if name in ("real", "imag", "copy", "ravel", *(f"atleast_{n}d" for n in (1, 2, 3))):
        return lambda draw: ((draw.array(),), {})
    return None


CHECKED = [
    info
    for symbol, info in registry.all_ops().items()
    if symbol.namespace == "np" and info.type_rule is not None and info.outputs != 0
]
