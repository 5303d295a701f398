"""What ran inside one call, in order: functions of the program, layers with what ran in them, and
hooks. Frames, layers and hooks are numbered by one clock, so that intervals tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from .trace import Array, Event, Frame, HookRun, LayerRun, Pack, Value

Ran: TypeAlias = Frame | LayerRun | HookRun


@dataclass(slots=True)
class Part:
    """Something that ran, and what ran inside."""

    what: Ran
    parts: list[Part] = field(default_factory=list)

    def frames(self) -> Iterator[Frame]:
        """The frames inside, at whatever depth."""
        for part in self.parts:
            if isinstance(part.what, Frame):
                yield part.what
            yield from part.frames()


def inside(event: Event, frames: Sequence[Frame]) -> list[Part]:
    """What ran inside a call, ``frames`` being those of its functions that show something."""
    ran: list[Ran] = [*frames, *event.layers, *event.hooks]
    found: list[Part] = []
    around: list[tuple[int, Part]] = []
    for first, last, what in sorted(((*_time(what), what) for what in ran), key=lambda t: t[0]):
        while around and around[-1][0] < first:
            around.pop()
        part = Part(what)
        (around[-1][1].parts if around else found).append(part)
        if not isinstance(what, Frame):  # when those ended isn't known
            around.append((last, part))
    return found


@dataclass(slots=True)
class Layer:
    """One run of a layer, with its hooks apart."""

    run: LayerRun
    before: list[Part]
    inner: list[Part]
    after: list[Part]

    @property
    def given(self) -> tuple[Value, ...]:
        """What the layer itself was given, behind the hooks before it."""
        given = self.run.operands
        for part in self.before:
            hook = part.what
            if isinstance(hook, HookRun) and replaces(hook):
                given = hook.result.items if isinstance(hook.result, Pack) else (hook.result,)
        return given

    @property
    def result(self) -> Value:
        """What the layer itself gave, ahead of the hooks after it."""
        hook = self.after[0].what if self.after else None
        return hook.given[-1] if isinstance(hook, HookRun) and hook.given else self.run.result

    @property
    def plain(self) -> bool:
        """Whether nothing of the program ran inside: the layer may be shown as one operation."""
        return not any(isinstance(p.what, Frame | HookRun) or _mixed(p) for p in self.inner)


def layer_of(part: Part) -> Layer | None:
    """A run of a layer with its hooks apart; None of what is none."""
    if not isinstance(part.what, LayerRun):
        return None
    known = Layer(part.what, [], [], [])
    same = sum(_when(p) == "same" for p in part.parts)
    for p in part.parts:
        when = _when(p)
        if when == "before" or (when == "same" and same == 2 and not known.inner):
            known.before.append(p)
            same -= when == "same"
        elif when in ("after", "same"):
            known.after.append(p)
        else:
            known.inner.append(p)
    return known


def replaces(hook: HookRun) -> bool:
    """Whether what a hook gave took the place of what it was given."""
    return isinstance(hook.result, Array | Pack)


def arrays_of(*values: Value) -> list[Array]:
    """The arrays among values, and in tuples of them."""
    found: list[Array] = []
    for value in values:
        if isinstance(value, Pack):
            found += arrays_of(*value.items)
        elif isinstance(value, Array):
            found.append(value)
    return found


def _when(part: Part) -> str:
    return part.what.when if isinstance(part.what, HookRun) else ""


def _mixed(part: Part) -> bool:
    return any(isinstance(p.what, Frame | HookRun) or _mixed(p) for p in part.parts)


def _time(what: Ran) -> tuple[int, int]:
    return (what.number, what.number) if isinstance(what, Frame) else (what.first, what.last)
