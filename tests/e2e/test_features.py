"""Hints, lenses, actions, commands and documents, as any client gets them."""

import sys
from base64 import b64decode
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from raw_client import RawClient

PROGRAM = """\
import numpy as np

def scaled(x, by):
    y = x * by
    return y

a = np.ones((2, 3))
b = scaled(a, 2.0)
n = np.arange(4)
n += 0.5  # wrong
"""
HERE = {"jit-lsp": {"interpreter": sys.executable}}
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def saved(client, folder):
    """The URI of a program that was run."""
    path = folder / "my program.py"
    path.write_text(PROGRAM)
    uri = client.open(path)
    client.save(uri)
    assert [d["code"] for d in client.diagnostics(uri)] == ["inplace-cast"]
    return uri


@pytest.fixture
def opened(ready, tmp_path):
    return saved(ready, tmp_path)


@pytest.fixture(scope="module")
def client():
    """For tests that leave everything as it is."""
    with RawClient() as client:
        client.initialize(initializationOptions=HERE)
        yield client


@pytest.fixture(scope="module")
def program(client, tmp_path_factory):
    return saved(client, tmp_path_factory.mktemp("program"))


def test_types_stand_behind_names(ready, opened):
    assert labels(ready, opened) == [
        (2, 12, ": f64[2, 3]"),
        (3, 5, ": f64[2, 3]"),
        (6, 1, ": f64[2, 3]"),
        (7, 1, ": f64[2, 3]"),
        (8, 1, ": i64[4]"),
    ]
    ready.change(opened, 2, (0, 0, 0, 0, "# first\n"), (8, 0, 8, 1, "B"))
    moved = labels(ready, opened)
    assert moved[0] == (3, 12, ": f64[2, 3]")
    assert 8 not in [line for line, _, _ in moved]
    tooltip = hints(ready, opened)[0]["tooltip"]
    assert tooltip["value"].endswith("*from the run before this edit*")


def test_a_hover_says_that_it_is_of_the_text_before(ready, opened):
    assert "before this edit" not in ready.hover(opened, 6, 0)["result"]["contents"]["value"]
    ready.change(opened, 2, (0, 0, 0, 0, "# first\n"))
    shown = ready.hover(opened, 7, 0)["result"]["contents"]["value"]
    assert shown.endswith("from the run before this edit")


@pytest.mark.parametrize("by", ["capability", "setting"])
def test_a_hover_has_a_picture_where_the_client_shows_those(raw, tmp_path, by):
    capabilities = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
    settings = HERE["jit-lsp"]
    if by == "capability":
        capabilities["experimental"] = {"jit-lsp": {"pictures": True}}
    else:
        settings = settings | {"pictures": True}
    raw.initialize(capabilities, initializationOptions={"jit-lsp": settings})
    uri = saved(raw, tmp_path)
    shown = raw.hover(uri, 7, 0)["result"]["contents"]["value"]
    encoded = shown.partition("](data:image/svg+xml;base64,")[2].rstrip(")")
    assert b64decode(encoded).startswith(b"<svg ")


def test_only_what_is_in_the_range_is_sent(client, program):
    line = {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 5}}
    params = {"textDocument": {"uri": program}, "range": line}
    (hint,) = client.request("textDocument/inlayHint", params)["result"]
    assert hint["position"]["line"] == 6


def test_hints_and_lenses_can_be_switched_off(ready, opened):
    off = {"jit-lsp": {"inlayHints": False, "codeLens": False}}
    ready.notify("workspace/didChangeConfiguration", {"settings": off})
    assert hints(ready, opened) == lens(ready, opened) == []


def test_a_lens_above_a_function_has_a_twin_among_its_actions(client, program):
    first, function = lens(client, program)
    assert function["range"]["start"]["line"] == 2
    assert function["command"]["title"] == ("traced 1 × · f64[2, 3] → f64[2, 3] · show graph")
    assert first["range"]["start"]["line"] == 0
    line = {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 4}}
    (action,) = actions(client, program, line)
    assert action["title"] == "show the graph of scaled"
    assert action["command"]["command"] == function["command"]["command"]
    assert action["command"]["arguments"] == function["command"]["arguments"]


def test_a_file_that_only_a_command_runs_has_a_lens_that_does(raw, tmp_path):
    raw.initialize(initializationOptions={"jit-lsp": HERE["jit-lsp"] | {"traceOn": "command"}})
    path = tmp_path / "a.py"
    path.write_text("1 / 0\n")
    uri = raw.open(path)
    (first,) = lens(raw, uri)
    assert first["command"]["title"] == "run this file"
    raw.command("trace", *first["command"]["arguments"])
    assert raw.diagnostics(uri)
    assert "show graph" in lens(raw, uri)[0]["command"]["title"]


