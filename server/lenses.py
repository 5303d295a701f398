"""What stands above a function and at the head of a program: what the run saw of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .doc.source import Span
from .facts import Called, Facts
from .processes import UNRECORDED
from .session import Result

LONGEST = 60
"""Characters of the types in a lens."""


@dataclass(frozen=True, slots=True)
class Lens:
    """``text`` above a line; ``graph`` is the function whose graph it leads to, empty for the
    program, None where there is no graph."""

    span: Span
    text: str
    graph: str | None


def lenses(result: Result, facts: Facts, path: str) -> Iterator[Lens]:
    """The lenses of one file of a run, the program's first."""
    if path == result.request.file:
        yield Lens(Span(path, 1, 0, 1, 0), program_text(result), "")
    for called in facts.functions.get(path, ()):
        graph = called.name if called.count else None
        yield Lens(called.span, function_text(called), graph)


def program_text(result: Result) -> str:
    """``ran 0.31 s · 1,106 operations``."""
    count = len(result.trace.events) + result.trace.dropped
    return f"ran {result.seconds:.2f} s · {count:,} operation{'s' * (count != 1)}"


def function_text(called: Called) -> str:
    """What is known of its calls.

    >>> here = Span("a.py", 1, 0, 1, 1)
    >>> function_text(Called("f", here, 3, ("f32[64, 784]",), "f32[64, 10]"))
    'traced 3 × · f32[64, 784] → f32[64, 10]'
    >>> function_text(Called("f", here))
    'not reached in the last run'
    """
    if not called.count:
        return UNRECORDED if called.elsewhere else "not reached in the last run"
    takes = ", ".join(called.takes)
    types = f"{takes} → {called.gives}" if called.gives else takes
    types = types if len(types) <= LONGEST else types[: LONGEST - 1] + "…"
    return f"traced {called.count:,} ×" + (f" · {types.strip()}" if types else "")
