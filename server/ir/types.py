"""Types of values: immutable, interned, short in print.

Two types that are equal are the same object, so that comparing and hashing cost nothing. ``str``
gives the short form that messages and graphs show, ``f32[batch=64, 784]``; ``type.text(full=True)``
gives every field. Both forms parse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from math import prod
from typing import Any

from .interned import Interned
from .literals import name_text, quote
from .shapes import Dimension

__all__ = [
    "SCALARS",
    "ArrayType",
    "DictType",
    "Dimension",
    "HandleType",
    "ListType",
    "ModuleType",
    "OpaqueType",
    "ParameterType",
    "ScalarType",
    "TupleType",
    "Type",
    "element_name",
    "itemsize",
]


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Type(metaclass=Interned):
    """What is known of a value without its contents."""

    def text(self, *, full: bool = False) -> str:
        """The type as the graph text writes it; ``full`` leaves nothing out."""
        raise NotImplementedError

    def __str__(self) -> str:
        return _short(self)

    def __repr__(self) -> str:
        return f"<{self.text(full=True)}>"

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: object) -> Type:
        return self

    def __reduce__(self) -> tuple[type[Type], tuple[object, ...]]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArrayType(Type):
    """An array: element type, sizes (None where unknown), strides in bytes (None where unknown).

    ``names`` are the names of dimensions, as many as there are sizes, or none at all; where they
    aren't given, they are those of the sizes. A size that is named is a :class:`Dimension`.
    ``kind`` says which family of arrays it is: ``array`` for NumPy, ``tensor`` for PyTorch.
    """

    element: str
    sizes: tuple[int | None, ...]
    strides: tuple[int, ...] | None = None
    names: tuple[str | None, ...] = ()
    device: str | None = None
    kind: str = "array"

    def __post_init__(self) -> None:
        if not _WORD.fullmatch(self.element):
            raise ValueError(f"not the name of an element type: {self.element!r}")
        if any(size is not None and size < 0 for size in self.sizes):
            raise ValueError(f"sizes must not be negative: {self.sizes}")
        if self.strides is not None and len(self.strides) != len(self.sizes):
            raise ValueError(f"{len(self.strides)} strides for {len(self.sizes)} dimensions")
        if self.names and len(self.names) != len(self.sizes):
            raise ValueError(f"{len(self.names)} names for {len(self.sizes)} dimensions")
        if not all(name is None or _WORD.fullmatch(name) for name in self.names):
            raise ValueError(f"names of dimensions must be identifiers: {self.names}")
        if self.device is not None and not _DEVICE.fullmatch(self.device):
            raise ValueError(f"not the name of a device: {self.device!r}")
        if not _WORD.fullmatch(self.kind):
            raise ValueError(f"not a kind of array: {self.kind!r}")
        if self.names:
            pairs = zip(self.sizes, self.names, strict=True)
            object.__setattr__(self, "sizes", tuple(_dimension(*pair) for pair in pairs))
        else:
            names = tuple(getattr(size, "name", None) for size in self.sizes)
            object.__setattr__(self, "names", names)
        if not any(self.names):
            object.__setattr__(self, "names", ())

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.sizes)

    @property
    def size(self) -> int | None:
        """Number of elements, None where a size is unknown."""
        known = [size for size in self.sizes if size is not None]
        return prod(known) if len(known) == len(self.sizes) else None

    @property
    def nbytes(self) -> int | None:
        """Bytes that the elements take, None where a size or the width of one is unknown."""
        width = itemsize(self.element)
        return None if self.size is None or width is None else self.size * width

    @property
    def contiguous(self) -> bool | None:
        """Whether the layout is C order without gaps; None where that isn't known."""
        width = itemsize(self.element)
        if self.strides is None or self.size is None or width is None:
            return None
        if self.size == 0:
            return True
        for size, stride in zip(reversed(self.sizes), reversed(self.strides), strict=True):
            if size != 1 and stride != width:
                return False
            width *= size or 1
        return True

    def with_(self, **changes: Any) -> ArrayType:
        """A type that differs in the named fields. Names go with the sizes, strides when sizes
        change rank."""
        if "sizes" in changes:
            changes = {"names": (), **changes}
            if len(changes["sizes"]) != len(self.sizes):
                changes = {"strides": None, **changes}
        return replace(self, **changes)

    def named(self, names: tuple[str | None, ...]) -> ArrayType:
        """The same with these names of dimensions."""
        sizes = tuple(None if size is None else int(size) for size in self.sizes)
        return replace(self, sizes=sizes, names=names)

    def text(self, *, full: bool = False) -> str:
        """``f32[batch=64, 784]``; strides only where they aren't C order, unless ``full``."""
        names = self.names or (None,) * len(self.sizes)
        dims = (
            ("?" if size is None else str(size)) if name is None else f"{name}={_size(size)}"
            for name, size in zip(names, self.sizes, strict=True)
        )
        inside = ", ".join(dims)
        if self.strides is not None and (full or self.contiguous is False):
            inside += f"; strides={_tuple(self.strides)}"
        if self.device is not None and (full or self.device != "cpu"):
            inside += f"; device={self.device}"
        if full and self.kind != "array":
            inside += f"; kind={self.kind}"
        return f"{self.element}[{inside}]"


