"""One event as what it is: an operation, a call, a layer, a backward pass."""

from __future__ import annotations

from collections.abc import Sequence

from ... import ir
from ...ir import Symbol, registry
from ...ir.context import beyond
from ..inside import inside
from ..operations import symbol_of, written_by
from ..sequences import hints_of, inferred, parts_of, type_of
from ..tensors import called_layer, cast_by_autocast
from ..trace import Array, Event, Frame, Pack, Scalar, Thing, Value
from .layers import Layers, by_autocast, handle
from .state import Operand

__all__ = ["Events"]


class Events(Layers):
    """Emits single events."""

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

    def emit_op(self, event: Event) -> None:
        """Emit an event as one operation."""
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
            attributes |= handle(event, results)
        values = self.append(
            symbol, operands, [v.type for v in written] + [type_of(r) for r in results],
            [v.hint for v in written] + hints_of(event, results), event.site.span,
            attributes=attributes, mutated=mutated,
            note=by_autocast(cast_by_autocast(event)) or None,
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


def _is_the_same(one: Value, other: Value) -> bool:
    """Whether two are one array, or show the same elements, as ``x.data`` and ``x`` do."""
    if not (isinstance(one, Array) and isinstance(other, Array)):
        return one is other
    return one is other or (one.memory is other.memory and one.type is other.type)
