"""Classes whose equal instances are one object."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar
from weakref import WeakValueDictionary

__all__ = ["Interned"]


class Interned(type):
    """Metaclass of frozen dataclasses: constructing an equal instance again gives the first one.

    Comparing and hashing are by identity. What nobody holds is forgotten.
    """

    _known: ClassVar[WeakValueDictionary[tuple[object, ...], Any]] = WeakValueDictionary()

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """An instance with these fields, made now only if there is none."""
        new = super().__call__(*args, **kwargs)
        key = (cls, *(getattr(new, field.name) for field in fields(new)))
        return cls._known.setdefault(key, new)
