"""Marks stand below what they mark, whatever the line looks like and the room it has."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from jit_lsp.doc import Source, Span, display_width, render_plain
from jit_lsp.doc.excerpt import Excerpt
from jit_lsp.doc.message import Label, Verbosity, header, message, snippet

lines = st.text("abc (=)[]形é\t\u0301🙂\x1b", max_size=120)


@st.composite
def labelled(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    line = draw(lines)
    ends = st.integers(0, len(line) + 2)
    pairs = draw(st.lists(st.tuples(ends, ends), min_size=1, max_size=4))
    return line, [(min(pair), max(pair)) for pair in pairs]


@given(labelled(), st.integers(16, 100))
@example(("=====   ", [(0, 10)]), 16)
@example(("a" + " " * 100, [(0, 101)]), 16)
def test_excerpts_fit_and_keep_what_is_marked(
    case: tuple[str, list[tuple[int, int]]], room: int
) -> None:
    line, labels = case
    excerpt = Excerpt.of(line, labels, room)
    assert display_width(excerpt.text) <= room
    for start, end in labels:
        end = max(end, start + 1)
        first, last = excerpt.columns(start, end)
        behind = max(1, end - len(line.rstrip()))
        assert 0 <= first < last <= min(room, display_width(excerpt.text) + behind) + 1


@given(labelled())
def test_marks_stand_below_what_they_mark(case: tuple[str, list[tuple[int, int]]]) -> None:
    line, labels = case
    excerpt = Excerpt.of(line, labels, 1000)
    for start, end in labels:
        first, _ = excerpt.columns(start, max(end, start + 1))
        before = Excerpt.of(line[:start] + "|", [], 1000).text.removesuffix("|")
        if start < len(line.rstrip()) and line[start] not in "\u0301":
            assert first == display_width(before)


@st.composite
def files(draw: st.DrawFn) -> tuple[Source, list[Label]]:
    text = draw(st.lists(st.text("ab =()", max_size=60), min_size=1, max_size=12))
    source = Source("a.py", "\n".join(text))
    labels = []
    for _ in range(draw(st.integers(1, 5))):
        first, last = sorted((draw(st.integers(1, len(text))), draw(st.integers(1, len(text)))))
        start, end = draw(st.integers(0, 60)), draw(st.integers(0, 60))
        if first == last:
            start, end = min(start, end), max(start, end)
        said = draw(st.text("xyz ", max_size=50))
        labels.append(Label(Span("a.py", first, start, last, end), said, draw(st.booleans())))
    return source, labels


@given(files(), st.sampled_from([40, 60, 80, 120]), st.integers(0, 2))
def test_snippets_fit_the_page(case: tuple[Source, list[Label]], width: int, context: int) -> None:
    source, labels = case
    part = snippet({"a.py": source}, labels, context=context)
    text = render_plain(
        message(header("error", "code", "it failed"), part, verbosity=Verbosity.FULL), width
    )
    assert max(map(display_width, text.split("\n"))) <= width + 14  # words are never cut
    said = "".join(text.split())
    for label in labels:
        for word in str(label.text).split():
            assert word[:8] in said


def test_endless_lines_are_not_measured() -> None:
    source = Source("a.py", "é = 1 + " * 1_000_000)
    labels = [Label(Span("a.py", 1, 4_000_004, 1, 4_000_005), "one", primary=True)]
    text = render_plain(message(header("hint", "code", "look"), snippet({"a.py": source}, labels)))
    code, marks = text.split("\n")[3:5]
    assert code.startswith(" 1 │ …") and code.endswith("…")
    assert code[marks.index("━")] == "1"


def test_many_labels_fold_to_twelve_lines() -> None:
    source = Source("a.py", "x = 1\n" * 2000)
    labels = [Label(Span("a.py", i, 0, i, 1), f"label {i}", i % 7 == 1) for i in range(1, 2000, 3)]
    text = render_plain(message(header("hint", "code", "look"), snippet({"a.py": source}, labels)))
    assert text.count("\n") < 12
    assert text.endswith("⋮  … 664 more places")


def test_labels_beyond_the_text_and_of_unknown_files_are_shown() -> None:
    labels = [
        Label(Span("a.py", 9, 4, 9, 8), "beyond the end", primary=True),
        Label(Span("gone.py", 1, 0, 1, 1), "not to be read"),
    ]
    part = snippet({"a.py": Source("a.py", "x = 1\n")}, labels)
    assert render_plain(message(header("hint", "code", "look"), part)) == (
        "hint[code]: look\n"
        "  a.py:9:5\n"
        "   │\n"
        " 9 │\n"
        "   │     ━━━━ beyond the end\n"
        "  gone.py:1:1\n"
        "   │   not to be read"
    )
