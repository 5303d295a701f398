"""Layers of PyTorch and their hooks, backward passes, and steps of optimizers."""

from __future__ import annotations

from collections.abc import Sequence

from ... import ir
from ...doc.source import Span
from ...ir import Keyword, Symbol, registry
from ...ir.opinfo import OpInfo
from .. import layers
from ..inside import Layer, Part, arrays_of, layer_of, replaces
from ..sequences import hints_of, last_part, parts_of, type_of
from ..stages import Emitter
from ..tensors import run_cast
from ..trace import Array, Event, Frame, HookRun, LayerRun, Pack, Site, SiteOperand, Thing, Value
from .calls import Calls
from .lifter import POST_ACCUMULATE
from .state import Operand
from .values import OUTSIDE

__all__ = ["Layers", "by_autocast", "handle"]


class Layers(Calls):
    """Emits what ran inside calls of layers, and gradients."""

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
            attributes |= handle(event, results)
        mutated = info.mutated(operands, attributes) if info is not None else ()
        notes = run.layer.path, by_autocast(run_cast(run, event))
        node = self.append(
            known.symbol, operands, [type_of(r) for r in results],
            hints_of(event, results) if last else [], event.site.span,
            attributes=attributes, mutated=mutated,
            note=", ".join(filter(None, notes)) or None,
        )  # fmt: skip
        if mutated and isinstance(operands[0], ir.Value):
            self.replace(operands[0], node[0])
        if last:
            self.bind(event, results, node)
        else:
            for part, value in zip(results, node, strict=False):
                self.keep(part, value)

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


def _turned(array: Array) -> str:
    """What a matrix is called that shows one with a name the other way round."""
    whole = array.memory
    name = whole.parameter or (last_part(whole.names[-1]) if whole.names else "")
    kind, of = array.type, whole.type
    if not name or kind is None or of is None or kind.strides is None or of.strides is None:
        return ""
    turned = (kind.sizes, kind.strides) == (of.sizes[::-1], of.strides[::-1])
    return f"{name}.T" if turned and whole is not array else ""


def by_autocast(element: str) -> str:
    """What a node notes that computed in another element type; empty where none did."""
    return f"{element} by autocast" if element else ""


def handle(event: Event, results: Sequence[Value]) -> dict[str, object]:
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
