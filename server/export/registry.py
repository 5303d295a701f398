"""The rules of ops that have no single operator, found by walking the package ``rules``.

An op whose operator does the same to elements has its name in the registry of ops (``export``).
Every other is a function here, under the names of the ops that it exports. A method is exported as
the function of that name is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..ir.registry import all_ops, get
from ..ir.symbol import Symbol

if TYPE_CHECKING:
    from .application import Application

__all__ = ["Rule", "exported", "exports", "names_of", "rule_for"]

Rule: TypeAlias = "Callable[[Application], str | Sequence[str]]"
"""Emits the operators of one application, and gives the names of its results."""

R = TypeVar("R", bound=Rule)
_RULES: dict[str, Rule] = {}


def exports(*names: str) -> Callable[[R], R]:
    """The decorated function exports the ops with these names."""

    def register(rule: R) -> R:
        for name in names:
            if name in _RULES:
                raise ValueError(f"{name} has two rules")
            _RULES[name] = rule
        return rule

    return register


def rule_for(symbol: Symbol) -> Rule | None:
    """The rule of an op, if it has one."""
    rules, info = _all(), get(symbol)
    if info is None or info.mutates:  # a model has no memory to write to
        return None
    found = next((rules[name] for name in names_of(symbol) if name in rules), None)
    return _elementwise if found is None and info.fusible and info.export else found


def _elementwise(x: Application) -> str:
    """An operator that does to elements what the op does."""
    from .elementwise import emit

    return emit(x)


def names_of(symbol: Symbol) -> list[str]:
    """The names under which an op may be exported: its own, and that of the function that does the
    same.

    >>> names_of(Symbol.parse("torch.Tensor.add"))
    ['torch.Tensor.add', 'torch.add']
    """
    text = str(symbol)
    found = [text]
    for owner in ("np.ndarray.", "torch.Tensor.", "torch.nn.functional."):
        if text.startswith(owner):
            found.append(f"{symbol.namespace}.{text.removeprefix(owner)}")
    return found


@cache
def _all() -> dict[str, Rule]:
    from . import rules

    for module in iter_modules(rules.__path__):
        import_module(f"{rules.__name__}.{module.name}")
    return _RULES


@cache
def exported() -> tuple[Symbol, ...]:
    """Every registered op that has an export."""
    return tuple(symbol for symbol in all_ops() if rule_for(symbol) is not None)
