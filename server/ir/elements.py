"""Element types and what becomes of them: NumPy's promotion (NEP 50), without NumPy.

Python scalars are weak: they take the type of the arrays they meet, unless their kind is higher.
They are written here as ``int``, ``float`` and ``complex``; a Python bool is a ``bool`` element.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

__all__ = [
    "BOOL",
    "COMPLEX",
    "FLOATS",
    "INTS",
    "NUMBERS",
    "WEAK",
    "can_cast",
    "default",
    "loop_for",
    "promote",
    "promote_all",
    "real",
]

BOOL: Final = ("bool",)
INTS: Final = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
FLOATS: Final = ("f16", "f32", "f64")
COMPLEX: Final = ("c64", "c128")
NUMBERS: Final = BOOL + INTS + FLOATS + COMPLEX
WEAK: Final = {"int": "i64", "float": "f64", "complex": "c128"}
"""Python's scalars, and the element type each has alone."""


@cache
def promote(a: str, b: str) -> str | None:
    """The type of elements that hold those of both; None where NumPy has none or it isn't known."""
    if a == b:
        return a
    if a in WEAK or b in WEAK:
        return _promote_weak(a, b)
    if a not in _KIND or b not in _KIND:
        return None
    (kind, low), (other, high) = sorted((_KIND[a], _KIND[b]))
    if kind == "b":
        return b if a == "bool" else a
    if kind == other:
        return f"{_LETTER[kind]}{max(low, high)}"
    if (kind, other) == ("d", "e"):  # signed with unsigned: the smallest signed that holds both
        signed, unsigned = low, high
        bits = signed if signed > unsigned else 2 * unsigned
        return f"i{bits}" if bits <= 64 else "f64"
    part = low if kind == "f" else _float_bits(low)
    bits = max(part, high if other == "f" else high // 2)
    return f"f{bits}" if other == "f" else f"c{max(2 * bits, 64)}"


def promote_all(elements: Iterable[str]) -> str | None:
    """``promote`` over several: the highest kind first and weak ones last, as NumPy does it."""
    items = sorted(elements, key=_order)
    result: str | None = items[0]
    for item in items[1:]:
        result = None if result is None else promote(result, item)
    return result


@cache
def can_cast(a: str, b: str) -> bool:
    """Whether every element of type ``a`` is one of type ``b``, by NumPy's rule of safe casts."""
    return promote(a, b) == b


@cache
def loop_for(inputs: tuple[str, ...], loops: Sequence[str]) -> str | None:
    """The type in which a ufunc computes: the first of ``loops`` that every input casts to."""
    if all(element in WEAK for element in inputs):
        inputs = tuple(default(element) for element in inputs)
    strong = [element for element in inputs if element not in WEAK]
    if len(strong) < len(inputs):
        both = promote_all(inputs)
        strong += [both] if both is not None else []
    return next((loop for loop in loops if all(can_cast(e, loop) for e in strong)), None)


def default(element: str) -> str:
    """The element type that a weak scalar has alone."""
    return WEAK.get(element, element)


def real(element: str) -> str:
    """The type of the parts of a complex element; any other is itself."""
    return {"c64": "f32", "c128": "f64"}.get(element, element)


def _promote_weak(a: str, b: str) -> str | None:
    if a in WEAK and b in WEAK:
        return max(a, b, key=list(WEAK).index)
    weak, strong = (a, b) if a in WEAK else (b, a)
    if strong not in _KIND:
        return None
    kind, _ = _KIND[strong]
    if weak == "int":
        return "i64" if kind == "b" else strong
    if weak == "float":
        return strong if kind in "fg" else "f64"
    if kind == "g":
        return strong
    return "c64" if strong in ("f16", "f32") else "c128"


def _order(element: str) -> tuple[bool, int]:
    kind, _ = _KIND.get(element, ("b", 0))
    return element in WEAK, -ord(kind)


def _float_bits(integer_bits: int) -> int:
    return {8: 16, 16: 32}.get(integer_bits, 64)


_KIND: Final = {
    "bool": ("b", 0),
    **{name: ("d" if name[0] == "i" else "e", int(name[1:])) for name in INTS},
    **{name: ("f", int(name[1:])) for name in FLOATS},
    **{name: ("g", int(name[1:])) for name in COMPLEX},
}
"""Kind and bits of an element; the kinds sort as they promote."""
_LETTER: Final = {"d": "i", "e": "u", "f": "f", "g": "c"}
