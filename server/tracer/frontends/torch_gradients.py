"""Gradients of PyTorch: the graph that a backward pass went through, and why one failed.

The graph is walked from the tensor whose gradient was asked for. Its nodes are numbered in the
order in which they were made, which leads each back to the operation that made it. While the
gradients of a recorded pass are computed, hooks on its nodes look for the first NaN; they change
nothing, and are gone after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any
from weakref import getweakrefcount, ref

from ..recorder import AGAIN, BACKWARD, Record, Recorder
from .torch_hooks import Hooks

MAX_NODES = 5000
"""Nodes of one graph that are told of."""
MAX_WATCHED = 2000
"""Nodes of one graph whose gradients are looked at for NaNs."""
MAX_TOLD = 40_000
"""Nodes that are told of, of all graphs together."""
MAX_SHOWN = 8
"""Backward passes alike whose graphs are told of; of a later one, only where it was another in some
way. Else it is told that it was like the first."""
MAX_LOOKED_AT = 20
"""Backward passes alike that are looked at for NaNs; later ones when their number doubles."""
MAX_COMPARED = 6
"""Nodes from the root on by which passes are alike."""
_CHANGED = re.compile(
    r"modified by an inplace operation: \[.* \[(?P<sizes>[\d, ]*)\]\].*"
    r"at version (?P<version>\d+); expected version (?P<expected>\d+)", re.DOTALL
)  # fmt: skip
_AROUND_LAYERS = "BackwardHookFunctionBackward"
"""What nodes are called that hooks of layers take gradients from."""
_GONE = "Trying to backward through the graph a second time"

_SAVED, _RAW = "_saved_", "_raw_saved_"
_COPY = frozenset(
    f"{name}Backward" for name in (
        "T", "Transpose", "Permute", "View", "UnsafeView", "ReshapeAlias", "Unsqueeze", "Squeeze",
        "Select", "Slice", "Alias", "Clone", "Neg", "Sum", "Mean", "Cat", "Stack", "Split",
        "Unbind", "Movedim", "Relu", "LeakyRelu", "Threshold", "Hardtanh",
    )
)  # fmt: skip
"""Nodes that hand on the elements that they take, scaled at most, or none: no NaN is made there."""

Reached = tuple[Any, int, "NodeKind", tuple[tuple[Any, int], ...]]
"""A node of a graph, its number and kind, and what its gradients go to: nodes, and places there."""
Row = list[Any]
"""Number, name, the node and the place there that get each of its gradients, the names of what it
keeps, the leaf's token, the element type and sizes of each gradient that it takes, what it
keeps that are tensors, and the token of the leaf's gradient afterwards."""


def install(recorder: Recorder, torch: Any, tensors: Any, hooks: Hooks) -> None:
    """Tell of backward passes, and of why one failed."""
    passes = _Passes(recorder, torch, tensors, hooks)
    recorder.before["backward"] = passes.begins
    recorder.explain = lambda error: _explain(error, tensors, torch)


class _Passes:
    """Backward passes that the program asks for, by ``backward`` or ``torch.autograd.grad``."""

    def __init__(self, recorder: Recorder, torch: Any, tensors: Any, hooks: Hooks) -> None:
        self.recorder, self.torch, self.tensors, self.hooks = recorder, torch, tensors, hooks
        self.alike: dict[tuple[object, ...], _Alike] = {}
        self.told = self.logged = 0
        self.next_number = getattr(torch._C._autograd, "_get_sequence_nr", None)

    def begins(self, site: int, value: Any) -> Callable[[Record | None], None] | None:
        """A pass is about to begin at a tensor, or at several."""
        given = value if type(value) in (list, tuple) else (value,)
        roots = [t for t in given if type(t) in self.recorder.facts and hasattr(t, "grad_fn")]
        if len(roots) < len(given) or not roots:
            return None
        if all(root.grad_fn is None for root in roots) or self.tensors.watched():
            return None
        alike = self.alike.setdefault((site, *self._begin_of(roots)), _Alike())
        alike.count += 1
        often = alike.count > MAX_LOOKED_AT and alike.count & (alike.count - 1)
        if (often and not self.recorder.whole) or self.told > MAX_TOLD:
            first = alike.first
            return None if first is None else lambda record: self.again(record, first)
        return _Pass(self, roots, alike).ended

    def _begin_of(self, roots: list[Any]) -> tuple[object, ...]:
        """What passes at one site that are alike have in common: kinds of nodes near the roots,
        with the sizes of what they take, and the parameters there."""
        parameter = self.torch.nn.Parameter
        found: list[object] = []
        todo = [root.grad_fn for root in roots if root.grad_fn is not None]
        for node in todo:
            leaf = node.variable if node_kinds[type(node)].leaf else None
            sizes = [tuple(g.shape) for g in getattr(node, "_input_metadata", ())]
            found.append(id(leaf) if type(leaf) is parameter else (type(node), *sizes))
            if len(found) == MAX_COMPARED:
                break
            todo += [following for following, _ in node.next_functions if following is not None]
        return tuple(found)

    def again(self, record: Record | None, first: int) -> None:
        """A pass has ended that was like one that was told of."""
        if record is not None:
            self.recorder.log.append((AGAIN, record, first))


