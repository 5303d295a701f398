"""Notebooks in an editor: a document a cell, one program."""

import sys

import pytest

from tests.e2e.raw_client import RawClient

CELLS = [
    (2, "import numpy as np\n%matplotlib inline\nx = np.ones((3, 4))"),
    (1, "# Heading"),
    (2, "n = 1\ny = np.log(np.zeros(3) - n)\nz = y[:, None] * x"),
    (2, "w = x @ x"),
]


class Notebook:
    """A notebook as an editor has it."""

    def __init__(self, client, folder, cells=CELLS):
        self.client, self.uri, self.version = client, (folder / "notes.ipynb").as_uri(), 1
        self.cells = [f"vscode-notebook-cell:/notes.ipynb#W{n}" for n in range(len(cells))]
        items = [self.item(n, text) for n, (_, text) in enumerate(cells)]
        self.tell(
            "didOpen",
            notebookDocument={
                "uri": self.uri, "notebookType": "jupyter-notebook", "version": 1,
                "cells": [self.cell(n, kind) for n, (kind, _) in enumerate(cells)],
            },
            cellTextDocuments=[i for i, (kind, _) in zip(items, cells, strict=True) if kind == 2],
        )  # fmt: skip

    def cell(self, number, kind=2):
        return {"kind": kind, "document": self.cells[number]}

    def item(self, number, text):
        return {"uri": self.cells[number], "languageId": "python", "version": 1, "text": text}

    def tell(self, what, **params):
        self.client.notify(f"notebookDocument/{what}", params)

    def change(self, **cells):
        self.version += 1
        notebook = {"uri": self.uri, "version": self.version}
        self.tell("didChange", notebookDocument=notebook, change={"cells": cells})

    def edit(self, number, start, end, text):
        ends = {"start": {"line": start[0], "character": start[1]},
                "end": {"line": end[0], "character": end[1]}}  # fmt: skip
        document = {"uri": self.cells[number], "version": self.version + 1}
        self.change(
            textContent=[{"document": document, "changes": [{"range": ends, "text": text}]}]
        )

    def save(self):
        heard = len(self.client.heard)
        self.tell("didSave", notebookDocument={"uri": self.uri})
        return self.shown(heard)

    def shown(self, heard):
        """The codes and lines of what is shown in each code cell, by its number."""
        found = {}
        for number, uri in enumerate(self.cells):
            if uri.endswith("W1"):
                continue
            diagnostics = self.client.diagnostics(uri, heard)
            found[number] = [(d["code"], d["range"]["start"]["line"]) for d in diagnostics]
        return {number: shown for number, shown in found.items() if shown}


@pytest.fixture
def notebook(tmp_path):
    with RawClient() as client:
        provided = client.initialize(
            {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}},
            initializationOptions={"jit-lsp": {"interpreter": sys.executable}},
        )
        assert provided["notebookDocumentSync"]["save"]
        yield Notebook(client, tmp_path)


def test_findings_are_in_their_cells(notebook):
    assert notebook.save() == {2: [("first-nan", 1)], 3: [("shape-mismatch", 0)]}
    (diagnostic,) = notebook.client.diagnostics(notebook.cells[3])
    made = diagnostic["relatedInformation"][0]["location"]
    assert made["uri"] == notebook.cells[0]
    assert made["range"]["start"] == {"line": 2, "character": 4}


def test_hovers_hints_and_fixes_are_about_the_cell(notebook):
    notebook.save()
    client, cell = notebook.client, notebook.cells[2]
    hover = client.hover(cell, 2, 0)["result"]
    assert "f64[3, 4]" in hover["contents"]["value"]
    assert hover["range"]["start"] == {"line": 2, "character": 0}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    about = {"textDocument": {"uri": cell}, "range": whole}
    hints = client.request("textDocument/inlayHint", about)["result"]
    assert [h["position"]["line"] for h in hints] == [1, 2]
    actions = client.request("textDocument/codeAction", {**about, "context": {"diagnostics": []}})
    edits = [e for a in actions["result"] for e in _edits(a)]
    assert edits
    assert {uri for uri, _ in edits} == {cell}
    assert {e["range"]["start"]["line"] for _, e in edits} <= {0, 1}


def _edits(action):
    edit = action.get("edit", {})
    yield from ((uri, one) for uri, edits in edit.get("changes", {}).items() for one in edits)
    for change in edit.get("documentChanges", ()):
        yield from ((change["textDocument"]["uri"], one) for one in change["edits"])


def test_a_client_that_pulls_gets_each_cells_own(tmp_path):
    with RawClient() as client:
        client.initialize(
            {
                "textDocument": {"diagnostic": {}},
                "workspace": {"diagnostics": {"refreshSupport": True}},
            },
            initializationOptions={"jit-lsp": {"interpreter": sys.executable}},
        )
        notebook = Notebook(client, tmp_path)
        notebook.tell("didSave", notebookDocument={"uri": notebook.uri})
        client.answer("workspace/diagnostic/refresh", None)
        found = client.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
        about = {"textDocument": {"uri": notebook.cells[3]}}
        report = client.request("textDocument/diagnostic", about)["result"]
    assert not any(item["uri"] == notebook.uri for item in found)
    assert [(d["code"], d["range"]["start"]["line"]) for d in report["items"]] == [
        ("shape-mismatch", 0)
    ]


def test_edits_and_new_cells_are_followed(notebook):
    notebook.save()
    notebook.edit(0, (2, 16), (2, 17), "3")  # (3, 3)
    assert notebook.save() == {2: [("first-nan", 1)]}
    notebook.cells.insert(1, "vscode-notebook-cell:/notes.ipynb#W9")
    new = notebook.item(1, "a = np.ones(2)\nb = a + np.ones(5)")
    array = {"start": 1, "deleteCount": 0, "cells": [notebook.cell(1)]}
    notebook.change(structure={"array": array, "didOpen": [new]})
    assert notebook.save()[1] == [("shape-mismatch", 1)]


def test_a_closed_notebook_shows_nothing(notebook):
    notebook.save()
    heard = len(notebook.client.heard)
    notebook.tell(
        "didClose",
        notebookDocument={"uri": notebook.uri},
        cellTextDocuments=[{"uri": uri} for uri in notebook.cells],
    )
    assert notebook.shown(heard) == {}
    assert notebook.client.hover(notebook.cells[0], 2, 0)["result"] is None


@pytest.mark.parametrize(
    "params", [{}, None, [], {"notebookDocument": 3}, {"notebookDocument": {"uri": "file:///x"}}]
)
@pytest.mark.parametrize("what", ["didOpen", "didChange", "didSave", "didClose"])
def test_nonsense_is_survived(notebook, what, params):
    notebook.client.notify(f"notebookDocument/{what}", params)
    assert notebook.save() == {2: [("first-nan", 1)], 3: [("shape-mismatch", 0)]}
