"""Size bounds nothing: neither depth nor length needs more stack or more than linear time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import cycle, islice

import pytest

from jit_lsp.doc import (
    Doc,
    LayoutOptions,
    align,
    annotate,
    column,
    concat,
    encloses,
    flat_alt,
    group,
    hardline,
    layout,
    line,
    nest,
    reannotate,
    render_html,
    softline,
    vcat,
)

DEPTH = 200_000

WRAPPERS = {
    "group": lambda doc: group("[", softline, doc, softline, "]"),
    "bare group": lambda doc: group(doc),
    "encloses": lambda doc: encloses("[", [doc], "]", by=0),
    "nest": lambda doc: nest(0, nest(1, nest(-1, doc))),
    "align": lambda doc: align(doc),
    "concat": lambda doc: concat(doc, line),
    "left": lambda doc: doc + ".",
    "annotate": lambda doc: annotate("mark", doc),
    "flat_alt": lambda doc: flat_alt(doc, "."),
    "vcat": lambda doc: vcat(["x", doc]),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_depth_of_one_kind(name: str) -> None:
    check(WRAPPERS[name] for _ in range(DEPTH // 20))


def test_depth_of_all_kinds() -> None:
    check(islice(cycle(WRAPPERS.values()), DEPTH))


def check(wrappers: Iterable[Callable[[Doc], Doc]]) -> None:
    doc: Doc = concat("x", line, "y")
    for wrap in wrappers:
        doc = wrap(doc)
    assert layout(doc, LayoutOptions(width=20)).text.count("y") == 1
    assert layout(group(doc), LayoutOptions(width=10 * DEPTH)).text


def test_depth_of_what_depends_on_the_place() -> None:
    doc: Doc = column(str)
    for _ in range(DEPTH // 10):
        doc = group("[", softline, doc, softline, "]")
    assert layout(doc).text.count("[") == DEPTH // 10


def test_depth_of_reannotations() -> None:
    doc: Doc = annotate(0, "x")
    for _ in range(1_000):
        doc = reannotate(lambda n: n + 1, doc)
    assert layout(doc).spans == [(0, 1, 1_000)]


def test_a_million_leaves() -> None:
    rows = [encloses("[", [str(i), "2", "3"], "]") for i in range(250_000)]
    assert layout(encloses("[", rows, "]")).text.count("\n") == 250_001


def test_layouts_of_many_annotations_render() -> None:
    doc = vcat([annotate("line", "x ", annotate("word", str(i))) for i in range(10_000)])
    assert render_html(doc).count("\n") == 9_999


def test_only_what_is_shown_is_made_of_dynamic_documents() -> None:
    asked = []

    def ask(now: int) -> Doc:
        asked.append(now)
        return "x"

    layout(concat(*[concat(column(ask), hardline) for _ in range(1000)]))
    assert len(asked) == 1000
