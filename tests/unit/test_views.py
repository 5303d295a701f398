"""What an editor shows of a run: hints, lenses, graphs as text and as pictures."""

import doctest
import json
import re
import sys
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jit_lsp import contents, facts, hints, irtext, lenses, processes, status, uris
from jit_lsp.contents import content
from jit_lsp.diagnostics.model import Finding, Severity
from jit_lsp.diagnostics.suppress import suppressing, suppressions
from jit_lsp.doc.source import Source, Span
from jit_lsp.hover import hover
from jit_lsp.index import Index
from jit_lsp.ir import print_module
from jit_lsp.ir.diagram import Arrow, Box, Diagram, diagram
from jit_lsp.ir.svg import MOST_BOXES, draw_svg
from jit_lsp.session import Cancel, Request, trace
from jit_lsp.uris import LANGUAGES, Address, address_of, address_uri

PROGRAM = """\
import numpy as np

def scaled(x, by: float, offset=0):
    y = x * by
    y += offset
    return y, y[:1]

def unused(z):
    return z + 1

def _(a): return a

for n in (3, 4, 3):
    v, total = scaled(np.ones(n), 2.0)
w, n = np.zeros((2, 3)), 7
print("done")
"""
PATH = "/p/program.py"


@pytest.fixture(scope="module")
def index():
    return Index(trace(Request(PATH, PROGRAM, sys.executable, directory="/"), Cancel()))


@pytest.mark.parametrize(
    "module", [contents, facts, hints, irtext, lenses, processes, status, uris]
)
def test_the_examples_in_the_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


def test_a_hint_stands_behind_each_name_that_gets_an_array(index):
    source = Source(PATH, PROGRAM)
    found = [(h.span.line, source.at(h.span), h.label) for h in hints.hints(index.facts, PATH)]
    assert found == [
        (3, "x", ": f64[3] …"),
        (4, "y", ": f64[3] …"),
        (14, "v", ": f64[3] …"),
        (14, "total", ": f64[1]"),
        (15, "w", ": f64[2, 3]"),
    ]


@given(st.lists(st.integers(0, 10**9), max_size=8), st.integers(1, 3))
def test_no_hint_is_longer_than_25_characters(sizes, kinds):
    named = facts.Named("x", Span(PATH, 1, 0, 1, 1))
    for kind in range(kinds):
        named.types[f"f{kind}[{', '.join(map(str, sizes))}]"] = 1
    assert len(hints.label(named)) <= hints.LONGEST


def test_a_lens_says_what_was_seen_of_a_function(index):
    found = list(lenses.lenses(index.result, index.facts, PATH))
    assert [(lens.span.line, lens.text, lens.graph) for lens in found[1:]] == [
        (3, "traced 3 × · f64[3] → (f64[3], f64[1])", "scaled"),
        (8, "not reached in the last run", None),
        (11, "not reached in the last run", None),
    ]
    assert re.fullmatch(r"ran \d+\.\d\d s · \d+ operations", found[0].text)


def test_what_runs_in_other_processes_is_said_to():
    program = """\
from multiprocessing import Process
import numpy as np
def work(n):
    x = np.ones(n)
    return x + 1
def unused(n):
    x = np.ones(n)
    return x + 1
process = Process(target=work, args=(3,))
"""
    index = Index(trace(Request(PATH, program, sys.executable, directory="/"), Cancel()))
    above = [lens.text for lens in lenses.lenses(index.result, index.facts, PATH)]
    assert above[1:] == [
        "runs in other processes, which are not recorded",
        "not reached in the last run",
    ]
    over = [hover(index.result, PATH, line, 4, index).markdown for line in (4, 7)]
    assert over == [
        "`x` is not recorded: its function runs in other processes",
        "`x` was not reached in the last run",
    ]


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        (3, 11, "`x` `f64[3]` · 24 B · own memory\\\nrecorded 3 ×"),  # a parameter
        (4, 4, "recorded 3 ×: `f64[3]` 2 ×, `f64[4]` 1 ×"),  # a name, of several types
        (4, 10, "`x * by` `f64[3]`"),  # an operator
        (6, 17, "`y[:1]` `f64[1]` · 8 B · view of y"),  # a subscript
        (9, 12, "`z` was not reached in the last run"),
        (15, 0, "%w."),  # the graph
    ],
)
def test_a_hover_says_what_was_there(index, line, column, says):
    found = hover(index.result, PATH, line, column, index)
    assert found is not None
    assert says in found.markdown + "\n"


