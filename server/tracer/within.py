"""Which arrays containers and objects hold, found so that no code of the program runs and nothing
is left different."""

from __future__ import annotations

import weakref
from collections.abc import Container, Iterable, Sequence
from gc import get_referents
from itertools import islice
from typing import Any

MOST_PARTS = 128
"""Parts that are looked at, of all that is looked into together."""
MOST_LEVELS = 5
"""How deep: an optimizer, its attributes, a list of groups, a group, its parameters."""
_HEAP, _TYPE = 1 << 9, 1 << 31
"""Flags of types: made at run time, as all classes of Python are; whose objects are types."""
_LEAVES = frozenset({int, float, complex, bool, str, bytes, type(None)})
"""Types whose values hold nothing, and are many."""
_flags = type.__dict__["__flags__"].__get__


def arrays_within(values: Iterable[Any], kind: type, closed: Container[type] = ()) -> list[Any]:
    """The arrays of this kind that the values hold, the nearest first; nothing is looked for in
    values of the ``closed`` types."""
    found: dict[int, Any] = {}
    left = MOST_PARTS
    level = [value for value in values if type(value) not in closed]
    for _ in range(MOST_LEVELS):
        inner: list[Any] = []
        for value in level:
            if not left:
                break
            parts = _parts(value, left)
            left -= len(parts)
            for part in parts:
                own = type(part)
                if own is kind:
                    found[id(part)] = part
                elif own not in _LEAVES and own not in closed:
                    inner.append(part)
        level = inner
    return list(found.values())


def _parts(value: Any, most: int) -> Sequence[Any]:
    """At most so many of what a list, tuple, dictionary or weak reference holds, or an object of a
    class: its attributes, without the dictionary that asking for them would make."""
    kind = type(value)
    if kind is list or kind is tuple:
        held: Sequence[Any] = value[:most]
        return held
    if kind is dict:
        return list(islice(value.values(), most))
    if kind is weakref.ref:
        return (value(),)
    if _flags(kind) & (_HEAP | _TYPE) == _HEAP:
        return get_referents(value)[:most]
    return ()
