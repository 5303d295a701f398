"""Notebooks are programs of their code cells, and their findings are at lines of cells."""

import ast
import json
import subprocess
import sys

import pytest

from jit_lsp.doc import Span
from jit_lsp.notebooks import NotANotebook, notebook

FAULTY = "y = x @ x\n"


def written(*cells, **more):
    made = [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": made, **more}).encode()


@pytest.mark.parametrize(
    ("cell", "program"),
    [
        ("x = 1\ny = 2", "x = 1\ny = 2"),
        (["x = 1\n", "y = 2"], "x = 1\ny = 2"),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!ls -l\nfiles = !ls\na, b = %sx date", "pass\nfiles = None\na, b = None"),
        ("if x:\n    %time f()\n    !ls", "if x:\n    pass\n    pass"),
        ("np.ones?\nnp.ones??\n?np.ones", "pass\npass\npass"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%bash\necho $x", "\n"),
        ("x = 7 \\\n % 4\ny = x != 3", "x = 7 \\\n % 4\ny = x != 3"),
        ("s = '''\n%d items\n!\n'''", "s = '''\n%d items\n!\n'''"),
        ("x = 1\r\ny = 2", "x = 1\ny = 2"),
        ("", ""),
    ],
)
def test_a_cell_is_python_line_by_line(cell, program):
    made = notebook(written(cell))
    assert made.text == program + "\n"
    ast.parse(made.text)


def test_places_are_led_back_to_their_cells():
    made = notebook(written("a = 1\n", "b = 2\nc = 3", "", "d = 4"))
    cells = made.sources("n.ipynb")
    for number, line in enumerate(made.text.split("\n")[:-1], 1):
        place = made.place(Span("n.ipynb", number, 0, number, len(line)))
        assert cells[place.path].at(place) == line
    assert [*cells] == [f"n.ipynb:cell {number}" for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no notebook"),
        (b"\xff\xfe", "no notebook"),
        (b"[" * 100_000, "no notebook"),
        (b"[]", "although it is JSON"),
        (b'{"cells": 3, "nbformat": 4}', "although it is JSON"),
        (written("x", nbformat=3), "version 3"),
        (written("x", metadata={"kernelspec": {"language": "R"}}), "for R"),
    ],
)
def test_what_is_no_notebook_is_said(data, reason):
    with pytest.raises(NotANotebook, match=reason):
        notebook(data)


@pytest.fixture
def check(tmp_path):
    def run(*options, data):
        (tmp_path / "notes.ipynb").write_bytes(data)
        command = [sys.executable, "-m", "jit_lsp.cli", "check", *options, "notes.ipynb"]
        ran = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert (tmp_path / "notes.ipynb").read_bytes() == data
        return ran

    return run


CELLS = ("import numpy as np\n%time x = np.ones((3, 4))", "x = np.ones((3, 4))", FAULTY)


def test_a_finding_is_at_a_line_of_a_cell(check):
    ran = check("--format", "json", data=written(*CELLS))
    (finding,) = json.loads(ran.stdout)["findings"]
    assert ran.returncode == 1
    assert (finding["path"], finding["range"]["start"]) == (
        "notes.ipynb:cell 3", {"line": 0, "character": 4},
    )  # fmt: skip
    assert finding["related"][0]["path"] == "notes.ipynb:cell 2"
    assert " 1 │ y = x @ x" in check(data=written(*CELLS)).stdout


def test_formats_that_know_files_alone_have_the_cell_in_words(check):
    ran = check("--format", "github", data=written(*CELLS))
    assert "file=notes.ipynb," in ran.stdout
    assert "cell 3, line 1: x @ x" in ran.stdout


def test_nothing_is_mended_in_a_notebook(check):
    cells = ("import numpy as np\n", "x = np.ones(3)\nx.sort()\ny = x.astype(int)\ny *= 1.5\n")
    assert "not in notebooks" in check("--fix", "--unsafe-fixes", data=written(*cells)).stderr


def test_a_file_that_is_no_notebook_is_a_finding(check):
    ran = check(data=b"not a notebook")
    assert ran.returncode == 1
    assert "the file is no notebook" in ran.stdout
