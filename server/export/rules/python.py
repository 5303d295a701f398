"""Numbers of Python, as loops count and programs compute beside arrays."""

from __future__ import annotations

from collections.abc import Callable

from ..application import Application
from ..registry import exports


def _numbers(operator: str) -> Callable[[Application], str]:
    def rule(x: Application) -> str:
        element = x.result.element
        return x.emit(operator, x.value("a", element), x.value("b", element))

    return rule


exports("py.add")(_numbers("Add"))
exports("py.sub")(_numbers("Sub"))
exports("py.mul")(_numbers("Mul"))
exports("py.truediv")(_numbers("Div"))


@exports("py.getitem")
def item(x: Application) -> str:
    """One of a list of numbers."""
    return x.emit("Gather", x.value("a", x.result.element), x.value("index", "i64"), axis=0)
