"""The backward pass as stage 1 of a graph: one node for each node of autograd's, in the order in
which gradients are computed, at the line of the operation that made it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from .. import ir
from ..doc.source import Span
from ..ir import Keyword, OpaqueType, Symbol, Type
from .sequences import type_of
from .tensors import Nodes
from .trace import Array, Backward, Event, Node, Pack, Trace, Value

GRADIENT = OpaqueType("gradient")


class _Append(Protocol):
    def __call__(
        self, op: Symbol, operands: Sequence[ir.Operand], types: Sequence[Type],
        hints: Sequence[str | None], span: Span | None,
    ) -> tuple[ir.Value, ...]: ...  # fmt: skip


def emit_backward(trace: Trace, backward: Backward, append: _Append,
                  known: Callable[[Array], ir.Value | None],
                  leaf: Callable[[Array], ir.Operand]) -> None:  # fmt: skip
    """Append the nodes of a backward pass. ``known`` is what a tensor is at the graph's end, and
    ``leaf`` what one is that may come from outside."""
    events = Nodes(trace)
    tensors = _tensors(trace)
    arriving: dict[int, list[ir.Value]] = {}
    root = backward.nodes[0]
    loss = tensors.get(root.number)
    (seed,) = append(
        Symbol("torch", "autograd.seed"), _operands(loss, known), [_type(loss)], ["grad"],
        backward.event.site.span,
    )  # fmt: skip
    arriving[root.number] = [seed]
    by_number = {node.number: node for node in backward.nodes}
    inner = sorted((n for n in backward.nodes if n.number >= 0), key=lambda n: -n.number)
    leaves = [n for n in backward.nodes if n.number < 0]
    for node in [*inner, *leaves]:
        parts = arriving.get(node.number, [])
        if not parts:
            continue
        event = events.event(node.number) if node.number >= 0 else None
        span = event.site.span if event is not None else backward.event.site.span
        gradient = parts[0]
        for other in parts[1:]:
            both = [gradient, other]
            (gradient,) = append(Symbol("torch", "add"), both, [gradient.type], [], span)
        if node.leaf is not None:
            append(
                Symbol("torch", "autograd.accumulate"), [leaf(node.leaf), gradient],
                [], [], span,
            )  # fmt: skip
            continue
        targets = [by_number[i] for i in node.inputs if i is not None and i in by_number]
        results = append(
            Symbol("torch", f"autograd.{node.name}"), [gradient, *_kept(node, event, known)],
            [_type(t.leaf or tensors.get(t.number)) for t in targets],
            [_hint(t.leaf or tensors.get(t.number)) for t in targets], span,
        )  # fmt: skip
        for target, result in zip(targets, results, strict=True):
            arriving.setdefault(target.number, []).append(result)


def _tensors(trace: Trace) -> dict[int, Array]:
    """The tensor that each node made, where an event gave it."""
    found: dict[int, Array] = {}
    for event in trace.events:
        items = event.result.items if isinstance(event.result, Pack) else (event.result,)
        for item in items:
            known = event.gradients.get(item.number) if isinstance(item, Array) else None
            if known is not None and known.node is not None and isinstance(item, Array):
                found.setdefault(known.node, item)
    return found


def _kept(node: Node, event: Event | None,
          known: Callable[[Array], ir.Value | None]) -> list[ir.Operand]:  # fmt: skip
    """What a node keeps of the forward computation, as far as the graph still has it."""
    if event is None or event.layers:
        return []
    given = [o for o in event.operands if isinstance(o, Array)]
    places: dict[str, Value] = dict(zip(("self", "other"), given, strict=False))
    places |= dict(zip(("mat1", "mat2"), given, strict=False))
    places["result"] = event.result
    found: list[ir.Operand] = []
    for name in node.saved:
        value = places.get(name)
        kept = known(value) if isinstance(value, Array) else None
        if kept is not None:
            found.append(Keyword(name, kept))
    return found


def _operands(array: Array | None, known: Callable[[Array], ir.Value | None]) -> list[ir.Operand]:
    value = known(array) if array is not None else None
    return [] if value is None else [value]


def _type(array: Array | None) -> Type:
    return GRADIENT if array is None else type_of(array)


def _hint(array: Array | None) -> str | None:
    if array is None:
        return None
    name = array.parameter or (array.names[-1] if array.names else "")
    return f"{name}.grad" if name else None
