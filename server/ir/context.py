"""What nodes run under: parts of a program in which a library computes in another way.

They have PyTorch's names: ``no_grad``, ``inference_mode``, ``autocast[cpu=bf16]``. A node says what
holds for it beyond what holds around it, so that the graph of a function is the same wherever it is
called. What ends such a part inside it is said too: ``enable_grad``, ``autocast[off]``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

__all__ = ["CONTEXT", "Under", "beyond", "keeps_gradients", "within"]

Under: TypeAlias = tuple[str, ...]
"""At most one that gradients are about, then at most one of autocast."""

CONTEXT: Final = re.compile(r"[a-z_]+(?:\[\w+(?:=\w+(?:, \w+=\w+)*)?\])?")
"""How one of them is written."""

_AUTOCAST: Final = "autocast"
_ENDS: Final = ("enable_grad", "autocast[off]")


def within(outer: Under, inner: Under) -> Under:
    """What holds in all for what says ``inner``, where ``outer`` holds around it.

    >>> within(("no_grad",), ("autocast[cpu=bf16]",))
    ('no_grad', 'autocast[cpu=bf16]')
    >>> within(("no_grad",), ("enable_grad",))
    ('enable_grad',)
    """
    pairs = zip(_parts(outer), _parts(inner), strict=True)
    return tuple(own or around for around, own in pairs if own or around)


def beyond(outer: Under, whole: Under) -> Under:
    """What is to be said where ``whole`` holds, and ``outer`` around it: the inverse of
    ``within``.

    >>> beyond(("no_grad",), ("no_grad", "autocast[cpu=bf16]"))
    ('autocast[cpu=bf16]',)
    >>> beyond(("no_grad",), ())
    ('enable_grad',)
    """
    pairs = zip(_parts(outer), _parts(whole), _ENDS, strict=True)
    return tuple(own or end for around, own, end in pairs if own != around)


def keeps_gradients(under: Sequence[str]) -> bool:
    """Whether gradients lead through what runs there."""
    return "no_grad" not in under and "inference_mode" not in under


def _parts(under: Under) -> tuple[str, str]:
    """The one about gradients and the one about casts; empty where nothing is said."""
    casts = [name for name in under if name.startswith(_AUTOCAST)]
    others = [name for name in under if not name.startswith(_AUTOCAST)]
    return "".join(others[:1]), "".join(casts[:1])
