"""From a recorded run to a graph: straight lines, loops and functions as the program has them.

Every array object becomes a chain of values: the one it began with, and a new one for each write
into it. A loop becomes one node whose body is a representative iteration; what a name or a buffer
carries from one iteration to the next becomes a carried value. A call of a recorded function
becomes a call of a function graph, one for each body that was seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeAlias

from .. import ir
from ..doc.source import Span
from ..ir import ArrayType, Keyword, Module, Region, ScalarType, Symbol, Type, registry
from ..ir.bulk import collector_paused
from ..ir.context import Under, beyond
from ..ir.opinfo import OpInfo
from . import layers
from .dimensions import name_dimensions
from .inside import Layer, Part, arrays_of, inside, layer_of, replaces
from .operations import UNKNOWN, bounds_of, literal_of, returned_names, symbol_of, written_by
from .sequences import (
    Shift,
    alike,
    bindings,
    bound_and_read_first,
    hints_of,
    inferred,
    iterations,
    last_part,
    parts_of,
    runs,
    shifting,
    span_of,
    type_of,
    type_of_both,
    variety,
)
from .stages import Emitter, Passes
from .tensors import called_layer, cast_by_autocast, run_cast
from .trace import (
    Array,
    Constant,
    Event,
    Frame,
    HookRun,
    LayerRun,
    Loop,
    LoopRun,
    Pack,
    Scalar,
    Scope,
    Site,
    SiteOperand,
    Thing,
    Trace,
    Value,
)

UNDEFINED = Symbol("ir", "undefined")
OUTSIDE = Symbol("ir", "outside")
INDEX = ScalarType("int")

LONGEST = 64
"""Turns of a loop that is written out."""
_OVER = re.compile(
    r"\bin\s+(?:(?:enumerate|zip)\(\s*([\w.]+(?:\s*,\s*[\w.]+)*)\s*\)|([\w.]+))\s*(?::|$)"
)
_names_in = re.compile(r"[\w.]+").findall
_BRACKET = re.compile(r"[\[(](\d+)")
_BEGINS_WORK = frozenset({
    "start", "start_new_thread", "submit", "map", "starmap", "apply_async", "run_in_executor",
})  # fmt: skip
"""Names of calls that may have other threads begin something."""
POST_ACCUMULATE = "register_post_accumulate_grad_hook"
"""What registers a hook that is called when a gradient has been added."""

Operand: TypeAlias = "ir.Value | ir.Constant | ir.Pack | ir.Keyword"


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
        return _lifted(_Lifter(trace, unrolled, whole))


def operands_of(trace: Trace, event: Event) -> tuple[list[Operand], dict[str, object]]:
    """What one event takes, in a graph of its own; and its constant keyword arguments."""
    lifter = _Lifter(Trace(trace.path, trace.sources), False, False)
    return _Builder(lifter, lifter.module.add_graph("main").body, None).operands(event)


def alone(trace: Trace, event: Event, given: Sequence[Array | Scalar]) -> ir.Graph:
    """The graph of one event that called nothing recorded. It takes ``given``, and gives what the
    event gave."""
    lifter = _Lifter(Trace(trace.path, trace.sources), False, False)
    graph = lifter.module.add_graph("main")
    builder = _Builder(lifter, graph.body, None)
    for value in given:
        builder.keep(value, graph.body.add_parameter(type_of(value)))
    builder.emit_event(event)
    known = [lifter.values.get((event.index, r.number)) for r in parts_of(event.result)
             if isinstance(r, Array | Scalar)]  # fmt: skip
    graph.body.set_return([value for value in known if value is not None])
    return graph


def _lifted(lifter: _Lifter) -> Lifted:
    trace = lifter.trace
    lifter.root("main", trace.frames[0] if trace.frames else None)
    for frame in trace.frames[1:]:
        if frame.scope.kind == "module" and frame.call is None and id(frame) in lifter.own:
            lifter.root(_graph_name(frame.scope), frame)
    _end_stages(lifter.module)
    lifter.module.renumber()
    name_dimensions(lifter.module, trace.sources)
    _name_recorded(trace, lifter.values)
    there = {value for graph in lifter.module.graphs.values() for value in graph.body.values()}
    held = {value.number: array for value, array in lifter.held.items() if value in there}
    return Lifted(lifter.module, held, lifter.values)


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


class _Lifter:
    """What all graphs of a run share."""

    def __init__(self, trace: Trace, unrolled: bool, whole: bool) -> None:
        self.trace = trace
        self.unrolled, self.whole = unrolled, whole
        self.module = Module()
        self.values: dict[tuple[int, int], ir.Value] = {}
        self.held: dict[ir.Value, Array] = {}
        self.bodies: dict[tuple[object, ...], ir.Graph] = {}
        self.called: dict[int, _Called] = {}
        """Site number to the last call that was lifted there."""
        self.passes = Passes(trace)
        self.lifting: list[int] = []
        self.own: dict[int, list[Event]] = {}
        self.last_use: dict[int, int] = {}
        """Number of an array to the index of the last event that takes it."""
        self.begins: dict[int, int] = {}
        """Event index to the index of the first event inside it, in functions that it called."""
        for event in trace.events:
            own = self.own.setdefault(id(event.frame), [])
            first = own[-1].index + 1 if own else event.index
            inside = [
                self.begins[self.own[id(f)][0].index] for f in event.entered if id(f) in self.own
            ]
            self.begins[event.index] = max(first, min(inside, default=event.index))
            own.append(event)
            for array in arrays_of(*event.operands):
                self.last_use[array.number] = event.index
        self.unfinished: dict[Frame, list[Frame]] = {}
        """Frames that no call ended, by the frame that entered them."""
        for frame in reversed(trace.frames):  # inner ones first: they show that outer ones ran
            if frame.scope.kind == "module" or frame.call is not None:
                continue
            if frame.parent is not None and id(frame) in self.own:
                self.unfinished.setdefault(frame.parent, []).insert(0, frame)
                self.own.setdefault(id(frame.parent), [])
        self.chains: dict[int | None, tuple[int, ...]] = {None: ()}
        for loop in trace.loops:
            self.chains[loop.number] = (*self.chains[loop.parent], loop.number)

    def root(self, name: str, frame: Frame | None) -> None:
        """Add the graph of a file's own statements."""
        graph = self.module.add_graph(name, frame.scope.span if frame else None)
        builder = _Builder(self, graph.body, None)
        if frame is not None:
            builder.emit(self.own.get(id(frame), []), 0)
            builder.emit_unfinished(frame)
        graph.body.set_return([])

    def hooked(self, frame: Frame, tensor: Array | None = None, but: str = "") -> bool:
        """Whether a frame is of a hook, of one that ``tensor`` has where that is given; ``but`` not
        of one that was registered so."""
        return any(
            frame.scope.number in hook.scopes
            and (tensor is None or hook.of is tensor)
            and hook.by != but
            for hook in self.trace.hooks
        )

    def call_of(self, event: Event, turns: Sequence[tuple[Loop, int | ir.Value]]) -> int | None:
        """Which call of a run an event was, if it can be made again. In a loop that isn't written
        out, one turn stands for all: it has to be the same in each."""
        if any(isinstance(turn, ir.Value) for _, turn in turns):
            numbers = {e.call for e in self.trace.events if e.site is event.site}
            return event.call if len(numbers) == 1 else None
        return event.call

    def run_of(self, loop: int, first: Event) -> LoopRun | None:
        """The run of ``loop`` that ``first`` belongs to."""
        for run in self.trace.loop_runs:
            if run.loop.number == loop and run.frame is first.frame:
                stop = run.events.stop if run.events else len(self.trace.events)
                if run.events.start <= first.index < stop:
                    return run
        return None

    def targets_in(self, loop: int) -> frozenset[str]:
        """The names that loops inside one bind in each iteration."""
        inner = (other for other in self.trace.loops if loop in self.chains[other.parent])
        return frozenset(name for other in inner for name in _names_in(other.target))

    def representative(self, groups: Sequence[list[Event]]) -> list[Event]:
        """The iteration that shows most: called functions were recorded in it, and it isn't the
        first, which may begin in another way."""
        sizes = [group[-1].index - self.begins[group[0].index] for group in groups]
        full = [g for g, size in zip(groups, sizes, strict=True) if size == max(sizes)]
        return full[1] if len(full) > 1 else full[0]


