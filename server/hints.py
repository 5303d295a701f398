"""Types behind the names that get them, as an editor shows them within the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .doc import Doc, Style, annotate, concat, vcat
from .doc.source import Span
from .facts import Facts, Named

LONGEST = 25
"""Characters of a hint; what is longer hides the program."""


@dataclass(frozen=True, slots=True)
class Hint:
    """``label`` stands right behind ``span``; ``more`` is the whole of it."""

    span: Span
    label: str
    more: Doc


def hints(facts: Facts, path: str) -> Iterator[Hint]:
    """The hints of a file, in the order of the text."""
    for named in facts.names.get(path, ()):
        if named.annotated:
            continue
        yield Hint(named.span, label(named), vcat(_types(named)))


def label(named: Named) -> str:
    """``: f64[64, 784]``; with ``…`` where there is more to say.

    >>> from collections import Counter
    >>> here = Span("a.py", 1, 0, 1, 1)
    >>> label(Named("x", here, types=Counter({"f32[64, 128]": 9, "f32[37, 128]": 1})))
    ': f32[64, 128] …'
    >>> label(Named("x", here, types=Counter({"f32[batch=64, channels=3, 224, 224]": 1})))
    ': f32[batch=64, channels…'
    """
    text = f": {named.usual}"
    if len(named.types) > 1:
        text = f"{text} …"
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip(" ,…") + "…"


def _types(named: Named) -> Iterator[Doc]:
    name = annotate(Style.STRONG, annotate(Style.CODE, named.name))
    kinds = named.types.most_common()
    if len(kinds) == 1:
        kind, count = kinds[0]
        times = f", recorded {count:,} ×" if count > 1 else ""
        yield concat(name, " ", annotate(Style.CODE, kind), times)
        return
    yield concat(name, f" recorded {named.types.total():,} ×:")
    for kind, count in kinds:
        yield concat(annotate(Style.CODE, kind), f" {count:,} ×")
