"""What all graphs of a run share: which events are whose, and what was lifted already."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ... import ir
from ...ir import Module
from ..inside import arrays_of
from ..stages import Passes
from ..trace import Array, Event, Frame, Loop, LoopRun, Scope, Trace
from .state import Called

__all__ = ["POST_ACCUMULATE", "Lifter", "graph_name", "names_in"]

names_in = re.compile(r"[\w.]+").findall
POST_ACCUMULATE = "register_post_accumulate_grad_hook"
"""What registers a hook that is called when a gradient has been added."""


class Lifter:
    """What all graphs of a run share."""

    def __init__(self, trace: Trace, unrolled: bool, whole: bool) -> None:
        self.trace = trace
        self.unrolled, self.whole = unrolled, whole
        self.module = Module()
        self.values: dict[tuple[int, int], ir.Value] = {}
        self.held: dict[ir.Value, Array] = {}
        self.bodies: dict[tuple[object, ...], ir.Graph] = {}
        self.called: dict[int, Called] = {}
        """Site number to the last call that was lifted there."""
        self.passes = Passes(trace)
        self.lifting: list[int] = []
        self.own: dict[int, list[Event]] = {}
        self.last_use: dict[int, int] = {}
        """Number of an array to the index of the last event that takes it."""
        self.begins: dict[int, int] = {}
        """Event index to the index of the first event inside it, in functions that it called."""
        for event in trace.events:
            own = self.own.setdefault(id(event.frame), [])
            first = own[-1].index + 1 if own else event.index
            inside = [
                self.begins[self.own[id(f)][0].index] for f in event.entered if id(f) in self.own
            ]
            self.begins[event.index] = max(first, min(inside, default=event.index))
            own.append(event)
            for array in arrays_of(*event.operands):
                self.last_use[array.number] = event.index
        self.unfinished: dict[Frame, list[Frame]] = {}
        """Frames that no call ended, by the frame that entered them."""
        for frame in reversed(trace.frames):  # inner ones first: they show that outer ones ran
            if frame.scope.kind == "module" or frame.call is not None:
                continue
            if frame.parent is not None and id(frame) in self.own:
                self.unfinished.setdefault(frame.parent, []).insert(0, frame)
                self.own.setdefault(id(frame.parent), [])
        self.chains: dict[int | None, tuple[int, ...]] = {None: ()}
        for loop in trace.loops:
            self.chains[loop.number] = (*self.chains[loop.parent], loop.number)

    def hooked(self, frame: Frame, tensor: Array | None = None, but: str = "") -> bool:
        """Whether a frame is of a hook, of one that ``tensor`` has where that is given; ``but`` not
        of one that was registered so."""
        return any(
            frame.scope.number in hook.scopes
            and (tensor is None or hook.of is tensor)
            and hook.by != but
            for hook in self.trace.hooks
        )

    def call_of(self, event: Event, turns: Sequence[tuple[Loop, int | ir.Value]]) -> int | None:
        """Which call of a run an event was, if it can be made again. In a loop that isn't written
        out, one turn stands for all: it has to be the same in each."""
        if any(isinstance(turn, ir.Value) for _, turn in turns):
            numbers = {e.call for e in self.trace.events if e.site is event.site}
            return event.call if len(numbers) == 1 else None
        return event.call

    def run_of(self, loop: int, first: Event) -> LoopRun | None:
        """The run of ``loop`` that ``first`` belongs to."""
        for run in self.trace.loop_runs:
            if run.loop.number == loop and run.frame is first.frame:
                stop = run.events.stop if run.events else len(self.trace.events)
                if run.events.start <= first.index < stop:
                    return run
        return None

    def targets_in(self, loop: int) -> frozenset[str]:
        """The names that loops inside one bind in each iteration."""
        inner = (other for other in self.trace.loops if loop in self.chains[other.parent])
        return frozenset(name for other in inner for name in names_in(other.target))

    def representative(self, groups: Sequence[list[Event]]) -> list[Event]:
        """The iteration that shows most: called functions were recorded in it, and it isn't the
        first, which may begin in another way."""
        sizes = [group[-1].index - self.begins[group[0].index] for group in groups]
        full = [g for g, size in zip(groups, sizes, strict=True) if size == max(sizes)]
        return full[1] if len(full) > 1 else full[0]


def graph_name(scope: Scope) -> str:
    """The name of a function, or of a file's module."""
    if scope.kind != "module":
        return scope.name.strip("<>") or "function"
    path = scope.span.path.replace("\\", "/").removesuffix("/__init__.py")
    name = path.rpartition("/")[2].removesuffix(".py")
    return name if name.isidentifier() else "module"