class _Alike:
    """Passes alike: how many there were, and which of those that were told of was the first."""

    __slots__ = ("count", "first", "nodes")

    def __init__(self) -> None:
        self.count = 0
        self.first: int | None = None
        self.nodes = 0
        """How many nodes the first one's graph had."""


class _Pass:
    """One pass: its graph, which is gone when it has ended."""

    def __init__(self, passes: _Passes, roots: list[Any], alike: _Alike) -> None:
        self.passes, self.alike, self.recorder = passes, alike, passes.recorder
        inner = [root for root in roots if root.grad_fn is not None]
        self.nodes = list(islice(walk([root.grad_fn for root in inner]), MAX_NODES))
        if self.recorder.threaded:
            self.nodes = list(distinct(self.nodes))
        self.rows: list[Row] = []
        if alike.count <= MAX_SHOWN or self.recorder.whole:  # what nodes keep is let go of
            self.rows = rows_of(self.nodes, passes.tensors, shown=True)
        self.roots = [(number_of(root.grad_fn, -1), root.output_nr) for root in inner]
        self.since = max(number for number, _ in self.roots) + 1
        if passes.next_number is not None:
            self.since = passes.next_number()
        self.watch = _Watch(self.nodes, passes.tensors)
        if passes.hooks.seen:
            self.watch.follow_hooks(self.nodes)

    def ended(self, record: Record | None) -> None:
        """The pass has ended, or an exception left it."""
        blame, made = self.watch.end(), self.watch.made
        if record is None:
            return
        first = self.alike.first
        other = made or blame is not None or len(self.nodes) != self.alike.nodes
        if first is not None and not self.rows and not other:
            self.passes.again(record, first)
            return
        rows = self.rows or rows_of(self.nodes, self.passes.tensors)
        token = self.recorder.identity
        for row in rows:
            leaf = None if row[4] is None else row[4]()
            row.append(None if leaf is None else token(leaf.grad))
        if first is None:
            self.alike.first, self.alike.nodes = self.passes.logged, len(rows)
        self.passes.logged += 1
        self.passes.told += len(rows)
        self.recorder.log.append((
            BACKWARD, record, rows, self.watch.passed, self.roots, blame, self.since, made, first
        ))  # fmt: skip