def _packed(items: Sequence[tuple[str, Sequence[Operand]]]) -> ir.Pack:
    """The tuple or list that operands were written out in, by their brackets."""
    parts: list[Operand] = []
    for _, group in groupby(items, lambda item: _BRACKET.split(item[0], 1)[1]):
        inside = [(_BRACKET.split(bracket, 1)[2], values) for bracket, values in group]
        if inside[0][0]:
            parts.append(_packed(inside))
        else:
            parts += [value for _, values in inside for value in values]
    return ir.Pack("list" if items[0][0][0] == "[" else "tuple", parts)


def _graph_name(scope: Scope) -> str:
    """The name of a function, or of a file's module."""
    if scope.kind != "module":
        return scope.name.strip("<>") or "function"
    path = scope.span.path.replace("\\", "/").removesuffix("/__init__.py")
    name = path.rpartition("/")[2].removesuffix(".py")
    return name if name.isidentifier() else "module"


@dataclass(slots=True)
class _Input:
    """Something that a function graph takes from its caller."""

    parameter: ir.Value
    value: Value
    operand: SiteOperand | None
    written: bool = False


@dataclass(slots=True)
class _Names:
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

    def copy(self) -> _Names:
        return _Names(
            dict(self.arrays), dict(self.scalars), dict(self.names), dict(self.numbers),
            set(self.carried), set(self.settled), dict(self.made), dict(self.gradients),
            dict(self.shifting),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Called:
    """A call that was lifted: its graph, and where the graph's inputs come from at the site."""

    graph: ir.Graph
    inputs: tuple[_Input, ...]
    positions: tuple[int | None, ...]
    """Which operand of the site each input is; None: it comes from the surroundings."""
    written: tuple[int, ...]


class _Builder:
    """Emits the events of one frame into one graph."""

    def __init__(self, lifter: _Lifter, region: Region, frame: Frame | None) -> None:
        self.lifter, self.trace, self.module = lifter, lifter.trace, lifter.module
        self.region = region
        self.frame = frame
        self.now = _Names()
        self.inputs: dict[object, _Input] = {}
        self.key: list[object] = []
        """What makes the body what it is, numbered from its start: equal bodies have equal keys."""
        self.turns: list[tuple[Loop, int | ir.Value]] = []
        """The loops around, and the turn that each is in."""
        self.order: dict[ir.Value, int] = {}
        self.around = frame.under if frame is not None else ()
        """What all that is emitted runs under; see ``ir.context``."""
        self.hooks: list[Frame] = []
        """Those of the backward pass that is emitted that were not called yet."""
        self.hook_runs: list[tuple[HookRun, list[Frame]]] = []
        """And those of layers, with the functions that ran in each."""
        self.joined: set[Frame] = set()
        """The functions of other threads that were emitted."""
        self.under: Under = ()
        """What the next nodes run under, beyond that."""
        self.latest: dict[object, ir.Value] = {}
        """The newest array scalar of each value."""

    # ------------------------------------------------------------------ sequences and loops

    def emit(self, events: Sequence[Event], depth: int) -> None:
        """Emit events of one frame that lie ``depth`` loops deep, or deeper."""
        chains = self.lifter.chains

        def loop_of(event: Event) -> int | None:
            chain = chains[event.site.loop]
            return chain[depth] if len(chain) > depth else None

        position = 0
        for loop, group in groupby(events, loop_of):
            inside = list(group)
            position += len(inside)
            if loop is None:
                for event in inside:
                    self.emit_event(event)
            else:
                for run in runs(inside, depth):
                    self.emit_joined(loop, run)
                    if not self.unroll(loop, run, depth):
                        self.emit_loop(loop, run, depth, events[position:])
        self.under = ()

    def emit_joined(self, loop: int, events: Sequence[Event]) -> None:
        """Emit, ahead of a loop that waits for threads, what those did that had begun before."""
        chains = self.lifter.chains
        if any(loop in chains[site.loop] and last_part(site.callee) in _BEGINS_WORK
               for site in self.trace.sites):  # fmt: skip
            return
        for frame in (f for event in events for f in event.entered if f.begins_line):
            self.emit_thread(frame)

    def emit_thread(self, frame: Frame) -> None:
        """Emit what a function did that a thread began with, once."""
        if id(frame) in self.lifter.own and frame not in self.joined:
            self.joined.add(frame)
            self.emit_alone(frame, "in another thread")

    def unroll(self, loop: int, events: list[Event], depth: int) -> bool:
        """Emit one run of a loop turn by turn, if that is wanted and nothing is missing."""
        if not self.lifter.unrolled:
            return False
        groups = list(iterations(events, depth))
        run = self.lifter.run_of(loop, events[0])
        if run is None or not len(groups) == run.iterations <= LONGEST:
            return False
        for turn, group in enumerate(groups):
            self.turns.append((self.trace.loops[loop], turn))
            self.emit(group, depth + 1)
            self.turns.pop()
        return True

    def turned_to(self, value: Value, where: SiteOperand | None) -> ir.Value | None:
        """What a loop binds its target to: an item of the array that it goes over."""
        name = where.name if where is not None else ""
        found = next((t for t in reversed(self.turns) if name in _names_in(t[0].target)), None)
        if found is None or not isinstance(value, Array) or value.type is None:
            return None
        loop, turn = found
        over, targets = _OVER.search(self.trace.text(loop.span)), _names_in(loop.target)
        names = _names_in(over[1] or over[2]) if over is not None else []
        if not names or len(names) not in (1, len(targets)):
            return None
        place = targets.index(name) if len(names) > 1 else 0
        array = self.gone_over(names[place], value, loop.span)
        if array is None:
            return None
        if isinstance(turn, ir.Value) and turn.hint == name:
            turn.hint = None  # the name is the item's
        getitem = Symbol("torch" if value.type.kind == "tensor" else "np", "getitem")
        operands = [array, ir.Constant(turn) if isinstance(turn, int) else turn]
        (item,) = self.append(getitem, operands, [value.type], [name], loop.span)
        self.keep(value, item)
        return item

    def gone_over(self, name: str, item: Array, span: Span) -> ir.Value | None:
        """The array of that name, where ``item`` is one of its."""
        known: Operand | None = self.now.names.get(name)
        if known is None or not self.trusted(name, item):
            array = self.given(name) or item.memory
            if array.memory is not item.memory:
                return None
            known = self.resolve(array, SiteOperand("0", "name", span, None, name))
        type_ = known.type if isinstance(known, ir.Value) else None
        whole = isinstance(type_, ArrayType) and isinstance(item.type, ArrayType) and (
            type_.sizes[1:] == item.type.sizes
        )  # fmt: skip
        return known if whole and isinstance(known, ir.Value) else None

    def given(self, name: str) -> Array | None:
        """The array that the function was called with for a parameter, where that was recorded."""
        call = self.frame.call if self.frame is not None else None
        if self.frame is None or call is None or name not in self.frame.scope.parameters:
            return None
        place = _place_of(call, self.frame.scope, name)
        value = call.operands[place] if place is not None else None
        return value if isinstance(value, Array) else None

    def emit_loop(self, loop: int, events: list[Event], depth: int, after: Sequence[Event]) -> None:
        """Emit one run of a loop as a node."""
        groups = list(iterations(events, depth))
        run = self.lifter.run_of(loop, events[0])
        ran = run or LoopRun(self.trace.loops[loop], events[0].frame)
        self.under = beyond(self.around, ran.under)
        body = self.lifter.representative(groups)
        targets = frozenset(_names_in(ran.loop.target))
        carried = self.carried(groups[0], body, after, targets | self.lifter.targets_in(loop))
        carried += self.flows(groups, body, after, {c.name for c in carried})
        known, count = ran.loop, ran.iterations or len(groups)
        node = self.region.append_loop(
            count,
            [(c.hint, c.initial) for c in carried],
            known.target if known.target.isidentifier() else None,
            known.span,
            types=[_carried_type(c, groups) for c in carried],
            note=variety(groups),
        )
        node.under = self.under
        outer, region, latest, around = self.now, self.region, dict(self.latest), self.around
        self.now, self.region, self.around = outer.copy(), node.regions[0], ran.under
        self.key.append(("loop", loop, len(carried), self.under))
        index = node.regions[0].parameters[0]
        complete = self.lifter.whole and len(groups) == count
        shifts = shifting(groups, depth, index, complete=complete)
        self.now.shifting = shifts | self.now.shifting  # what an outer loop changes, it tells of
        self.turns.append((known, index))
        before = [v for e in body for v in e.operands if isinstance(v, Array) and v.made]
        for entry, parameter in zip(carried, node.regions[0].parameters[1:], strict=True):
            self.number(parameter)
            self.take(entry, parameter, before)
        self.now.carried -= targets  # each iteration has its own
        self.now.names = {n: v for n, v in self.now.names.items() if n not in targets}
        self.emit(body, depth + 1)
        self.turns.pop()
        node.regions[0].set_next([self.left(entry, body) for entry in carried])
        self.key.append("next")
        self.now, self.region, self.around = outer, region, around
        self.latest = latest
        last = [*groups[-1], *body]
        made = [e.result for e in last if isinstance(e.result, Array)]
        for entry, result in zip(carried, node.results, strict=True):
            self.number(result)
            self.take(entry, result, made)
            self.now.carried.discard(entry.name or "")
            name = entry.name or entry.read_as
            if name:
                self.now.names[name] = result
                self.now.settled.add(name)
            self.bind_last(entry, result, last)

    def carried(
        self, start: Sequence[Event], body: Sequence[Event], after: Sequence[Event],
        targets: frozenset[str],
    ) -> list[_Carried]:  # fmt: skip
        """What iterations hand on: buffers written in the body, and names read before they are
        bound. To its targets, a loop binds something in each."""
        found: dict[object, _Carried] = {}
        first, last = self.lifter.begins[body[0].index], body[-1].index
        ended = (f for e in body for f in e.entered if f.begins_line and f not in self.joined)
        lines = {body[0].frame.line, *(f.line for f in ended)}
        for event in self.trace.events[first : last + 1]:
            if event.frame.line not in lines:
                continue
            for array in (*written_by(event), *(p for p, _ in event.updated)):
                value = self.now.arrays.get(array.number) or self.known_by_name(event, array)
                if value is None and array not in found:
                    value = self.from_around(array, start, body)
                if value is not None and array not in found:
                    found[array] = _Carried(value.hint, value, None, array.number)
        bound, reads = bound_and_read_first(body)
        later = {o.name for e in after for o in e.site.operands if o.name}
        covered = {c.initial for c in found.values()}
        for name in bound:
            if name not in later and (name not in reads or name in targets):
                continue
            if name in targets and self.was_there(bound[name], start):
                continue  # what is written in place is handed on as itself
            initial = None
            if name not in targets:
                initial = self.read_first(start, name) or self.now.names.get(name)
            if initial in covered:
                continue
            if initial is None:
                initial = self.append(UNDEFINED, [], [type_of(bound[name])], [name], None)[0]
            found[name] = _Carried(name, initial, name, None)
        return list(found.values())

    def was_there(self, value: Value, start: Sequence[Event]) -> bool:
        """Whether an array was made before a loop that begins with ``start``."""
        first = self.lifter.begins[start[0].index]
        return isinstance(value, Array) and (value.made is None or value.made.index < first)

    def from_around(
        self, array: Array, start: Sequence[Event], body: Sequence[Event]
    ) -> ir.Value | None:
        """A buffer that was there before the loop, though nothing had used it; None for others."""
        if not self.was_there(array, start):
            return None
        pairs = (
            (where, value)
            for event in body
            for where, value in zip(event.site.operands, event.operands, strict=False)
        )
        where = next((w for w, value in pairs if value is array), None)
        if array.parameter:
            found = self.resolve(array, where)
            return found if isinstance(found, ir.Value) else None
        if where is None or (array.made is None and self.is_local(where.name)):
            return None
        found = self.resolve(array, where)
        return found if isinstance(found, ir.Value) else None

    def known_by_name(self, event: Event, array: Array) -> ir.Value | None:
        """What an array is by the name that an event of this frame reads it from."""
        if event.frame is not (self.frame or self.trace.frames[0]):
            return None
        for operand, value in zip(event.site.operands, event.operands, strict=False):
            known = self.now.names.get(operand.name) if value is array else None
            if known is not None and alike(known.type, type_of(array)):
                self.keep(array, known)
                return known
        return None

    def flows(
        self,
        groups: Sequence[list[Event]],
        body: Sequence[Event],
        after: Sequence[Event],
        named: set[str | None],
    ) -> list[_Carried]:
        """Arrays that iterations hand on by no name in ``named``, by the site that makes them:
        those that the body takes from an iteration before, and those that are used later."""
        inside = {e.index for group in groups for e in group}
        made_in_body = {e.site.number for e in body}
        found: dict[int, _Carried] = {}

        def site_of(value: Value) -> int | None:
            if (
                not isinstance(value, Array)
                or value.made is None
                or value.number in self.now.arrays
            ):
                return None
            site = value.made.site.number
            return site if value.made.index in inside and site in made_in_body else None

        for event in body:
            for position, value in enumerate(event.operands):
                site = site_of(value)
                if site is None or not isinstance(value, Array) or value.made is None:
                    continue
                if event.site.operands[position].name in named:
                    continue
                if value.made.index >= body[0].index or site in found:
                    continue
                first = next((e for e in groups[0] if e.site is event.site), None)
                initial = first.operands[position] if first is not None else None
                known = self.now.arrays.get(initial.number) if isinstance(initial, Array) else None
                name = event.site.operands[position].name
                found[site] = self.flow(site, name, value, known, name)
        later = [v for e in after for v in e.operands]
        if self.frame is not None and self.frame.call is not None:
            later += parts_of(self.frame.call.result)
        for value in later:
            site = site_of(value)
            if site is not None and site not in found and isinstance(value, Array):
                if named.intersection(value.names):
                    continue
                name = value.names[0] if value.names else ""
                found[site] = self.flow(site, name, value, None)
        return list(found.values())

    def flow(self, site: int, name: str, value: Array, initial: ir.Value | None,
             read_as: str = "") -> _Carried:  # fmt: skip
        hint = last_part(name) or None
        if initial is None or initial.type is not type_of(value):
            initial = self.append(UNDEFINED, [], [type_of(value)], [hint], None)[0]
        return _Carried(hint, initial, None, None, site, read_as)

    def read_first(self, body: Sequence[Event], name: str) -> ir.Value | None:
        for event in body:
            for operand, value in zip(event.site.operands, event.operands, strict=False):
                if operand.name == name and isinstance(value, Array | Scalar):
                    known = self.resolve(value, operand)
                    return known if isinstance(known, ir.Value) else None
            if any(bound == name for bound, _ in bindings(event)):
                break
        return None

    def take(self, entry: _Carried, value: ir.Value, arrays: Sequence[Array]) -> None:
        """From here on, ``entry`` is ``value``; ``arrays`` are those that may be it."""
        for array in arrays:
            if array.made is not None and array.made.site.number == entry.site:
                self.now.arrays[array.number] = value
        if entry.array is not None:
            self.replace(self.now.arrays[entry.array], value)
        if entry.name is not None:
            self.now.names[entry.name] = value
            self.now.numbers.pop(entry.name, None)
            self.now.carried.add(entry.name)

    def left(self, entry: _Carried, body: Sequence[Event]) -> ir.Value:
        """What ``entry`` is at the end of an iteration."""
        for event in reversed(body):
            if event.site.number == entry.site and isinstance(event.result, Array):
                return self.now.arrays[event.result.number]
        if entry.array is not None:
            return self.now.arrays[entry.array]
        assert entry.name is not None
        return self.now.names[entry.name]

    def bind_last(self, entry: _Carried, value: ir.Value, events: Sequence[Event]) -> None:
        """The object that a carried name held after the last iteration is the loop's result."""
        for event in reversed(events):
            for name, bound in bindings(event):
                if name == entry.name:
                    self.keep(bound, value)

    # ------------------------------------------------------------------ one event

    def emit_event(self, event: Event) -> None:
        """Emit the node of one event, or a call of each function that ran inside."""
        if event.site.kind == "leaf":
            return
        self.under = beyond(self.around, event.under)
        frames = [f for f in event.entered if id(f) in self.lifter.own]
        for frame in [f for f in frames if f.begins_line]:
            self.emit_thread(frame)
        frames = [f for f in frames if not f.begins_line]
        if event.call is not None or self.ran_plain(event, frames):
            frames = []
        further = event.index in self.lifter.passes.at or bool(event.updated)
        if further:
            if self.emit_further(event, frames):
                return
        elif event.hooks or (event.layers and frames):
            for part in inside(event, frames):
                self.emit_part(event, part)
            return
        else:
            for frame in frames:
                last = frame is frames[-1]
                self.emit_call(event, frame, parts_of(event.result) if last else ())
        if frames:
            return
        called = self.lifter.called.get(event.site.number)
        if called is not None and self.emit_plain_call(event, called):
            return
        if event.site.kind.endswith(":item"):
            self.emit_item_update(event)
            return
        if not self.gave_back(event):
            self.emit_op(event)

    def emit_further(self, event: Event, frames: Sequence[Frame]) -> bool:
        """Emit a call that computed gradients, or took a step; False where too little is known."""
        gradients = [h for h in event.hooks if h.when == "gradient"]
        self.hook_runs = [(h, [f for f in frames if h.first < f.number < h.last])
                          for h in gradients]  # fmt: skip
        of_layers = [f for _, inner in self.hook_runs for f in inner]
        rest = [f for f in frames if f not in of_layers]
        self.hooks = [f for f in rest if self.lifter.hooked(f)]
        for frame in rest:
            if frame not in self.hooks:
                self.emit_call(event, frame, ())
        done = self.emit_updates(event) or self.emit_pass(event)
        for frame in [*self.hooks, *(f for _, inner in self.hook_runs for f in inner)]:
            self.emit_alone(frame, "a hook")
        self.hooks, self.hook_runs = [], []
        return done

    def emit_part(self, event: Event, part: Part) -> None:
        """Emit something that ran inside a call: a function, a layer, or a hook."""
        match part.what:
            case Frame() as frame:
                self.emit_call(event, frame, ())
            case HookRun() as hook:
                self.emit_hook(hook, list(part.frames()), event)
        layer = layer_of(part)
        if layer is None:
            return
        for each in layer.before:
            self.emit_part(event, each)
        if layer.plain and not (layer.before or layer.after or part.parts):
            self.emit_layer(event, layer.run, layer.given, layer.result)
        else:
            self.emit_within(event, layer)
        for each in layer.after:
            self.emit_part(event, each)

    def emit_within(self, event: Event, layer: Layer) -> None:
        """Emit what a layer did between its hooks."""
        shown = [p.what for p in layer.inner if isinstance(p.what, Frame)]
        if layer.run.layer.name == "Sequential" and layer.inner:
            for part in layer.inner:
                self.emit_part(event, part)
        elif not layer.plain and not layer.run.layer.kind.startswith("torch.nn."):
            for part in layer.inner:
                if part.what is not (shown[-1] if shown else None):
                    self.emit_part(event, part)
                else:
                    self.emit_call(event, shown[-1], parts_of(layer.result))
        else:
            for part in layer.inner:
                if not layer.plain:
                    self.emit_part(event, part)
            self.emit_layer(event, layer.run, layer.given, layer.result)

    def emit_hook(self, hook: HookRun, frames: Sequence[Frame], event: Event) -> None:
        """Emit what a hook of a layer did, and have what it gave be used from here on."""
        given, results = arrays_of(*hook.given), arrays_of(hook.result)
        if hook.when == "same":
            for old, new in zip(given, results, strict=False):
                self.keep_as(new, self.resolve(old, where_of(event, old)))
            return
        for frame in frames:
            last = frame is frames[-1]
            self.emit_alone(frame, "a hook", results if last else ())
        if not frames and not set(results) <= set(given):  # of a library, or it ran plain
            operands = [self.resolve(array, where_of(event, array)) for array in given]
            made = self.append(
                Symbol("py", "hook"), operands, [type_of(r) for r in results],
                hints_of(event, results), event.site.span, note="a hook",
            )  # fmt: skip
            self.bind(event, results, made)

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

    def emit_pass(self, event: Event) -> bool:
        """Emit a backward pass as a stage; False where too little was told of it."""
        passes = self.lifter.passes
        emitter = Emitter(passes, passes.at[event.index], self)
        if not emitter.complete:
            return False
        mark = self.region.mark_stage(passes.level(emitter.done))
        mark.under, mark.span = self.under, event.site.span
        if (times := passes.alike(emitter.done)) > 1:
            mark.note = f"recorded {times:,} ×"
        emitter.emit()
        self.region.mark_stage(0).under = self.under
        results = [r for r in parts_of(event.result) if r.number in self.now.arrays]
        self.bind(event, results, [self.now.arrays[r.number] for r in results])
        return True

    def arrived(
        self, tensor: Array, gradient: ir.Value, taken: Array | None, made_at: Site | None
    ) -> ir.Value:
        """The gradient of a tensor goes through its hooks; what comes out is what goes on."""
        own = [f for f in self.hooks if self.lifter.hooked(f, tensor, POST_ACCUMULATE)]
        for frame in own:
            given = next((v for v in frame.arguments.values() if isinstance(v, Array)), None)
            if given is None:
                continue
            self.keep(given, gradient)
            self.hooks.remove(frame)
            later = [v for f in own if f in self.hooks for v in f.arguments.values()]
            made = [e for e in self.lifter.own[id(frame)] if isinstance(e.result, Array)]
            given_on = (e for e in made if e.result is taken or e.result in later
                        or (made_at is not None and e.site is made_at))  # fmt: skip
            results = [e.result for e in given_on if isinstance(e.result, Array)][-1:]
            self.emit_alone(frame, "a hook", results)
            if results:
                gradient = self.now.arrays[results[0].number]
        return gradient

    def passed(
        self, event: Event, done: Event, known: Sequence[Array], values: Sequence[ir.Value]
    ) -> list[ir.Value]:
        """The gradients that a node gave go through hooks of a layer. ``known`` are those that had
        to do with hooks there, in the pass at ``done`` that was told of."""
        found = list(values)
        alike = [h for h in done.hooks if h.when == "gradient"]
        own = [h for h in event.hooks if h.when == "gradient"]
        if len(alike) != len(own):
            return found
        for told, hook in zip(alike, own, strict=True):
            here = next((pair for pair in self.hook_runs if pair[0] is hook), None)
            if here is None or not set(arrays_of(*told.given[:1], told.result)) & set(known):
                continue
            self.hook_runs.remove(here)
            for array, value in zip(arrays_of(*hook.given[:1]), found, strict=False):
                self.keep(array, value)
            self.emit_hook(hook, here[1], event)
            if replaces(hook):
                given = arrays_of(hook.result)
                found[: len(given)] = [self.now.arrays[a.number] for a in given][: len(found)]
        return found

    def accumulated(self, leaf: Array, gradient: Value, total: ir.Value) -> None:
        """What the gradient of a leaf is from here on."""
        self.now.gradients[leaf.number] = total
        if isinstance(gradient, Array):
            self.keep(gradient, total)
        for frame in list(self.hooks):
            if self.lifter.hooked(frame, leaf) and not (
                self.lifter.hooked(frame, leaf, POST_ACCUMULATE)
            ):
                self.hooks.remove(frame)
                self.emit_alone(frame, "a hook")

    def made(self, node: int, known: ir.Value) -> None:
        """What a node of autograd gave that a backward pass made."""
        self.now.made[node] = known

    def emit_updates(self, event: Event) -> bool:
        """Emit what a step of an optimizer wrote, one parameter after the other."""
        optimizer = event.operand("self")
        name = optimizer.name if isinstance(optimizer, Thing) else "Optimizer"
        for parameter, gradient in event.updated:
            span = event.site.span
            before = self.kept(parameter, span)
            operands = [before]
            if isinstance(gradient, Array):
                known = self.now.gradients.get(parameter.number)
                if known is not None and gradient.number not in self.now.arrays:
                    self.keep(gradient, known)
                operands.append(self.kept(gradient, span, f"{parameter.parameter or 'p'}.grad"))
            (after,) = self.append(
                Symbol("torch", f"optim.{name}.step"), operands, [before.type], [before.hint], span,
                mutated=(0,),
            )  # fmt: skip
            self.replace(before, after)
            self.lifter.values[event.index, parameter.number] = after
        return bool(event.updated)

    def kept(
        self, array: Array, span: Span | None, hint: str = "", note: str | None = None
    ) -> ir.Value:
        """What a tensor is at this point. One that was made in a function that was called comes
        from outside."""
        known = self.now.arrays.get(array.number)
        if known is None and array.gradient is not None and array.gradient.node is not None:
            known = self.now.made.get(array.gradient.node)
        if known is None and array.parameter:
            found = self.resolve(array, None)
            known = found if isinstance(found, ir.Value) else None
        if known is None and array.memory is not array:  # the same elements, as another object
            whole = self.now.arrays.get(array.memory.number)
            known = whole if whole is not None and whole.type is type_of(array) else None
        if known is None:
            hint = hint or (last_part(array.names[-1]) if array.names else "")
            path = self.lifter.passes.layers.get(array)
            hint = hint or (f"{path}.out" if path else "") or _turned(array)
            where = array.made.site.span if array.made is not None else span
            (known,) = self.append(OUTSIDE, [], [type_of(array)], [hint or None], where, note=note)
            self.keep(array, known)
        return known

    def emit_layer(
        self, event: Event, run: LayerRun, given: Sequence[Value], result: Value
    ) -> None:
        """Emit a layer that a call applied, as one operation of what it was given."""
        known = layers.applied(run)
        last = result is event.result or (run is event.layers[-1] and result is run.result)
        operands: list[Operand] = [self.taken(event, v) for v in given]
        operands += [Keyword(n, self.resolve(v, None)) for n, v in known.tensors]
        results = list(parts_of(result))
        info = registry.get(known.symbol)
        attributes = dict(known.attributes)
        if info is not None and run is event.layers[-1]:
            self.add_named(event, info, operands, attributes)
        elif info is None:
            attributes |= _handle(event, results)
        mutated = info.mutated(operands, attributes) if info is not None else ()
        node = self.append(
            known.symbol, operands, [type_of(r) for r in results],
            hints_of(event, results) if last else [], event.site.span,
            attributes=attributes, mutated=mutated,
            note=", ".join(filter(None, (run.layer.path, _cast(run_cast(run, event))))) or None,
        )  # fmt: skip
        if mutated and isinstance(operands[0], ir.Value):
            self.replace(operands[0], node[0])
        if last:
            self.bind(event, results, node)
        else:
            for part, value in zip(results, node, strict=False):
                self.keep(part, value)

    def item_of(self, event: Event) -> ir.Value | None:
        """The array that is taken out of a tuple or a list: nothing is computed."""
        whole, result = event.operands[0], event.result
        if not isinstance(whole, Pack) or not isinstance(result, Array):
            return None
        if not any(item is result for item in whole.items):
            return None
        known = self.resolve(result, None)
        return known if isinstance(known, ir.Value) else None

    def handed_out(self, event: Event) -> ir.Value | None:
        """The array that a call of what is no operation gave, where it was there before: out of a
        container, or of a thread that is waited for."""
        result = event.result
        if not isinstance(result, Array) or result.made in (None, event) or event.written:
            return None
        return None if result in event.operands else self.now.arrays.get(result.number)

    def add_named(
        self, event: Event, info: OpInfo, operands: list[Operand], attributes: dict[str, object]
    ) -> None:
        """What a call of a layer is given by name, beside what the layer holds."""
        for where, value in zip(event.site.operands, event.operands, strict=False):
            if where.role not in info.parameters:
                continue
            item = self.operand(event, value, where)
            if isinstance(item, ir.Constant):
                attributes[where.role] = item.value
            else:
                operands.append(Keyword(where.role, item))

    def taken(self, event: Event, value: Value) -> Operand:
        """What a layer was given in a call; ``(h, c)`` by the names of its items."""
        if not isinstance(value, Pack):
            return self.resolve(value, where_of(event, value))
        items = [self.taken(event, item) for item in value.items]
        return ir.Pack("list" if value.listed else "tuple", items)

    def emit_op(self, event: Event) -> None:
        if called_layer(event) is not None:
            for part in inside(event, ()):
                self.emit_part(event, part)
            return
        if event.site.kind == "getitem" and isinstance(event.operands[0], Thing):
            return  # a layer of a container: nothing is computed
        if event.site.kind == "getitem" and (item := self.item_of(event)) is not None:
            self.bind(event, [event.result], [item])
            return
        symbol = symbol_of(event)
        if symbol.namespace == "py" and (known := self.handed_out(event)) is not None:
            self.bind(event, [event.result], [known])
            return
        operands, attributes = self.operands(event)
        operands += self.reached(event, operands)
        info = registry.get(symbol)
        if event.kind == "store" and event.site.kind != "setitem":
            mutated: tuple[int, ...] = (0,)  # self.W += ...
        elif event.kind == "store" or event.in_place:
            mutated = (0,)
        else:
            mutated = info.mutated(operands, attributes) if info is not None else ()
            mutated = mutated or self.changed(event, operands)
        mutated = tuple(i for i in mutated if i < len(operands))
        again = info is None or symbol.namespace == "torch"
        written = [v for i in mutated for v in ir.values.values_of(operands[i])]
        results = self.results(event, bool(mutated))
        if info is None:
            attributes |= _handle(event, results)
        values = self.append(
            symbol, operands, [v.type for v in written] + [type_of(r) for r in results],
            [v.hint for v in written] + hints_of(event, results), event.site.span,
            attributes=attributes, mutated=mutated, note=_cast(cast_by_autocast(event)) or None,
            call=self.lifter.call_of(event, self.turns) if again else None,
        )  # fmt: skip
        for old, new in zip(written, values, strict=False):
            self.replace(old, new)
        for array in written_by(event):
            if array.number in self.now.arrays:
                key = event.index, array.number
                self.lifter.values[key] = self.now.arrays[array.number]
        same = event.result
        back = self.now.arrays.get(same.number) if isinstance(same, Array) else None
        given = values[len(written) :] or ((back,) if back is not None else values[:1])
        self.bind(event, results or (event.result,), given)

    def reached(self, event: Event, operands: Sequence[Operand]) -> list[ir.Value]:
        """The arrays that a call wrote into by way of an object, which are operands of its node
        too."""
        values = [self.resolve(array, None) for array in event.reached]
        given = {own for operand in operands for own in ir.values.values_of(operand)}
        return [v for v in dict.fromkeys(values) if isinstance(v, ir.Value) and v not in given]

    def changed(self, event: Event, operands: Sequence[Operand]) -> tuple[int, ...]:
        """The operands that a call of what is not recorded was seen to write into."""
        arrays: set[object] = {self.now.arrays.get(array.number) for array in event.written}
        for i in event.changed:  # what a loop carries is known by its name alone
            known = self.resolve(event.operands[i], event.site.operands[i])
            arrays.update(ir.values.values_of(known))
        arrays.discard(None)
        values = (ir.values.values_of(operand) for operand in operands)
        return tuple(i for i, own in enumerate(values) if not arrays.isdisjoint(own))

    def results(self, event: Event, mutates: bool) -> list[Value]:
        """What a node gives besides the new versions of what it writes."""
        if isinstance(event.result, Pack):
            items = event.result.items
            if event.site.callee == "with":  # what it took and changed is another version of that
                items = tuple(item for item in items if item not in event.operands)
            info = registry.get(symbol_of(event))
            if info is not None and info.outputs == len(items):
                return list(items)
            return [r for r in items if isinstance(r, Array | Scalar)]
        if not isinstance(event.result, Array | Scalar):
            return []
        again = mutates and any(_is_the_same(event.result, o) for o in event.operands)
        return [] if again else [event.result]

    def emit_item_update(self, event: Event) -> None:
        """``x[i] += v``: read, combine, write."""
        operands, _ = self.operands(event)
        if len(operands) != 3:
            return
        target, index, value = operands
        span = event.site.span
        getitem, combine = Symbol("np", "getitem"), symbol_of(event)
        read = self.append(getitem, [target, index], [inferred(getitem, [target, index])], [], span)
        new = self.append(
            combine, [read[0], value], [inferred(combine, [read[0], value])], [], span
        )
        if isinstance(target, ir.Value):
            (after,) = self.append(
                Symbol("np", "setitem"), [target, index, new[0]], [target.type], [target.hint],
                span, mutated=(0,),
            )  # fmt: skip
            self.replace(target, after)

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
        self.lifter.called[event.site.number] = _Called(
            graph, tuple(taken), positions, tuple(written)
        )

    def function(
        self, event: Event | None, frame: Frame, results: Sequence[Array | Scalar]
    ) -> tuple[ir.Graph, list[_Input], Sequence[Array | Scalar]] | None:
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

    def inside(self, frame: Frame) -> _Builder | None:
        """What a frame did, in a graph that isn't ended yet; None for a recursive call."""
        lifter = self.lifter
        if frame.scope.number in lifter.lifting:
            return None
        graph = self.module.add_graph(_graph_name(frame.scope), frame.scope.span)
        inner = _Builder(lifter, graph.body, frame)
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

    def own_name(self, frame: Frame, taken: _Input) -> SiteOperand | None:
        """How an input of ``frame`` was read, where its name means the same here."""
        name = taken.operand.name if taken.operand is not None else ""
        return None if name in frame.scope.parameters else taken.operand

    def emit_plain_call(self, event: Event, called: _Called) -> bool:
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

    def arguments(self, event: Event, inputs: Sequence[_Input],
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

    # ------------------------------------------------------------------ operands

    def operands(self, event: Event) -> tuple[list[Operand], dict[str, object]]:
        """An event's operands in order, and its constant keyword arguments as attributes."""
        operands: list[Operand] = []
        attributes: dict[str, object] = {}
        pairs = [
            pair for pair in zip(event.site.operands, event.operands, strict=False)
            if pair[0].role != "bound"
        ]  # fmt: skip
        subscript = event.site.kind in ("getitem", "setitem") or event.site.kind.endswith(":item")

        def role_of(pair: tuple[SiteOperand, Value]) -> str:
            return "index" if subscript and pair[0].role == "*" else pair[0].role

        for role, group in groupby(pairs, role_of):
            items = [
                (where.bracket, self.spread(event, value, where, role)) for where, value in group
            ]
            values = [value for _, some in items for value in some]
            if items[0][0]:
                item: Operand = _packed(items)
            elif role == "index" and len(values) != 1:
                item = ir.Pack("tuple", values)
            else:
                item = values[0]
            if role.isdigit() or role in ("self", "index", "value", "*"):
                operands.append(item)
            elif isinstance(item, ir.Constant) and event.site.is_call:
                attributes[role] = item.value
            else:
                operands.append(Keyword(role, item))
        return operands, attributes

    def spread(
        self, event: Event, value: Value, where: SiteOperand, role: str
    ) -> Sequence[Operand]:
        """What an operand comes to: itself, or the items of one with a star in an index."""
        item = self.operand(event, value, where)
        starred = where.role == "*" and role == "index"
        return item.items if starred and isinstance(item, ir.Pack) else [item]

    def operand(self, event: Event, value: Value, where: SiteOperand) -> Operand:
        if value is None and where.form in ("literal", "text"):
            return self.written_out(event, self.trace.text(where.span), where)
        return self.resolve(value, where)

    def written_out(self, event: Event, text: str, where: SiteOperand) -> Operand:
        """What was not recorded, by its text: a literal, a slice, or a value from outside."""
        value = literal_of(text)
        if value is not UNKNOWN:
            return ir.as_operand(value)
        bounds = bounds_of(text)
        if bounds is None:
            kind = INDEX if where.role == "index" else ir.OpaqueType("object")
            return self.append(OUTSIDE, [], [kind], [None], where.span)[0]
        recorded = iter([
            (operand, value)
            for operand, value in zip(event.site.operands, event.operands, strict=False)
            if operand.role == "bound"
            and where.span.contains(operand.span.line, operand.span.column)
        ])  # fmt: skip
        parts = [self.bound_of(bound, where, recorded) for bound in bounds]
        numbers = [part.value for part in parts if isinstance(part, ir.Constant)]
        if len(numbers) == len(parts):
            return ir.Constant(slice(*numbers))
        return ir.Pack("slice", parts)

    def bound_of(
        self, text: str, where: SiteOperand, recorded: Iterator[tuple[SiteOperand, Value]]
    ) -> Operand:
        """One bound of a slice; ``recorded`` are those that are no literals, in order."""
        value = literal_of(text) if text else None
        if value is not UNKNOWN:
            return ir.as_operand(value)
        operand, number = next(recorded, (where, None))
        if number is not None:
            return self.resolve(number, operand)
        hint = text if text.isidentifier() else None
        return self.append(OUTSIDE, [], [INDEX], [hint], where.span)[0]

    def resolve(self, value: Value, where: SiteOperand | None) -> Operand:
        """What a recorded operand is in the graph at this point."""
        name = where.name if where is not None else ""
        if name in self.now.carried and not isinstance(value, Pack):
            return self.now.names[name]
        match value:
            case Array():
                return self.now.arrays.get(value.number) or self.named(value, where)
            case Scalar():
                return self.now.scalars.get(value.number) or self.named(value, where)
            case Constant(_, kind) if kind:
                return self.named(value, where)
            case Constant(number):
                if where is not None and id(where) in self.now.shifting:
                    return self.shifted(where, self.now.shifting[id(where)])
                return ir.Constant(number)
            case Pack(items, listed):
                kind = "list" if listed else "tuple"
                return ir.Pack(kind, [self.resolve(item, None) for item in items])
        return self.named(value, where)

    def named(self, value: Value, where: SiteOperand | None) -> ir.Value:
        """A value that no event gave, by the name it was read from: a part that ran plain left
        it."""
        name = where.name if where is not None else ""
        known = self.now.names.get(name)
        if known is not None and self.trusted(name, value) and self.is_like(known, name, value):
            number = value.value if isinstance(value, Scalar) else None
            if self.now.numbers.get(name, number) == number:
                return known
        return self.outside(value, where)

    def is_like(self, known: ir.Value, name: str, value: Value) -> bool:
        """Whether a value can be what a name stands for. Of what a plain part of a loop left in
        it, nothing may have been told."""
        untold = isinstance(value, Array) and value.type is None and name in self.now.settled
        return untold or alike(known.type, type_of(value))

    def shifted(self, where: SiteOperand, shift: Shift) -> ir.Value:
        """A number that each iteration has another of."""
        hint = last_part(where.name) or None
        if shift.first == 0:
            return shift.index
        op, operands = OUTSIDE, list[Operand]()
        if shift.first is not None:
            op, operands = Symbol("py", "add"), [shift.index, ir.Constant(shift.first)]
        elif shift.table:
            numbers = ir.Pack("list", map(ir.Constant, shift.table))
            op, operands = Symbol("py", "getitem"), [numbers, shift.index]
        return self.append(op, operands, [shift.kind], [hint], where.span)[0]

    def trusted(self, name: str, value: Value) -> bool:
        """Whether only events bind ``name``, so that it still is what the last one gave."""
        if name in self.now.settled or not isinstance(value, Array):
            return True
        scope = (self.frame or self.trace.frames[0]).scope
        return "." not in name and name not in scope.rebound

    def outside(self, value: Value, where: SiteOperand | None) -> ir.Value:
        """A value that this graph did not make: an input of a function, or of unrecorded code."""
        item = self.turned_to(value, where)
        if item is not None:
            return item
        name = where.name if where is not None else ""
        key: object = value.number if isinstance(value, Array) else name
        hint = last_part(name) or None
        if isinstance(value, Array) and value.parameter:
            hint = value.parameter
        if self.frame is not None and key and not self.is_local(name):
            found = self.inputs.get(key)
            if found is None:
                parameter = self.region.graph.body.add_parameter(type_of(value), hint)
                found = self.inputs[key] = _Input(parameter, value, where)
                self.number(parameter)
            made = found.parameter
        else:
            (made,) = self.append(OUTSIDE, [], [type_of(value)], [hint], span_of(where))
        self.keep(value, made)
        if isinstance(value, Array) and self.is_held(value, name):
            self.lifter.held[made] = value
        if name and not isinstance(value, Array):
            self.now.names[name] = made
            self.now.numbers.pop(name, None)
            if isinstance(value, Scalar):
                self.now.numbers[name] = value.value
        return made

    def is_held(self, array: Array, name: str) -> bool:
        """Whether an array that came from around belongs there, and not to an argument."""
        if array.parameter or self.frame is None:
            return bool(array.parameter)
        root, _, rest = name.partition(".")
        return bool(name) and (
            root not in self.frame.scope.parameters or (root == "self" and bool(rest))
        )

    def is_local(self, name: str) -> bool:
        scope = self.frame.scope if self.frame is not None else None
        return scope is not None and name in scope.locals and name not in scope.parameters

    def keep_as(self, value: Value, known: Operand) -> None:
        """From here on, ``value`` is ``known``, where that is one value."""
        if isinstance(known, ir.Value):
            self.keep(value, known)

    def keep(self, value: Value, known: ir.Value) -> None:
        if isinstance(value, Array):
            self.now.arrays[value.number] = known
        elif isinstance(value, Scalar):
            self.now.scalars[value.number] = known
            self.latest[value.value] = known

    # ------------------------------------------------------------------ results

    def append(self, op: Symbol, operands: Sequence[Operand], types: Sequence[Type],
               hints: Sequence[str | None], span: Span | None, *,
               attributes: dict[str, object] | None = None, mutated: Sequence[int] = (),
               note: str | None = None,
               call: int | None = None) -> tuple[ir.Value, ...]:  # fmt: skip
        node = self.region.append(
            op, operands, types, hints, attributes or {}, span, (), mutated, note
        )
        node.under, node.call = self.under, call
        shapes = tuple(self.shape_of(o) for o in operands)
        self.key.append((str(op), shapes, tuple(types), repr(attributes), span, self.under,
                         call))  # fmt: skip
        for value in node.results:
            self.number(value)
        return node.results

    def number(self, value: ir.Value) -> None:
        self.order[value] = len(self.order)

    def shape_of(self, operand: Operand) -> object:
        """An operand in a body's key."""
        match operand:
            case ir.Value():
                return ("%", self.order.get(operand))
            case ir.Pack(kind=kind, items=items):
                return (kind, *(self.shape_of(i) for i in items))
            case ir.Keyword(name=name, item=item):
                return (name, self.shape_of(item))
        return repr(operand)

    def replace(self, old: ir.Value, new: ir.Value) -> None:
        """``old`` was written in place: who had it has ``new``."""
        for table in (self.now.arrays, self.now.names, self.now.gradients):
            for key in [k for k, v in table.items() if v is old]:
                table[key] = new  # type: ignore[index]
        for taken in self.inputs.values():
            if taken.parameter is old:
                taken.written = True

    def bind(self, event: Event, results: Sequence[Value], values: Sequence[ir.Value]) -> None:
        """The event's results, and the names that they get at once."""
        for result, value in zip(results, values, strict=False):
            self.keep(result, value)
            if isinstance(result, Array | Scalar):
                self.lifter.values[event.index, result.number] = value
        if event.site.unpacked and isinstance(event.result, Array) and values:
            self.unpack(event, values[0])
        for name, bound in bindings(event):
            chosen = next((v for r, v in zip(results, values, strict=False) if r is bound), None)
            if chosen is None:
                continue
            self.now.names[name] = chosen
            self.now.carried.discard(name)
            self.now.settled.discard(name)
            self.now.numbers.pop(name, None)
            if isinstance(bound, Scalar):
                self.now.numbers[name] = bound.value

    def unpack(self, event: Event, value: ir.Value) -> None:
        """``a, b = array``: names get its items."""
        getitem = Symbol("np", "getitem")
        for i, (name, span) in enumerate(event.site.targets):
            operands = (value, ir.Constant(i))
            kind = inferred(getitem, operands)
            if name and isinstance(kind, ArrayType):
                (item,) = self.append(getitem, operands, [kind], [last_part(name)], span)
                self.now.names[name] = item
                self.now.carried.discard(name)

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

    def find(self, values: Sequence[Value]) -> list[ir.Value]:
        """The graph's values for what a function returned."""
        found = []
        for place, part in enumerate(values):
            if isinstance(part, Array):
                known = self.now.arrays.get(part.number) or self.left_by_loop(place, part)
            else:  # array scalars have no identity; the latest with that value is the one
                known = self.latest.get(part.value) if isinstance(part, Scalar) else None
            if known is None:  # made in a part that ran plain
                (known,) = self.append(OUTSIDE, [], [type_of(part)], [], None)
            found.append(known)
        return found

    def left_by_loop(self, place: int, part: Array) -> ir.Value | None:
        """What a loop left in the name that a function returns there, whose last iterations ran
        plain."""
        if self.frame is None or not self.now.settled:
            return None
        names = returned_names(self.trace.text(self.frame.scope.span))
        name = names[place] if place < len(names) else ""
        known = self.now.names.get(name) if name in self.now.settled else None
        return known if known is not None and alike(known.type, type_of(part)) else None


@dataclass(frozen=True, slots=True)
class _Carried:
    """Something that a loop carries: a name, or a buffer that is written."""

    hint: str | None
    initial: ir.Value
    name: str | None
    array: int | None
    site: int | None = None
    """The site that makes what is handed on, where neither a name nor a buffer does."""
    read_as: str = ""
    """The name that the next iteration reads it by."""


def _carried_type(entry: _Carried, groups: Sequence[list[Event]]) -> Type:
    """A type that fits what is carried into every iteration, and out of the last."""
    kind = entry.initial.type
    for group in groups:
        for event in group:
            for name, value in bindings(event):
                if name == entry.name or event.site.number == entry.site:
                    kind = type_of_both(kind, type_of(value))
    return kind


def _is_the_same(one: Value, other: Value) -> bool:
    """Whether two are one array, or show the same elements, as ``x.data`` and ``x`` do."""
    if not (isinstance(one, Array) and isinstance(other, Array)):
        return one is other
    return one is other or (one.memory is other.memory and one.type is other.type)


def _turned(array: Array) -> str:
    """What a matrix is called that shows one with a name the other way round."""
    whole = array.memory
    name = whole.parameter or (last_part(whole.names[-1]) if whole.names else "")
    kind, of = array.type, whole.type
    if not name or kind is None or of is None or kind.strides is None or of.strides is None:
        return ""
    turned = (kind.sizes, kind.strides) == (of.sizes[::-1], of.strides[::-1])
    return f"{name}.T" if turned and whole is not array else ""


def _cast(element: str) -> str:
    return f"{element} by autocast" if element else ""


def _handle(event: Event, results: Sequence[Value]) -> dict[str, object]:
    """The node that PyTorch keeps for the gradient of what the registry doesn't know."""
    for result in results:
        gradient = event.gradients.get(result.number) if isinstance(result, Array) else None
        if gradient is not None and gradient.node is not None:
            return {"grad_fn": gradient.name}
    return {}


def where_of(event: Event, value: Value) -> SiteOperand | None:
    """The operand of a call that a layer was given as it is."""
    pairs = zip(event.site.operands, event.operands, strict=False)
    return next((where for where, given in pairs if given is value and where.name), None)


def _argument(event: Event, frame: Frame, taken: _Input) -> int | None:
    """Which operand of a call an input of the called function is; None: none that is known."""
    for i, operand in enumerate(event.operands):
        if operand is taken.value and isinstance(operand, Array):
            return i
    name = taken.operand.name if taken.operand is not None else ""
    return _place_of(event, frame.scope, name) if name in frame.scope.parameters else None


def _place_of(call: Event, scope: Scope, name: str) -> int | None:
    """Which operand of a call is for a parameter."""
    bound = scope.parameters[:1] == ("self",) and call.site.callee.startswith(".")
    roles = {name, str(scope.parameters.index(name) - bound)}
    return next((i for i, o in enumerate(call.site.operands) if o.role in roles), None)