def test_a_finding_can_be_ignored_and_explained(ready, opened, tmp_path):
    line = {"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 0}}
    found = {action["title"]: action for action in actions(ready, opened, line)}
    ignore = found["ignore inplace-cast here"]
    (edits,) = ignore["edit"]["changes"].values()
    assert edits[0]["newText"] == "  # jit: ignore[inplace-cast]"
    place = edits[0]["range"]
    start, end = place["start"], place["end"]
    change = (start["line"], start["character"], end["line"], end["character"])
    heard = len(ready.heard)
    ready.change(opened, 2, (*change, edits[0]["newText"]))
    (tmp_path / "my program.py").write_text(PROGRAM.rstrip() + edits[0]["newText"])
    ready.save(opened)
    assert ready.diagnostics(opened, heard) == []
    explain = found["explain inplace-cast"]["command"]
    answer = ready.request(
        "workspace/executeCommand", {k: explain[k] for k in ("command", "arguments")}
    )
    assert answer["result"]["text"].startswith("# inplace-cast\n")


def test_all_safe_fixes_can_be_applied_at_once(ready, tmp_path):
    path = tmp_path / "two.py"
    path.write_text("x = 1  # jit: ignore\ny = 2  # jit: ignore\n")
    uri = ready.open(path)
    ready.save(uri)
    assert len(ready.diagnostics(uri)) == 2
    (action,) = actions(ready, uri, only=["source.fixAll"])
    assert action["kind"] == "source.fixAll.jit-lsp"
    (edits,) = action["edit"]["changes"].values()
    assert [(e["range"]["start"], e["newText"]) for e in edits] == [
        ({"line": 0, "character": 5}, ""),
        ({"line": 1, "character": 5}, ""),
    ]
    assert actions(ready, uri, only=["source.organizeImports"]) == []


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [
        (".ir", "graph @main("),
        (".ir?function=scaled", "graph @scaled("),
        (".ir?function%3Dscaled%26level%3D1", "graph @scaled("),
        (".json", '{\n "version": 2'),
        (".dot", "digraph {"),
        (".svg", "<svg "),
        (".output", ""),
        (".status", "# my program.py\n"),
    ],
)
def test_what_a_run_left_is_read_by_either_request(client, program, suffix, begins):
    uri = program.replace("file:", "jit-lsp:") + suffix
    standard = client.request("workspace/textDocumentContent", {"uri": uri})["result"]
    ours = client.request("jit-lsp/content", {"uri": uri})["result"]
    assert standard["text"] == ours["text"]
    assert ours["text"].startswith(begins)
    assert ours["uri"] == uri


COST = """\
import numpy as np

def cost(w, x):
    loss = np.sum((x @ w) ** 2)
    return loss

names = ["w"]
cost(np.ones(3), np.ones((2, 3)))
"""


def test_an_action_at_a_variable_shows_the_graph_of_its_gradient(ready, tmp_path):
    path = tmp_path / "cost.py"
    path.write_text(COST)
    uri = ready.open(path)
    ready.save(uri)
    ready.diagnostics(uri)

    def offered(line, character):
        here = {"line": line, "character": character}
        found = actions(ready, uri, {"start": here, "end": here})
        return [a for a in found if a["title"].startswith("show the gradient")]

    (action,) = offered(3, COST.split("\n")[3].index("w)"))
    assert action["title"] == "show the gradient by w"
    shown = ready.request("workspace/executeCommand", action["command"])["result"]
    assert shown["languageId"] == "jit-ir"
    assert shown["text"].startswith("graph @cost(")
    assert "--- stage 1 ---" in shown["text"]
    assert "%w.grad" in shown["text"]
    assert offered(6, 1) == offered(0, 1) == [], "neither of a list nor of a module"
    without = ready.request("jit-lsp/content", {"uri": f"{shown['uri']}&loss=nothing"})["result"]
    assert without["text"].startswith("# there is no value 'nothing'")


@pytest.mark.parametrize("params", [{}, None, {"uri": 3}, {"uri": "jit-lsp:///a.py"}, []])
def test_what_is_no_document_is_an_error(shared, params):
    assert shared.request("jit-lsp/content", params)["error"]["code"] == -32602


def test_a_graph_leads_to_the_program_and_back(ready, opened):
    uri, text = open_graph(ready, opened)
    row = next(n for n, line in enumerate(text.split("\n")) if "np.multiply" in line)
    line = text.split("\n")[row]
    source = go(ready, "definition", uri, row, line.index("np.multiply"))
    assert (source["uri"], source["range"]["start"]) == (opened, {"line": 3, "character": 8})
    shown = ready.hover(uri, row, line.index("np.multiply"))["result"]["contents"]["value"]
    assert shown.startswith("`np.multiply`: ")
    used = go(ready, "definition", uri, row, line.index("(%x") + 1)
    assert text.split("\n")[used["range"]["start"]["line"]].startswith("graph @scaled(%x")
    for way in ("implementation", "definition"):
        back = go(ready, way, opened, 3, 4)
        assert (back["uri"], back["range"]["start"]["line"]) == (uri, row)


def test_the_program_is_left_to_others_while_no_graph_is_open(client, program):
    assert go(client, "definition", program, 3, 4) is None


