"""NumPy's universal functions: elementwise, broadcasting, each computing in one of its loops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..elements import BOOL, COMPLEX, FLOATS, INTS, NUMBERS, real
from ..gradients.application import FLAT, Application, conj, is_complex
from ..opinfo import OpInfo, op
from ..rules import elementwise
from ..symbol import Symbol

_MORE = "out=None, *, where=True, dtype=None"


def _unary(
    name: str, loops: tuple[str, ...], sentence: str, *results: Any, **more: Any
) -> list[OpInfo]:
    rule = elementwise(["x"], loops, *results, bools=more.pop("bools", True))
    example = more.pop("example", f"np.{name}(np.array([0.5, 0.25]))")
    return op(f"np.{name}", f"x, {_MORE}", rule, sentence, example, fusible=True, **more)


def _binary(
    name: str, loops: tuple[str, ...], sentence: str, *results: Any, **more: Any
) -> list[OpInfo]:
    how = {name: more.pop(name) for name in ("whole", "bools") if name in more}
    rule = elementwise(["x1", "x2"], loops, *results, **how)
    example = more.pop("example", f"np.{name}(np.array([3.0, 4.0]), 2.0)")
    return op(f"np.{name}", f"x1, x2, {_MORE}", rule, sentence, example, fusible=True, **more)


def _sign(at: Application) -> Any:
    """Of complex numbers it is the direction, which changes."""
    if not is_complex(at["x"]):
        return None
    np, z, g = at.np, at["x"], at.g
    size = np.absolute(z)
    return (g - np.real(g * z) * conj(z) / (size * size)) / size


_FC = FLOATS + COMPLEX
_WHOLE = INTS + FLOATS
_ARITHMETIC = INTS + FLOATS + COMPLEX
_BITS = BOOL + INTS
_INT_EXAMPLE: dict[str, Any] = {"example": "np.{}(np.array([6, 4]), 3)"}


def _bits(name: str, sentence: str, loops: tuple[str, ...] = _BITS) -> list[OpInfo]:
    return _binary(
        name,
        loops,
        sentence,
        inplace=True,
        example=f"np.{name}(np.array([6, 4]), 3)",
        gradient=FLAT,
    )


_NAMED: list[OpInfo] = [
    # arithmetic
    *_binary("add", NUMBERS, "The sum.", inplace=True, gradient=("g", "g"), export="Add"),
    *_binary(
        "subtract",
        _ARITHMETIC,
        "The difference.",
        inplace=True,
        bools=False,
        gradient=("g", "-g"),
        export="Sub",
    ),
    *_binary(
        "multiply",
        NUMBERS,
        "The product of elements.",
        inplace=True,
        gradient=("g * x2", "g * x1"),
        export="Mul",
    ),
    *_binary(
        "divide",
        _FC,
        "The quotient; whole numbers are divided as f64.",
        whole="f64",
        inplace=True,
        gradient=("g / x2", "-g * r / x2"),
        export="Div",
    ),
    *_binary(
        "floor_divide",
        _WHOLE,
        "The quotient rounded down.",
        inplace=True,
        gradient=(None, None),
    ),
    *_binary(
        "remainder",
        _WHOLE,
        "The remainder with the sign of the divisor.",
        inplace=True,
        gradient=("g", "-g * np.floor_divide(x1, x2)"),
    ),
    *_binary(
        "fmod",
        _WHOLE,
        "The remainder with the sign of the dividend.",
        gradient=("g", "-g * np.trunc(x1 / x2)"),
    ),
    *_binary(
        "divmod",
        _WHOLE,
        "Quotient and remainder at once.",
        None,
        None,
        outputs=2,
        gradient=("gs[1]", "-gs[1] * np.floor_divide(x1, x2)"),
    ),
    *_binary(
        "power",
        _ARITHMETIC,
        "x1 to the power of x2.",
        inplace=True,
        gradient=("g * x2 * x1 ** (x2 - 1)", "g * r * np.log(x1)"),
    ),
    *_binary(
        "float_power",
        ("f64", "c128"),
        "x1 to the power of x2, at least in f64.",
        gradient=("g * x2 * x1 ** (x2 - 1)", "g * r * np.log(x1)"),
    ),
    *_unary(
        "negative", _ARITHMETIC, "The other sign.", gradient=("-g",), export="Neg", bools=False
    ),
    *_unary("positive", _ARITHMETIC, "A copy with the same sign.", gradient=("g",), bools=False),
    *_unary(
        "absolute",
        NUMBERS,
        "Without the sign; the modulus of complex numbers.",
        real,
        gradient=("g * conj(np.sign(x))",),
    ),
    *_unary(
        "fabs",
        FLOATS,
        "Without the sign, in floating point.",
        gradient=("g * np.sign(x)",),
    ),
    *_unary(
        "sign",
        _ARITHMETIC,
        "-1, 0 or 1.",
        export="Sign",
        bools=False,
        gradient=(_sign,),
    ),
    *_unary("square", _ARITHMETIC, "The square.", gradient=("g * 2 * x",)),
    *_unary("reciprocal", _ARITHMETIC, "1 / x.", gradient=("-g * r * r",), export="Reciprocal"),
    *_unary(
        "conjugate",
        _ARITHMETIC,
        "The imaginary part with the other sign.",
        gradient=("conj(g)",),
    ),
    *_binary(
        "gcd",
        INTS,
        "The greatest common divisor.",
        example="np.gcd(np.array([6, 4]), 3)",
        bools=False,
        gradient=FLAT,
    ),
    *_binary(
        "lcm",
        INTS,
        "The least common multiple.",
        example="np.lcm(np.array([6, 4]), 3)",
        bools=False,
        gradient=FLAT,
    ),
    # roots, exponentials, logarithms
    *_unary("sqrt", _FC, "The square root.", gradient=("g / (2 * r)",), export="Sqrt"),
    *_unary("cbrt", FLOATS, "The cube root.", gradient=("g / (3 * r * r)",)),
    *_unary("exp", _FC, "e to the power of x.", gradient=("g * r",), export="Exp"),
    *_unary("exp2", _FC, "2 to the power of x.", gradient=("g * r * math.log(2)",)),
    *_unary("expm1", _FC, "exp(x) - 1, exact near 0.", gradient=("g * (r + 1)",)),
    *_unary("log", _FC, "The natural logarithm.", gradient=("g / x",), export="Log"),
    *_unary("log2", _FC, "The logarithm to base 2.", gradient=("g / (x * math.log(2))",)),
    *_unary("log10", _FC, "The logarithm to base 10.", gradient=("g / (x * math.log(10))",)),
    *_unary("log1p", _FC, "log(1 + x), exact near 0.", gradient=("g / (1 + x)",)),
    *_binary(
        "logaddexp",
        FLOATS,
        "log(exp(x1) + exp(x2)) without overflow.",
        gradient=("g * np.exp(x1 - r)", "g * np.exp(x2 - r)"),
    ),
    *_binary(
        "logaddexp2",
        FLOATS,
        "log2(2**x1 + 2**x2) without overflow.",
        gradient=("g * np.exp2(x1 - r)", "g * np.exp2(x2 - r)"),
    ),
    # trigonometry
    *_unary(
        "sin", _FC, "The sine of an angle in radians.", gradient=("g * np.cos(x)",), export="Sin"
    ),
    *_unary("cos", _FC, "The cosine.", gradient=("-g * np.sin(x)",), export="Cos"),
    *_unary("tan", _FC, "The tangent.", gradient=("g * (1 + r * r)",), export="Tan"),
    *_unary(
        "arcsin", _FC, "The angle of a sine.", gradient=("g / np.sqrt(1 - x * x)",), export="Asin"
    ),
    *_unary(
        "arccos",
        _FC,
        "The angle of a cosine.",
        gradient=("-g / np.sqrt(1 - x * x)",),
        export="Acos",
    ),
    *_unary("arctan", _FC, "The angle of a tangent.", gradient=("g / (1 + x * x)",), export="Atan"),
    *_unary("sinh", _FC, "The hyperbolic sine.", gradient=("g * np.cosh(x)",), export="Sinh"),
    *_unary("cosh", _FC, "The hyperbolic cosine.", gradient=("g * np.sinh(x)",), export="Cosh"),
    *_unary("tanh", _FC, "The hyperbolic tangent.", gradient=("g * (1 - r * r)",), export="Tanh"),
    *_unary(
        "arcsinh", _FC, "The inverse of sinh.", gradient=("g / np.sqrt(x * x + 1)",), export="Asinh"
    ),
    *_unary(
        "arccosh",
        _FC,
        "The inverse of cosh.",
        export="Acosh",
        example="np.arccosh(np.array([2.0]))",
        gradient=("g / np.sqrt(x * x - 1)",),
    ),
    *_unary("arctanh", _FC, "The inverse of tanh.", gradient=("g / (1 - x * x)",), export="Atanh"),
    *_binary(
        "arctan2",
        FLOATS,
        "The angle of the point (x2, x1).",
        gradient=("g * x2 / (x1 * x1 + x2 * x2)", "-g * x1 / (x1 * x1 + x2 * x2)"),
    ),
    *_binary(
        "hypot",
        FLOATS,
        "sqrt(x1**2 + x2**2) without overflow.",
        gradient=("g * x1 / r", "g * x2 / r"),
    ),
    *_unary(
        "deg2rad",
        FLOATS,
        "Degrees as radians.",
        gradient=("g * (math.pi / 180)",),
    ),
    *_unary(
        "rad2deg",
        FLOATS,
        "Radians as degrees.",
        gradient=("g * (180 / math.pi)",),
    ),
    *_unary(
        "radians",
        FLOATS,
        "Degrees as radians.",
        gradient=("g * (math.pi / 180)",),
    ),
    *_unary(
        "degrees",
        FLOATS,
        "Radians as degrees.",
        gradient=("g * (180 / math.pi)",),
    ),
    # rounding and parts of floats
    *_unary(
        "floor",
        NUMBERS[:12],
        "Rounded down.",
        gradient=(None,),
    ),
    *_unary(
        "ceil",
        NUMBERS[:12],
        "Rounded up.",
        gradient=(None,),
    ),
    *_unary(
        "trunc",
        NUMBERS[:12],
        "Rounded towards 0.",
        gradient=(None,),
    ),
    *_unary(
        "rint",
        _FC,
        "Rounded to the nearest, ties to even.",
        gradient=(None,),
    ),
    *_unary(
        "modf",
        FLOATS,
        "Fraction and whole part.",
        None,
        None,
        outputs=2,
        gradient=("gs[0]",),
    ),
    *_unary(
        "frexp",
        FLOATS,
        "Mantissa and exponent.",
        None,
        "i32",
        outputs=2,
        gradient=("gs[0] * np.exp2(-rs[1])",),
    ),
    *_unary(
        "spacing",
        FLOATS,
        "The distance to the next number.",
        gradient=(None,),
    ),
    *_binary(
        "nextafter",
        FLOATS,
        "The next number towards x2.",
        gradient=("g", None),
    ),
    *_binary(
        "copysign",
        FLOATS,
        "x1 with the sign of x2.",
        gradient=("g * np.sign(x1) * np.sign(r)", None),
    ),
    *_binary(
        "heaviside",
        FLOATS,
        "0 below zero, x2 at zero, 1 above.",
        gradient=(None, "np.where(np.equal(x1, 0), g, 0.0)"),
    ),
    # comparisons and logic
    *_binary(
        "equal", NUMBERS, "Whether elements are equal.", "bool", export="Equal", gradient=FLAT
    ),
    *_binary("not_equal", NUMBERS, "Whether elements differ.", "bool", gradient=FLAT),
    *_binary("less", NUMBERS, "Whether x1 < x2.", "bool", export="Less", gradient=FLAT),
    *_binary(
        "less_equal", NUMBERS, "Whether x1 <= x2.", "bool", export="LessOrEqual", gradient=FLAT
    ),
    *_binary("greater", NUMBERS, "Whether x1 > x2.", "bool", export="Greater", gradient=FLAT),
    *_binary(
        "greater_equal",
        NUMBERS,
        "Whether x1 >= x2.",
        "bool",
        export="GreaterOrEqual",
        gradient=FLAT,
    ),
    *_binary("logical_and", NUMBERS, "Whether both are true.", "bool", export="And", gradient=FLAT),
    *_binary("logical_or", NUMBERS, "Whether one is true.", "bool", export="Or", gradient=FLAT),
    *_binary(
        "logical_xor", NUMBERS, "Whether just one is true.", "bool", export="Xor", gradient=FLAT
    ),
    *_unary("logical_not", NUMBERS, "Whether it is false.", "bool", export="Not", gradient=FLAT),
    *_binary(
        "maximum",
        NUMBERS,
        "The larger; NaN if one is NaN.",
        export="Max",
        gradient=(
            "np.where(x1 > x2, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
            "np.where(x2 > x1, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
        ),
    ),
    *_binary(
        "minimum",
        NUMBERS,
        "The smaller; NaN if one is NaN.",
        export="Min",
        gradient=(
            "np.where(x1 < x2, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
            "np.where(x2 < x1, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
        ),
    ),
    *_binary(
        "fmax",
        NUMBERS,
        "The larger; a NaN is ignored.",
        gradient=(
            "np.where(x1 > x2, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
            "np.where(x2 > x1, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
        ),
    ),
    *_binary(
        "fmin",
        NUMBERS,
        "The smaller; a NaN is ignored.",
        gradient=(
            "np.where(x1 < x2, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
            "np.where(x2 < x1, g, np.where(np.equal(x1, x2), g * 0.5, 0.0))",
        ),
    ),
    *_unary("isnan", NUMBERS, "Whether it is NaN.", "bool", gradient=FLAT),
    *_unary("isinf", NUMBERS, "Whether it is infinite.", "bool", gradient=FLAT),
    *_unary("isfinite", NUMBERS, "Whether it is neither NaN nor infinite.", "bool", gradient=FLAT),
    *_unary("signbit", FLOATS, "Whether the sign is negative.", "bool", gradient=FLAT),
    # bits
    *_bits("bitwise_and", "The bits that both have."),
    *_bits("bitwise_or", "The bits that one has."),
    *_bits("bitwise_xor", "The bits that just one has."),
    *_bits("left_shift", "Bits moved up.", INTS),
    *_bits("right_shift", "Bits moved down.", INTS),
    *_unary(
        "invert", _BITS, "Every bit flipped.", example="np.invert(np.array([6, 4]))", gradient=FLAT
    ),
    *_unary(
        "bitwise_count",
        INTS,
        "How many bits are set.",
        "u8",
        example="np.bitwise_count(np.array([6, 4]))",
        gradient=FLAT,
    ),
]

_OTHER_NAMES = {
    "abs": "absolute",
    "mod": "remainder",
    "pow": "power",
    "true_divide": "divide",
    "conj": "conjugate",
    "bitwise_not": "invert",
    "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
}
_BY_NAME = {info.symbol.name: info for info in _NAMED}

OPS: list[OpInfo] = [
    *_NAMED,
    *(
        replace(
            _BY_NAME[name],
            symbol=Symbol("np", other),
            example=_BY_NAME[name].example.replace(f"np.{name}(", f"np.{other}("),
        )
        for other, name in _OTHER_NAMES.items()
    ),
]
