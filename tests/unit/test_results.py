"""Which findings show in which file, and where, while results come, go and age."""

import pytest

from jit_lsp.diagnostics.model import Edit, Finding, Fix, Severity
from jit_lsp.doc.source import Source, Span
from jit_lsp.documents import Document
from jit_lsp.index import Index
from jit_lsp.positions import Place
from jit_lsp.results import Results, edits_now
from jit_lsp.session import Request, Result
from jit_lsp.tracer.trace import Trace

MAIN, HELPER = "/p/main.py", "/p/helper.py"
TEXTS = {MAIN: "import helper\nhelper.f(1)\n", HELPER: "def f(x):\n    return x @ x\n"}
CALL, BODY = Span(MAIN, 2, 0, 2, 11), Span(HELPER, 2, 11, 2, 16)


@pytest.fixture
def documents():
    return {MAIN: Document(MAIN, "", 1, TEXTS[MAIN])}


@pytest.fixture
def results(documents):
    return Results(documents)


def test_findings_show_in_the_file_that_they_are_in_and_end_with_the_next_result(results):
    assert results.put(MAIN, 0, ran(MAIN, BODY)) == {MAIN, HELPER}
    assert (spans(results, MAIN), spans(results, HELPER)) == ([], [BODY])
    assert results.put(MAIN, 0, ran(MAIN, CALL)) == {MAIN, HELPER}
    assert (spans(results, MAIN), spans(results, HELPER)) == ([CALL], [])
    assert results.drop(MAIN) == {MAIN}
    assert spans(results, MAIN) == []
    assert results.drop(MAIN) == set()


def test_what_two_programs_find_in_a_file_of_both_shows_once_and_until_both_are_gone(
    results, documents
):
    other = "/p/other.py"
    documents[other] = Document(other, "", 1, "")
    results.put(MAIN, 0, ran(MAIN, BODY))
    results.put(other, 0, ran(other, BODY))
    assert spans(results, HELPER) == [BODY]
    assert results.drop(MAIN) == {HELPER}
    assert spans(results, HELPER) == [BODY]
    results.drop(other)
    assert spans(results, HELPER) == []


def test_a_file_is_run_as_part_of_the_programs_that_read_it(results):
    assert results.programs_with(HELPER) == [HELPER]
    results.put(MAIN, 0, ran(MAIN))
    assert results.programs_with(HELPER) == [MAIN]
    assert results.programs_with(MAIN) == [MAIN]


def test_places_follow_the_edits_since_the_revision_that_ran(results, documents):
    document = documents[MAIN]
    document.change(Place(1, 0), Place(1, 0), "# one\n")
    results.put(MAIN, 0, ran(MAIN, CALL))
    document.change(Place(1, 0), Place(1, 0), "# two\n")
    assert spans(results, MAIN) == [Span(MAIN, 4, 0, 4, 11)]
    document.change(Place(4, 9), Place(4, 10), "2")
    assert spans(results, MAIN) == []


def test_a_file_opened_later_has_findings_if_its_text_is_the_one_that_was_read(results, documents):
    results.put(MAIN, 0, ran(MAIN, BODY))
    documents[HELPER] = Document(HELPER, "", 1, TEXTS[HELPER].replace("\n", "\r\n"))
    results.opened(HELPER)
    assert spans(results, HELPER) == [BODY]
    documents[HELPER] = Document(HELPER, "", 1, "another text\n")
    results.opened(HELPER)
    assert spans(results, HELPER) == []
    del documents[HELPER]
    assert spans(results, HELPER) == [BODY]


def test_a_fix_is_offered_only_if_all_of_its_edits_have_their_place(results, documents):
    fix = Fix("both", (Edit(Span(MAIN, 1, 7, 1, 13), "h"), Edit(Span(MAIN, 2, 0, 2, 6), "h")))
    results.put(MAIN, 0, ran(MAIN, CALL))
    ((traced, _, _),) = results.findings(MAIN)
    documents[MAIN].change(Place(1, 0), Place(1, 0), "\n")
    located, text = edits_now(traced, fix)[1]
    assert (located.span, text) == (Span(MAIN, 3, 0, 3, 6), "h")
    documents[MAIN].change(Place(2, 8), Place(2, 9), "")
    assert edits_now(traced, fix) is None
    assert edits_now(traced, Fix("none")) is None


def test_a_hover_over_text_that_was_not_there_says_nothing(results, documents):
    results.put(MAIN, 0, ran(MAIN, CALL))
    hover, traced = results.hover(MAIN, Place(2, 0))
    assert (hover.span, traced.now(hover.span).span) == (CALL, CALL)
    assert not traced.stale
    documents[MAIN].change(Place(2, 0), Place(2, 0), "new; ")
    assert results.hover(MAIN, Place(2, 1)) is None
    hover, traced = results.hover(MAIN, Place(2, 6))
    assert traced.now(hover.span).span == Span(MAIN, 2, 5, 2, 16)
    assert traced.stale


def ran(path, *spans):
    """The result of running ``path``, which reads every file, with findings at the spans."""
    sources = {name: Source(name, text) for name, text in TEXTS.items()}
    findings = tuple(Finding("script-error", Severity.ERROR, "it failed", span) for span in spans)
    request = Request(path, TEXTS.get(path, ""), "python3")
    return Index(Result(request, findings, sources, Trace(path, sources), 0.0))


def spans(results, path):
    return [located.span for _, _, located in results.findings(path)]
