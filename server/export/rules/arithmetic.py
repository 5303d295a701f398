"""Elementwise ops that take several operators."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from ...ir.elements import INTS
from ..application import FLOATING, Application
from ..elementwise import computed_in, finish, operands, same
from ..errors import Refused
from ..model import dtype_for
from ..registry import exports

Formula = Callable[..., str]


def _formula(*names: str) -> Callable[[Formula], Formula]:
    """Export ops by a formula of the application, the element type and the operands, which have the
    elements that the op computes in."""

    def register(formula: Formula) -> Formula:
        def rule(x: Application) -> str:
            element = computed_in(x)
            return finish(x, formula(x, element, *operands(x, element)), element)

        exports(*names)(rule)
        return formula

    return register


def _scaled(x: Application, element: str, a: str, factor: float) -> str:
    return x.emit("Mul", a, x.number(factor, element))


@exports("torch.add", "torch.sub")
def added(x: Application) -> str:
    """PyTorch's sums and differences have a factor for the second operand."""
    element, operator = x.result.element, "Add" if "add" in x.node.op.name else "Sub"
    alpha = x.constant("alpha", default=1)
    if alpha == 1:
        return same(x, operator)
    left, right = operands(x, element)
    return x.emit(operator, left, x.emit("Mul", right, x.number(alpha, element)))


@exports("torch.div")
def divided(x: Application) -> str:
    """A quotient, perhaps rounded."""
    rounding = x.constant("rounding_mode")
    if rounding == "floor":
        return floor_divide(x, x.result.element, *operands(x, x.result.element))
    if rounding is not None:
        raise Refused(f"rounding_mode={rounding!r}", "torch.trunc of the quotient")
    return same(x, "Div")


@exports("np.power", "np.pow", "np.float_power", "torch.pow")
def power(x: Application) -> str:
    """Squares, roots and reciprocals have cheaper operators than powers."""
    element = x.result.element
    names = [name for name in ("x1", "x2", "input", "other") if x.given(name)]
    base = x.value(names[0], element)
    exponent = _number(x, names[1])
    if exponent == 2:
        return x.emit("Mul", base, base)
    if exponent == 0.5 and element in FLOATING:
        return x.emit("Sqrt", base)
    if exponent == -1 and element in FLOATING:
        return x.emit("Reciprocal", base)
    return x.emit("Pow", base, x.value(names[1], element))


def _number(x: Application, name: str) -> object:
    try:
        return x.constant(name)
    except Refused:
        return None


@_formula("np.square", "torch.square")
def _square(x: Application, element: str, a: str) -> str:
    return x.emit("Mul", a, a)


@_formula("np.positive")
def _positive(x: Application, element: str, a: str) -> str:
    return a


@_formula("np.cbrt")
def _cbrt(x: Application, element: str, a: str) -> str:
    root = x.emit("Pow", x.emit("Abs", a), x.number(1 / 3, element))
    return x.emit("Mul", x.emit("Sign", a), root)


@_formula("np.exp2", "torch.exp2")
def _exp2(x: Application, element: str, a: str) -> str:
    return x.emit("Pow", x.number(2, element), a)


@_formula("np.expm1", "torch.expm1")
def _expm1(x: Application, element: str, a: str) -> str:
    """tanh(a / 2) (exp(a) + 1) is exact near 0."""
    one = x.emit("Add", x.emit("Exp", a), x.number(1, element))
    half = x.emit("Tanh", _scaled(x, element, a, 0.5))
    small = x.emit("Less", x.emit("Abs", a), x.number(1, element))
    plain = x.emit("Sub", x.emit("Exp", a), x.number(1, element))
    return x.where(small, x.emit("Mul", half, one), plain)


@_formula("np.log1p", "torch.log1p")
def _log1p(x: Application, element: str, a: str) -> str:
    """2 atanh(a / (2 + a)) is exact near 0."""
    ratio = x.emit("Div", a, x.emit("Add", a, x.number(2, element)))
    near = _scaled(x, element, x.emit("Atanh", ratio), 2)
    small = x.emit("Less", x.emit("Abs", a), x.number(0.5, element))
    return x.where(small, near, x.emit("Log", x.emit("Add", a, x.number(1, element))))


def _logarithm(base: float) -> Formula:
    return lambda x, element, a: _scaled(x, element, x.emit("Log", a), 1 / math.log(base))


_formula("np.log2", "torch.log2")(_logarithm(2))
_formula("np.log10", "torch.log10")(_logarithm(10))
_formula("np.deg2rad", "np.radians")(partial(_scaled, factor=math.pi / 180))
_formula("np.rad2deg", "np.degrees")(partial(_scaled, factor=180 / math.pi))


