"""Laws that hold for every document, on random ones."""

from __future__ import annotations

from hypothesis import given, settings
from jit_lsp.doc import Layout, LayoutOptions, layout
from naive_layout import Marked, Spec, build, naive
from random_docs import ribbons, specs, widths

settings.register_profile("doc", deadline=None, max_examples=400)
settings.load_profile("doc")


def marked(result: Layout) -> Marked:
    """Each character of ``result`` with the annotations around it."""
    return [
        (character, tuple(mark for a, b, mark in result.spans if a <= i < b))
        for i, piece in enumerate(result.pieces)
        for character in piece
    ]


@given(specs, widths, ribbons)
def test_layout_equals_the_naive_one(spec: Spec, width: int, ribbon: float) -> None:
    fast = layout(build(spec), LayoutOptions(width, ribbon))
    assert marked(fast) == naive(spec, width, ribbon)
