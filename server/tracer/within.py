"""Which arrays containers and objects hold, found so that no code of the program runs and nothing
is left different."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from gc import get_referents
from itertools import islice
from typing import Any

MOST_PARTS = 128
"""Parts that are looked at, of all that is looked into together."""
MOST_LEVELS = 5
"""How deep: an optimizer, its attributes, a list of groups, a group, its parameters."""
_HEAP, _TYPE = 1 << 9, 1 << 31
"""Flags of types: made at run time, as all classes of Python are; whose objects are types."""
_flags = type.__dict__["__flags__"].__get__


def arrays_within(values: Iterable[Any], kind: type) -> list[Any]:
    """The arrays of this kind that the values hold, the nearest first."""
    found: dict[int, Any] = {}
    left = MOST_PARTS
    level: list[Any] = list(values)
    for _ in range(MOST_LEVELS):
        parts = list(islice((part for value in level for part in _parts(value)), left))
        left -= len(parts)
        found.update((id(part), part) for part in parts if type(part) is kind)
        level = [part for part in parts if type(part) is not kind]
    return list(found.values())


def _parts(value: Any) -> Iterator[Any]:
    """What a list, tuple, dictionary or weak reference holds, or an object of a class: its
    attributes, without the dictionary that asking for them would make."""
    kind = type(value)
    if kind is list or kind is tuple:
        yield from islice(value, MOST_PARTS)
    elif kind is dict:
        yield from islice(value.values(), MOST_PARTS)
    elif kind is weakref.ref:
        yield value()
    elif _flags(kind) & (_HEAP | _TYPE) == _HEAP:
        yield from get_referents(value)
