"""Loops backwards: a second loop that takes the turns of the first in the opposite order.

The first loop is made to keep what each of its variables was at the start of every turn. A turn of
the second computes from that what the turn had computed, and sweeps it. What can't be computed
again, such as a random number, is kept as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from .. import registry
from ..expressions import Expr, Writer
from ..graph import Node, Region, append_copy, copy_into
from ..opinfo import array_of
from ..types import ArrayType, ScalarType
from ..values import Operand, Value, values_of
from .activity import is_smooth
from .application import Unsupported

if TYPE_CHECKING:
    from .reverse import Reverse

__all__ = ["reverse_loop"]


def reverse_loop(outer: Reverse, loop: Node) -> None:
    """Write the loop that sweeps ``loop``, and hand on what it gives.

    Raises:
        Unsupported: it isn't known how often it ran, or a variable changes its sizes.
    """
    count = loop.attributes["count"]
    if count is None:
        raise Unsupported("how often the loop ran isn't known")
    _Backwards(outer, loop, count).write()


class _Backwards:
    def __init__(self, outer: Reverse, loop: Node, count: int) -> None:
        self.outer: Final = outer
        self.loop: Final = loop
        self.count: Final = count
        self.body: Final[Region] = loop.regions[0]
        written = (value for node in self.body.walk() for value in node.consumed)
        self.written: Final = {v for value in written for v in outer.aliasing.shared(value)}

    def write(self) -> None:
        body, outer, writer = self.body, self.outer, self.outer.writer
        end = body.terminator
        assert end is not None  # the graph was verified
        variables, following = tuple(body.parameters[1:]), end.operands
        smooth = [k for k, v in enumerate(variables) if v in outer.active and is_smooth(v.type)]
        for k in smooth:
            self.same_type(variables[k], self.loop.results[k], self.loop.operands[k])
        around = self.around()
        captured = [value for value in around if value in outer.active]
        starts = [outer.of(self.loop.results[k]) for k in smooth]
        starts += [writer.zeros(array_of(value)) for value in captured]
        backwards = writer.region.append_loop(
            self.count,
            [(_hint(each), _value(each)) for each in starts],
            None,
            self.loop.span,
            types=[each.type for each in starts],
            call_path=self.loop.call_path,
            before=writer.before,
        )
        (turn,) = backwards.regions
        inner_writer = Writer(turn)
        inner_writer.at(self.loop)
        index = inner_writer.apply(
            "py.sub", [self.count - 1, turn.parameters[0]], types=[ScalarType("int")]
        )
        new: dict[Value, Operand] = {v: outer.kept(v, self.loop) for v in around}
        nodes = self.again(turn, index.operand, new)
        active = {v for old, v in new.items() if old in outer.active and isinstance(v, Value)}
        inner = type(outer)(inner_writer, active, outer.aliasing, outer.suffix, outer.backward)
        gradients = turn.parameters[1:]
        for k, gradient in zip(smooth, gradients, strict=False):
            for value in values_of(following[k]):
                value_now = new.get(value, value)
                if isinstance(value_now, Value) and value_now in inner.active:
                    inner.add(value_now, inner_writer.expr(gradient))
        inner.sweep(nodes)
        inner_writer.at(self.loop)
        ends = [inner.of(_in(new, variables[k])) for k in smooth]
        for value, total in zip(captured, gradients[len(smooth) :], strict=True):
            part = inner.gradients.get(_in(new, value))
            ends.append(
                inner_writer.expr(total) if part is None else inner_writer.expr(total) + part
            )
        turn.set_next([each.operand for each in ends])
        results = [writer.expr(result) for result in backwards.results]
        for k, result in zip(smooth, results, strict=False):
            for value in values_of(self.loop.operands[k]):
                if value in outer.active:
                    outer.add(value, result)
        for value, result in zip(captured, results[len(smooth) :], strict=True):
            outer.add(value, result)

    def same_type(self, *operands: Operand) -> None:
        """Raise ``Unsupported`` if these aren't alike in elements and sizes."""
        types = [array_of(operand) for operand in operands]
        if len({(each.element, tuple(each.sizes)) for each in types}) > 1:
            raise Unsupported("a variable of the loop changes its type from turn to turn")

    def around(self) -> list[Value]:
        """The values from around the loop that it uses."""
        inside = set(self.body.values())
        taken = (value for node in self.body.walk() for value in node.values())
        return [value for value in dict.fromkeys(taken) if value not in inside]

    def again(self, turn: Region, index: Operand, new: dict[Value, Operand]) -> Sequence[Node]:
        """Compute in ``turn`` what the turn ``index`` of the loop computed; ``new`` gets it."""
        new[self.body.parameters[0]] = index
        lost: set[Value] = set()
        nodes: list[Node] = []
        before_any, computing = self.body.first, [*self.body][:-1]
        for variable in self.body.parameters[1:]:
            self.read(variable, before_any, turn, index, new, lost)
        for node in computing:
            if self.can_repeat(node) and not any(v in lost for v in _taken(node)):
                before = turn.last
                self.repeat(node, turn, new)
                nodes += _since(turn, before)
                continue
            if any(value in self.outer.active for value in node.values()):
                raise Unsupported(f"{node.op} in the loop can't be computed again")
            for result in node.results:
                self.read(result, node.next, turn, index, new, lost)
        return nodes

    def can_repeat(self, node: Node) -> bool:
        """Whether computing a node once more gives the same. Of code that has a derivative named
        for it, that is taken to be so."""
        inner = [n for region in node.regions for n in region.walk()]
        known = self.outer.backward
        return all(
            (registry.is_pure(n) or n.regions or n.op.name in ("next", "yield") or n.op in known)
            and not n.mutated
            and not any(value in self.written for value in (*n.values(), *n.results))
            for n in (node, *inner)
        )

    def repeat(self, node: Node, turn: Region, new: dict[Value, Operand]) -> None:
        """A copy of a node with its regions at the end of ``turn``."""
        copy = append_copy(turn, node, new)
        copy.regions = tuple(Region(turn.module, copy) for _ in node.regions)
        for region, inner in zip(node.regions, copy.regions, strict=True):
            copy_into(region, inner, new)

    def read(
        self,
        value: Value,
        before: Node | None,
        turn: Region,
        index: Operand,
        new: dict[Value, Operand],
        lost: set[Value],
    ) -> None:
        """What a value was in a turn: kept in the loop at ``before``, read in ``turn``."""
        kept = self.keep(value, before)
        if kept is None:
            lost.add(value)
            return
        writer = Writer(turn)
        writer.at(self.loop)
        type_ = array_of(value).with_(strides=None)
        new[value] = writer.apply(
            "np.getitem", [kept, index], types=[type_], hints=[value.hint]
        ).operand

    def keep(self, value: Value, before: Node | None) -> Value | None:
        """An array that gets the value at every turn; None if it isn't of numbers."""
        if not isinstance(value.type, ArrayType | ScalarType):
            return None
        try:
            type_ = array_of(value)
        except Exception:
            return None
        start = Writer(self.loop.region, self.loop)
        start.at(self.loop)
        whole = start.zeros(type_.with_(sizes=(self.count, *type_.sizes)))
        made = _value(whole)
        made.hint = value.hint
        parameter, result = self.loop.carry(made)
        inside = Writer(self.body, before)
        inside.at(self.loop)
        written = inside.apply("ir.with_item", [parameter, self.body.parameters[0], value])
        end = self.body.terminator
        assert end is not None
        end.set_operands([*end.operands, written.operand])
        return result


def _taken(node: Node) -> Sequence[Value]:
    inner = (n for region in node.regions for n in region.walk())
    return [value for n in (node, *inner) for value in n.values()]


def _since(region: Region, before: Node | None) -> list[Node]:
    node = region.first if before is None else before.next
    found: list[Node] = []
    while node is not None:
        found.append(node)
        node = node.next
    return found


def _in(new: dict[Value, Operand], value: Value) -> Value:
    found = new[value]
    assert isinstance(found, Value)
    return found


def _value(expr: Expr) -> Value:
    assert isinstance(expr.operand, Value)
    return expr.operand


def _hint(expr: Expr) -> str | None:
    return _value(expr).hint
