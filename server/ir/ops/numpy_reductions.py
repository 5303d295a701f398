"""NumPy's reductions, scans and statistics: over ``axis``, with ``keepdims``."""

from __future__ import annotations

from ..elements import default, real
from ..gradients import functions, reductions, without_nan
from ..gradients.application import FLAT, NoDerivative, Through
from ..opinfo import Arguments, OpInfo, TypeRule, Unknown, op
from ..rules import (
    ElementRule,
    array,
    deviation_element,
    mean_element,
    reduction,
    sum_element,
)
from ..shapes import axis_of, reduced, total
from ..types import ArrayType, Type

_SUM = "a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True"
_MAX = "a, axis=None, out=None, keepdims=False, initial=None, where=True"
_NAN = "a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True"
_MEAN = "a, axis=None, dtype=None, out=None, keepdims=False, *, where=True"
_STD = "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None"
_ARG = "a, axis=None, out=None, *, keepdims=False"
_MEDIAN = "a, axis=None, out=None, overwrite_input=False, keepdims=False"
_QUANTILE = (
    "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, "
    "weights=None"
)


def _scan(element: ElementRule) -> TypeRule:
    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("a")
        axis = args.constant("axis", None)
        wanted = args.element() or element(default(source.element))
        if axis is None:
            return array(wanted, (total(source.sizes),))
        axis_of(axis, max(1, len(source.sizes)))
        return array(wanted, source.sizes or (1,))

    return rule


def _quantile(args: Arguments) -> tuple[Type, ...]:
    source, q = args.array("a"), args.array("q")
    if default(source.element) not in ("f64", "f32", "f16"):
        element = "f64"
    else:
        element = default(source.element)
    if default(q.element) != "f64" and q.element not in ("int",):
        raise Unknown("q")
    if q.sizes and element != "f64":
        element = "f64"
    sizes = reduced(source.sizes, args.constant("axis", None), args.constant("keepdims", False))
    return array(element, q.sizes + sizes)


def _average(args: Arguments) -> tuple[Type, ...]:
    if args.given("weights") or args.constant("returned", False):
        raise Unknown("weights")
    source = args.array("a")
    sizes = reduced(source.sizes, args.constant("axis", None), args.constant("keepdims", False))
    return array(mean_element(default(source.element)), sizes)