class _Watch:
    """Looks at the gradients that pass through the nodes of a graph: for the first NaN, and, where
    they are to be differentiated again, for the nodes that were made on the way."""

    def __init__(self, nodes: Sequence[Reached], tensors: Any) -> None:
        self.tensors = tensors
        self.types = tensors.recorder.facts
        self.blame: int | None = None
        self.made: list[tuple[int, list[int | None]]] = []
        """The number of a node that ran, and of the node that each of its gradients came out of."""
        self.passed: list[tuple[int, list[object], list[object]]] = []
        """The number of a node that ran, and the tokens of the gradients that it took and gave, as
        far as hooks of the program have had them."""
        self.handles: list[Any] = []
        self.left: list[tuple[Any, int]] = []
        """Nodes that only matter where gradients are to be differentiated again."""
        for node, number, kind, _ in islice(nodes, MAX_WATCHED):
            if kind.copies and self.handles:
                self.left.append((node, number))
            elif not kind.leaf:
                self.handles.append(node.register_hook(self._hook(number)))

    def _hook(self, number: int) -> Callable[[Any, Any], None]:
        bad = self._bad

        def hook(inputs: Any, outputs: Any) -> None:
            if self.blame is None:
                for gradient in inputs:
                    if gradient is not None and bad(gradient):
                        self.blame = None if any(map(bad, outputs)) else number
                        break
            for gradient in inputs:
                if gradient is not None and gradient.requires_grad:
                    self._follow(number, inputs)
                    break

        return hook

    def follow_hooks(self, nodes: Sequence[Reached]) -> None:
        """See also what the program's own hooks make of gradients."""
        for node, number, kind, _ in islice(nodes, MAX_WATCHED):
            if kind.leaf:
                told = partial(self._passes, number, False, ())
                self.handles.append(node.register_prehook(told))
            else:
                told = partial(self._passes, number, kind.name == _AROUND_LAYERS)
                self.handles.append(node.register_hook(told))

    def _passes(self, number: int, early: bool, given: Any, taken: Any) -> None:
        """A node has taken gradients, and given some, which hooks have had, or may have later."""
        told: list[list[object]] = [
            [ref(g) if g is not None and (early or getweakrefcount(g)) else None for g in gradients]
            for gradients in (taken, given)
        ]
        if any(token is not None for tokens in told for token in tokens):
            self.passed.append((number, told[0], told[1]))

    def _follow(self, number: int, gradients: Any) -> None:
        """A node ran whose gradients have a graph of their own, as all have that follow."""
        for node, later in self.left:
            self.handles.append(node.register_hook(self._hook(later)))
        self.left.clear()
        nodes = [None if gradient is None else gradient.grad_fn for gradient in gradients]
        made = [None if node is None else number_of(node, -1) for node in nodes]
        self.made.append((number, made))

    def _bad(self, gradient: Any) -> bool:
        return type(gradient) in self.types and bool(self.tensors.has_nan(gradient))

    def end(self) -> int | None:
        """The number of the node that made the first NaN."""
        for handle in self.handles:
            handle.remove()
        return self.blame


class NodeKind:
    """What all nodes of a type have in common."""

    __slots__ = ("copies", "kept", "leaf", "name", "raw")

    def __init__(self, own: type) -> None:
        attributes = dir(own)
        self.name = own.__name__
        self.leaf = hasattr(own, "variable")
        """Whether it is where a leaf gets its gradient."""
        self.copies = self.name.rstrip("0123456789") in _COPY
        self.kept = tuple(n[len(_SAVED) :] for n in attributes if n.startswith(_SAVED))
        """The names of what it keeps of the forward computation."""
        self.raw = tuple(n for n in attributes if n.startswith(_RAW))
        """The attributes by which it has the tensors that it keeps, as they are."""


class _NodeKinds(dict[type, NodeKind]):
    def __missing__(self, own: type) -> NodeKind:
        kind = self[own] = NodeKind(own)
        return kind


node_kinds = _NodeKinds()


def walk(roots: list[Any]) -> Iterator[Reached]:
    """The nodes of a graph from its roots on, each with its number, kind and those that follow;
    the numbers of leaves, which have none, are counted down from -1."""
    seen: set[Any] = set()
    todo = list(roots)
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        number = number_of(node, -1 - len(seen))
        seen.add(node)
        following = node.next_functions
        yield node, number, node_kinds[type(node)], following
        todo += [inner for inner, _ in following if inner is not None]


def distinct(nodes: Iterable[Reached]) -> Iterator[Reached]:
    """The same with numbers that differ, where threads made nodes: each has its own order. What is
    added leaves the lowest 32 bits."""
    seen: set[int] = set()
    for node, number, kind, following in nodes:
        own = number
        while own in seen:
            own += 1 << 32
        seen.add(own)
        yield node, own, kind, following


def number_of(node: Any, otherwise: int) -> int:
    """The place of a node in the order in which nodes were made; those of leaves have none."""
    try:
        return otherwise if node_kinds[type(node)].leaf else int(node._sequence_nr())
    except AttributeError:
        return otherwise


