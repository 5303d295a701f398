"""Groups of elementwise ops as one formula for numexpr, which computes it block by block.

numexpr is optional, and for groups whose arrays have several shapes, which it sets against each
other block by block: those of one shape are NumPy's (``blocks``). A group is of 64-bit
floating-point numbers; conditions within it are of bools. Of narrower ones NumPy takes more at once
than numexpr does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .graph import Node
from .interpreter import dtype_of
from .symbol import Symbol
from .types import ArrayType
from .values import Constant, Operand, Value

try:
    import numexpr
except ImportError:
    numexpr = None

__all__ = ["Group", "compile_group"]

LONGEST: Final = 2000
"""Characters of a formula, at most."""


class Group:
    """A formula, compiled. Calling it computes it, into ``out`` if there is one."""

    def __init__(
        self, run: Callable[..., Any], constants: Sequence[Any], types: Sequence[Any], result: Any
    ) -> None:
        self._run: Final = run
        self._constants: Final = constants
        self._types: Final = types
        self.dtype: Final = result
        self.shape: tuple[int, ...] = ()

    def takes(self, operands: Sequence[Any]) -> bool:
        """Whether these are arrays of the types it was compiled for, in the plainest layout."""
        for operand, wanted in zip(operands, self._types, strict=True):
            array = isinstance(operand, np.ndarray | np.generic) and operand.dtype == wanted
            if not array or not operand.flags.c_contiguous:
                return False
        self.shape = np.broadcast_shapes(*map(np.shape, operands))
        return True

    def fits(self, operand: Any) -> bool:
        """Whether what it gives for the operands it takes has the sizes and type of this array."""
        return bool(operand.shape == self.shape and operand.dtype == self.dtype)

    def __call__(self, operands: Sequence[Any], out: Any = None) -> Any:
        """What the formula gives for operands that it takes."""
        if out is None:
            out = np.empty(self.shape, self.dtype)
        return self._run(
            *operands, *self._constants, out=out, order="C", casting="same_kind", ex_uses_vml=False
        )


def compile_group(node: Node) -> Group | None:
    """The formula of an ``ir.fused`` node; None where numexpr isn't there or can't say it."""
    (body,) = node.regions
    if numexpr is None or len(node.results) != 1:
        return None
    names = {value: f"a{k}" for k, value in enumerate(body.parameters)}
    types = [_dtype(value) for value in body.parameters]
    width = _dtype(node.result)
    if any(each is None for each in types) or width is None or width != np.float64:
        return None
    formulas: dict[Value, str] = {}
    constants: list[Any] = []

    def formula(operand: Operand) -> str | None:
        if isinstance(operand, Value):
            return names.get(operand) or formulas.get(operand)
        if isinstance(operand, Constant) and type(operand.value) in (int, float):
            constants.append(np.array(operand.value, width))
            return f"c{len(constants) - 1}"
        return None

    for inner in body:
        if inner is body.terminator:
            break
        pattern = FORMULAS.get(inner.op)
        parts = [formula(operand) for operand in inner.operands]
        if pattern is None or inner.attributes or None in parts:
            return None
        if not all(_is_one_of(v, width) for v in (*inner.values(), inner.result)):
            return None
        formulas[inner.result] = pattern.format(*parts)
        if len(formulas[inner.result]) > LONGEST:  # what is used twice is written twice
            return None
    end = body.terminator
    assert end is not None  # the graph was verified
    text = formula(end.operands[0])
    own = numexpr.necompiler.getType  # numexpr's name of a type
    signature = [
        (names[v], own(np.empty(0, t))) for v, t in zip(body.parameters, types, strict=True)
    ]
    signature += [(f"c{k}", own(constant)) for k, constant in enumerate(constants)]
    try:
        run = numexpr.NumExpr(text, signature=signature)
    except (NotImplementedError, TypeError, ValueError):
        return None  # a type that a function of it doesn't take
    return Group(run, constants, types, width)


def _dtype(value: Value) -> Any:
    """The element type of an array of 64-bit floats or bools; None for anything else.

    Compare with ``is`` for None: NumPy takes it for f64.
    """
    if isinstance(value.type, ArrayType) and value.type.element in ("f64", "bool"):
        return dtype_of(value.type.element)
    return None


def _is_one_of(value: Value, width: Any) -> bool:
    dtype = _dtype(value)
    return dtype is not None and dtype in (width, np.dtype(bool))


FORMULAS: Final[Mapping[Symbol, str]] = {
    **{
        Symbol("np", name): f"({{0}} {sign} {{1}})"
        for name, sign in {
            "add": "+",
            "subtract": "-",
            "multiply": "*",
            "divide": "/",
            "power": "**",
            "greater": ">",
            "greater_equal": ">=",
            "less": "<",
            "less_equal": "<=",
            "equal": "==",
            "not_equal": "!=",
            "logical_and": "&",
            "logical_or": "|",
        }.items()
    },
    Symbol("np", "sqrt"): "sqrt({0})",
    Symbol("np", "absolute"): "abs({0})",
    Symbol("np", "negative"): "(-{0})",
    Symbol("np", "square"): "({0} * {0})",
    Symbol("np", "logical_not"): "(~{0})",
}
"""How numexpr writes the ops that it has, on operands {0}, {1} ...

Not ``where``, ``maximum`` and ``minimum``: it takes a branch for each element, which NumPy doesn't.
Nor ``exp``, ``tanh`` and the like: it calls a function for each element, where NumPy takes several
at once, which two threads don't make up for.
"""
