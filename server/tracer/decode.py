"""From a worker's frames to a :class:`Trace`. The worker is hostile: nothing is used unchecked.

A frame that is malformed raises :class:`WireError` and ends the reading; what was read before
stays.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..doc.source import Source, Span
from ..ir import ArrayType, element_name
from ..ir.context import CONTEXT, Under
from .inside import arrays_of
from .numbering import Named, first_of, is_same
from .trace import (
    Array,
    Backward,
    Break,
    Call,
    Constant,
    Edge,
    Event,
    Failure,
    Frame,
    Gradient,
    Hook,
    HookRun,
    LayerRun,
    Loop,
    LoopRun,
    Node,
    NotFinite,
    Outcome,
    Pack,
    Remark,
    Scalar,
    Scope,
    Site,
    SiteOperand,
    Stale,
    Statistics,
    Thing,
    Trace,
    Value,
)  # fmt: skip
from .unrecorded import result_type
from .wire import (
    AGAIN,
    BACKWARD,
    CALL,
    ENTER,
    FOUND,
    HELD,
    HOOK,
    HOOKED,
    ITERATE,
    LAYER,
    LEAVE,
    NOT_FINITE,
    OP,
    REACHED,
    REMARK,
    STEP,
    STORE,
    UNDER,
    VERSION,
    WireError,
)  # fmt: skip

MAX_TEXT = 20_000
MAX_DIMENSIONS = 64
MAX_DEPTH = 50
_BRACKETS = re.compile(r"(?:[\[(]\d{1,7}){0,50}")
"""Layers in layers that are named."""
MAX_PLACES = 1 << 20
_SHARES = frozenset({"torch.from_numpy", "torch.as_tensor"})
"""Functions that give tensors with the memory of an array of NumPy."""
_WAITS = frozenset({"join", "result", "wait", "gather", "shutdown"})
"""Names of calls that wait for other threads."""
_STATUSES = frozenset({"finished", "raised", "syntax", "exit"})


class Decoder:
    """Takes frames one by one and fills a trace."""

    def __init__(self, path: str, sources: Mapping[str, Source]) -> None:
        self.sources = dict(sources)
        self.trace = Trace(path, self.sources)
        self._modules: dict[int, Frame] = {}
        self.leaving: int | None = None
        """The line of a call that was about to end the process at once."""
        self.done: Outcome | None = None
        self._sites: dict[int, Site] = {}  # these three by the worker's numbers
        self._scopes: dict[int, Scope] = {}
        self._loops: dict[int, Loop] = {}
        self._types: list[ArrayType | None] = []
        self._arrays: dict[int, Array] = {}
        self._scalars: dict[int, Scalar] = {}
        self._frames: dict[int, Frame] = {}
        self._lines: dict[int, _Line] = {0: _Line(0, 0)}
        self._threads: dict[int, int] = {}
        """From 1, by the worker's numbers."""
        self._first_node = 0
        """What the numbers of nodes begin at that were made in the thread told of; and those that
        are known."""
        self._nodes_known = Named()
        self._under: dict[int, Under] = {}
        """By the worker's numbers of frames: what each runs under."""
        self._unclaimed_changes: tuple[Event, tuple[int, ...]] | None = None
        """What a call wrote that entered recorded functions."""
        self._hooks: frozenset[int] = frozenset()
        self._registered: dict[int, int] = {}
        """The place among the hooks of the one that was registered last at a site."""
        """The numbers of scopes that are hooks."""
        self._gradients: dict[int, Gradient] = {}
        self._running: dict[tuple[int, int], LoopRun] = {}
        self._worked_out = 0

    def feed(self, frame: dict[str, object]) -> None:
        """Take one frame.

        Raises:
            WireError: it is not what the worker may send.
        """
        handler = getattr(self, f"_on_{frame['t']}", None)
        if handler is None:
            raise WireError(f"no frame is called {str(frame['t'])[:40]!r}")
        try:
            handler(frame)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise WireError(f"a malformed {frame['t']} frame: {error!r}"[:300]) from error

    # ------------------------------------------------------------------ frames

    def _on_hello(self, frame: dict[str, Any]) -> None:
        if frame["version"] != VERSION:
            raise WireError(f"the worker speaks version {frame['version']!r}, not {VERSION}")
        self.trace.python = _text(frame["python"])[:20]
        self.trace.confined = tuple(_text(name)[:20] for name in frame["confined"][:20])

    def _on_code(self, frame: dict[str, Any]) -> None:
        trace, path = self.trace, _text(frame["path"])
        text = _whole_text(frame["source"])
        if path != trace.path:  # of the program itself, our own text counts
            self.sources[path] = Source(path, text)
        span = _Spans(path)
        sites, scopes, loops = self._places(frame)
        for number, s in zip(scopes, frame["scopes"], strict=True):
            kind, name, place, parent, *names = s
            parameters, own, rebound = (tuple(map(_text, texts)) for texts in names)
            scope = Scope(len(trace.scopes), _text(kind), _text(name), span(place),
                          None if parent is None else self._scopes[parent].number,
                          parameters, frozenset(own), frozenset(rebound))  # fmt: skip
            trace.scopes.append(scope)
            self._scopes[number] = scope
        for number, (scope, place, parent, target) in zip(loops, frame["loops"], strict=True):
            outer = None if parent is None else self._loops[parent].number
            owner = self._scopes[scope].number
            loop = Loop(len(trace.loops), owner, span(place), outer, _text(target))
            trace.loops.append(loop)
            self._loops[number] = loop
        places = {number: len(trace.sites) + i for i, number in enumerate(sites)}
        for number, s in zip(sites, frame["sites"], strict=True):
            kind, place, scope, loop, callee, certain, discarded, unpacked, *names = s
            operands, targets = names
            site = Site(
                len(trace.sites), _text(kind), span(place), self._scopes[scope].number,
                None if loop is None else self._loops[loop].number, _text(callee),
                bool(certain), bool(discarded), bool(unpacked),
                tuple(self._site_operand(o, span, places) for o in operands),
                tuple((_text(n), span(p)) for n, p in targets),
            )  # fmt: skip
            trace.sites.append(site)
            self._sites[number] = site
        if not trace.frames:
            self._lines[0].current = Frame(0, trace.scopes[0])
            trace.frames.append(self._lines[0].current)

    def _places(self, frame: dict[str, Any]) -> tuple[list[int], list[int], list[int]]:
        """The worker's numbers of a file's sites, scopes and loops, in the order of the text."""
        numbers: tuple[list[int], list[int], list[int]] = ([], [], [])
        for part in frame["parts"]:
            for found, (first, end) in zip(numbers, part, strict=True):
                if len(found) + end - _index(first) > MAX_PLACES:
                    raise WireError("a part of too many places")
                found.extend(range(first, end))
        return numbers

    def _site_operand(self, wire: Any, span: _Spans, places: Mapping[int, int]) -> SiteOperand:
        role, form, place, site, path, bracket = wire
        name = ".".join(map(_text, path)) if form in ("name", "attribute") else ""
        number = None if site is None else places[site]
        if not _BRACKETS.fullmatch(bracket):
            raise ValueError(f"no brackets: {bracket[:40]!r}")
        return SiteOperand(_text(role), _text(form), span(place), number, name, bracket)

    def _on_events(self, frame: dict[str, Any]) -> None:
        self._take_types(frame["types"])
        for event in frame["events"]:
            match event:
                case [code, *rest] if code == OP and len(rest) in (4, 5):
                    self._op(*rest)
                case [code, site, where, value, lost, operands] if code == STORE:
                    self._store(site, where, value, bool(lost), operands)
                case [code, where, scope, *of] if code == ENTER and len(of) in (0, 2):
                    self._frame(where, self._scopes[_index(scope)], self._line(*of))
                case [code, where, loop, skipped] if code == ITERATE:
                    self._iterate(where, loop, _index(skipped))
                case [code, where, loop, skipped] if code == LEAVE:
                    self._leave(where, loop, _index(skipped))
                case [code, site, where, value, count, index, values] if code == NOT_FINITE:
                    self._not_finite(self._last_at(site, where), count, index, values)
                case [code, site, where, str(kind), list(details)] if code == REMARK:
                    self._remark(self._last_at(site, where), kind, details)
                case [code, site, where, list(values)] if code == REACHED:
                    self._reached(self._last_at(site, where), values)
                case [code, line, *rest] if code == LAYER and len(rest) == 7:
                    self._layer(self._lines[_index(line)], *rest)
                case [code, line, *rest] if code == HOOKED and len(rest) == 7:
                    self._hooked(self._lines[_index(line)], *rest)
                case [code, where, list(nodes), list(passed), *rest] if (
                    code == BACKWARD and len(rest) == 5
                ):
                    self._backward(self._last_in(where), nodes, passed, *rest)
                case [code, site, where, number, closed] if code == CALL:
                    self._called(self._last_at(site, where), _index(number), bool(closed))
                case [code, site, value, None] if code == HOOK:
                    self._hook(self._sites[_index(site)], value)
                case [code, site, _, [str(path), int(line), str(name)]] if code == HOOK:
                    self._hook_runs(_index(site), path, line, name)
                case [code, value] if code == FOUND:
                    self._value(value)
                case [code, where, like] if code == AGAIN:
                    self._again(self._last_in(where), like)
                case [code, where, list(names)] if code == UNDER:
                    self._under[_index(where)] = tuple(map(_context, names))
                case [code, where, list(updates)] if code == STEP:
                    self._step(self._last_in(where), updates)
                case [code, None, ""] if code == HELD:
                    self.trace.told = len(self.trace.events) - 1
                case [code, number, str(data)] if code == HELD:
                    self._held(number, base64.b64decode(data, validate=True))
                case _:
                    raise WireError(f"an event of unknown form {str(event)[:80]}")

    def _on_statistics(self, frame: dict[str, Any]) -> None:
        for number, *numbers, zeros, nans, infinite, sampled in frame["values"]:
            array = self._arrays.get(_index(number))
            if array is not None:
                mean, deviation, least, most = (None if n is None else float(n) for n in numbers)
                array.statistics = Statistics(
                    mean, deviation, least, most,
                    _index(zeros), _index(nans), _index(infinite), bool(sampled),
                )  # fmt: skip

    def _on_contents(self, frame: dict[str, Any]) -> None:
        """A piece of what an array holds; more than its type has room for is refused."""
        array = self._arrays.get(_index(frame["number"]))
        if array is None or array.type is None:
            return
        data = (array.contents or b"") + base64.b64decode(frame["data"], validate=True)
        if len(data) > (array.type.nbytes or 0):
            raise ValueError("more elements than there are")
        array.contents = data

    def _on_failure(self, frame: dict[str, Any]) -> None:
        self._take_types(frame["types"])
        site = frame["site"]
        calls = tuple(
            Call(_Spans(_text(path))(place), _text(function), bool(known))
            for path, place, function, known in frame["frames"]
        )
        known = [call.span.path for call in calls if call.known]
        span = _Spans(known[-1] if known else self.trace.path)
        given = self._work_out(frame["before"])
        operands = []
        for role, place, wire in frame["operands"]:
            match wire:
                case ["site", number] if given or frame["truth"]:
                    value = given.get(number) if given else self._latest(_index(number))
                case ["site", _]:
                    value = None
                case _:
                    value = self._value(wire)
            operands.append((_text(role), span(place), value))
        self.trace.failure = Failure(
            _text(frame["type"]), _text(frame["module"]), _text(frame["message"]),
            tuple(map(_text, frame["notes"])), calls,
            None if site is None else self._sites[_index(site)],
            bool(frame["truth"]), tuple(operands), _blocked(frame["blocked"]),
            **self._of_library(frame),
        )  # fmt: skip

    def _work_out(self, before: list[Any]) -> dict[int, Value]:
        """What operations gave that ran unrecorded right before a failure, by their sites."""
        given: dict[int, Value] = {}
        for number, where, wires in before:
            known = self._sites[_index(number)]
            inner = [w[1] if isinstance(w, list) and w[:1] == ["site"] else None for w in wires]
            wires = [w if i is None else None for w, i in zip(wires, inner, strict=True)]
            event = self._event("op", number, where, wires)
            sites = iter(inner)
            taken = [next(sites, None) if o.recorded else None for o in known.operands]
            event.operands = tuple(
                v if n is None else given.get(n) for v, n in zip(event.operands, taken, strict=True)
            )
            type_ = result_type(self.trace, event)
            if type_ is None:
                self.trace.events.pop()
                continue
            self._worked_out += 1
            array = Array(-self._worked_out)
            array.type = type_
            event.result = given[number] = array
            self._bind(event, array)
        return given

    def _of_library(self, frame: dict[str, Any]) -> dict[str, Any]:
        """What a library knew of the failure."""
        layers = [(self._value(layer), self._all(given)) for layer, given in frame["layers"]]
        stale = [
            Stale(_index(node), _text(name), _text(kept), int(version), int(expected),
                  tuple(map(_index, sizes)))
            for node, name, kept, version, expected, sizes in frame["stale"]
        ]  # fmt: skip
        return {
            "layers": tuple(pair for pair in layers if isinstance(pair[0], Thing)),
            "stale": tuple(stale),
            "roots": self._all(frame["roots"]),
            "graph": self._nodes(frame["graph"]),
        }

    def _on_thing(self, frame: dict[str, Any]) -> None:
        self._take_types(frame["types"])
        thing = self._thing(_index(frame["number"]))
        thing.kind = _text(frame["kind"])
        thing.settings = _text(frame.get("settings", ""))
        thing.parameters = {_text(n): self._value(v) for n, v in frame["parameters"]}
        thing.buffers = {_text(n): self._value(v) for n, v in frame["buffers"]}
        layers = {_text(n): self._value(v) for n, v in frame["layers"]}
        thing.layers = {n: v for n, v in layers.items() if isinstance(v, Thing)}
        for name, layer in thing.layers.items():
            if layer.owner is None and not layer.path:
                layer.path, layer.owner = name, thing
        if thing.is_layer:
            self._named("", thing, 0, set())

    def _named(self, prefix: str, thing: Thing, depth: int, known: set[int]) -> None:
        """Name what a layer holds as its state has it: by the first of several names."""
        for name, value in (*thing.parameters.items(), *thing.buffers.items()):
            if isinstance(value, Array) and value.number not in known:
                known.add(value.number)
                value.parameter = prefix + name
        for name, layer in thing.layers.items():
            if layer.number in known:  # things and arrays are numbered together
                continue
            known.add(layer.number)
            layer.path = prefix + name
            if depth < MAX_DEPTH:
                self._named(f"{prefix}{name}.", layer, depth + 1, known)

    def _on_syntax(self, frame: dict[str, Any]) -> None:
        span = _Spans(self.trace.path)(frame["place"])
        self.trace.syntax = (_text(frame["message"]), span)

    def _on_unrecorded(self, frame: dict[str, Any]) -> None:
        self.trace.unrecorded = _text(frame["reason"])

    def _on_breaks(self, frame: dict[str, Any]) -> None:
        self.trace.breaks += [
            Break(_Spans(_text(path))(place), _text(reason))
            for path, place, reason in frame["breaks"]
        ]

    def _on_leaving(self, frame: dict[str, Any]) -> None:
        self.leaving = _index(frame["line"])

    def _on_done(self, frame: dict[str, Any]) -> None:
        status = frame["status"]
        if status not in _STATUSES:
            raise WireError(f"no run ends as {str(status)[:40]!r}")
        code, line = frame.get("code"), frame.get("line")
        self.done = Outcome(
            status, None if code is None else int(code), None if line is None else _index(line)
        )
        self.trace.dropped = _index(frame.get("dropped", 0))
        for run in self._running.values():  # left by an exception, a return, or the end of time
            run.events = range(run.events.start, len(self.trace.events))
        for line in self._lines.values():
            self._join(line)

    # ------------------------------------------------------------------ events

    def _iterate(self, where: int, loop: int, skipped: int) -> None:
        known = self._loops[_index(loop)]
        frame = self._frame(where, self.trace.scopes[known.scope])
        key = (frame.number, known.number)
        run = self._running.get(key)
        if run is None:
            run = self._running[key] = LoopRun(known, frame)
            run.events = range(len(self.trace.events), len(self.trace.events))
            run.under = self._under.get(where, ())
            self.trace.loop_runs.append(run)
        run.iterations += 1 + skipped

    def _leave(self, where: int, loop: int, skipped: int) -> None:
        known = self._loops[_index(loop)]
        frame = self._frame(where, self.trace.scopes[known.scope])
        run = self._running.pop((frame.number, known.number), None)
        if run is not None:
            run.iterations += skipped
            run.events = range(run.events.start, len(self.trace.events))

    def _op(self, site: int, where: int, result: Any, operands: Any, dead: Any = ()) -> None:
        event = self._event("op", site, where, operands)
        self._gradients = {}
        value = self._value(result)
        event.result = value
        event.dead = tuple(map(bool, dead))
        event.gradients, self._gradients = self._gradients, {}
        line = self._lines[event.frame.line]
        event.layers, event.hooks = line.take(event.frame.number)
        if line.unclaimed:
            self._claim(event, line.unclaimed)
        if event.site.certain and event.site.callee in _SHARES:
            self._share(event, value)
        self._bind(event, value)

    @staticmethod
    def _share(event: Event, value: Value) -> None:
        """A tensor that shows the memory of NumPy's array, of which PyTorch says nothing."""
        given = event.operands[0] if event.operands else None
        if (
            isinstance(value, Array) and isinstance(given, Array)
            and value.owner is None and value.made is None
            and value.type is not None and given.type is not None
            and (value.type.element, value.type.sizes) == (given.type.element, given.type.sizes)
            and (value.type.device, given.type.device) == ("cpu", None)
        ):  # fmt: skip
            value.owner = given.memory

    def _store(self, site: int, where: int, target: Any, lost: bool, operands: Any) -> None:
        event = self._event("store", site, where, operands)
        event.lost = lost
        if not event.operands or not isinstance(event.operands[0], Array):
            event.operands = (self._array(_index(target)), *event.operands[1:])

    def _held(self, number: int, elements: bytes) -> None:
        array = self._array(_index(number))
        if array.type is not None and array.type.nbytes == len(elements):
            self.trace.held.setdefault(len(self.trace.events) - 1, {})[array.number] = elements

    def _event(self, kind: str, site: int, where: int, operands: Any) -> Event:
        known = self._sites[_index(site)]
        frame = self._frame(where, self.trace.scopes[known.scope])
        values = iter([self._value(o) for o in operands])
        aligned = tuple(next(values, None) if o.recorded else None for o in known.operands)
        event = Event(len(self.trace.events), kind, known, frame, None, aligned)
        event.under = self._under.get(where, ())
        event.iteration = self._iteration(frame, known.loop)
        for operand, value in zip(known.operands, aligned, strict=True):
            if operand.form == "name" and operand.name in frame.scope.parameters:
                frame.arguments.setdefault(operand.name, value)
        self.trace.events.append(event)
        self._lines[frame.line].last = event
        return event

    def _iteration(self, frame: Frame, loop: int | None) -> tuple[int, ...]:
        counts: list[int] = []
        while loop is not None:
            run = self._running.get((frame.number, loop))
            counts.append(run.iterations if run else 0)
            loop = self.trace.loops[loop].parent
        return tuple(reversed(counts))

    @staticmethod
    def _claim(event: Event, unclaimed: list[Frame]) -> None:
        """Frames that ran since and belong to nobody ran inside ``event``."""
        inside = tuple(f for f in unclaimed if f.parent is event.frame)
        if not inside:
            return
        first = unclaimed.index(inside[0])
        del unclaimed[first:]
        for frame in inside:
            frame.call = event
            frame.under = event.under
        event.entered = inside

    def _join(self, line: _Line) -> None:
        """What another thread did came to pass by the next call that waits, or else by any that
        ended after it in the frame that ran as it began, ahead of what uses something of it."""
        first, last = line.first, line.last
        if first is None or last is None or first.parent is None:
            return
        after = [e for e in self.trace.events[last.index + 1 :] if e.frame is first.parent]
        calls = []
        for later in after:
            if later.kind == "op" and later.site.is_call:
                calls.append(later)
            used = arrays_of(later.result, *later.operands)
            if any(a.made is not None and a.made.frame.line == line.number for a in used):
                break
        waits = (e for e in calls if e.site.callee.rpartition(".")[2] in _WAITS)
        event = next(waits, calls[0] if calls else None)
        if event is not None:
            first.call = event
            event.entered = (*event.entered, first)

    def _bind(self, event: Event, value: Value) -> None:
        if isinstance(value, Array | Scalar | Thing) and value.made is None:
            value.made = event if value not in event.operands else None
        if isinstance(value, Pack):
            for item in value.items:
                if isinstance(item, Array | Scalar) and item.made is None:
                    item.made = event
        for name, bound in event.site.bound(value):
            if isinstance(bound, Array | Thing) and name not in bound.names:
                bound.names.append(name)

    def _last_at(self, site: int, where: int) -> Event | None:
        """The last event at a site in a frame."""
        known, frame = self._sites[_index(site)], self._frames.get(_index(where))
        before = reversed(self.trace.events)
        return next((e for e in before if e.site is known and e.frame is frame), None)

    def _last_in(self, where: int) -> Event | None:
        """The last event in a frame's line."""
        frame = self._frames.get(_index(where))
        return None if frame is None else self._lines[frame.line].last

    def _not_finite(self, event: Event | None, count: int, index: int, values: Any) -> None:
        if event is None:
            return
        given = iter([_number(v) for v in values or ()])
        aligned = tuple(next(given, None) if o.recorded else None for o in event.site.operands)
        found = NotFinite(event, _index(count), _index(index), aligned, values is None)
        self.trace.not_finite.append(found)

    def _remark(self, event: Event | None, kind: str, details: list[Any]) -> None:
        if event is None:
            return
        if kind == "changed":
            self._changed(event, details)
        else:
            self.trace.remarks.append(Remark(kind, event, tuple(map(_number, details))))

    def _reached(self, event: Event | None, values: list[Any]) -> None:
        """A call left arrays changed that are no operands of its own."""
        given = self._all(values)
        if event is not None and not event.entered:
            event.reached = tuple(v for v in given if isinstance(v, Array))

    def _called(self, event: Event | None, number: int, closed: bool) -> None:
        """The call that just ended can be made again; one that is ``closed`` as a whole."""
        if event is None or (event.entered and not closed):
            return
        event.call = number
        if event.entered and self._unclaimed_changes is not None:
            of, changed = self._unclaimed_changes
            event.changed = changed if of is event else ()

    def _changed(self, event: Event, details: list[Any]) -> None:
        """A call left operands changed. Where it entered recorded functions, their writes are
        known."""
        recorded = [i for i, operand in enumerate(event.site.operands) if operand.recorded]
        places = map(_index, details)
        changed = tuple(recorded[i] for i in places if i < len(recorded))
        if event.entered:
            self._unclaimed_changes = event, changed
        else:
            event.changed = changed

    def _layer(self, line: _Line, first: int, last: int, layer: Any, operands: Any, result: Any,
               training: Any, written: Any) -> None:  # fmt: skip
        self._first_node = first_of(line.thread)
        known, given = self._value(layer), self._all(operands)
        if not isinstance(known, Thing):
            raise WireError("a layer that is none")
        run = LayerRun(known, _index(first), _index(last), given, self._value(result),
                       bool(training), tuple(map(_index, written)),
                       len(self.trace.events))  # fmt: skip
        line.layers.append(run)
        line.left(run.first)
        self.trace.layer_runs.append(run)

    def _hooked(self, line: _Line, by: Any, first: int, last: int, when: Any, layer: Any,
                given: Any, result: Any) -> None:  # fmt: skip
        self._first_node = first_of(line.thread)
        run = HookRun(_text(when), self._value(layer), _index(first), _index(last),
                      self._all(given), self._value(result))  # fmt: skip
        line.hooks.append(run)
        line.left(run.first, None if by is None else self._frames.get(_index(by)))

    def _backward(self, event: Event | None, nodes: list[Any], passed: list[Any], roots: Any,
                  blame: Any, since: Any, made: Any, like: Any) -> None:  # fmt: skip
        """Gradients were computed by an event."""
        if event is None:
            return
        thread, ends = event.frame.thread, tuple(map(_edge, roots))
        first, told = first_of(thread), self._nodes(nodes)
        new = self._nodes_known.renumbered(
            told, [n for n, _ in ends], thread, len(self._threads), self.trace.events
        )

        def renumbered(number: Any) -> int:
            return new.get(int(number), first + int(number))

        def edges(given: tuple[Edge | None, ...]) -> tuple[Edge | None, ...]:
            return tuple(None if e is None else (renumbered(e[0]), e[1]) for e in given)

        if new:
            told = tuple(replace(node, number=renumbered(node.number), inputs=edges(node.inputs))
                         for node in told)  # fmt: skip
        self.trace.backwards.append(Backward(
            event, told, tuple((renumbered(n), place) for n, place in ends),
            None if blame is None else renumbered(_index(blame)), first + _index(since),
            tuple(
                (renumbered(node), tuple(None if n is None else first + int(n) for n in numbers))
                for node, numbers in made
            ),
            {renumbered(n): (self._all(t), self._all(g)) for n, t, g in passed},
            None if like is None else self._told(like),
        ))  # fmt: skip

    def _hook(self, site: Site, value: Any) -> None:
        """A hook was registered: what it is called by the program's text, or that of a lambda."""
        spans = [operand.span for operand in site.operands if operand.role == "0"]
        scopes = frozenset(
            scope.number
            for span in spans
            for scope in self.trace.scopes
            if (scope.kind == "function" and scope.name == self.trace.text(span).rpartition(".")[2])
            or (scope.kind == "lambda" and span.contains(scope.span.line, scope.span.column))
        )
        self._hooks |= scopes
        self._registered[site.number] = len(self.trace.hooks)
        self.trace.hooks.append(Hook(self._value(value), scopes, site.callee.rpartition(".")[2]))

    def _hook_runs(self, site: int, path: str, first: int, name: str) -> None:
        """The hook that was registered there runs the code that begins there, decorators first."""
        place = self._registered.get(site)
        if place is None or (name == "<lambda>" and self.trace.hooks[place].scopes):
            return  # of lambdas in one line, the text tells which it is
        alike = [s for s in self.trace.scopes
                 if s.name == name and s.span.path == path and s.span.line >= first]  # fmt: skip
        line = min((scope.span.line for scope in alike), default=None)
        scopes = frozenset(scope.number for scope in alike if scope.span.line == line)
        if scopes:
            self._hooks |= scopes
            self.trace.hooks[place] = replace(self.trace.hooks[place], scopes=scopes)

    def _again(self, event: Event | None, like: Any) -> None:
        """An event computed gradients, like a pass that was told of."""
        known = self._told(like)
        if known is not None and event is not None:
            self.trace.repeated.append(replace(known, event=event, like=known))

    def _told(self, number: Any) -> Backward | None:
        """A pass by its place among those that were told of; None where it was dropped."""
        told = self.trace.backwards
        return told[number] if _index(number) < len(told) else None

    def _step(self, event: Event | None, updates: list[Any]) -> None:
        """An optimizer took a step in an event."""
        pairs = [self._all(pair) for pair in updates]
        if event is not None:
            event.updated = tuple((p, g) for p, g in pairs if isinstance(p, Array))

    def _nodes(self, nodes: Any) -> tuple[Node, ...]:
        found = []
        for number, name, inputs, saved, leaf, takes, kept, *after in nodes:
            tensor = self._value(leaf)
            found.append(Node(
                int(number), _text(name), tuple(None if i[0] is None else _edge(i) for i in inputs),
                tuple(map(_text, saved)), tensor if isinstance(tensor, Array) else None,
                tuple(self._types[_index(kind)] for kind in takes),
                tuple((_text(key), self._all(tensors)) for key, tensors in kept),
                self._value(after[0]) if after else None,
            ))  # fmt: skip
        return tuple(found)

    def _latest(self, site: int) -> Value:
        known = self._sites[site]
        return next((e.result for e in reversed(self.trace.events) if e.site is known), None)

    def _line(self, line: Any = 0, thread: Any = 0) -> _Line:
        """The line of a thread in which a function begins."""
        known = self._lines.get(_index(line))
        if known is None:
            number = self._threads.setdefault(_index(thread), len(self._threads) + 1)
            known = self._lines[line] = _Line(line, number)
        return known

    def _frame(self, number: object, known: Scope, line: _Line | None = None) -> Frame:
        """The frame of an event, which is thereby the one that runs in its line. A new one was
        entered from the one that ran before."""
        wanted = _index(number)
        frame = self._frames.get(wanted)
        if frame is None:
            line = line or self._lines[0]
            if known.kind in ("module", "class"):
                frame = self._module(known)
            else:
                frame = Frame(wanted, known, self._caller(known, line))
                frame.under = line.under
                frame.line, frame.thread = line.number, line.thread
                self.trace.frames.append(frame)
                if line.number and line.first is None:
                    line.first = frame
                else:
                    line.unclaimed.append(frame)
            self._frames[wanted] = frame
        line = self._lines[frame.line]
        self._first_node = first_of(line.thread)
        line.current, line.under = frame, self._under.get(wanted, ())
        return frame

    def _caller(self, scope: Scope, line: _Line) -> Frame | None:
        """The frame that entered a new one, as far as is known: hooks don't call one another."""
        outer = line.current or self._lines[0].current
        while (
            outer is not None and scope.number in self._hooks and outer.scope.number in self._hooks
        ):
            outer = outer.parent
        return outer

    def _module(self, scope: Scope) -> Frame:
        """The frame that a module shares with its class bodies; the program's own is the first."""
        while scope.parent is not None:
            scope = self.trace.scopes[scope.parent]
        if scope.number == 0:
            return self.trace.frames[0]
        frame = self._modules.get(scope.number)
        if frame is None:
            before = self._lines[0].current
            frame = self._modules[scope.number] = Frame(-scope.number, scope, before)
            self.trace.frames.append(frame)
        return frame

    # ------------------------------------------------------------------ values

    def _take_types(self, types: Any) -> None:
        for dtype, shape, strides, device in types:
            if len(shape) > MAX_DIMENSIONS:
                raise WireError("an array of too many dimensions")
            sizes = tuple(map(_index, shape))
            steps = None if strides is None else tuple(int(s) for s in strides)
            if device is None:
                self._types.append(ArrayType(_element(dtype), sizes, steps))
            else:  # a tensor, whose element type has our name for it
                where = (), _text(device), "tensor"
                self._types.append(ArrayType(_text(dtype), sizes, steps, *where))

    def _value(self, wire: Any) -> Value:
        match wire:
            case None:
                return None
            case ["a", number]:
                return self._array(_index(number))
            case ["a", number, kind, base, *more] if len(more) < 2:
                array = self._array(_index(number))
                for facts in more:
                    array.gradient = self._gradient(array, *facts)
                    self._gradients[array.number] = array.gradient
                array.type = self._types[_index(kind)]
                array.foreign = base == -2
                if isinstance(base, int) and base > 0:
                    array.owner = self._array(base).memory
                return array
            case ["s", number, dtype, value]:
                scalar = self._scalars.get(_index(number))
                if scalar is None:
                    kind = ArrayType(_element(dtype), (), ())
                    scalar = self._scalars[number] = Scalar(number, kind, _number(value))
                return scalar
            case ["k", value]:
                return Constant(_number(value))
            case ["t", number]:
                return self._thing(_index(number))
            case ["o", str(name)]:
                return Constant(None, name[:200])
            case ["p" | "l" as kind, list(items)]:
                return Pack(tuple(self._value(item) for item in items), listed=kind == "l")
        raise WireError(f"a value of unknown form {str(wire)[:80]}")

    def _gradient(self, array: Array, version: Any, node: Any, name: Any, required: Any,
                  leaf: Any) -> Gradient:  # fmt: skip
        number, known = None, array.gradient
        if node is not None:
            number = self._first_node + _index(node)
            seen = None if known is None or known.name != _text(name) else known.node
            if seen is not None and is_same(seen, number):  # whatever thread meets it again
                number = seen
        return Gradient(int(version), number, _text(name), bool(required), bool(leaf))

    def _all(self, wires: Any) -> tuple[Value, ...]:
        return tuple(self._value(wire) for wire in wires)

    def _thing(self, number: int) -> Thing:
        return self.trace.things.setdefault(number, Thing(number, ""))

    def _array(self, number: int) -> Array:
        array = self._arrays.get(number)
        if array is None:
            array = self._arrays[number] = Array(number)
        return array