def test_a_graph_has_symbols_folds_and_colours(ready, opened):
    uri, text = open_graph(ready, opened)
    document = {"textDocument": {"uri": uri}}
    symbols = ready.request("textDocument/documentSymbol", document)["result"]
    assert [symbol["name"] for symbol in symbols] == ["@main", "@scaled"]
    assert ready.request("textDocument/foldingRange", document)["result"]
    data = ready.request("textDocument/semanticTokens/full", document)["result"]["data"]
    words, line, start = [], 0, 0
    for n in range(0, len(data), 5):
        down, right, length = data[n : n + 3]
        line, start = line + down, right + (0 if down else start)
        words.append(text.split("\n")[line][start : start + length])
    assert words[:2] == ["graph", "@main"]
    assert "np.multiply" in words
    ready.change(uri, 2, "another text")
    assert ready.request("textDocument/documentSymbol", document)["result"] is None


def test_the_command_shows_a_document_or_a_file_with_its_text(raw, tmp_path):
    raw.initialize({"window": {"showDocument": {"support": True}}})
    path = tmp_path / "a.py"
    uri = path.as_uri().replace("file:", "jit-lsp:") + ".ir"
    assert raw.command("show", uri)["result"]["text"] == "# there was no run yet\n"
    shown = raw.answer("window/showDocument", {"success": True})["uri"]
    file = Path(unquote(urlsplit(shown).path))
    assert (file.name, file.read_text()) == ("a.py.ir", "# there was no run yet\n")


def test_a_client_that_reads_documents_is_told_when_they_change(raw, tmp_path):
    capabilities = {
        "workspace": {
            "textDocumentContent": {},
            "inlayHint": {"refreshSupport": True},
            "codeLens": {"refreshSupport": True},
        },
        "window": {"showDocument": {"support": True}},
    }
    raw.initialize(capabilities, initializationOptions=HERE)
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    uri = raw.open(path)
    graph = uri.replace("file:", "jit-lsp:") + ".ir"
    raw.command("show", graph)
    assert raw.answer("window/showDocument", {"success": True})["uri"] == graph
    raw.save(uri)
    assert raw.answer("workspace/textDocumentContent/refresh", None) == {"uri": graph}
    raw.answer("workspace/inlayHint/refresh", None)
    raw.answer("workspace/codeLens/refresh", None)
    assert raw.request("jit-lsp/content", {"uri": graph})["result"]["text"].startswith("graph")
    assert raw.log.read_text() == ""


def test_the_status_follows_the_runs(raw, tmp_path):
    raw.initialize({"experimental": {"jit-lsp": {"status": True}}}, initializationOptions=HERE)
    path = tmp_path / "a.py"
    path.write_text("import numpy as np\nx = np.ones(2)\n1 / 0\n")
    uri = raw.open(path)
    assert raw.request("jit-lsp/status", {"uri": uri})["result"]["state"] == "never"
    raw.save(uri)
    assert len(raw.diagnostics(uri)) == 1
    told = [m["params"] for m in raw.heard if m.get("method") == "jit-lsp/status"]
    assert [status["state"] for status in told if status["state"] != "running"] == [
        "waiting",
        "finished",
    ]
    assert told[-1] == raw.request("jit-lsp/status", {"uri": uri})["result"]
    assert (told[-1]["outcome"], told[-1]["findings"]["error"]) == (
        "ended by ZeroDivisionError",
        1,
    )
    raw.change(uri, 2, "")
    raw.change(uri, 3, "")  # nothing new
    stale = raw.request("jit-lsp/status", {"uri": uri})["result"]
    assert stale["stale"]
    now = [m["params"] for m in raw.heard if m.get("method") == "jit-lsp/status"]
    assert now[len(told) :] == [stale]


def test_a_restart_forgets_and_runs_again(ready, opened):
    heard = len(ready.heard)
    assert ready.command("restart")["result"] is None
    assert ready.diagnostics(opened, heard) == []
    found = ready.wait_for(
        lambda m: m.get("params", {}).get("diagnostics") and m in ready.heard[heard:]
    )
    assert found["params"]["uri"] == opened


def hints(client, uri):
    params = {"textDocument": {"uri": uri}, "range": EVERYTHING}
    return client.request("textDocument/inlayHint", params)["result"]


def labels(client, uri):
    return [(*h["position"].values(), h["label"]) for h in hints(client, uri)]


def lens(client, uri):
    return client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]


def actions(client, uri, place=EVERYTHING, only=None):
    context = {"diagnostics": []} | ({"only": only} if only else {})
    params = {"textDocument": {"uri": uri}, "range": place, "context": context}
    return client.request("textDocument/codeAction", params)["result"]


def open_graph(client, uri):
    graph = uri.replace("file:", "jit-lsp:") + ".ir"
    text = client.request("jit-lsp/content", {"uri": graph})["result"]["text"]
    document = {"uri": graph, "languageId": "jit-ir", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    return graph, text


def go(client, way, uri, line, character):
    position = {"line": line, "character": character}
    params = {"textDocument": {"uri": uri}, "position": position}
    return client.request(f"textDocument/{way}", params)["result"]