def _count(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    if args.constant("axis", None) is None and not args.constant("keepdims", False):
        return array("i64", ())
    sizes = reduced(source.sizes, args.constant("axis", None), args.constant("keepdims", False))
    return array("i64", sizes)


def _diff(args: Arguments) -> tuple[Type, ...]:
    source, n = args.array("a"), args.constant("n", 1)
    if args.given("prepend") or args.given("append"):
        raise Unknown("prepend, append")
    axis = axis_of(args.constant("axis", -1), source.ndim)
    sizes = list(source.sizes)
    size = sizes[axis]
    sizes[axis] = None if size is None else max(size - n, 0)
    return array(default(source.element), tuple(sizes))


def _histogram(args: Arguments) -> tuple[Type, ...]:
    if args.given("weights") or args.given("density"):
        raise Unknown("weights, density")
    bins = args.constant("bins", 10)
    source = args.array("a")
    if not isinstance(bins, int) or source.element not in ("f64", "i64"):
        raise Unknown("bins")
    return (ArrayType("i64", (bins,)), ArrayType("f64", (bins + 1,)))


def _trace(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    if source.ndim < 2:
        raise Unknown("too few dimensions")
    first = axis_of(args.constant("axis1", 0), source.ndim)
    second = axis_of(args.constant("axis2", 1), source.ndim)
    sizes = reduced(source.sizes, (first, second))
    return array(args.element() or sum_element(source.element), sizes)


def _cov(args: Arguments) -> tuple[Type, ...]:
    source = args.array("m")
    if args.given("y") or source.ndim != 2 or args.given("dtype"):
        raise Unknown("y")
    variables = source.sizes[0 if args.constant("rowvar", True) else 1]
    if variables == 1:
        return array(mean_element(_cov_element(source.element)), ())
    if variables is None:
        raise Unknown("number of variables")
    return array(_cov_element(source.element), (variables, variables))


def _cov_element(element: str) -> str:
    return "c128" if element in ("c64", "c128") else "f64"


def _norm(args: Arguments) -> tuple[Type, ...]:
    source = args.array("x")
    sizes = reduced(source.sizes, args.constant("axis", None), args.constant("keepdims", False))
    element = real(mean_element(default(source.element)))
    if args.given("ord"):
        raise Unknown("ord")
    return array(element, sizes)


OPS: list[OpInfo] = [
    *op(
        "np.sum",
        _SUM,
        reduction(sum_element),
        "The sum over axes.",
        "np.sum(np.ones((2, 3)), axis=0)",
        methods=["sum"],
        gradient=(reductions.total,),
    ),
    *op(
        "np.prod",
        _SUM,
        reduction(sum_element),
        "The product over axes.",
        "np.prod(np.ones((2, 3)), axis=0)",
        methods=["prod"],
        gradient=(reductions.product,),
    ),
    *op(
        "np.mean",
        _MEAN,
        reduction(mean_element),
        "The mean over axes.",
        "np.mean(np.ones((2, 3)), axis=0)",
        methods=["mean"],
        gradient=(reductions.mean,),
    ),
    *op(
        "np.std",
        _STD,
        reduction(deviation_element),
        "The standard deviation.",
        "np.std(np.ones((2, 3)), axis=0)",
        methods=["std"],
        gradient=(reductions.deviation,),
    ),
    *op(
        "np.var",
        _STD,
        reduction(deviation_element),
        "The variance.",
        "np.var(np.ones((2, 3)), axis=0)",
        methods=["var"],
        gradient=(reductions.variance,),
    ),
    *op(
        "np.max",
        _MAX,
        reduction(dtype=False, of_none=False),
        "The largest element.",
        "np.max(np.ones((2, 3)), axis=0)",
        methods=["max"],
        gradient=(reductions.extreme,),
    ),
    *op(
        "np.min",
        _MAX,
        reduction(dtype=False, of_none=False),
        "The smallest element.",
        "np.min(np.ones((2, 3)), axis=0)",
        methods=["min"],
        gradient=(reductions.extreme,),
    ),
    *op(
        "np.amax",
        _MAX,
        reduction(dtype=False, of_none=False),
        "As max.",
        "np.amax(np.ones((2, 3)))",
        gradient=(reductions.extreme,),
    ),
    *op(
        "np.amin",
        _MAX,
        reduction(dtype=False, of_none=False),
        "As min.",
        "np.amin(np.ones((2, 3)))",
        gradient=(reductions.extreme,),
    ),
    *op(
        "np.ptp",
        "a, axis=None, out=None, keepdims=False",
        reduction(dtype=False, of_none=False),
        "The largest less the smallest.",
        "np.ptp(np.ones((2, 3)), axis=0)",
        gradient=Through(
            "np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)"
        ),
    ),
    *op(
        "np.all",
        "a, axis=None, out=None, keepdims=False, *, where=True",
        reduction("bool", dtype=False),
        "Whether all are true.",
        "np.all(np.ones((2, 3)), axis=0)",
        methods=["all"],
        gradient=FLAT,
    ),
    *op(
        "np.any",
        "a, axis=None, out=None, keepdims=False, *, where=True",
        reduction("bool", dtype=False),
        "Whether one is true.",
        "np.any(np.ones((2, 3)), axis=0)",
        methods=["any"],
        gradient=FLAT,
    ),
    *op(
        "np.argmax",
        _ARG,
        reduction("i64", dtype=False),
        "Where the largest is.",
        "np.argmax(np.ones((2, 3)), axis=0)",
        methods=["argmax"],
        gradient=FLAT,
    ),
    *op(
        "np.argmin",
        _ARG,
        reduction("i64", dtype=False),
        "Where the smallest is.",
        "np.argmin(np.ones((2, 3)), axis=0)",
        methods=["argmin"],
        gradient=FLAT,
    ),
    *op(
        "np.nansum",
        _NAN,
        reduction(sum_element),
        "The sum without NaN.",
        "np.nansum(np.ones(3))",
        gradient=(reductions.total_but_nan,),
    ),
    *op(
        "np.nanprod",
        _NAN,
        reduction(sum_element),
        "The product without NaN.",
        "np.nanprod(np.ones(3))",
        gradient=Through(without_nan.filled("prod", 1.0)),
    ),
    *op(
        "np.nanmean",
        _MEAN,
        reduction(mean_element),
        "The mean without NaN.",
        "np.nanmean(np.ones(3))",
        gradient=(reductions.mean_but_nan,),
    ),
    *op(
        "np.nanstd",
        _STD,
        reduction(deviation_element),
        "The deviation without NaN.",
        "np.nanstd(np.ones(3))",
        gradient=Through(without_nan.deviation),
    ),
    *op(
        "np.nanvar",
        _STD,
        reduction(deviation_element),
        "The variance without NaN.",
        "np.nanvar(np.ones(3))",
        gradient=Through(without_nan.variance),
    ),
    *op(
        "np.nanmax",
        _MAX,
        reduction(dtype=False, of_none=False),
        "The largest but NaN.",
        "np.nanmax(np.ones(3))",
        gradient=(reductions.extreme,),
    ),
    *op(
        "np.nanmin",
        _MAX,
        reduction(dtype=False, of_none=False),
        "The smallest but NaN.",
        "np.nanmin(np.ones(3))",
        gradient=(reductions.extreme,),
    ),
    *op(
        "np.nanargmax",
        _ARG,
        reduction("i64", dtype=False),
        "Where the largest but NaN is.",
        "np.nanargmax(np.ones(3))",
        gradient=FLAT,
    ),
    *op(
        "np.nanargmin",
        _ARG,
        reduction("i64", dtype=False),
        "Where the smallest but NaN is.",
        "np.nanargmin(np.ones(3))",
        gradient=FLAT,
    ),
    *op(
        "np.median",
        _MEDIAN,
        reduction(mean_element, dtype=False),
        "The middle value.",
        "np.median(np.ones((2, 3)), axis=0)",
        mutates_when=("overwrite_input", True),
        gradient=Through(reductions.middle),
    ),
    *op(
        "np.nanmedian",
        _MEDIAN,
        reduction(mean_element, dtype=False),
        "The middle value without NaN.",
        "np.nanmedian(np.ones(3))",
        mutates_when=("overwrite_input", True),
        gradient=Through(without_nan.median),
    ),
    *op(
        "np.quantile",
        _QUANTILE,
        _quantile,
        "The value below which the part q lies.",
        "np.quantile(np.ones(3), 0.5)",
        mutates_when=("overwrite_input", True),
        gradient=Through(reductions.quantile(1.0)),
    ),
    *op(
        "np.percentile",
        _QUANTILE,
        _quantile,
        "The value below which q percent lie.",
        "np.percentile(np.ones(3), 50)",
        mutates_when=("overwrite_input", True),
        gradient=Through(reductions.quantile(100.0)),
    ),
    *op(
        "np.nanquantile",
        _QUANTILE,
        _quantile,
        "As quantile, without NaN.",
        "np.nanquantile(np.ones(3), 0.5)",
        mutates_when=("overwrite_input", True),
        gradient=Through(without_nan.quantile(1.0)),
    ),
    *op(
        "np.nanpercentile",
        _QUANTILE,
        _quantile,
        "As percentile, without NaN.",
        "np.nanpercentile(np.ones(3), 50)",
        mutates_when=("overwrite_input", True),
        gradient=Through(without_nan.quantile(100.0)),
    ),
    *op(
        "np.average",
        "a, axis=None, weights=None, returned=False, *, keepdims=False",
        _average,
        "The weighted mean.",
        "np.average(np.ones((2, 3)), axis=0)",
        outputs=None,
        gradient=Through(reductions.weighted_mean),
    ),
    *op(
        "np.count_nonzero",
        "a, axis=None, *, keepdims=False",
        _count,
        "How many aren't zero.",
        "np.count_nonzero(np.ones((2, 3)), axis=0)",
        gradient=FLAT,
    ),
    *op(
        "np.cumsum",
        "a, axis=None, dtype=None, out=None",
        _scan(sum_element),
        "Sums of all up to here.",
        "np.cumsum(np.ones(3))",
        methods=["cumsum"],
        gradient=(reductions.scan_of_sums,),
    ),
    *op(
        "np.cumprod",
        "a, axis=None, dtype=None, out=None",
        _scan(sum_element),
        "Products of all up to here.",
        "np.cumprod(np.ones(3))",
        methods=["cumprod"],
        gradient=(reductions.scan_of_products,),
    ),
    *op(
        "np.nancumsum",
        "a, axis=None, dtype=None, out=None",
        _scan(sum_element),
        "As cumsum, without NaN.",
        "np.nancumsum(np.ones(3))",
        gradient=Through(without_nan.filled("cumsum", 0.0)),
    ),
    *op(
        "np.nancumprod",
        "a, axis=None, dtype=None, out=None",
        _scan(sum_element),
        "As cumprod, without NaN.",
        "np.nancumprod(np.ones(3))",
        gradient=Through(without_nan.filled("cumprod", 1.0)),
    ),
    *op(
        "np.diff",
        "a, n=1, axis=-1, prepend=None, append=None",
        _diff,
        "Differences of neighbours.",
        "np.diff(np.arange(3.0))",
        gradient=Through(reductions.differences),
    ),
    *op(
        "np.ediff1d",
        "ary, to_end=None, to_begin=None",
        None,
        "Differences of neighbours, flat.",
        "np.ediff1d(np.arange(3.0))",
        gradient=Through(functions.steps),
    ),
    *op(
        "np.trapezoid",
        "y, x=None, dx=1.0, axis=-1",
        None,
        "The area by the trapezoid rule.",
        "np.trapezoid(np.ones(3))",
        gradient=Through(reductions.area),
    ),
    *op(
        "np.gradient",
        "f, *varargs, axis=None, edge_order=1",
        None,
        "Slopes by central differences.",
        "np.gradient(np.arange(3.0))",
        outputs=None,
        gradient=Through(functions.slopes),
    ),
    *op(
        "np.histogram",
        "a, bins=10, range=None, density=None, weights=None",
        _histogram,
        "How many lie in each bin, and the edges.",
        "np.histogram(np.ones(3))",
        outputs=2,
        gradient=NoDerivative("its edges depend on the data"),
    ),
    *op(
        "np.histogram2d",
        "x, y, bins=10, range=None, density=None, weights=None",
        None,
        "How many lie in each cell.",
        "np.histogram2d(np.ones(3), np.ones(3))",
        outputs=3,
        gradient=NoDerivative("its edges depend on the data"),
    ),
    *op(
        "np.bincount",
        "x, /, weights=None, minlength=0",
        None,
        "How often each number occurs.",
        "np.bincount(np.array([0, 1]))",
        gradient=(None, "g[x]"),
    ),
    *op(
        "np.digitize",
        "x, bins, right=False",
        lambda args: array("i64", args.array("x").sizes),
        "The bin of each.",
        "np.digitize(np.ones(3), np.array([0.0, 2.0]))",
        gradient=FLAT,
    ),
    *op(
        "np.cov",
        "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, "
        "dtype=None",
        _cov,
        "The covariance matrix.",
        "np.cov(np.ones((2, 3)))",
        gradient=Through(reductions.covariance),
    ),
    *op(
        "np.corrcoef",
        "x, y=None, rowvar=True, *, dtype=None",
        None,
        "The correlation matrix.",
        "np.corrcoef(np.eye(3))",
        gradient=Through(reductions.correlation),
    ),
    *op(
        "np.trace",
        "a, offset=0, axis1=0, axis2=1, dtype=None, out=None",
        _trace,
        "The sum of the diagonal.",
        "np.trace(np.ones((2, 3)))",
        methods=["trace"],
        gradient=Through("np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1)"),
    ),
    *op(
        "np.linalg.norm",
        "x, ord=None, axis=None, keepdims=False",
        _norm,
        "The norm of vectors or matrices.",
        "np.linalg.norm(np.ones((2, 3)), axis=0)",
        gradient=Through(reductions.norm),
    ),
]
