"""From a recorded run to a graph: straight lines, loops and functions as the program has them.

Every array object becomes a chain of values: the one it began with, and a new one for each write
into it. A loop becomes one node whose body is a representative iteration; what a name or a buffer
carries from one iteration to the next becomes a carried value. A call of a recorded function
becomes a call of a function graph, one for each body that was seen.

``state`` has what names stand for; ``values``, ``calls``, ``layers``, ``events`` and ``loops`` are
the parts of the builder, each made on the one before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ... import ir
from ...ir import ArrayType, Module, Type
from ...ir.bulk import collector_paused
from ..dimensions import name_dimensions
from ..sequences import parts_of, type_of
from ..trace import Array, Event, Frame, Scalar, Trace
from .lifter import Lifter, graph_name
from .loops import Builder
from .state import Operand

__all__ = ["Lifted", "alone", "lift", "operands_of"]


@dataclass(frozen=True, slots=True)
class Lifted:
    """The graph of a run, and which of its values stands for each event's result."""

    module: Module
    held: dict[int, Array]
    """Numbers of values that a graph takes from around, rather than as an argument, and the array
    that each was: a layer's weights, a global."""
    values: dict[tuple[int, int], ir.Value]
    """(Event index, number of an array or scalar) to what the graph has for it after the event."""


def lift(trace: Trace, *, unrolled: bool = False, whole: bool = False) -> Lifted:
    """The graphs of a whole run: the program is ``main``, and a module that it imported has its
    own name. With ``unrolled``, short loops are written out, if every iteration was recorded. With
    ``whole``, numbers that a loop changes are told turn by turn, if all were recorded."""
    with collector_paused():  # many small objects, none of them garbage
        return _lifted(Lifter(trace, unrolled, whole))


def operands_of(trace: Trace, event: Event) -> tuple[list[Operand], dict[str, object]]:
    """What one event takes, in a graph of its own; and its constant keyword arguments."""
    lifter = Lifter(Trace(trace.path, trace.sources), False, False)
    return Builder(lifter, lifter.module.add_graph("main").body, None).operands(event)


def alone(trace: Trace, event: Event, given: Sequence[Array | Scalar]) -> ir.Graph:
    """The graph of one event that called nothing recorded. It takes ``given``, and gives what the
    event gave."""
    lifter = Lifter(Trace(trace.path, trace.sources), False, False)
    graph = lifter.module.add_graph("main")
    builder = Builder(lifter, graph.body, None)
    for value in given:
        builder.keep(value, graph.body.add_parameter(type_of(value)))
    builder.emit_event(event)
    known = [lifter.values.get((event.index, r.number)) for r in parts_of(event.result)
             if isinstance(r, Array | Scalar)]  # fmt: skip
    graph.body.set_return([value for value in known if value is not None])
    return graph


def _lifted(lifter: Lifter) -> Lifted:
    trace = lifter.trace
    _root(lifter, "main", trace.frames[0] if trace.frames else None)
    for frame in trace.frames[1:]:
        if frame.scope.kind == "module" and frame.call is None and id(frame) in lifter.own:
            _root(lifter, graph_name(frame.scope), frame)
    _end_stages(lifter.module)
    lifter.module.renumber()
    name_dimensions(lifter.module, trace.sources)
    _name_recorded(trace, lifter.values)
    there = {value for graph in lifter.module.graphs.values() for value in graph.body.values()}
    held = {value.number: array for value, array in lifter.held.items() if value in there}
    return Lifted(lifter.module, held, lifter.values)


def _root(lifter: Lifter, name: str, frame: Frame | None) -> None:
    """Add the graph of a file's own statements."""
    graph = lifter.module.add_graph(name, frame.scope.span if frame else None)
    builder = Builder(lifter, graph.body, None)
    if frame is not None:
        builder.emit(lifter.own.get(id(frame), []), 0)
        builder.emit_unfinished(frame)
    graph.body.set_return([])


def _end_stages(module: Module) -> None:
    """Take marks of stages out that nothing follows before the next mark, or the end."""
    for graph in module.graphs.values():
        for node in list(graph.body.walk()):
            after = node.next
            if node.op is ir.graph.STAGE and after is not None and (
                after.op is ir.graph.STAGE or after.op in ir.graph.TERMINATORS
            ):  # fmt: skip
                node.erase()


def _name_recorded(trace: Trace, values: Mapping[tuple[int, int], ir.Value]) -> None:
    """Give the recorded types the names that the graph has for them: whoever shows one has them
    too. What the graph has no value for, as in most iterations of a loop, is named as its equals
    from the same place are."""
    made = [
        (value, (event.site.number, position, value.type), values.get((event.index, value.number)))
        for event in trace.events
        for position, value in enumerate(parts_of(event.result))
    ]
    known: dict[object, Type | None] = {}
    for _, key, lifted in made:
        if lifted is not None:  # where two of them differ in their names, neither is taken
            known[key] = lifted.type if known.get(key, lifted.type) is lifted.type else None
    for value, key, lifted in made:
        named = known.get(key) if lifted is None else lifted.type
        if isinstance(named, ArrayType) and isinstance(value.type, ArrayType):
            value.type = value.type.named(named.names)
