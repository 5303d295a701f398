"""Laws that hold for every document, on random ones."""

from __future__ import annotations

from itertools import chain, pairwise

from hypothesis import assume, given
from hypothesis import strategies as st
from naive_layout import Marked, Spec, build, depends_on_place, naive
from random_docs import many_specs, many_towers, ribbons, specs, widths

from jit_lsp.doc import (
    Doc,
    Layout,
    LayoutOptions,
    Node,
    concat,
    display_width,
    flat,
    group,
    layout,
    nest,
    segments,
    source_map,
)
from jit_lsp.doc.nodes import INFINITE


def shown(doc: Doc, width: int) -> str:
    return layout(doc, LayoutOptions(width)).text


def marked(result: Layout) -> Marked:
    """Each character of ``result`` with the annotations around it."""
    return [
        (character, tuple(mark for a, b, mark in result.spans if a <= i < b))
        for i, piece in enumerate(result.pieces)
        for character in piece
    ]


def test_layouts_of_many_documents_equal_the_naive_ones() -> None:
    for spec in chain(many_specs(seed=1, count=12_000), many_towers(seed=2, count=6_000)):
        doc = build(spec)
        for width, ribbon in ((4, 1.0), (9, 1.0), (20, 1.0), (20, 0.5)):
            fast = layout(doc, LayoutOptions(width, ribbon))
            assert marked(fast) == naive(spec, width, ribbon), (spec, width, ribbon)


@given(specs, widths, ribbons)
def test_layout_equals_the_naive_one(spec: Spec, width: int, ribbon: float) -> None:
    fast = layout(build(spec), LayoutOptions(width, ribbon))
    assert marked(fast) == naive(spec, width, ribbon)


@given(specs, specs, st.integers(0, 4), st.integers(0, 4), widths)
def test_nest(spec: Spec, other: Spec, i: int, j: int, width: int) -> None:
    doc, more = build(spec), build(other)
    assert shown(nest(0, doc), width) == shown(doc, width)
    assert shown(nest(i, nest(j, doc)), width) == shown(nest(i + j, doc), width)
    apart = concat(nest(i, doc), nest(i, more))
    assert shown(nest(i, doc, more), width) == shown(apart, width)


@given(specs, widths)
def test_group(spec: Spec, width: int) -> None:
    doc = build(spec)
    once = shown(group(doc), width)
    assert shown(group(group(doc)), width) == once
    broken = shown(doc, width)
    if isinstance(doc, Node) and doc.w >= INFINITE:
        assert once == broken
    else:
        assert once in (broken, shown(flat(doc), width))


@given(specs, widths)
def test_a_group_is_too_wide_only_if_its_broken_form_is(spec: Spec, width: int) -> None:
    doc = build(spec)
    lines = shown(group(doc), width).split("\n")
    if max(map(display_width, lines)) > width:
        assert lines == shown(doc, width).split("\n")


@given(specs, widths, widths)
def test_flat(spec: Spec, width: int, other: int) -> None:
    doc = build(spec)
    assume(not isinstance(doc, Node) or doc.w < INFINITE)
    assume(not depends_on_place(spec))
    once = shown(flat(doc), width)
    assert flat(flat(doc)) is flat(doc) or shown(flat(flat(doc)), width) == once
    assert shown(flat(doc), other) == once
    assert "\n" not in once


@given(specs, specs, specs, widths)
def test_concatenation_is_associative(a: Spec, b: Spec, c: Spec, width: int) -> None:
    x, y, z = build(a), build(b), build(c)
    left, right = concat(concat(x, y), z), concat(x, concat(y, z))
    assert shown(left, width) == shown(right, width) == shown(concat(x, y, z), width)


@given(specs, widths, st.integers(1, 5))
def test_max_lines_cuts_and_counts(spec: Spec, width: int, most: int) -> None:
    whole = layout(build(spec), LayoutOptions(width))
    cut = layout(build(spec), LayoutOptions(width, max_lines=most))
    lines, kept = whole.text.split("\n"), cut.text.split("\n")
    if len(lines) <= most:
        assert marked(cut) == marked(whole)
    else:
        assert kept == [*lines[: most - 1], f"… {len(lines) - most + 1:,} more lines"]
        inside = len("\n".join(lines[: most - 1]))
        assert marked(cut)[:inside] == marked(whole)[:inside]


@given(specs, widths, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_segments_tile_the_output(spec: Spec, width: int, unit: str) -> None:
    result = layout(build(spec), LayoutOptions(width))
    found = segments(result, unit)
    if not result.text:
        assert all(segment.start == segment.end for segment in found)
        return
    ends = [segment.end for segment in found]
    assert [segment.start for segment in found] == [(1, 0), *ends[:-1]]
    lines = result.text.split("\n")
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[unit]
    encoding = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[unit]
    assert ends[-1] == (len(lines), len(lines[-1].encode(encoding)) // size)
    assert all(a.annotations != b.annotations or a.end == b.start for a, b in pairwise(found))


@given(specs, widths)
def test_the_source_map_finds_what_was_annotated(spec: Spec, width: int) -> None:
    result = layout(build(spec), LayoutOptions(width))
    lines = result.text.split("\n")
    offsets = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines))]
    characters = marked(result)
    for start, end, mark in source_map(result):
        a, b = (offsets[line - 1] + column for line, column in (start, end))
        assert all(mark in marks for _, marks in characters[a:b])
    covered = sum(len(marks) for _, marks in characters)
    lengths = (
        offsets[end.line - 1] + end.column - offsets[start.line - 1] - start.column
        for start, end, _ in source_map(result)
    )
    assert covered == sum(lengths)
