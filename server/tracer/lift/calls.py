"""Calls of recorded functions: a graph for each body that was seen, and what it takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from ... import ir
from ...ir.context import Under, beyond
from ..sequences import hints_of, last_part, parts_of
from ..trace import Array, Event, Frame, Scalar, Scope, SiteOperand, Value
from .lifter import graph_name
from .state import Called, Input, Operand
from .values import Values

__all__ = ["Calls", "place_of"]


class Calls(Values):
    """Emits calls."""

    def emit_call(self, event: Event, frame: Frame, results: Sequence[Array | Scalar]) -> None:
        """Emit a call of the function graph of ``frame``, which gave ``results``."""
        made = self.function(event, frame, results)
        if made is None:  # recursion: the inner calls stay closed
            self.emit_op(event)
            return
        graph, taken, results = made
        positions = tuple(_argument(event, frame, i) for i in taken)
        operands = self.arguments(event, taken, positions)
        written = [i for i, t in enumerate(taken) if t.written]
        self.call(event, graph, operands, written, results)
        self.lifter.called[event.site.number] = Called(
            graph, tuple(taken), positions, tuple(written)
        )

    def function(
        self, event: Event | None, frame: Frame, results: Sequence[Array | Scalar]
    ) -> tuple[ir.Graph, list[Input], Sequence[Array | Scalar]] | None:
        """The graph of a function that ran, what it takes, and what it gives: ``results``, and what
        else is used after ``event``. None for a recursive call."""
        lifter = self.lifter
        inner = self.inside(frame)
        if inner is None:
            return None
        graph = inner.region.graph
        if event is not None:
            results = (*results, *inner.escaping(event, results))
        returned = inner.find(results)
        taken = list(inner.inputs.values())
        inner.finish(returned)
        key = (frame.scope.number, tuple(i.parameter.type for i in taken), *inner.key)
        known = lifter.bodies.setdefault(key, graph)
        if known is not graph:
            self.discard(graph)
        return known, taken, results

    def inside(self, frame: Frame) -> Self | None:
        """What a frame did, in a graph that isn't ended yet; None for a recursive call."""
        lifter = self.lifter
        if frame.scope.number in lifter.lifting:
            return None
        graph = self.module.add_graph(graph_name(frame.scope), frame.scope.span)
        inner = type(self)(lifter, graph.body, frame)
        lifter.lifting.append(frame.scope.number)
        inner.emit(lifter.own[id(frame)], 0)
        inner.emit_unfinished(frame)
        lifter.lifting.pop()
        return inner

    def emit_unfinished(self, outer: Frame) -> None:
        """Emit calls of the functions that an exception, or the end of time, left."""
        for frame in self.lifter.unfinished.get(outer, []):
            self.emit_alone(frame, "did not return")

    def emit_alone(self, frame: Frame, note: str, results: Sequence[Array | Scalar] = ()) -> None:
        """Emit a call that no text has the arguments or the result of."""
        made = self.function(frame.call, frame, results)
        if made is None:
            return
        graph, taken, results = made
        written = [i for i, t in enumerate(taken) if t.written]
        operands = [self.resolve(t.value, self.own_name(frame, t)) for t in taken]
        self.call(frame.call, graph, operands, written, results, beyond(self.around, frame.under),
                  note)  # fmt: skip

    def emit_thread(self, frame: Frame) -> None:
        """Emit what a function did that a thread began with, once."""
        if id(frame) in self.lifter.own and frame not in self.joined:
            self.joined.add(frame)
            self.emit_alone(frame, "in another thread")

    def own_name(self, frame: Frame, taken: Input) -> SiteOperand | None:
        """How an input of ``frame`` was read, where its name means the same here."""
        name = taken.operand.name if taken.operand is not None else ""
        return None if name in frame.scope.parameters else taken.operand

    def emit_plain_call(self, event: Event, called: Called) -> bool:
        """Emit a call of a function that ran plain this time, as it was lifted before; False where
        the operands are not like those."""
        operands = self.arguments(event, called.inputs, called.positions)
        results = parts_of(event.result)
        fits = len(called.graph.result_types) == len(results) and all(
            isinstance(o, ir.Value) and o.type is p.type
            for o, p in zip(operands, called.graph.parameters, strict=True)
        )
        if fits:
            self.call(event, called.graph, operands, called.written, results)
        return fits

    def arguments(self, event: Event, inputs: Sequence[Input],
                  positions: Sequence[int | None]) -> list[Operand]:  # fmt: skip
        """What a function graph is called with: operands of the site, or what it took from
        around."""
        return [
            self.resolve(taken.value, taken.operand) if position is None
            else self.resolve(event.operands[position], event.site.operands[position])
            for taken, position in zip(inputs, positions, strict=True)
        ]  # fmt: skip

    def call(self, event: Event | None, graph: ir.Graph, operands: Sequence[Operand],
             written: Sequence[int], results: Sequence[Value], under: Under | None = None,
             note: str | None = None) -> None:  # fmt: skip
        """Emit the call of a graph, which writes into operands and gives results."""
        before = [o for i in written if isinstance(o := operands[i], ir.Value)]
        types = [*(o.type for o in before), *graph.result_types]
        hints = [None] * len(results) if event is None else hints_of(event, results)
        span = None if event is None else event.site.span
        node = self.region.append_call(
            graph, operands, types, [*(o.hint for o in before), *hints], span, mutated=written,
            note=note,
        )  # fmt: skip
        node.under = self.under if under is None else under
        shapes = tuple(self.shape_of(o) for o in operands)
        self.key.append(("call", graph.name, shapes, node.under))
        for value in node.results:
            self.number(value)
        for old, new in zip(before, node.results, strict=False):
            self.replace(old, new)
        given = node.results[len(written) :]
        if event is not None:
            self.bind(event, results, given)
            return
        for result, value in zip(results, given, strict=False):
            self.keep(result, value)

    def discard(self, graph: ir.Graph) -> None:
        """Take back a graph that another one already says; its values give way too."""
        del self.module.graphs[graph.name]
        gone = set(graph.body.values())
        for key in [k for k, v in self.lifter.values.items() if v in gone]:
            del self.lifter.values[key]

    def finish(self, returned: Sequence[ir.Value]) -> None:
        """End a function graph."""
        self.region.set_return(returned)
        self.key.append(("return", *(self.order.get(v) for v in returned)))

    def escaping(self, call: Event, returned: Sequence[Value]) -> list[Array]:
        """Arrays made in this function and used after ``call``, though it did not return them."""
        numbers = {r.number for r in returned if isinstance(r, Array)}
        made = {
            e.result
            for e in self.lifter.own[id(self.frame)]
            if isinstance(e.result, Array) and e.result.number not in numbers
        }
        return sorted(
            (
                array for array in made
                if self.lifter.last_use.get(array.number, -1) > call.index
                and array.number in self.now.arrays and array.number not in self.inputs
            ),
            key=lambda array: array.number,
        )  # fmt: skip

    def gave_back(self, event: Event) -> bool:
        """Whether a function of the program did nothing but give back arguments: these arrays have
        their values, and there is nothing to emit."""
        functions = {s.name for s in self.trace.scopes if s.kind == "function"}
        results = parts_of(event.result)
        if not results or event.changed or last_part(event.site.callee) not in functions:
            return False
        known = [self.now.arrays.get(r.number) for r in results if isinstance(r, Array)]
        values = [value for value in known if value is not None]
        if len(values) < len(results) or not all(r in event.operands for r in results):
            return False
        self.bind(event, results, values)
        return True

    def ran_plain(self, event: Event, frames: Sequence[Frame]) -> bool:
        """Whether the function that was called ran plain, and only ones that it called were
        recorded."""
        name = last_part(event.site.callee)
        functions = {s.name for s in self.trace.scopes if s.kind == "function"}
        return name in functions and all(f.scope.name != name for f in frames)


def _argument(event: Event, frame: Frame, taken: Input) -> int | None:
    """Which operand of a call an input of the called function is; None: none that is known."""
    for i, operand in enumerate(event.operands):
        if operand is taken.value and isinstance(operand, Array):
            return i
    name = taken.operand.name if taken.operand is not None else ""
    return place_of(event, frame.scope, name) if name in frame.scope.parameters else None


def place_of(call: Event, scope: Scope, name: str) -> int | None:
    """Which operand of a call is for a parameter."""
    bound = scope.parameters[:1] == ("self",) and call.site.callee.startswith(".")
    roles = {name, str(scope.parameters.index(name) - bound)}
    return next((i for i, o in enumerate(call.site.operands) if o.role in roles), None)
