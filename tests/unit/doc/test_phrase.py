"""Sentences with holes fail when they are made, not when they are read."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from jit_lsp.doc import Span, Style, annotate, layout, phrase, render_plain


def test_holes_take_texts_documents_values_and_spans() -> None:
    doc = phrase(
        "{x} at {place}: {n} values, {a}, {{braces}}",
        x=annotate(Style.NAME, "W1"),
        place=Span("a.py", 3, 4, 3, 6),
        n=12,
        a=np.arange(2),
    )
    assert render_plain(doc) == "W1 at a.py:3:5: 12 values, i64[2] [0, 1], {braces}"


def test_styles_stand_behind_the_colon() -> None:
    result = layout(phrase("axis {i:value}", i=1))
    assert [mark for _, _, mark in result.spans] == [Style.VALUE]
    assert result.text == "axis 1"


def test_words_fill_lines_and_holes_stay_whole() -> None:
    doc = phrase("one {x} three", x="x @ W1")
    assert render_plain(doc, 10) == "one x @ W1\nthree"
    assert render_plain(doc, 9) == "one\nx @ W1\nthree"


def test_arguments_of_several_lines_become_one() -> None:
    assert render_plain(phrase("it is {x}", x="a\n  b\x1b")) == "it is a b␛"


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: phrase("{x}"), TypeError, "no argument for {x}"),
        (lambda: phrase("x", y=1), TypeError, "no hole for y"),
        (lambda: phrase("{x:bold}", x=1), ValueError, "{x:bold} names no style"),
        (lambda: phrase("{x!r}", x=1), ValueError, "a name alone"),
        (lambda: phrase("{x.y}", x=1), ValueError, "a name alone"),
        (lambda: phrase("{}", x=1), ValueError, "a name alone"),
        (lambda: phrase("{x", x=1), ValueError, "expected '}'"),
    ],
)
def test_mistakes_fail_at_once(
    make: Callable[[], object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said.replace("{", "\\{").replace("}", "\\}")):
        make()


def interpolation(value: object, expression: str, spec: str = "", conversion: str | None = None):
    return SimpleNamespace(
        value=value, expression=expression, format_spec=spec, conversion=conversion
    )


def test_template_strings_bring_their_own_values() -> None:
    # What t"axis {i:value} of {x}" makes in Python 3.14 (PEP 750).
    template = SimpleNamespace(
        strings=("axis ", " of ", ""),
        interpolations=(interpolation(1, "i", "value"), interpolation("W1", "x")),
    )
    result = layout(phrase(template))
    assert result.text == "axis 1 of W1"
    assert [mark for _, _, mark in result.spans] == [Style.VALUE]
    with pytest.raises(TypeError, match="brings its own values"):
        phrase(template, x=1)
    converted = SimpleNamespace(strings=("", ""), interpolations=(interpolation(1, "i", "", "r"),))
    with pytest.raises(ValueError, match="can't be converted"):
        phrase(converted)
