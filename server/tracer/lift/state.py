"""What names and objects stand for while a graph is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ... import ir
from ..sequences import Shift
from ..trace import SiteOperand, Value

__all__ = ["Called", "Input", "Names", "Operand"]

Operand: TypeAlias = "ir.Value | ir.Constant | ir.Pack | ir.Keyword"


@dataclass(slots=True)
class Input:
    """Something that a function graph takes from its caller."""

    parameter: ir.Value
    value: Value
    operand: SiteOperand | None
    written: bool = False


@dataclass(slots=True)
class Names:
    """What names and objects stand for at one point of a graph."""

    arrays: dict[int, ir.Value] = field(default_factory=dict)
    scalars: dict[int, ir.Value] = field(default_factory=dict)
    names: dict[str, ir.Value] = field(default_factory=dict)
    numbers: dict[str, object] = field(default_factory=dict)
    """The number that a named array scalar has, where it is known."""
    carried: set[str] = field(default_factory=set)
    """Names that still hold what the iteration before left in them."""
    settled: set[str] = field(default_factory=set)
    """Names that hold what a loop left in them."""
    made: dict[int, ir.Value] = field(default_factory=dict)
    """What nodes of autograd gave that a backward pass made, by their numbers."""
    gradients: dict[int, ir.Value] = field(default_factory=dict)
    """What backward passes left as the gradients of leaves, by the numbers of those."""
    shifting: dict[int, Shift] = field(default_factory=dict)
    """Operands (by id) that are another number in other iterations."""

    def copy(self) -> Names:
        """The same, to be changed apart."""
        return Names(
            dict(self.arrays), dict(self.scalars), dict(self.names), dict(self.numbers),
            set(self.carried), set(self.settled), dict(self.made), dict(self.gradients),
            dict(self.shifting),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Called:
    """A call that was lifted: its graph, and where the graph's inputs come from at the site."""

    graph: ir.Graph
    inputs: tuple[Input, ...]
    positions: tuple[int | None, ...]
    """Which operand of the site each input is; None: it comes from the surroundings."""
    written: tuple[int, ...]
