"""Documents check what they are made of when they are made, and name the argument that is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import jit_lsp.doc
from jit_lsp.doc import (
    Doc,
    LayoutOptions,
    Node,
    align,
    annotate,
    cat,
    column,
    concat,
    display_width,
    encloses,
    fill,
    fill_sep,
    flat,
    flat_alt,
    group,
    hang,
    hardline,
    hsep,
    indent,
    layout,
    line,
    nest,
    page_width,
    punctuate,
    reannotate,
    render_plain,
    sep,
    softline,
    text,
    text_lines,
    vsep,
)

WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: text(3), "text: content must be a str, not int"),
    (lambda: concat("a", 3), "concat: docs\\[1\\] must be a document"),
    (lambda: group("a", None), "group: docs\\[1\\] must be a document"),
    (lambda: group(3), "group: docs\\[0\\] must be a document"),
    (lambda: nest("2", "a"), "nest: by must be an int, not str"),
    (lambda: nest(2, b"a"), "nest: docs\\[0\\] must be a document"),
    (lambda: align(1.5), "align: docs\\[0\\] must be a document"),
    (lambda: hang(None, "a"), "hang: by must be an int"),
    (lambda: indent(2, []), "indent: docs\\[0\\] must be a document"),
    (lambda: flat_alt("a", 3), "flat_alt: flat must be a document"),
    (lambda: flat_alt(3, "a"), "flat_alt: broken must be a document"),
    (lambda: annotate("mark", 3), "annotate: docs\\[0\\] must be a document"),
    (lambda: annotate("mark", "a", 3), "annotate: docs\\[1\\] must be a document"),
    (lambda: reannotate("mark", "a"), "reannotate: image must be callable, not str"),
    (lambda: hsep("abc"), "hsep: docs must be an iterable of documents, not one str"),
    (lambda: vsep(3), "vsep: docs must be an iterable of documents, not one int"),
    (lambda: sep(["a", 3]), "sep: docs\\[1\\] must be a document"),
    (lambda: cat([3, "a"]), "cat: docs\\[0\\] must be a document"),
    (lambda: fill_sep(["a", 3]), "fill: docs\\[1\\] must be a document"),
    (lambda: fill(["a"], 3), "fill: separator must be a document"),
    (lambda: punctuate(3, ["a"]), "punctuate: separator must be a document"),
    (lambda: encloses("[", ["a", 3], "]"), "encloses: docs\\[1\\] must be a document"),
    (lambda: encloses("[", "abc", "]"), "encloses: docs must be an iterable"),
    (lambda: encloses("[", ["a"], "]", separator=3), "encloses: separator must be a str"),
    (lambda: line + 3, "\\+: docs\\[1\\] must be a document"),
    (lambda: 3 + line, "\\+: docs\\[0\\] must be a document"),
    (lambda: layout(3), "layout: doc must be a document"),
    (lambda: layout(column(lambda n: n)), "column: the result of function must be a document"),
    (lambda: column("x"), "column: function must be callable"),
    (lambda: f"{line}", "a document has no text before its layout"),
]

BROKEN: list[Callable[[str], object]] = [
    text,
    lambda s: concat("a", s),
    group,
    lambda s: annotate("mark", s),
    lambda s: nest(2, "a", s),
    lambda s: vsep(["a", s]),
    lambda s: hsep(["a", s]),
    lambda s: encloses("[", [s], "]"),
    lambda s: encloses(s, ["a"], "]"),
    lambda s: fill_sep(["a", s]),
    lambda s: flat_alt(s, "a"),
    lambda s: punctuate(s, ["a", "b"]) and sep(punctuate(s, ["a", "b"])),
    lambda s: layout(s),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG)
def test_wrong_types_fail_when_built(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        wrong()


@pytest.mark.parametrize("build", BROKEN)
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_text_of_several_lines_fails_when_built(build: Callable[[str], object], end: str) -> None:
    with pytest.raises(ValueError, match="a text is one line"):
        build(f"one{end}two")


def test_what_is_wrong_is_shown_even_if_it_can_not_be() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise ValueError

    with pytest.raises(TypeError, match="its repr raises ValueError"):
        concat("a", Bad())  # type: ignore[arg-type]


def test_flat_has_no_hard_lines() -> None:
    with pytest.raises(ValueError, match="hard line"):
        flat("a", hardline)


@pytest.mark.parametrize("doc", [line, concat("a", line), group("a", line), nest(1, line)])
def test_nodes_are_frozen(doc: Node) -> None:
    with pytest.raises(AttributeError, match="frozen"):
        doc.w = 3
    with pytest.raises(AttributeError, match="frozen"):
        del doc.w
    with pytest.raises(AttributeError):
        doc.other = 3  # type: ignore[attr-defined]


def test_text_alone_stays_text() -> None:
    assert concat("a", "b") == "ab"
    assert group("a") == nest(2, "a") == align("a") == flat("a") == "a"
    assert concat() == vsep([]) == fill([]) == hsep([]) == annotate("mark") == ""
    assert encloses("[", [], "]") == "[]"


def test_subclasses_of_str_are_texts() -> None:
    class Name(str):
        pass

    assert render_plain(sep([Name("a"), group(Name("b"), line)]), 80) == "a b "


def test_documents_share_parts() -> None:
    part = group("a", line, "b")
    assert render_plain(vsep([part, part]), 3) == "a b\na b"


def test_text_lines_takes_any_line_ends() -> None:
    assert render_plain(text_lines("a\r\nb\n\nc")) == "a\nb\n\nc"


def test_blank_lines_have_no_indentation() -> None:
    assert render_plain(nest(4, text_lines("a\n\n\nb"))) == "a\n\n\n    b"
    assert render_plain(nest(4, "a", hardline, hardline, group("b", softline))) == "a\n\n    b"


def test_a_group_looks_behind_its_end() -> None:
    doc = concat(group("a", line, "b"), ");", line, "c")
    assert render_plain(doc, 5) == "a b);\nc"
    assert render_plain(doc, 4) == "a\nb);\nc"


def test_what_fills_a_line_exactly_fits() -> None:
    items = [group("ab", line, "cd"), group("ef", line, "gh")]
    assert render_plain(encloses("[", items, "]"), 7) == "[\n  ab\n  cd,\n  ef gh\n]"
    assert render_plain(encloses("[", items, "]"), 8) == "[\n  ab cd,\n  ef gh\n]"


@pytest.mark.parametrize("blank", [line, softline])
@pytest.mark.parametrize("letter", ["a", "é", "形"])
def test_fill_counts_every_column(blank: Doc, letter: str) -> None:
    words = [2 * letter] * 3
    joined = (" " if blank is line else "").join(words)
    comma = fill(words, "," + blank) if blank is line else fill(words, blank)
    width = sum(map(display_width, words)) + (4 if blank is line else 0)
    shown = ", ".join(words) if blank is line else joined
    assert render_plain(comma, width) == shown
    assert render_plain(comma, width - 1).count("\n") == 1
    assert render_plain(comma + ");", width + 2) == shown + ");"
    assert render_plain(comma + ");", width + 1).count("\n") == 1


def test_fill_behind_a_text_that_is_too_long() -> None:
    assert render_plain("too long " + fill_sep(["a", "b", "c d"]), 4) == "too long a\nb\nc d"
    assert render_plain("too long" + fill_sep(["a", "bc", "de", "f"]), 4) == "too longa\nbc\nde f"


def test_nothing_has_no_annotation() -> None:
    empty = annotate("mark", column(lambda _: ""), concat())
    assert [mark for _, _, mark in layout(flat(empty)).spans if mark != "mark"] == []
    assert layout(annotate("outer", annotate("inner", encloses("", [], "")))).spans == []


def test_an_annotation_without_an_image_goes() -> None:
    doc = annotate("kept", "a", annotate("gone", "b", line), annotate("kept too", "c"))
    images = {"kept": 1, "kept too": 2}
    for laid in (doc, group(doc), concat(column(str), doc), group(column(str), doc)):
        spans = layout(reannotate(images.get, laid)).spans
        assert [mark for _, _, mark in spans] == [1, 2]


def test_indentation_is_never_negative() -> None:
    assert render_plain(nest(-4, "a", line, "b")) == "a\nb"


def test_ribbon_limits_the_text_of_a_line() -> None:
    doc = nest(10, "x", hardline, group("one", line, "two"))
    assert layout(doc, LayoutOptions(20, ribbon=0.5)).text == "x\n          one two"
    assert layout(doc, LayoutOptions(20, ribbon=0.3)).text.count("\n") == 2


def test_wide_characters_take_two_columns() -> None:
    doc = group("形状", line, "x")
    assert render_plain(doc, 6) == "形状 x"
    assert render_plain(doc, 5) == "形状\nx"


def test_control_characters_are_made_visible() -> None:
    assert render_plain(concat("a\x1b[2J", line, "\u202eb\ud800")) == "a␛[2J\n\ufffdb\ufffd"
    assert render_plain(page_width(lambda _: "\x07")) == "␇"


def test_punctuate_is_a_sequence() -> None:
    docs = punctuate(",", ["a", "b", "c"])
    assert list(docs) == ["a,", "b,", "c"]
    assert (len(docs), docs[0], docs[1:]) == (3, "a,", ("b,", "c"))


@pytest.mark.parametrize(
    ("options", "said"),
    [({"width": 0}, "width"), ({"ribbon": 0.0}, "ribbon"), ({"max_lines": 0}, "max_lines")],
)
def test_options_are_checked(options: dict[str, int], said: str) -> None:
    with pytest.raises(ValueError, match=f"LayoutOptions: {said} must be"):
        LayoutOptions(**options)


def test_everything_public_exists_once() -> None:
    names = jit_lsp.doc.__all__
    assert sorted(set(names)) == sorted(names)
    assert all(hasattr(jit_lsp.doc, name) for name in names)


def test_a_document_shows_what_it_is() -> None:
    doc: Doc = concat("a", line)
    assert repr(doc) == "<Cat: 2 columns>"
    assert repr(hardline) == "<Line: never flat>"
