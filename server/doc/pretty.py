"""Any value as a document.

A type says how it prints by a method ``__pretty__(self) -> Doc``, or is registered with
``pretty_for``. Every other value is printed by its ``repr``, cut to a bearable length.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TypeVar

from .frame import one_line, trimmed
from .nodes import Doc, check

MOST_COLUMNS = 400  # of a value printed by its repr

V = TypeVar("V")


def pretty(value: object) -> Doc:
    """``value`` as a document; never raises, whatever its ``repr`` does.

    >>> show(pretty({"a": 1}), 80)
    {'a': 1}
    """
    method = getattr(type(value), "__pretty__", None)
    try:
        return check(method(value) if method else _printer(value), "pretty", "the result")
    except Exception as error:
        return f"<{type(value).__name__}: printing it raised {type(error).__name__}>"


def pretty_for(kind: type[V]) -> Callable[[Callable[[V], Doc]], Callable[[V], Doc]]:
    """Register a function as what prints values of ``kind`` and its subclasses."""

    def register(function: Callable[[V], Doc]) -> Callable[[V], Doc]:
        _printer.register(kind)(function)
        return function

    return register


@singledispatch
def _printer(value: object) -> Doc:
    return trimmed(one_line(repr(value)), MOST_COLUMNS)