def _dimension(size: int | None, name: str | None) -> int | None:
    if size is None:
        return None
    return int(size) if name is None else Dimension(size, name)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScalarType(Type):
    """A Python scalar: int, float, bool, complex, str, bytes or none."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in SCALARS:
            raise ValueError(f"not a scalar type: {self.name!r}")

    def text(self, *, full: bool = False) -> str:
        """The bare name."""
        return self.name


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TupleType(Type):
    """A tuple, each item with its own type."""

    items: tuple[Type, ...]

    def text(self, *, full: bool = False) -> str:
        """``(f32[2], int)``, and ``(int,)`` for one item."""
        inside = ", ".join(item.text(full=full) for item in self.items)
        return f"({inside},)" if len(self.items) == 1 else f"({inside})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ListType(Type):
    """A list of one item type; a mixed list has ``OpaqueType("object")`` items."""

    item: Type
    length: int | None = None

    def text(self, *, full: bool = False) -> str:
        """``list<f32[2], 3>``, the length ``?`` where unknown."""
        return f"list<{self.item.text(full=full)}, {_size(self.length)}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DictType(Type):
    """A dictionary with string keys, in their order."""

    entries: tuple[tuple[str, Type], ...]

    def text(self, *, full: bool = False) -> str:
        """``{"weight": f32[3, 4]}``."""
        return "{" + ", ".join(f"{quote(k)}: {t.text(full=full)}" for k, t in self.entries) + "}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ModuleType(Type):
    """A model or layer of a framework, by the qualified name of its class."""

    qualified_name: str

    def text(self, *, full: bool = False) -> str:
        """``module<torch.nn.Linear>``."""
        return f"module<{name_text(self.qualified_name)}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ParameterType(Type):
    """A trainable array, under the name that the model's own state dict gives it."""

    name: str
    array: ArrayType

    def text(self, *, full: bool = False) -> str:
        """``parameter<fc1.weight, f32[128, 784]>``."""
        return f"parameter<{name_text(self.name)}, {self.array.text(full=full)}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HandleType(Type):
    """Something with hidden state that ops take and give: a random generator, a saved context."""

    qualified_name: str

    def text(self, *, full: bool = False) -> str:
        """``handle<numpy.random.Generator>``."""
        return f"handle<{name_text(self.qualified_name)}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OpaqueType(Type):
    """Any other object, by the qualified name of its class."""

    qualified_name: str

    def text(self, *, full: bool = False) -> str:
        """``opaque<pandas.DataFrame>``."""
        return f"opaque<{name_text(self.qualified_name)}>"


@cache
def element_name(typestr: str) -> str:
    """The name of an element type from NumPy's ``dtype.str``: ``'<f8'`` → ``'f64'``.

    Text, bytes, dates and records carry their width or unit: ``'<U5'`` → ``'str5'``, ``'<M8[ns]'``
    → ``'datetime_ns'``, ``'|V16'`` → ``'void16'``. Big-endian types end in ``_be``.
    """
    match = _TYPESTR.fullmatch(typestr)
    if match is None:
        raise ValueError(f"not a typestr: {typestr!r}")
    order, code, width, unit = match.groups()
    ending = "_be" if order == ">" and code in "iufcmMU" else ""
    if code in "iufc":
        return f"{code}{int(width) * 8}{ending}"
    if code in "mM":
        name = "timedelta" if code == "m" else "datetime"
        return (f"{name}_{unit}" if unit else name) + ending
    if code == "O" or code == "b":
        return "object" if code == "O" else "bool"
    return {"U": "str", "S": "bytes", "V": "void", "T": "string"}[code] + (
        "" if code == "T" else width + ending
    )


@cache
def itemsize(element: str) -> int | None:
    """Bytes of one element, by its name; None where the name doesn't say."""
    base = element.removesuffix("_be")
    if base == "bool":
        return 1
    if base.split("_")[0] in ("datetime", "timedelta", "object"):
        return 8
    match = re.fullmatch(r"([iufc]|str|bytes|void)(\d+)", base)
    if match is None:
        return {"bf16": 2}.get(base)
    kind, width = match[1], int(match[2])
    return width // 8 if kind in "iufc" else width * (4 if kind == "str" else 1)


SCALARS = frozenset({"int", "float", "bool", "complex", "str", "bytes", "none"})
_DEVICE = re.compile(r"[\w:.-]+")
_WORD = re.compile(r"[^\W\d]\w*")
_TYPESTR = re.compile(r"([<>|=])([biufcmMOSUVT])(\d*)(?:\[(\w+)\])?")


@lru_cache(maxsize=4096)
def _short(type_: Type) -> str:
    return type_.text()


def _size(size: int | None) -> str:
    return "?" if size is None else str(size)


def _tuple(items: tuple[int, ...]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(map(str, items))})"
