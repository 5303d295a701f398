"""What an operation gave that nobody recorded, by what the registry knows of it.

Runs in the server: nothing is run again, so nothing can differ but what the registry doesn't know.
"""

from __future__ import annotations

from ..ir import ArrayType, registry
from .lift import operands_of
from .operations import symbol_of
from .trace import Event, Trace


def result_type(trace: Trace, event: Event) -> ArrayType | None:
    """The type of the array that an event gave; None where it isn't certain."""
    try:
        operands, attributes = operands_of(trace, event)
        types = registry.infer(symbol_of(event), operands, attributes)
    except (ValueError, TypeError):  # it isn't what the registry means by it
        return None
    return types[0] if types and isinstance(types[0], ArrayType) else None
