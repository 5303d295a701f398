"""Twelve messages at three widths in all renderers, against files that a person looked at.

``UPDATE_GOLDEN=1 ./dev test tests/unit/doc/test_doc_messages.py`` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twelve_messages import MESSAGES

from jit_lsp.doc import (
    Source,
    Span,
    concat,
    display_width,
    hardline,
    render_ansi,
    render_html,
    render_markdown,
    render_plain,
)
from jit_lsp.doc.frame import Part
from jit_lsp.doc.message import (
    Call,
    Label,
    Operand,
    Verbosity,
    call_path,
    fix,
    header,
    help_,
    listing,
    message,
    note,
    operand_table,
    snippet,
    table,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "messages"
RENDERERS = {"txt": render_plain, "ansi": render_ansi, "md": render_markdown, "html": render_html}
WIDTHS = (40, 80, 120)


@pytest.mark.parametrize("kind", RENDERERS)
@pytest.mark.parametrize("name", MESSAGES)
def test_golden(name: str, kind: str) -> None:
    doc = MESSAGES[name](Verbosity.NORMAL)
    for width in WIDTHS:
        shown = RENDERERS[kind](doc, width) + "\n"
        file = GOLDEN / name / f"{width}.{kind}"
        if os.environ.get("UPDATE_GOLDEN"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(shown, encoding="utf-8")
        assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MESSAGES)
def test_normal_is_at_most_twelve_lines_of_eighty_columns(name: str) -> None:
    lines = render_plain(MESSAGES[name](Verbosity.NORMAL), 80).split("\n")
    assert len(lines) <= 12
    assert max(map(display_width, lines)) <= 80
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize("name", MESSAGES)
def test_one_line_is_the_headline_and_complete(name: str) -> None:
    line = render_plain(MESSAGES[name](Verbosity.ONE_LINE), 40)
    assert "\n" not in line
    full = render_plain(MESSAGES[name](Verbosity.FULL), 1000)
    assert full.startswith(line + "\n")


def test_full_leaves_nothing_out() -> None:
    full = render_plain(MESSAGES["much-to-say"](Verbosity.FULL), 80)
    for words in ("10,000 times", "1.9 s of 2.4 s", "collect in a list", "out.append(f(step))"):
        assert words in full


words = st.text("ab ", max_size=300).map(lambda s: s.strip() or "x")
names = st.text("abc.()", min_size=1, max_size=60)
source = Source("a.py", "x = 1\n" * 40)
labels = st.builds(
    lambda line, text, primary: Label(Span("a.py", line, 0, line, 5), text, primary),
    st.integers(1, 40),
    words,
    st.booleans(),
)
operands = st.builds(
    Operand,
    names,
    st.just("f32"),
    st.lists(st.sampled_from(["1", "784", "batch=64"]), max_size=4),
    st.sets(st.integers(0, 2), max_size=1).map(frozenset),
    words,
    words,
)
parts = st.one_of(
    st.lists(labels, min_size=1, max_size=6).map(lambda found: snippet({"a.py": source}, found)),
    st.lists(operands, max_size=6).map(operand_table),
    words.map(note),
    words.map(help_),
    words.map(fix),
    st.lists(words, max_size=12).map(listing),
    st.lists(st.tuples(names, names), max_size=12).map(table),
    st.lists(names.map(lambda name: Call(Span("a.py", 1, 0, 1, 5), name)), min_size=1).map(
        call_path
    ),
)


@given(words, st.lists(parts, max_size=6))
def test_any_message_is_at_most_twelve_lines(headline: str, found: list[Part]) -> None:
    doc = message(header("error", "code", headline), *found)
    for width in (60, 80):
        lines = render_plain(doc, width).split("\n")
        assert len(lines) <= 12
        assert all(line == line.rstrip() for line in lines)


@given(words, st.lists(parts, max_size=6))
def test_any_message_fits_eighty_columns(headline: str, found: list[Part]) -> None:
    doc = message(header("error", "code", headline), *found)
    assert max(map(display_width, render_plain(doc, 80).split("\n"))) <= 80


def test_headers_are_checked_when_made() -> None:
    with pytest.raises(ValueError, match="severity must be one of error, warning"):
        header("fatal", "code", "x")
    with pytest.raises(ValueError, match="hard line"):
        header("error", "code", concat("x", hardline, "y"))


def test_golden_files_are_those_of_the_messages() -> None:
    files = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
    assert files == {f"{n}/{w}.{kind}" for n in MESSAGES for w in WIDTHS for kind in RENDERERS}
