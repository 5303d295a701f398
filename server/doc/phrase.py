"""Sentences with holes: concise to write, and checked when they are made.

>>> show(phrase("axis {axis:value} of {x:name} is {n:value}", axis=1, x="W1", n=784), 80, 16)
axis 1 of W1 is 784
axis 1 of W1 is
784

A hole takes a document, a ``Span`` (which reads as its place) or any other value (by ``pretty``).
Behind a colon it may say the ``Style`` to show it in. A hole without an argument, an argument
without a hole or an unknown style fails at once, with the name in the error. Where Python has
template strings (PEP 750, 3.14), ``phrase(t"axis {axis:value} of {x:name}")`` is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from string import Formatter
from typing import NamedTuple, Protocol

from .algebra import annotate, concat, fill_sep, reannotate
from .frame import one_line
from .nodes import Doc, Node
from .pretty import pretty
from .source import Span
from .style import Style


class Interpolation(Protocol):
    """A hole of a template string, with its value."""

    value: object
    expression: str
    conversion: str | None
    format_spec: str


class TemplateString(Protocol):
    """What ``t"..."`` makes (``string.templatelib.Template``)."""

    strings: tuple[str, ...]
    interpolations: Sequence[Interpolation]


def phrase(template: str | TemplateString, /, **arguments: object) -> Doc:
    """The sentence as a document that fills lines with its words.

    >>> phrase("{x} is missing")
    Traceback (most recent call last):
    TypeError: phrase: no argument for {x} in '{x} is missing'
    >>> phrase("x is {n}", n=3, m=4)
    Traceback (most recent call last):
    TypeError: phrase: no hole for m in 'x is {n}'
    """
    if isinstance(template, str):
        return _sentence(_filled(template, arguments))
    if arguments:
        raise TypeError("phrase: a template string brings its own values, it takes no arguments")
    return _sentence(_interpolated(template))


class Hole(NamedTuple):
    """A place for an argument."""

    name: str
    style: Style | None


def _filled(template: str, arguments: dict[str, object]) -> Iterable[Doc]:
    parts = _parsed(template)
    holes = {part.name for part in parts if isinstance(part, Hole)}
    for name in holes - arguments.keys():
        raise TypeError(f"phrase: no argument for {{{name}}} in {template!r}")
    for name in arguments.keys() - holes:
        raise TypeError(f"phrase: no hole for {name} in {template!r}")
    for part in parts:
        yield part if isinstance(part, str) else _shown(arguments[part.name], part.style)


def _interpolated(template: TemplateString) -> Iterable[Doc]:
    for text, hole in zip(template.strings, template.interpolations, strict=False):
        yield text
        if hole.conversion:
            raise ValueError(f"phrase: {{{hole.expression}!{hole.conversion}}} can't be converted")
        yield _shown(hole.value, _style(hole.format_spec, hole.expression))
    yield template.strings[-1]


@lru_cache(maxsize=1024)
def _parsed(template: str) -> tuple[str | Hole, ...]:
    parts: list[str | Hole] = []
    for text, name, spec, conversion in Formatter().parse(template):
        parts.append(text)
        if name is None:
            continue
        if not name.isidentifier() or conversion:
            raise ValueError(f"phrase: {{{name}}} must be a name alone, or a name:style")
        parts.append(Hole(name, _style(spec or "", name)))
    return tuple(parts)


def _style(spec: str, name: str) -> Style | None:
    try:
        return Style(spec) if spec else None
    except ValueError:
        raise ValueError(f"phrase: {{{name}:{spec}}} names no style") from None


def _shown(value: object, style: Style | None) -> Doc:
    if isinstance(value, str):
        doc: Doc = value if value.isprintable() else one_line(value)
    elif isinstance(value, Node):
        doc = value
    elif isinstance(value, Span):
        doc = annotate(Style.PATH, one_line(str(value)))
    else:
        doc = reannotate(_none, pretty(value)) if style else pretty(value)
    return annotate(style, doc) if style else doc


def _none(annotation: object) -> None:
    """No annotation at all."""


def _sentence(parts: Iterable[Doc]) -> Doc:
    """Words: what stands between blanks of the template, arguments in one piece."""
    words: list[list[Doc]] = [[]]
    for index, part in enumerate(parts):
        if index % 2 or not isinstance(part, str):
            words[-1].append(part)
            continue
        first, *others = part.split(" ")
        words[-1].append(first)
        words += [[other] for other in others]
    return fill_sep([concat(*word) for word in words if word and word != [""]])