def rows_of(nodes: Sequence[Reached], tensors: Any, *, shown: bool = False) -> list[Row]:
    """The graph of some tensors, by its nodes, as the log has it; ``shown`` with what nodes take
    and keep."""
    numbers = {node: number for node, number, _, _ in nodes}.get
    kind = tensors.kind_on
    rows: list[Row] = []
    for node, number, own, following in nodes:
        inputs = [(numbers(inner), place) for inner, place in following]
        leaf = ref(node.variable) if own.leaf else None
        row: Row = [number, own.name, inputs, own.kept, leaf, (), ()]
        rows.append(row)
        if shown and leaf is None:
            given = getattr(node, "_input_metadata", ())
            row[5] = [(kind(g.dtype, g.device), tuple(g.shape))
                      for g in given if not g.is_nested_tensor]  # fmt: skip
            row[6] = [(name, _tokens(held, tensors)) for name, held in tensors_kept(node, own)]
    return rows


def _tokens(held: list[Any], tensors: Any) -> list[object]:
    """The tokens of tensors; of one that has none yet, with what an event would have said. Fake
    ones are referred to by PyTorch itself, which tells nothing of what the log has."""
    recorder = tensors.recorder
    return [ref(t) if getweakrefcount(t) and not recorder.fake else recorder.described(t)
            for t in held]  # fmt: skip


def tensors_kept(node: Any, kind: NodeKind) -> Iterator[tuple[str, list[Any]]]:
    """The tensors that a node keeps, by name; but those that hooks of the program would unpack."""
    for attribute in kind.raw:
        try:
            held = getattr(node, attribute)
            parts = held if type(held) is tuple else (held,)
            if any(part.unpack_hook is not None for part in parts):
                continue
            found = [t for part in parts if (t := part.data) is not None]
        except (RuntimeError, AttributeError):  # it was used, or this PyTorch doesn't say
            continue
        if found:
            yield attribute[len(_RAW) :], found


def _explain(error: BaseException, tensors: Any, torch: Any) -> dict[str, Any]:
    """What is known of an exception: the layers that were running, and, where a gradient could not
    be computed, of what and why."""
    recorder = tensors.recorder
    layer, call = torch.nn.Module, torch.nn.Module.__call__.__code__
    found: dict[str, Any] = {"layers": []}
    roots: list[Any] = []
    tb = error.__traceback__
    while tb is not None:
        code, names = tb.tb_frame.f_code, tb.tb_frame.f_locals
        running = names.get("self")
        if code is call and isinstance(running, layer):
            given = [recorder.described(v) for v in names.get("args", ())]
            found["layers"].append((recorder.token(running), given))
        if code.co_name == "backward" and code.co_filename.endswith("_tensor.py"):
            roots = [running]
        if code.co_name in ("backward", "grad") and "autograd" in code.co_filename:
            asked = names.get("tensors", names.get("outputs"))
            roots = list(asked) if isinstance(asked, list | tuple) else [asked]
        tb = tb.tb_next
    roots = [root for root in roots if type(root) in recorder.facts]
    text = str(error)
    if not isinstance(error, RuntimeError) or not roots:
        return found
    found["roots"] = [recorder.described(root) for root in roots]
    if _GONE in text or _CHANGED.search(text):
        nodes = [r.grad_fn for r in roots if r.grad_fn is not None]
        found["graph"] = rows_of(list(islice(walk(nodes), MAX_NODES)), tensors)
    if _CHANGED.search(text):
        nodes = [r.grad_fn for r in roots if r.grad_fn is not None]
        found["stale"] = sorted(_stale(nodes), reverse=True)
    return found


def _stale(roots: list[Any]) -> Iterator[list[Any]]:
    """What nodes had kept, and can't have any more."""
    for node, number, kind, _ in islice(walk(roots), MAX_NODES):
        for name in kind.kept:
            try:
                getattr(node, _SAVED + name)
            except RuntimeError as refused:
                changed = _CHANGED.search(str(refused))
                if changed is not None:
                    sizes = [int(size) for size in changed["sizes"].split(",") if size.strip()]
                    yield [max(number, 0), kind.name, name, int(changed["version"]),
                           int(changed["expected"]), sizes]  # fmt: skip
