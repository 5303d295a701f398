"""Gradients of PyTorch: the graph that a backward pass went through, and why one failed.

The graph is walked from the tensor whose gradient was asked for. Its nodes are numbered in the
order in which they were made, which leads each back to the operation that made it. While the
gradients of a recorded pass are computed, hooks on its nodes look for the first NaN; they change
nothing, and are gone after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ..recorder import BACKWARD, Recorder

MAX_NODES = 5000
"""Nodes of one graph that are told of."""
MAX_WATCHED = 2000
"""Nodes of one graph whose gradients are looked at for NaNs."""
MAX_GRAPHS = 20
"""Backward passes whose graphs are told of; later ones when their number doubles."""
_CHANGED = re.compile(
    r"modified by an inplace operation: \[.* \[(?P<sizes>[\d, ]*)\]\].*"
    r"at version (?P<version>\d+); expected version (?P<expected>\d+)", re.DOTALL
)  # fmt: skip
_GONE = "Trying to backward through the graph a second time"

Row = list[Any]
"""Number, name, numbers of the nodes that get its gradients, what it keeps, and the token of the
leaf."""


def install(recorder: Recorder, torch: Any, tensors: Any) -> None:
    """Tell of backward passes, and of why one failed."""
    passes = _Passes(recorder, torch, tensors)
    recorder.before_backward = passes.begins
    recorder.after_none = passes.ended
    recorder.explain = lambda error: _explain(error, recorder, torch)


class _Passes:
    """Backward passes that the program asks for by ``tensor.backward()``."""

    def __init__(self, recorder: Recorder, torch: Any, tensors: Any) -> None:
        self.recorder, self.torch, self.tensors = recorder, torch, tensors
        self.number = 0
        self.begun: tuple[list[Row], _Watch] | None = None

    def begins(self, value: Any) -> None:
        """``value.backward()`` is about to be called."""
        self.begun = None
        if type(value) not in self.recorder.facts or not hasattr(value, "grad_fn"):
            return
        self.number += 1
        often = self.number > MAX_GRAPHS and self.number & (self.number - 1)
        if often or value.grad_fn is None or self.tensors.watched():
            return
        self.begun = rows_of([value], self.recorder), _Watch(value.grad_fn, self.tensors)

    def ended(self) -> None:
        """A call gave None: the pass, if one had begun."""
        if self.begun is not None:
            rows, watch = self.begun
            self.begun = None
            self.recorder.log.append((BACKWARD, None, rows, watch.end()))


class _Watch:
    """Looks at the gradients that pass through the nodes of a graph, for the first NaN."""

    def __init__(self, root: Any, tensors: Any) -> None:
        self.tensors = tensors
        self.blame: int | None = None
        self.handles = []
        for _, (node, number) in zip(range(MAX_WATCHED), walk([root]), strict=False):
            if not hasattr(node, "variable"):
                self.handles.append(node.register_hook(self._hook(number)))

    def _hook(self, number: int) -> Callable[[Any, Any], None]:
        def hook(inputs: Any, outputs: Any) -> None:
            if self.blame is None and self._bad(inputs) and not self._bad(outputs):
                self.blame = number

        return hook

    def _bad(self, gradients: Any) -> bool:
        return any(
            type(g) in self.tensors.recorder.facts and self.tensors.kind(g).checked
            and self.tensors.has_nan(g)
            for g in gradients
        )  # fmt: skip

    def end(self) -> int | None:
        """The number of the node that made the first NaN."""
        for handle in self.handles:
            handle.remove()
        return self.blame


def walk(roots: list[Any]) -> Iterator[tuple[Any, int]]:
    """The nodes of a graph from its roots on, each with its number; those of leaves, which have
    none, are counted down from -1."""
    seen: dict[Any, int] = {}
    todo = list(roots)
    while todo:
        node = todo.pop()
        if node in seen:
            continue
        seen[node] = number = number_of(node, -1 - len(seen))
        yield node, number
        todo += [following for following, _ in node.next_functions if following is not None]


def number_of(node: Any, otherwise: int) -> int:
    """The place of a node in the order in which nodes were made."""
    if hasattr(node, "variable") or not hasattr(node, "_sequence_nr"):
        return otherwise
    return int(node._sequence_nr())


def rows_of(roots: list[Any], recorder: Recorder) -> list[Row]:
    """The graph of some tensors as the log has it."""
    nodes = [r.grad_fn for r in roots if getattr(r, "grad_fn", None) is not None]
    numbers: dict[Any, int] = {}
    for _, (node, number) in zip(range(MAX_NODES), walk(nodes), strict=False):
        numbers[node] = number
    rows: list[Row] = []
    for node, number in numbers.items():
        leaf = getattr(node, "variable", None)
        inputs = [numbers.get(following) for following, _ in node.next_functions]
        token = None if leaf is None else recorder.described(leaf)
        rows.append([number, type(node).__name__, inputs, list(kept_by(type(node))), token])
    return rows


def kept_by(kind: type, known: dict[type, tuple[str, ...]] = {}) -> tuple[str, ...]:  # noqa: B006
    """The names of what nodes of a kind keep of the forward computation."""
    names = known.get(kind)
    if names is None:
        found = (n[len("_saved_") :] for n in dir(kind) if n.startswith("_saved_"))
        names = known[kind] = tuple(found)
    return names


def _explain(error: BaseException, recorder: Recorder, torch: Any) -> dict[str, Any]:
    """What is known of an exception: the layers that were running, and, where a gradient could not
    be computed, of what and why."""
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
        found["graph"] = rows_of(roots, recorder)
    if _CHANGED.search(text):
        nodes = [r.grad_fn for r in roots if r.grad_fn is not None]
        found["stale"] = sorted(_stale(nodes), reverse=True)
    return found


def _stale(roots: list[Any]) -> Iterator[list[Any]]:
    """What nodes had kept, and can't have any more."""
    for _, (node, number) in zip(range(MAX_NODES), walk(roots), strict=False):
        for name in kept_by(type(node)):
            try:
                getattr(node, "_saved_" + name)
            except RuntimeError as refused:
                changed = _CHANGED.search(str(refused))
                if changed is not None:
                    sizes = [int(size) for size in changed["sizes"].split(",") if size.strip()]
                    yield [max(number, 0), type(node).__name__, name, int(changed["version"]),
                           int(changed["expected"]), sizes]  # fmt: skip
