"""Backward passes as further stages of a graph: one node for each node of autograd's, in the order
in which gradients are computed, at the line of the operation that made it.

A pass whose gradients are differentiated again (``create_graph``) makes nodes of autograd itself. A
pass that goes through such nodes is a stage further than the pass that made them, and they are at
the line of the operation whose gradient they are part of.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from .. import ir
from ..doc.source import Span
from ..ir import Keyword, OpaqueType, Symbol, Type
from .counterparts import Counterparts, Turn
from .inside import arrays_of
from .numbering import running_order
from .sequences import type_of
from .tensors import Nodes
from .trace import Array, Backward, Edge, Event, Node, Pack, Site, Trace, Value

GRADIENT = OpaqueType("gradient")
_AROUND_LAYERS = "BackwardHookFunctionBackward"
"""The nodes behind which hooks of layers are called."""
_OWN = ("result", "output")
"""How names begin of what a node keeps of its own results."""


class Passes:
    """The backward passes of a run, and what led to each node of their graphs."""

    def __init__(self, trace: Trace) -> None:
        self._events = Nodes(trace)
        self._tensors = _tensors(trace)
        self.layers = {r.result: r.layer.path for r in trace.layer_runs}
        """By what it gave: the path of a layer."""
        self.at: dict[int, Backward] = {}
        """By the index of the event."""
        self._levels: dict[int, int] = {}
        self._alike = Counter((done.like or done).event.index for done in trace.backwards)
        self._alike.update(done.form.event.index for done in trace.repeated)
        self._counterparts = Counterparts(trace)
        self._ends: dict[int, list[int]] = {}
        """The indices of the events of passes, by lines."""
        for done in sorted((*trace.backwards, *trace.repeated), key=lambda d: d.event.index):
            self._ends.setdefault(done.event.frame.line, []).append(done.event.index)
        self._made = {p.event.index: _bounds(p) for p in trace.backwards if p.made}
        self._makers = [p for p in trace.backwards if p.made]
        for done in trace.backwards:
            self.at[done.event.index] = done
            makers = [self._maker(n.number) for n in done.nodes] if self._makers else []
            before = [self._levels[m[0].event.index] for m in makers if m and m[0] is not done]
            self._levels[done.event.index] = 1 + max(before, default=0)
        for done in trace.repeated:
            self.at[done.event.index] = done
            self._levels[done.event.index] = self._levels[done.form.event.index]

    def alike(self, done: Backward) -> int:
        """How many passes like this one were recorded, itself among them."""
        return self._alike[(done.like or done).event.index]

    def counterpart(self, array: Array, then: Event, now: Event) -> Array | None:
        """The array that was to a pass at ``now`` what this one was to one alike at ``then``."""
        if then is now:
            return array
        return self._counterparts.of(array, self._turn(then), self._turn(now))

    def _turn(self, event: Event) -> Turn:
        ends = self._ends.get(event.frame.line, [])
        before = bisect_left(ends, event.index)
        return (ends[before - 1] if before else -1), event.index, event.frame.line

    def level(self, done: Backward) -> int:
        """Which stage a pass is."""
        return self._levels[done.event.index]

    def event(self, number: int) -> Event | None:
        """The event that a node leads back to."""
        for _ in self._makers:
            maker = self._maker(number)
            if maker is None:
                break
            number = maker[1]
        return self._events.event(number) if number >= 0 else None

    def _maker(self, number: int) -> tuple[Backward, int] | None:
        """The pass that made a node, and the node that ran then."""
        for done in self._makers:
            bounds = self._made[done.event.index]
            if done.since <= number <= bounds[-1]:
                return done, done.made[bisect_left(bounds, number)][0]
        return None

    def maker_of(self, number: int) -> Node | None:
        """The node of an earlier pass that made one as it ran, where that pass was told of."""
        made = self._maker(number) if number >= 0 else None
        if made is None:
            return None
        return next((node for node in made[0].nodes if node.number == made[1]), None)

    def edge(self, array: Array) -> Edge | None:
        """Where the gradient of a tensor goes, if it is no leaf."""
        number = array.gradient.node if array.gradient is not None else None
        made = self._tensors.get(-1 if number is None else number, [])
        return (number, made.index(array)) if number is not None and array in made else None

    def tensor(self, edge: Edge) -> Array | None:
        """The tensor whose gradient a node takes at a place."""
        found = self._tensors.get(edge[0], ())
        return found[edge[1]] if edge[1] < len(found) else None


class Builder(Protocol):
    """What a pass is emitted with."""

    def append(
        self, op: Symbol, operands: Sequence[ir.Operand], types: Sequence[Type],
        hints: Sequence[str | None], span: Span | None,
    ) -> tuple[ir.Value, ...]:  # fmt: skip
        """Emit an op."""

    def kept(
        self, array: Array, span: Span | None, hint: str = "", note: str | None = None
    ) -> ir.Value:
        """What a tensor is at this point, wherever it was made; ``hint`` and ``note`` where only
        that it was there is known."""

    def keep(self, value: Value, known: ir.Value) -> None:
        """From here on, ``value`` is ``known``."""

    def arrived(
        self, tensor: Array, gradient: ir.Value, taken: Array | None, made_at: Site | None
    ) -> ir.Value:
        """All of the gradient of a tensor is there: its hooks are called, and what the last of them
        gave goes on. ``taken`` is that, where it is known, and ``made_at`` the place that makes it,
        as far as passes alike tell."""

    def passed(
        self, event: Event, done: Event, known: Sequence[Array], values: Sequence[ir.Value]
    ) -> list[ir.Value]:
        """A node gave gradients: hooks of layers are called that ``known`` in the pass at ``done``
        had to do with, and what they gave goes on."""

    def accumulated(self, leaf: Array, gradient: Value, total: ir.Value) -> None:
        """From here on, ``total`` is the gradient of a leaf; ``gradient`` is its tensor, where that
        is known."""

    def made(self, node: int, known: ir.Value) -> None:
        """What a node of autograd gave that a pass made."""


class Emitter:
    """Emits one pass."""

    def __init__(self, passes: Passes, done: Backward, builder: Builder) -> None:
        self.passes, self.done, self.builder = passes, done, builder
        self.form = done.form
        self.nodes = {node.number: node for node in self.form.nodes}
        self.targets = self._targets()
        self.arriving: dict[Edge, list[ir.Value]] = {}
        self.made = dict(self.form.made)
        own = done is self.form or done.nodes is not self.form.nodes
        self.sums = {node.leaf: node.sum for node in done.nodes} if own else {}
        self.asked = dict(zip(self.targets or (), _arrays(done.event.result), strict=False))

    @property
    def complete(self) -> bool:
        """Whether the graph was told of as far as the pass went."""
        return self.targets is None or len(self.targets) == len(_arrays(self.done.event.result))

    def _targets(self) -> list[Edge] | None:
        """What gradients were asked of, where it was not of all parameters."""
        event = self.done.event
        if self.done.accumulates:
            return None
        asked = event.operand("inputs") or event.operand("1")
        leaves = {n.leaf: (n.number, 0) for n in self.form.nodes if n.leaf is not None}
        found: list[Edge] = []
        for array in _arrays(asked):
            told = self.passes.counterpart(array, event, self.form.event)
            edge = None if told is None else leaves.get(told) or self.passes.edge(told)
            if edge is not None and edge[0] in self.nodes:
                found.append(edge)
        return found

    def emit(self) -> None:
        """Emit every node that the pass went through, with sums where gradients meet."""
        self._seed()
        needed = self._needed()
        for node in running_order(needed):
            span = self._span(node)
            places = range(max(len(node.takes), 1))
            taken = {i: g for i in places if (g := self._sum((node.number, i), span)) is not None}
            for place, gradient in taken.items():
                edge = (node.number, place)
                tensor, known = self._leaf(edge) or self._tensor(edge), self._taken(edge)
                own = known if self.done is self.form else None
                if tensor is not None:
                    at = None if known is None or known.made is None else known.made.site
                    taken[place] = self.builder.arrived(tensor, gradient, own, at)
                if own is not None:
                    self.builder.keep(own, taken[place])
                self.arriving[edge] = [taken[place]]
            if not taken:
                continue
            if node.leaf is not None:
                if self.targets is None:
                    self._accumulate(self._now(node.leaf) or node.leaf, taken[0])
                continue
            self._run(node, list(taken.values()), span, needed)
        for edge, array in self.asked.items():
            if edge in self.arriving:
                self.builder.keep(array, self.arriving[edge][0])

    def _seed(self) -> None:
        """The gradients that the pass begins with: given ones, or ones."""
        event = self.done.event
        role = "2" if self.targets is not None else "0" if event.operand("self") else "1"
        named = event.operand("grad_outputs") or event.operand("gradient")
        given = _arrays(named or event.operand(role))
        for i, edge in enumerate(self.form.roots):
            root = self._tensor(edge)
            if i < len(given):
                value = self.builder.kept(given[i], event.site.span)
            else:
                span = event.site.span
                operands = [] if root is None else [self.builder.kept(root, span)]
                (value,) = self.builder.append(
                    Symbol("torch", "autograd.seed"), operands, [self._type(edge)], ["grad"], span
                )
            self.arriving.setdefault(edge, []).append(value)

    def _needed(self) -> list[Node]:
        """The nodes on a way to what gradients were asked of."""
        if self.targets is None:
            return list(self.form.nodes)
        wanted = {number for number, _ in self.targets}
        leading: set[int] = set()
        for node in _inputs_first(self.nodes, [number for number, _ in self.form.roots]):
            follows = [e[0] for e in node.inputs if e is not None]
            if node.number in wanted or not leading.isdisjoint(follows):
                leading.add(node.number)
        return [node for node in self.form.nodes if node.number in leading]

    def _run(
        self, node: Node, taken: list[ir.Value], span: Span | None, needed: list[Node]
    ) -> None:
        there = {n.number for n in needed}
        edges = [e for e in node.inputs if e is not None and e[0] in there]
        if not edges:  # it was asked of, and nothing behind it
            return
        hints = [self._hint(e) for e in edges]
        results = self.builder.append(
            Symbol("torch", f"autograd.{node.name}"), [*taken, *self._kept(node, span)],
            [self._type(e) for e in edges], hints, span,
        )  # fmt: skip
        passed = self.form.passed.get(node.number)
        if passed is not None and node.name == _AROUND_LAYERS:
            known = arrays_of(*passed[0], *passed[1])
            results = tuple(self.builder.passed(self.done.event, self.form.event, known, results))
        for edge, result in zip(edges, results, strict=True):
            self.arriving.setdefault(edge, []).append(result)
        made = self.made.get(node.number, ())
        for given, number in zip(node.inputs, made, strict=False):
            if given in edges and number is not None and made.count(number) == 1:
                self.builder.made(number, results[edges.index(given)])

    def _taken(self, edge: Edge) -> Array | None:
        """What a node took at a place, where hooks had to do with it, in the pass told of."""
        taken = self.form.passed.get(edge[0], ((), ()))[0]
        found = taken[edge[1]] if edge[1] < len(taken) else None
        return found if isinstance(found, Array) else None

    def _accumulate(self, leaf: Array, gradient: ir.Value) -> None:
        span = self.done.event.site.span
        (total,) = self.builder.append(
            Symbol("torch", "autograd.accumulate"), [self.builder.kept(leaf, span), gradient],
            [gradient.type], [_hint(leaf)], span,
        )  # fmt: skip
        self.builder.accumulated(leaf, self.sums.get(leaf), total)

    def _sum(self, edge: Edge, span: Span | None) -> ir.Value | None:
        """What arrives at a place of a node, in all."""
        gradient: ir.Value | None = None
        for part in self.arriving.get(edge, ()):
            if gradient is None:
                gradient = part
                continue
            hint = [gradient.hint]
            (gradient,) = self.builder.append(
                Symbol("torch", "add"), [gradient, part], [gradient.type], hint, span
            )
        return gradient

    def _kept(self, node: Node, span: Span | None) -> list[ir.Operand]:
        """What a node keeps of the computation before."""
        found: list[ir.Operand] = []
        maker = self.passes.maker_of(node.number)
        note = None if maker is None else f"made in {maker.name}"
        for name, values in node.kept:
            given = [self._now(v) for v in values if isinstance(v, Array)]
            arrays = [array for array in given if array is not None]
            if name.startswith(_OWN):
                place = int(name[-1]) if name[-1].isdigit() else 0
                own = self._tensor((node.number, place))
                arrays = arrays if own is None else [own]
            items = [self.builder.kept(array, span, note=note) for array in arrays]
            if items:
                found.append(Keyword(name, items[0] if len(items) == 1 else ir.Pack("list", items)))
        return found

    def _span(self, node: Node) -> Span | None:
        event = self.passes.event(node.number) if node.number >= 0 else None
        return (event or self.done.event).site.span

    def _hint(self, edge: Edge) -> str | None:
        """What the gradient of a tensor is called: as the program does where it asked for it."""
        names = self.asked[edge].names if edge in self.asked else ()
        return names[-1] if names else _hint(self._leaf(edge) or self._tensor(edge))

    def _now(self, array: Array) -> Array | None:
        """What an array of the pass that was told of is to this one."""
        return self.passes.counterpart(array, self.form.event, self.done.event)

    def _tensor(self, edge: Edge) -> Array | None:
        """The tensor whose gradient a node takes at a place."""
        found = self.passes.tensor(edge)
        return None if found is None else self._now(found)

    def _leaf(self, edge: Edge) -> Array | None:
        node = self.nodes.get(edge[0])
        return None if node is None or node.leaf is None else self._now(node.leaf)

    def _type(self, edge: Edge) -> Type:
        """The type of a gradient: that of the tensor that it is the gradient of."""
        node = self.nodes.get(edge[0])
        known = node.takes[edge[1]] if node is not None and edge[1] < len(node.takes) else None
        tensor = self._leaf(edge) or self._tensor(edge)
        return (known or GRADIENT) if tensor is None else type_of(tensor)


def _bounds(done: Backward) -> list[int]:
    """The highest number that there was when each node had run."""
    bounds: list[int] = []
    for _, numbers in done.made:
        bounds.append(max([*bounds[-1:], *(n for n in numbers if n is not None)], default=0))
    return bounds


def _inputs_first(nodes: dict[int, Node], roots: Sequence[int]) -> Iterable[Node]:
    """Nodes so that each comes behind those that it hands gradients to."""
    done: dict[int, Node] = {}
    todo = [(number, False) for number in roots]
    while todo:
        number, below = todo.pop()
        node = nodes.get(number)
        if node is None or number in done:
            continue
        if below:
            done[number] = node
            continue
        todo.append((number, True))
        todo += [(e[0], False) for e in node.inputs if e is not None and e[0] not in done]
    return done.values()


def _tensors(trace: Trace) -> dict[int, list[Array]]:
    """The tensors that each node made, in order, where an event gave them."""
    found: dict[int, list[Array]] = {}
    given = [(item, event.gradients.get(item.number)) for event in trace.events
             for item in _arrays(event.result)]  # fmt: skip
    given += [(item, item.gradient) for run in trace.layer_runs for item in _arrays(run.result)]
    for item, known in given:
        if known is not None and known.node is not None:
            made = found.setdefault(known.node, [])
            if item not in made:
                made.append(item)
    return found


def _arrays(value: Value) -> list[Array]:
    """The arrays of a value, in order."""
    items = value.items if isinstance(value, Pack) else (value,)
    return [item for item in items if isinstance(item, Array)]


def _hint(array: Array | None) -> str | None:
    if array is None:
        return None
    name = array.parameter or (array.names[-1] if array.names else "")
    return f"{name}.grad" if name else None