@_formula("np.logaddexp")
def _logaddexp(x: Application, element: str, a: str, b: str) -> str:
    apart = x.emit("Neg", x.emit("Abs", x.emit("Sub", a, b)))
    rest = _log1p(x, element, x.emit("Exp", apart))
    return x.emit("Add", x.emit("Max", a, b), rest)


@_formula("torch.rsqrt")
def _rsqrt(x: Application, element: str, a: str) -> str:
    return x.emit("Reciprocal", x.emit("Sqrt", a))


@_formula("np.hypot")
def _hypot(x: Application, element: str, a: str, b: str) -> str:
    return x.emit("Sqrt", x.emit("Add", x.emit("Mul", a, a), x.emit("Mul", b, b)))


@_formula("np.arctan2", "np.atan2", "torch.atan2")
def _arctan2(x: Application, element: str, y: str, a: str) -> str:
    zero, pi = x.number(0, element), x.number(math.pi, element)
    angle = x.emit("Atan", x.emit("Div", y, a))
    half = x.where(x.emit("Less", y, zero), x.number(-math.pi, element), pi)
    turned = x.where(x.emit("Less", a, zero), x.emit("Add", angle, half), angle)
    nothing = x.emit("And", x.emit("Equal", y, zero), x.emit("Equal", a, zero))
    return x.where(nothing, zero, turned)


@_formula("np.trunc", "torch.trunc")
def _trunc(x: Application, element: str, a: str) -> str:
    if element in INTS:
        return a
    return x.emit("Mul", x.emit("Sign", a), x.emit("Floor", x.emit("Abs", a)))


def _rounded(operator: str) -> Formula:
    """Whole numbers are what they are."""
    return lambda x, element, a: x.emit(operator, a) if element in FLOATING else a


_formula("np.floor", "torch.floor")(_rounded("Floor"))
_formula("np.ceil", "torch.ceil")(_rounded("Ceil"))
_formula("np.rint", "torch.round")(_rounded("Round"))


@_formula("np.absolute", "np.abs", "np.fabs", "torch.abs")
def _absolute(x: Application, element: str, a: str) -> str:
    return a if element == "bool" else x.emit("Abs", a)


@_formula("np.not_equal", "torch.ne")
def _not_equal(x: Application, element: str, a: str, b: str) -> str:
    return x.emit("Xor", a, b) if element == "bool" else x.emit("Not", x.emit("Equal", a, b))


@_formula("np.isfinite", "torch.isfinite")
def _isfinite(x: Application, element: str, a: str) -> str:
    """0 a is NaN for infinities and NaN, and 0 for all else."""
    if element not in FLOATING:
        return x.emit("Equal", a, a)
    return x.emit("Not", x.emit("IsNaN", x.emit("Mul", a, x.number(0, element))))


@_formula("np.isnan", "torch.isnan")
def _isnan(x: Application, element: str, a: str) -> str:
    if element not in FLOATING:
        return x.emit("Xor", x.emit("Equal", a, a), x.number(True, "bool"))
    return x.emit("IsNaN", a)


@_formula("np.isinf")
def _isinf(x: Application, element: str, a: str) -> str:
    if element not in FLOATING:
        return x.emit("Xor", x.emit("Equal", a, a), x.number(True, "bool"))
    return x.emit("Equal", x.emit("Abs", a), x.number(math.inf, element))


@_formula("np.signbit")
def _signbit(x: Application, element: str, a: str) -> str:
    """1 / -0 is below 0 as well."""
    zero, one = x.number(0, element), x.number(1, element)
    below = x.emit("Less", x.emit("Div", one, a), zero)
    return x.emit("Or", x.emit("Less", a, zero), below)


@_formula("np.copysign")
def _copysign(x: Application, element: str, a: str, b: str) -> str:
    size = x.emit("Abs", a)
    return x.where(_signbit(x, element, b), x.emit("Neg", size), size)


@_formula("np.heaviside")
def _heaviside(x: Application, element: str, a: str, at_zero: str) -> str:
    zero = x.number(0, element)
    above = x.cast(x.emit("Greater", a, zero), "bool", element)
    return x.where(x.emit("Equal", a, zero), at_zero, above)


def _ignoring_nan(operator: str) -> Formula:
    def formula(x: Application, element: str, a: str, b: str) -> str:
        if element not in FLOATING:
            return x.emit(operator, a, b)
        first = x.where(x.emit("IsNaN", a), b, a)
        return x.emit(operator, first, x.where(x.emit("IsNaN", b), first, b))

    return formula


