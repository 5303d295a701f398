"""What an event with PyTorch's tensors applies and changes, and which event a node of the graph of
gradients belongs to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from ..ir import ArrayType, Symbol, registry
from .numbering import thread_of
from .trace import Array, Event, Gradient, LayerRun, Pack, Site, Trace, Value

_BINARY = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "MatMult": "matmul", "Div": "div",
    "FloorDiv": "floor_divide", "Mod": "remainder", "Pow": "pow", "BitAnd": "bitwise_and",
    "BitOr": "bitwise_or", "BitXor": "bitwise_xor", "LShift": "bitwise_left_shift",
    "RShift": "bitwise_right_shift",
}  # fmt: skip
_UNARY = {"USub": "neg", "UAdd": "positive", "Invert": "bitwise_not"}
_COMPARE = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge", "Eq": "eq", "NotEq": "ne"}
_TABLES = {"binary": _BINARY, "inplace": _BINARY, "unary": _UNARY, "compare": _COMPARE}
_NO_WRITE = frozenset({
    "requires_grad_", "share_memory_", "rename_", "detach_", "unsqueeze_", "squeeze_", "t_",
    "transpose_", "swapaxes_", "swapdims_", "resize_", "set_", "as_strided_",
})  # fmt: skip
"""Methods that end in ``_`` and leave the elements alone."""


_WIDTHS = {"f16": 1, "bf16": 1, "f32": 2}
"""The element types that autocast chooses among."""
_CASTS = frozenset({"to", "type", "type_as", "float", "half", "bfloat16", "double"})


def is_tensor(value: Value) -> bool:
    """Whether it is one of PyTorch's."""
    return isinstance(value, Array) and isinstance(value.type, ArrayType) and (
        value.type.kind == "tensor"
    )  # fmt: skip


def on_tensors(event: Event) -> bool:
    """Whether an event took or gave tensors."""
    values = (*event.operands, event.result)
    return any(is_tensor(v) or (isinstance(v, Pack) and any(map(is_tensor, v.items)))
               for v in values)  # fmt: skip


def symbol_of(event: Event) -> Symbol | None:
    """The operation of an event with tensors; None where it isn't certainly PyTorch's own."""
    site = event.site
    kind, _, detail = site.kind.partition(":")
    detail = detail.partition(":")[0]
    if kind == "inplace" and event.kind == "op" and event.in_place:
        return Symbol("torch", f"Tensor.{_BINARY[detail]}_")
    if kind in _TABLES:
        return Symbol("torch", _TABLES[kind][detail])
    if kind == "attribute":
        return Symbol("torch", f"Tensor.{detail}")
    if kind in ("getitem", "setitem"):
        return Symbol("torch", kind)
    if site.is_call:
        return _called(event, site)
    return None


def _called(event: Event, site: Site) -> Symbol | None:
    name = site.callee
    library, _, rest = name.partition(".")
    if site.certain and library == "torch":
        return Symbol("torch", rest)
    layer = called_layer(event)
    if layer is not None:
        public = layer.layer.kind.startswith("torch.nn.")
        return Symbol("torch", layer.layer.kind.removeprefix("torch.")) if public else None
    if name.startswith(".") and is_tensor(event.operand("self")):
        return Symbol("torch", "Tensor" + name)
    return None


def called_layer(event: Event) -> LayerRun | None:
    """The layer that a call applied: the outermost that ran inside, where it gave the result."""
    if not event.layers or not event.site.is_call:
        return None
    last = event.layers[-1]
    if any(run.first < last.first for run in event.layers):
        return None
    same = last.result is event.result
    if isinstance(event.result, Pack):
        first = event.result.items[:1]  # not known where it is a sequence that is packed
        if isinstance(last.result, Pack):
            same = first in ((None,), last.result.items[:1])
        elif isinstance(last.result, Array):  # and nothing else beside it
            same = first == (last.result,)
    return last if same else None


def outermost(event: Event) -> list[LayerRun]:
    """The layers that ran inside an event and not inside another."""
    found: list[LayerRun] = []
    for run in event.layers:
        found = [other for other in found if other.first < run.first]
        found.append(run)
    return found


def written_by(event: Event) -> tuple[Array, ...]:
    """The tensors whose elements a call wrote, where the event itself doesn't tell: by what the
    registry says, by PyTorch's rule for names, and by what layers did."""
    found: list[Array] = []
    for run in event.layers:
        found += [v for i in run.written if isinstance(v := run.operands[i], Array)]
    receiver = event.operand("self")
    name = event.site.callee.rpartition(".")[2]
    by_name = name.endswith("_") and not name.endswith("__") and name not in _NO_WRITE
    if by_name and isinstance(receiver, Array) and event.site.callee.startswith("."):
        found.append(receiver)
    symbol = symbol_of(event)
    info = registry.get(symbol) if symbol is not None else None
    if info is not None and info.mutates_when is not None:
        argument = event.operand("0")
        if isinstance(argument, Array) and argument is event.result:
            found.append(argument)
    return tuple(dict.fromkeys(found))


def cast_by_autocast(event: Event) -> str:
    """The element type that autocast computed an event in, where its operands alone would have
    given another; else empty."""
    if event.layers:
        return run_cast(event.layers[-1], event) if event.layers[-1].result is event.result else ""
    return _cast(event, event.operands, event.result) if _may_cast(event) else ""


def run_cast(run: LayerRun, event: Event) -> str:
    """The same of a layer that ran inside an event."""
    return _cast(event, (*run.operands, *run.layer.parameters.values()), run.result)


def _may_cast(event: Event) -> bool:
    """Whether the operation has no element type of its own to give."""
    if event.kind != "op" or event.in_place or event.entered or not on_tensors(event):
        return False
    given = {operand.role for operand in event.site.operands}
    name = event.site.callee.rpartition(".")[2]
    return "dtype" not in given and name not in _CASTS


def _cast(event: Event, taken: Sequence[Value], given: Value) -> str:
    if not any(name.startswith("autocast[") for name in event.under):
        return ""
    before = {e for value in taken if (e := _element(value)) in _WIDTHS}
    element = _element(given)
    widest = max(before, key=_WIDTHS.__getitem__, default=element)
    return element if element in _WIDTHS and element != widest else ""


def _element(value: Value) -> str:
    kind = value.type if isinstance(value, Array) else None
    return kind.element if kind is not None else ""


class Nodes:
    """Which event made each node of the graph of gradients, by the order in which nodes are made in
    each thread."""

    def __init__(self, trace: Trace) -> None:
        self._made: dict[int, tuple[list[int], list[Event]]] = {}
        for event in trace.events:
            made = [g.node for g in event.gradients.values() if g.node is not None]
            if not made:
                continue
            numbers, events = self._made.setdefault(thread_of(max(made)), ([], []))
            if not numbers or max(made) > numbers[-1]:
                numbers.append(max(made))
                events.append(event)

    def event(self, number: int) -> Event | None:
        """The event during which the node came to be: the first whose own has that number, or one
        above."""
        numbers, events = self._made.get(thread_of(number), ([], []))
        place = bisect_left(numbers, number)
        return events[place] if place < len(events) else None


def gradients_of(event: Event) -> Iterator[tuple[Array, Gradient]]:
    """The tensors that an event gave, and how each stood to gradients then."""
    items = event.result.items if isinstance(event.result, Pack) else (event.result,)
    known: Mapping[int, Gradient] = event.gradients
    for item in items:
        if isinstance(item, Array) and item.number in known:
            yield item, known[item.number]
