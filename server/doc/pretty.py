"""Any value as a document, whatever its ``repr`` does.

A type says how it prints by a method ``__pretty__(self) -> Doc``, or is registered with
``pretty_for``. Arrays and tensors print as element type, shape and a summary. Everything else goes
through ``bridge`` to the printers of PyPI ``prettyprinter``.

Invariant: ``pretty`` returns, with a document of bearable size, for every value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TypeVar

from .arrays import array_summary, is_array
from .bridge import foreign
from .nodes import Doc, Node, check

V = TypeVar("V")


def pretty(value: object) -> Doc:
    """``value`` as a document.

    >>> show(pretty({"loss": [0.5, 0.25], "steps": range(3)}), 80, 30)
    {'loss': [0.5, 0.25], 'steps': range(0, 3)}
    {
      'loss': [0.5, 0.25],
      'steps': range(0, 3)
    }
    >>> class Broken:
    ...     def __repr__(self):
    ...         raise ValueError
    >>> show(pretty([1, Broken()]), 80)
    [1, <Broken whose repr raises ValueError>]
    """
    try:
        own = _own(value)
        return foreign(value, _own) if own is None else check(own, "pretty", "the result")
    except (Exception, SystemExit) as error:
        return f"<{type(value).__name__} that can't be printed: {type(error).__name__}>"


def pretty_for(kind: type[V]) -> Callable[[Callable[[V], Doc]], Callable[[V], Doc]]:
    """Make the decorated function print values of ``kind`` and of its subclasses.

    >>> @pretty_for(complex)
    ... def _(value):
    ...     return f"{value.real} + {value.imag} i"
    >>> show(pretty([1j]), 80)
    [0.0 + 1.0 i]
    """

    def register(function: Callable[[V], Doc]) -> Callable[[V], Doc]:
        _registered.register(kind)(function)
        return function

    return register


def _own(value: object) -> Doc | None:
    """What a method, a registered function or we say of ``value``; else ``None``."""
    method = getattr(type(value), "__pretty__", None)
    if method is not None:
        made = method(value)
        return made if isinstance(made, str | Node) else None
    registered = _registered(value)
    if registered is None and is_array(value):
        return array_summary(value)
    return registered


@singledispatch
def _registered(value: object) -> Doc | None:
    return None
