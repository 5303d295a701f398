"""What an array of one turn of a program is in another turn: what the same place gave, as long
before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from .sequences import parts_of
from .trace import Array, Trace

Turn = tuple[int, int, int]
"""The indices of the events that it lies between, and its line; see ``trace.Frame``."""
_Key = tuple[str, int, int, int]
"""A site or a layer, its number, which of its results, and the line of a site."""


class Counterparts:
    """The arrays of a run by the places that gave them, in order; made when first asked for."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def of(self, array: Array, then: Turn, now: Turn) -> Array | None:
        """What was to the end of the turn ``now`` what ``array`` was to that of ``then``; None
        where the turn gave no such thing. What no place gave is the same to both."""
        key = self._keys.get(array.number)
        if key is None:
            return array
        times, arrays = self._given[key]
        first = next(t for t, a in zip(times, arrays, strict=True) if a is array)
        back = bisect_left(times, then[1]) - bisect_left(times, first)
        if key[3] == then[2] != now[2]:  # each line has its own
            first = then[0]
            times, arrays = self._given.get((*key[:3], now[2]), ([], []))
        at = bisect_left(times, now[1]) - back
        if at < 0 or back <= 0 or (first > then[0] and times[at] < now[0]):
            return None
        return arrays[at] if arrays[at].type is array.type else None

    @cached_property
    def _keys(self) -> dict[int, _Key]:
        """By the number of an array: the place that first gave it."""
        keys: dict[int, _Key] = {}
        for key, (_, arrays) in self._given.items():
            for array in arrays:
                keys.setdefault(array.number, key)
        return keys

    @cached_property
    def _given(self) -> dict[_Key, tuple[list[float], list[Array]]]:
        """When each place gave what: the index of the event, or just before one."""
        given: dict[_Key, tuple[list[float], list[Array]]] = {}
        for key, time, array in sorted(self._all(), key=lambda found: found[1]):
            times, arrays = given.setdefault(key, ([], []))
            times.append(time)
            arrays.append(array)
        return given

    def _all(self) -> Iterator[tuple[_Key, float, Array]]:
        for event in self._trace.events:
            for position, part in enumerate(parts_of(event.result)):
                if isinstance(part, Array) and part not in event.operands:
                    key = "site", event.site.number, position, event.frame.line
                    yield key, event.index, part
        for run in self._trace.layer_runs:
            for position, part in enumerate(parts_of(run.result)):
                if isinstance(part, Array):
                    yield ("layer", run.layer.number, position, 0), run.before - 0.5, part
