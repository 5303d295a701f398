"""Qualified names of ops: ``np.matmul``, ``torch.nn.functional.relu``, ``ir.loop``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .interned import Interned

__all__ = ["Symbol"]


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Symbol(metaclass=Interned):
    """A name in a namespace. The same bare name in two namespaces is two symbols.

    Symbols that are equal are the same object. ``name`` may have dots, the namespace hasn't.

    >>> Symbol("np", "linalg.qr")
    np.linalg.qr
    >>> Symbol.parse("np.linalg.qr").name
    'linalg.qr'
    """

    namespace: str
    name: str

    def __post_init__(self) -> None:
        if not (_NAMESPACE.fullmatch(self.namespace) and _NAME.fullmatch(self.name)):
            raise ValueError(f"not a qualified name: {self.namespace!r}, {self.name!r}")

    @staticmethod
    @lru_cache(maxsize=4096)
    def parse(text: str) -> Symbol:
        """The symbol that prints as ``text``: the namespace ends at the first dot."""
        namespace, _, name = text.partition(".")
        return Symbol(namespace, name)

    def __str__(self) -> str:
        return f"{self.namespace}.{self.name}"

    def __repr__(self) -> str:
        return str(self)

    def __lt__(self, other: Symbol) -> bool:
        return (self.namespace, self.name) < (other.namespace, other.name)

    def __copy__(self) -> Symbol:
        return self

    def __deepcopy__(self, memo: object) -> Symbol:
        return self

    def __reduce__(self) -> tuple[type[Symbol], tuple[str, str]]:
        return Symbol, (self.namespace, self.name)


_NAMESPACE = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"[\w<>]+(\.[\w<>]+)*")
