"""Loops: one node each, whose body is a representative iteration; or written out turn by turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ... import ir
from ...doc.source import Span
from ...ir import ArrayType, Symbol, Type
from ...ir.context import beyond
from ..operations import written_by
from ..sequences import (
    alike,
    bindings,
    bound_and_read_first,
    iterations,
    last_part,
    parts_of,
    runs,
    shifting,
    type_of,
    type_of_both,
    variety,
)
from ..trace import Array, Event, LoopRun, Scalar, SiteOperand, Value
from .calls import place_of
from .events import Events
from .lifter import names_in
from .state import Operand

__all__ = ["Builder"]

UNDEFINED = Symbol("ir", "undefined")
LONGEST = 64
"""Turns of a loop that is written out."""
_OVER = re.compile(
    r"\bin\s+(?:(?:enumerate|zip)\(\s*([\w.]+(?:\s*,\s*[\w.]+)*)\s*\)|([\w.]+))\s*(?::|$)"
)
_BEGINS_WORK = frozenset({
    "start", "start_new_thread", "submit", "map", "starmap", "apply_async", "run_in_executor",
})  # fmt: skip
"""Names of calls that may have other threads begin something."""


class Builder(Events):
    """Emits the events of one frame into one graph."""

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
        found = next((t for t in reversed(self.turns) if name in names_in(t[0].target)), None)
        if found is None or not isinstance(value, Array) or value.type is None:
            return None
        loop, turn = found
        over, targets = _OVER.search(self.trace.text(loop.span)), names_in(loop.target)
        names = names_in(over[1] or over[2]) if over is not None else []
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
        place = place_of(call, self.frame.scope, name)
        value = call.operands[place] if place is not None else None
        return value if isinstance(value, Array) else None

    def emit_loop(self, loop: int, events: list[Event], depth: int, after: Sequence[Event]) -> None:
        """Emit one run of a loop as a node."""
        groups = list(iterations(events, depth))
        run = self.lifter.run_of(loop, events[0])
        ran = run or LoopRun(self.trace.loops[loop], events[0].frame)
        self.under = beyond(self.around, ran.under)
        body = self.lifter.representative(groups)
        targets = frozenset(names_in(ran.loop.target))
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
        """What is carried from the place that makes it."""
        hint = last_part(name) or None
        if initial is None or initial.type is not type_of(value):
            initial = self.append(UNDEFINED, [], [type_of(value)], [hint], None)[0]
        return _Carried(hint, initial, None, None, site, read_as)

    def read_first(self, body: Sequence[Event], name: str) -> ir.Value | None:
        """What a name is when an iteration first reads it; None where it is bound before."""
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
