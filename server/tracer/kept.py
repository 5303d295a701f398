"""The log of a run that is to be replayed: it also has what arrays held right after each entry."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Entry = tuple[Any, ...]

HELD = -16
"""(HELD, record, token, elements in C order); one without a token is the last."""
MOST_BYTES = 1 << 16
"""Of one array that is looked at."""
MOST_IN_ALL = 64 << 20


class Kept(list[Entry]):
    """``of`` gives an array's elements by its type. They are told again where they are others, or
    where the entry may have written them."""

    def __init__(self, of: Mapping[type, Callable[[Any], bytes | None]]) -> None:
        self._of = of
        self._last: dict[int, tuple[object, bytes]] = {}
        self._after: dict[int, list[Entry]] = {}
        self._left = MOST_IN_ALL

    def append(self, entry: Entry) -> None:
        """Take an entry, and look at the arrays that it names: before anything else can run."""
        super().append(entry)
        if self._left < 0:
            return
        made = entry[2] if len(entry) == 8 else None
        found: list[Entry] = [
            (HELD, entry[1], token, data)
            for token in _tokens(entry)
            if (data := self._elements(token, anew=made is None or token is made)) is not None
        ]
        if self._left < 0:
            found = [(HELD, entry[1], None, b"")]
        if found:
            self._after.setdefault(len(self) - 1, []).extend(found)

    def taken(self, entries: list[Entry]) -> list[Entry]:
        """These, the first ones of the log, each with what arrays held after it."""
        after, self._after = self._after, {}
        return [e for i, entry in enumerate(entries) for e in (entry, *after.get(i, ()))]

    def forget(self, token: object) -> None:
        """Let go of an array's token, and of what was told of it."""
        self._last.pop(id(token), None)
        for told in self._after.values():
            told[:] = [entry for entry in told if entry[2] is not token]

    def _elements(self, token: weakref.ref[Any], *, anew: bool) -> bytes | None:
        array = token()
        elements = self._of.get(type(array))
        if array is None or elements is None or array.nbytes > MOST_BYTES:
            return None
        data = elements(array)
        known = self._last.get(id(token))
        if data is None or (not anew and known is not None and known[1] == data):
            return None
        self._last[id(token)] = token, data  # held, so that its id stays its own
        self._left -= len(data)
        return data


def _tokens(part: object) -> Iterator[weakref.ref[Any]]:
    if type(part) is weakref.ref:
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from _tokens(each)