def test_a_hover_draws_what_it_shows_of_the_graph(index):
    found = hover(index.result, PATH, 4, 4, index)
    assert "np.multiply" in draw_svg(diagram(found.nodes[0].region, found.nodes))


def test_the_marks_of_a_graph_change_nothing_in_its_text(index):
    made = content(Address("ir", PATH), index)
    assert made.text == print_module(index.lifted.module)
    ends = [(token.line, token.start, token.end) for token in irtext.tokens(made)]
    assert ends == sorted(ends)
    assert all(b[0] > a[0] or b[1] >= a[2] for a, b in pairwise(ends))


def test_every_use_in_a_graph_leads_to_its_definition_and_every_place_to_the_program(index):
    made = content(Address("ir", PATH), index)
    lines = made.text.split("\n")

    def text(one):
        return lines[one.start.line - 1][one.start.column : one.end.column]

    kinds = set()
    for one in made.marks:
        kind = one.annotation.kind
        target = irtext.definition(made, one)
        if kind == "use":
            assert text(target) == text(one)
            assert irtext.at(made, one.start.line, one.start.column + 1) == one
        elif kind == "place":
            assert f"{target.line}:{target.column + 1}" in text(one)
        kinds.add(kind)
    assert kinds >= {"use", "place", "definition", "op", "keyword", "graph", "type"}


def test_the_parts_of_a_graph_hold_their_names_and_can_be_folded(index):
    made = content(Address("ir", PATH), index)
    found = irtext.symbols(made)
    assert [symbol.name for symbol in found][:2] == ["@main", "@scaled"]
    lines = made.text.split("\n")
    for symbol in found:
        assert lines[symbol.first_line - 1].startswith(f"graph {symbol.name}(")
        assert lines[symbol.last_line - 1] == "}"
        assert all(symbol.first_line <= c.first_line <= symbol.last_line for c in symbol.children)
    folds = dict(irtext.folds(made.text))
    assert {symbol.first_line: symbol.last_line - 1 for symbol in found}.items() <= folds.items()


def test_of_a_function_its_graph_alone_is_shown(index):
    made = content(Address("ir", PATH, "scaled"), index)
    assert made.text.startswith("graph @scaled(")
    assert "graph @main" not in made.text
    assert content(Address("ir", PATH, "nope"), index).text == "# no function nope was recorded\n"


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("kind", sorted(LANGUAGES))
def test_every_document_is_there_before_and_after_the_first_run(index, kind, level):
    address = Address(kind, PATH, level=level)
    for made in (content(address, index), content(address, None)):
        if kind == "json":
            assert json.loads(made.text)["version"] == 2
        elif kind == "svg":
            ElementTree.fromstring(made.text)
        elif kind == "dot":
            assert made.text.count("{") == made.text.count("}")
    assert made.text or kind == "output"


def test_arrows_of_a_drawing_join_boxes_that_are_drawn(index):
    text = content(Address("dot", PATH), index).text
    boxes = set(re.findall(r"^\s*(n\d+_\d+) \[", text, re.MULTILINE))
    ends = set(re.findall(r"(n\d+_\d+) -> ", text)) | set(re.findall(r" -> (n\d+_\d+)", text))
    assert ends <= boxes
    assert 'label="@scaled' in text