_formula("np.fmax")(_ignoring_nan("Max"))
_formula("np.fmin")(_ignoring_nan("Min"))


@_formula("np.remainder", "np.mod", "torch.remainder")
def _remainder(x: Application, element: str, a: str, b: str) -> str:
    """Has the sign of the divisor; ONNX has that for whole numbers alone."""
    if element in INTS:
        return x.emit("Mod", a, b)
    zero = x.number(0, element)
    rest = x.emit("Mod", a, b, fmod=1)
    signs = x.emit("Xor", x.emit("Less", rest, zero), x.emit("Less", b, zero))
    apart = x.emit("And", signs, x.emit("Not", x.emit("Equal", rest, zero)))
    return x.where(apart, x.emit("Add", rest, b), rest)


@_formula("np.fmod", "torch.fmod")
def _fmod(x: Application, element: str, a: str, b: str) -> str:
    return x.emit("Mod", a, b, fmod=1)


@_formula("np.floor_divide", "torch.floor_divide")
def floor_divide(x: Application, element: str, a: str, b: str) -> str:
    """The quotient rounded down: without the remainder, it goes up."""
    if element in FLOATING:
        return x.emit("Floor", x.emit("Div", a, b))
    return x.emit("Div", x.emit("Sub", a, x.emit("Mod", a, b)), b)


def _bits(numbers: str, truth: str) -> Formula:
    return lambda x, element, *values: x.emit(truth if element == "bool" else numbers, *values)


_formula("np.bitwise_and", "torch.bitwise_and")(_bits("BitwiseAnd", "And"))
_formula("np.bitwise_or", "torch.bitwise_or")(_bits("BitwiseOr", "Or"))
_formula("np.bitwise_xor", "torch.bitwise_xor")(_bits("BitwiseXor", "Xor"))
_formula("np.invert", "np.bitwise_not", "np.bitwise_invert", "torch.bitwise_not")(
    _bits("BitwiseNot", "Not")
)


@exports("np.clip", "torch.clamp")
def clip(x: Application) -> str:
    """Bounds may be arrays; ``Clip`` takes numbers alone."""
    element = x.result.element
    low, high = x.first("a_min", "min"), x.first("a_max", "max")
    value = x.value(x.first("a", "input"), element)
    bounds = [x.value(name, element) for name in (low, high)]
    single = all(not x.given(name) or x.array(name).ndim == 0 for name in (low, high))
    if single and element in (*FLOATING, *INTS):
        return x.emit("Clip", value, *bounds)
    for operator, bound in zip(("Max", "Min"), bounds, strict=True):
        value = x.emit(operator, value, bound) if bound else value
    return value


@exports("np.where", "torch.where")
def where(x: Application) -> str:
    """Elements of one of two arrays."""
    yes, no = ("input", "other") if x.torch else ("x", "y")
    if not x.given(yes):
        raise Refused("without two arrays to choose from", "np.nonzero")
    element = x.result.element
    condition = x.truth("condition")
    return x.where(condition, x.value(yes, element), x.value(no, element))


@exports("torch.masked_fill")
def masked_fill(x: Application) -> str:
    """A value where a mask holds."""
    element = x.result.element
    return x.where(x.truth("mask"), x.value("value", element), x.value("input", element))


@exports("np.nan_to_num")
def nan_to_num(x: Application) -> str:
    """NaN and infinities replaced."""
    element = x.result.element
    value = x.value("x", element)
    if element not in FLOATING:
        return value
    most = float(np.finfo(dtype_for(element)).max)
    for test, name, standing in (
        (x.emit("IsNaN", value), "nan", 0.0),
        (x.emit("Equal", value, x.number(math.inf, element)), "posinf", most),
        (x.emit("Equal", value, x.number(-math.inf, element)), "neginf", -most),
    ):
        number = x.constant(name, default=standing)
        value = x.where(test, x.number(number, element), value)
    return value


@exports("np.round", "np.around", "np.ndarray.round")
def rounded(x: Application) -> str:
    """To so many decimals, ties to even."""
    element, decimals = x.result.element, x.constant("decimals", default=0)
    value = x.value("a", element)
    if element not in FLOATING:
        if decimals < 0:
            raise Refused("whole numbers rounded to tens")
        return value
    if not decimals:
        return x.emit("Round", value)
    scale = x.number(10.0**decimals, element)
    return x.emit("Div", x.emit("Round", x.emit("Mul", value, scale)), scale)