class _Line:
    """What runs in one line of a thread; see ``trace.Frame``."""

    def __init__(self, number: int, thread: int) -> None:
        self.number, self.thread = number, thread
        self.first: Frame | None = None
        self.current: Frame | None = None
        self.under: Under = ()
        """What that runs under."""
        self.last: Event | None = None
        self.unclaimed: list[Frame] = []
        """Frames that no event has called."""
        self.layers: list[LayerRun] = []
        self.hooks: list[HookRun] = []

    def take(self, since: int) -> tuple[tuple[LayerRun, ...], tuple[HookRun, ...]]:
        """The layers and hooks that nobody has called, of those that began later than a frame."""
        layers = tuple(run for run in self.layers if run.first > since)
        hooks = tuple(run for run in self.hooks if run.first > since)
        if layers:
            self.layers = [run for run in self.layers if run.first <= since]
        if hooks:
            self.hooks = [run for run in self.hooks if run.first <= since]
        return layers, hooks

    def left(self, began: int, by: Frame | None = None) -> None:
        """What ran since has ended: the frame before the first of those goes on, which is ``by``
        where that is known."""
        inside = next((f for f in self.unclaimed if f.number > began), None)
        if inside is None or inside.parent is None:
            return
        before = inside.parent
        for frame in self.unclaimed:
            if frame.number > began and frame.parent is before:
                frame.parent = by or before
        self.current, self.under = inside.parent, inside.under