@given(st.integers(1, 12), st.data())
def test_no_boxes_of_a_picture_overlap(count, data):
    pairs = data.draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))))
    arrows = tuple(Arrow(min(p), max(p), "") for p in pairs if p[0] != p[1])
    boxes = tuple(Box(n, "op", "op" * (n + 1), ("f64[3]",) * (n % 3)) for n in range(count))
    root = ElementTree.fromstring(draw_svg(Diagram(boxes, arrows)))
    width, height = float(root.get("width")), float(root.get("height"))
    drawn = [
        tuple(float(r.get(k)) for k in ("x", "y", "width", "height"))
        for r in root.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert len(drawn) == count
    for n, (x, y, w, h) in enumerate(drawn):
        assert -1 <= x <= x + w <= width + 1
        assert -1 <= y <= y + h <= height + 1
        for x2, y2, w2, h2 in drawn[:n]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_a_picture_of_too_much_says_so():
    boxes = tuple(Box(n, "op", "op") for n in range(MOST_BOXES + 1))
    assert "too many" in draw_svg(Diagram(boxes, ()))


def test_what_was_printed_is_shown_as_it_was(index):
    assert content(Address("output", PATH), index).text == "done\n"


def test_the_page_of_a_run_says_how_it_went(index):
    text = content(Address("status", PATH), index).text
    assert "The last run **finished**" in text
    assert "confined by" in text


def test_the_page_of_a_rule_is_there_and_no_other():
    assert content(Address("rule", "first-nan"), None).text.startswith("# first-nan\n")
    assert content(Address("rule", "nope"), None) is None


@given(
    st.text(st.sampled_from("ab %#?.🙂"), max_size=8),
    st.sampled_from(sorted(LANGUAGES)),
    st.sampled_from(["", "f", "f.1", "<lambda>"]),
)
def test_an_address_leads_back_to_what_it_is_of(name, kind, function):
    path = f"/p/q/{name}.py"
    found = address_of(address_uri(uris.uri_of(path), kind, function))
    assert found == Address(kind, path, function)


@pytest.mark.parametrize(
    "uri",
    ["file:///a.py.ir", "jit-lsp:///a.py", "jit-lsp:///a.py.ir?level=9", "jit-lsp://[/a.py.ir", ""],
)
def test_what_is_no_address_is_none(uri):
    assert address_of(uri) is None


SUPPRESSIBLE = [
    "x = 1",
    "x = (1 +\n    2)",
    'x = """a\nb"""',
    'x = f"""{\n1}\n"""',
    "x = 1 + \\\n    2",
    "x = 1  # note",
    "x = 1  # jit: ignore[timeout]",
    "#!/bin/sh\n# coding: utf-8\nx = '''\n'''",
]


@pytest.mark.parametrize("text", SUPPRESSIBLE)
@pytest.mark.parametrize("ending", ["", "\n", "\ny = 2\n"])
def test_a_suppression_that_is_put_in_suppresses_and_changes_nothing_else(text, ending):
    first = text.count("\n", 0, text.index("x")) + 1
    last = text.count("\n") + 1
    span = Span(PATH, first, 0, last, len(text.split("\n")[-1]))
    edit = suppressing(Source(PATH, text + ending), span, "first-nan")
    lines = (text + ending).split("\n")
    at = edit.span
    line = lines[at.line - 1]
    lines[at.line - 1] = line[: at.column] + edit.new_text + line[at.end_column :]
    changed = "\n".join(lines)
    added = edit.new_text.count("\n")
    moved = Span(PATH, span.line + added, 0, span.end_line + added, span.end_column)
    finding = Finding("first-nan", Severity.WARNING, "", moved)
    known = suppressions(Source(PATH, changed))
    assert any(one.covers(finding) for one in known)
    assert sum("timeout" in one.rules for one in known) == text.count("timeout")
    before, after = {}, {}
    exec(text, before)
    exec(changed, after)
    assert before["x"] == after["x"]
