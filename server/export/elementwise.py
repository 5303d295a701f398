"""Ops of elements: arguments get the elements in which the op computes, and broadcast."""

from __future__ import annotations

from ..ir import registry
from ..ir.opinfo import OpInfo
from .application import Application
from .errors import Refused

__all__ = ["computed_in", "emit", "finish", "operands", "same"]

_TRUTH = {"Add": "Or", "Mul": "And", "Max": "Or", "Min": "And", "Abs": "Identity"}
"""Operators for truth values, by those for numbers."""
_LOGIC = frozenset({"And", "Or", "Xor", "Not"})
_ARGUMENTS = ("x", "x1", "x2", "input", "other", "a", "b")


def emit(x: Application) -> str:
    """The operator that the registry has for an op."""
    info = registry.get(x.node.op)
    assert info is not None and info.export is not None  # the caller looked
    return same(x, info.export)


def same(x: Application, operator: str) -> str:
    """An operator of the same arguments."""
    element = "bool" if operator in _LOGIC else computed_in(x)
    if element == "bool" and operator not in _LOGIC:
        operator = _TRUTH.get(operator, operator)
    values = operands(x, element)
    if operator == "Identity":
        return values[0]
    return finish(x, x.emit(operator, *values), element, operator)


def finish(x: Application, value: str, element: str, operator: str = "") -> str:
    """A value of the elements that the op computes in, as those of its result."""
    if x.result.element == "bool" or operator in ("IsNaN", "IsInf"):
        return value
    return x.cast(value, element, x.result.element)


def computed_in(x: Application) -> str:
    """The elements that an op computes in: those of the result, of comparisons those of all
    arguments."""
    element = x.result.element
    return x.loop_element(*_names(x)) if element == "bool" else element


def operands(x: Application, element: str) -> list[str]:
    """The arguments as values of these elements."""
    if x.given("where") and x.constant("where") is not True:
        raise Refused("where= leaves elements as they were", "np.where")
    return [x.value(name, element) for name in _names(x)]


def _names(x: Application) -> list[str]:
    info: OpInfo = x.args.op
    return [name for name in info.parameters if name in _ARGUMENTS and x.given(name)]
