"""Calls of code that isn't known here: what makes them again, for the nodes that have the number of
a ``call``; and what a handle of their derivatives keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .graph import Node
from .values import Keyword, Operand, Pack, Value

__all__ = ["KEPT", "Again", "CallError", "Handle", "Path", "paths_of"]

Path = int | tuple[int, ...]
"""Where a value stands among operands: the number of the operand; of an item, with its numbers in
each list or tuple around it."""


class CallError(Exception):
    """A call can't be made again; the text says why."""


def KEPT() -> None:
    """In the place of an operand: what the call was given in the run. A function, since those can
    be named in a graph."""


class Again(Protocol):
    """Makes calls again, with operands of now. Both raise ``CallError``."""

    def __call__(self, node: Node, operands: Sequence[Any], /) -> tuple[Any, ...]:
        """What a call gives."""

    def derivative(self, handle: Handle, more: Sequence[Sequence[Any]], of: Node) -> list[Any]:
        """What the node ``of`` gives that evaluates a handle with these gradients."""


@dataclass(frozen=True, slots=True)
class Handle:
    """What a call took, kept for its derivative. ``function`` is the one that gives it, where that
    is known here: it takes what the call took, then the gradients of what that gave."""

    node: Node | None
    operands: Sequence[Any]
    function: Callable[..., Any] | None

    @property
    def names(self) -> tuple[str | None, ...]:
        """The names by which operands are given."""
        names = self.node.attributes.get("names") if self.node is not None else None
        return names or (None,) * len(self.operands)

    def evaluated(self, more: Sequence[Sequence[Any]], places: Sequence[Path]) -> list[Any]:
        """The derivative by what is at some places of the operands."""
        assert self.function is not None  # else the worker has it
        pairs = list(zip(self.names, self.operands, strict=True))
        positional = [value for name, value in pairs if name is None]
        named = {name: value for name, value in pairs if name is not None}
        found = self.function(*positional, *(g for each in more for g in each), **named)
        return [_at(found, place) for place in places]


def paths_of(operands: Sequence[Operand]) -> list[Path]:
    """Where the values are, in the order in which a node has them."""
    return [path for place, operand in enumerate(operands) for path in _within(operand, (place,))]


def _within(operand: Operand, path: tuple[int, ...]) -> Iterator[Path]:
    match operand:
        case Value():
            yield path[0] if len(path) == 1 else path
        case Keyword(item=item):
            yield from _within(item, path)
        case Pack(items=items):
            for place, item in enumerate(items):
                yield from _within(item, (*path, place))


def _at(found: Any, path: Path) -> Any:
    for place in (path,) if isinstance(path, int) else path:
        found = found[place]
    return found
