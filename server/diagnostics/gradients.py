"""What rules ask of gradients: which event a node of their graph belongs to, what was written
since, and where a gradient is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..ir import ArrayType
from ..ir.context import keeps_gradients
from ..tracer.operations import written_by
from ..tracer.tensors import Nodes
from ..tracer.trace import Array, Event, Pack, Thing, Trace, Value
from .describe import name_at

FLOATS = ("f", "bf", "c")


@lru_cache(maxsize=8)
def nodes_of(trace: Trace) -> Nodes:
    """Which event made each node."""
    return Nodes(trace)


def tensors_in(value: Value) -> tuple[Array, ...]:
    """The tensors of a value, in order."""
    if isinstance(value, Array):
        return (value,) if isinstance(value.type, ArrayType) and _is(value.type) else ()
    if isinstance(value, Pack):
        return tuple(t for item in value.items for t in tensors_in(item))
    return ()


def _is(kind: ArrayType) -> bool:
    return kind.kind == "tensor"


def operands_of(event: Event) -> tuple[Array, ...]:
    """The tensors that an event took."""
    return tuple(t for operand in event.operands for t in tensors_in(operand))


def sources_of(event: Event) -> tuple[Array, ...]:
    """What it was computed from: operands, and parameters of the layers that ran inside."""
    held = (p for run in event.layers for p in run.layer.parameters.values())
    return (*operands_of(event), *(p for p in held if isinstance(p, Array)))


def results_of(event: Event) -> tuple[Array, ...]:
    """The tensors that it gave."""
    return tensors_in(event.result)


def is_call_of(event: Event, *methods: str) -> bool:
    """Whether it is a call of one of these methods, or of a function of that name."""
    return event.site.is_call and event.site.callee.rpartition(".")[2] in methods


def writes(trace: Trace, array: Array, after: int, before: int) -> Iterator[tuple[Event, str]]:
    """The events between two indices that wrote into the memory of a tensor, the first one also by
    a layer of its own; with the path of the layer that did it."""
    memory = array.memory
    for event in trace.events[after:before]:
        for run in event.layers:
            if any(_shares(run.operands[i], memory) for i in run.written if event.index >= after):
                path = f" of {run.layer.shown}" if run.layer.shown else ""
                yield event, f"{run.layer.name}.forward{path}"
                break
        else:
            if event.index == after:
                continue
            stepped = is_call_of(event, "step") and _steps(event, memory)
            if stepped or any(written.memory is memory for written in written_by(event)):
                yield event, ""


def _shares(value: Value, memory: Array) -> bool:
    return isinstance(value, Array) and value.memory is memory


def _steps(event: Event, memory: Array) -> bool:
    """Whether an optimizer took a step on a parameter."""
    optimizer = event.operand("self")
    return isinstance(optimizer, Thing) and any(p is memory for p in optimizer.parameters.values())


def needs_gradient(array: Array, at: Event | None = None) -> bool:
    """Whether a tensor required a gradient: right after ``at`` gave it, else when it was seen
    last."""
    known = at.gradients.get(array.number) if at is not None else None
    known = known or array.gradient
    return known is not None and known.required


def floating(array: Array) -> bool:
    """Whether it has elements that gradients can be of."""
    return array.type is not None and array.type.element.startswith(FLOATS)


def is_cut(event: Event) -> bool:
    """Whether a gradient ends there: a tensor went in that requires one, and none came out that
    does."""
    given = results_of(event)
    return (
        bool(given)
        and any(needs_gradient(t) for t in sources_of(event) if t not in given)
        and not any(needs_gradient(t, event) for t in given)
    )


def cut_before(array: Array) -> Event | None:
    """The last event on the way to a tensor at which its gradient was cut off."""
    seen: set[int] = set()
    todo = [array]
    while todo:
        made = todo.pop(0).made
        if made is None or made.index in seen:
            continue
        seen.add(made.index)
        if is_cut(made):
            return made
        todo += [t for t in operands_of(made) if t.made is not made]
    return None


def reason(trace: Trace, event: Event) -> str:
    """Why a gradient ends at an event, in a few words."""
    name = event.site.callee.rpartition(".")[2]
    given = results_of(event)
    if name in ("detach", "data") or trace.text(event.site.span).endswith(".detach()"):
        return "detach() cuts it off"
    if given and not any(map(floating, given)):
        kind = given[0].type
        what = "truth values" if kind is not None and kind.element == "bool" else "whole numbers"
        return f"its result is {what}, which have no gradient"
    if event.site.callee in ("torch.tensor", "torch.as_tensor", "torch.Tensor"):
        return "a new tensor begins a new graph"
    if not keeps_gradients(event.under):
        return f"under {event.under[0]} nothing is kept for it"
    return "its result requires none"


def kept(event: Event, name: str) -> tuple[Array, ...]:
    """What an event's node keeps under a name, as far as names tell: its result, or operands."""
    given = operands_of(event)
    match name:
        case "result" | "result0" | "output":
            return results_of(event)
        case "self" | "mat1" | "input" | "vec1":
            return given[:1]
        case "other" | "mat2" | "weight" | "vec2":
            return given[1:2]
    return given


def in_layers(event: Event) -> Iterator[Array]:
    """The tensors that layers inside an event took, gave, and held."""
    for run in event.layers:
        for value in (*run.operands, run.result, *run.layer.parameters.values()):
            yield from tensors_in(value)


def written_name(trace: Trace, event: Event) -> str:
    """The statement or expression that wrote, as the program has it."""
    return name_at(trace, event.site.span, 40)