class _Spans:
    """Places of one file as spans."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __call__(self, place: Any) -> Span:
        line, column, end_line, end_column = map(_index, place)
        return Span(self.path, line, column, max(line, end_line), end_column)


def _edge(wire: Any) -> Edge:
    number, place = wire
    return int(number), _index(place)


def _index(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise WireError(f"not an index: {str(value)[:40]}")
    return value


def _context(value: object) -> str:
    text = _text(value)
    if not CONTEXT.fullmatch(text):
        raise WireError(f"nothing runs under {text[:40]!r}")
    return text


def _whole_text(value: object) -> str:
    if not isinstance(value, str):
        raise WireError("a source is no text")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise WireError(f"not a text: {str(value)[:40]}")
    return value[:MAX_TEXT]


def _blocked(value: object) -> tuple[str, str] | None:
    if value is None:
        return None
    match value:
        case [effect, path]:
            return _text(effect), _text(path)
    raise WireError(f"not a blocked effect: {str(value)[:40]}")


def _element(dtype: object) -> str:
    text = _text(dtype)
    try:
        return element_name(text)
    except ValueError:
        return "struct" if text == "struct" else "other"


def _number(value: object) -> object:
    if isinstance(value, dict):
        return complex(float(value["re"]), float(value["im"]))
    if isinstance(value, str):
        return value[:200]
    return value if isinstance(value, bool | int | float) else None
