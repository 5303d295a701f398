"""Runs passes: each on a copy, verified afterwards, so that one that fails changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from .. import passes
from ..bulk import collector_paused
from ..module import Module
from ..verifier import InvalidGraph, check

__all__ = ["Pass", "PassError", "Report", "all_passes", "optimise", "run_passes"]


@dataclass(frozen=True, slots=True)
class Pass:
    """One way to change a module in place.

    ``level`` is the lowest ``-O`` that runs it, ``order`` its place among the others. A pass keeps
    results bit by bit unless it ``reassociates``.
    """

    name: str
    sentence: str
    run: Callable[[Module], None]
    level: int = 1
    order: int = 50
    reassociates: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The module after some passes, and how many seconds each took, verification included."""

    module: Module
    seconds: Mapping[str, float]


class PassError(Exception):
    """A pass raised, or left an invalid graph. The module it was given is as it was."""

    def __init__(self, name: str, cause: Exception) -> None:
        what = "left an invalid graph" if isinstance(cause, InvalidGraph) else "failed"
        super().__init__(f"pass {name} {what}: {cause}")
        self.name = name
        self.cause = cause


DEFAULT_LEVEL: Final = 1


@cache
def all_passes() -> Mapping[str, Pass]:
    """Every pass by its name, in the order in which they run."""
    found: list[Pass] = []
    for module in iter_modules(passes.__path__):
        declared = getattr(import_module(f"{passes.__name__}.{module.name}"), "PASS", None)
        if declared is not None:
            found.append(declared)
    return {each.name: each for each in sorted(found, key=lambda each: (each.order, each.name))}


def optimise(module: Module, level: int = DEFAULT_LEVEL) -> Module:
    """The module after all passes of an ``-O`` level; level 0 has none."""
    return run_passes(
        module, [each for each in all_passes().values() if each.level <= level]
    ).module


def run_passes(module: Module, chosen: Sequence[Pass]) -> Report:
    """A new module, made by these passes one after the other. ``module`` itself never changes.

    Raises ``InvalidGraph`` if it wasn't valid to begin with, and ``PassError``.
    """
    check(module)
    seconds: dict[str, float] = {}
    for each in chosen:
        start = time.perf_counter()
        trial = module.copy()
        try:
            with collector_paused():
                each.run(trial)
                check(trial)
        except Exception as error:
            raise PassError(each.name, error) from error
        module = trial
        seconds[each.name] = seconds.get(each.name, 0.0) + time.perf_counter() - start
    return Report(module, seconds)
