"""Columns in every unit against the codecs, and texts under edits against plain strings."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jit_lsp import positions
from jit_lsp.doc.source import Source, Span
from jit_lsp.documents import Document
from jit_lsp.positions import Change, Encoding, Place, columns_to_units, units_to_columns

CODEC = {Encoding.UTF8: "utf-8", Encoding.UTF16: "utf-16-le", Encoding.UTF32: "utf-32-le"}
UNIT = {Encoding.UTF8: 1, Encoding.UTF16: 2, Encoding.UTF32: 4}

encodings = st.sampled_from(Encoding)
lines = st.text(st.sampled_from("ab =@é→𝒳🙂\t\f\u2028"), max_size=12)
texts = st.text(st.sampled_from("ab🙂\n\r\f\u2028"), max_size=30)
places = st.builds(Place, st.integers(1, 8), st.integers(0, 8))


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(positions).failed == 0


@given(lines, st.integers(0, 14), encodings)
def test_units_are_what_the_codec_makes_of_the_text_before(line, column, encoding):
    encoded = line[:column].encode(CODEC[encoding])
    assert columns_to_units(line, column, encoding) == len(encoded) // UNIT[encoding]


@given(lines, st.integers(0, 14), encodings)
def test_there_and_back_is_the_same_column(line, column, encoding):
    units = columns_to_units(line, column, encoding)
    assert units_to_columns(line, units, encoding) == min(column, len(line))


@pytest.mark.parametrize(
    ("encoding", "units", "column"),
    [(Encoding.UTF16, 2, 1), (Encoding.UTF8, 3, 1), (Encoding.UTF8, 99, 3), (Encoding.UTF32, 9, 3)],
)
def test_inside_a_character_is_before_it_and_past_the_end_is_the_end(encoding, units, column):
    assert units_to_columns("a🙂b", units, encoding) == column


@pytest.mark.parametrize("encoding", Encoding)
def test_lone_surrogates_have_a_width(encoding):
    assert units_to_columns("\ud83dx", columns_to_units("\ud83dx", 1, encoding), encoding) == 1


@given(texts)
def test_lines_are_those_of_a_source(text):
    source, document = Source("a.py", text), Document("a.py", "", 0, text)
    assert [document.line(n) for n in range(1, len(source.lines) + 1)] == list(source.lines)
    assert document.line(len(source.lines) + 1) == ""


@given(texts, st.lists(st.tuples(places, places, texts), max_size=5))
def test_an_edited_document_is_the_edited_string(text, edits):
    document = Document("a.py", "", 0, text)
    for start, end, new in edits:
        start, end = sorted((start, end))
        text = text[: _offset(text, start)] + new + text[_offset(text, end) :]
        document.change(start, end, new)
        assert document.text == text
        source = Source("a.py", text)
        assert [document.line(n + 1) for n in range(len(source.lines))] == list(source.lines)


@given(texts, st.lists(st.tuples(places, places, texts), max_size=4), places, places)
def test_a_span_that_is_followed_covers_the_same_text(text, edits, first, last):
    document = Document("a.py", "", 0, text)
    first, last = sorted((_inside(text, first), _inside(text, last)))
    span = Span("a.py", *first, *last)
    for start, end, new in edits:
        document.change(*sorted((start, end)), new)
    moved = document.now(span, 0)
    if moved is not None:
        assert Source("a.py", document.text).at(moved) == Source("a.py", text).at(span)


@given(texts, st.lists(st.tuples(places, places, texts), max_size=4), places)
def test_a_place_that_is_followed_back_has_the_same_character(text, edits, place):
    document = Document("a.py", "", 0, text)
    for start, end, new in edits:
        document.change(*sorted((start, end)), new)
    place = _inside(document.text, place)
    before = document.then(place, 0)
    character = document.line(place.line)[place.column : place.column + 1]
    if before is None or not character:
        return
    if Document("a.py", "", 0, text).line(before.line)[before.column : before.column + 1]:
        moved = document.now(Span("a.py", *before, before.line, before.column + 1), 0)
        assert moved is None or Source("a.py", document.text).at(moved) == character


@given(texts, texts, places, places)
def test_a_whole_new_text_keeps_what_both_have_at_the_ends(old, new, first, last):
    document = Document("a.py", "", 0, old)
    document.replace(new)
    assert document.text == new
    first, last = sorted((_inside(old, first), _inside(old, last)))
    span = Span("a.py", *first, *last)
    moved = document.now(span, 0)
    if moved is not None:
        assert Source("a.py", new).at(moved) == Source("a.py", old).at(span)


def test_an_edit_above_moves_a_span_and_an_edit_inside_loses_it():
    document = Document("a.py", "", 0, "a = 1\nb = a @ a\n")
    span = Span("a.py", 2, 4, 2, 9)
    document.change(Place(1, 0), Place(1, 0), "import numpy\n")
    assert document.now(span, 0) == Span("a.py", 3, 4, 3, 9)
    assert document.then(Place(3, 4), 0) == Place(2, 4)
    assert document.then(Place(1, 3), 0) is None
    document.change(Place(3, 6), Place(3, 7), "+")
    assert document.now(span, 0) is None
    assert document.now(Span("a.py", 3, 4, 3, 9), 1) is None


def test_a_text_too_old_to_follow_is_lost():
    document = Document("a.py", "", 0, "a\n")
    for _ in range(10_001):
        document.change(Place(2, 0), Place(2, 0), "")
    assert document.now(Span("a.py", 1, 0, 1, 1), 0) is None
    assert document.now(Span("a.py", 1, 0, 1, 1), 1) is not None
    assert document.then(Place(1, 0), 99_999) is None


def test_a_revision_is_known_by_its_text_whatever_its_line_ends():
    document = Document("a.py", "", 0, "a\r\nb\r\n")
    document.change(Place(1, 0), Place(1, 0), "x")
    assert document.revision_of("a\nb\n") == 0
    assert document.revision_of("xa\nb\n") == 1
    document.save()
    assert document.revision_of("a\nb\n") is None


def test_a_change_is_undone():
    change = Change(Place(1, 2), Place(3, 0), Place(1, 5))
    assert change.undone.undone == change
    assert change.undone.place(change.place(Place(3, 4))) == Place(3, 4)


def _starts(text: str) -> list[int]:
    starts, at = [0], 0
    while at < len(text):
        if text.startswith("\r\n", at):
            at += 1
        at += 1
        if text[at - 1] in "\r\n":
            starts.append(at)
    return starts


def _inside(text: str, place: Place) -> Place:
    source = Source("", text)
    line = min(place.line, len(source.lines))
    if line < place.line:
        return Place(line, len(source.line(line)))
    return Place(line, min(place.column, len(source.line(line))))


def _offset(text: str, place: Place) -> int:
    line, column = _inside(text, place)
    return _starts(text)[line - 1] + column
