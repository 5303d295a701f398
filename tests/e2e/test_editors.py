"""Real editors, headless: open, save, read the diagnostics and a hover, apply a fix, and leave."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from raw_client import PATIENCE, SERVER

PROGRAM = """\
import numpy as np

n = np.arange(4)
label = "𝒳🙂"; n += 0.5
"""
SCRIPTS = Path(__file__).parent / "editors"


def test_neovim(tmp_path):
    script = SCRIPTS / "neovim.lua"
    options = ["--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {script}"]
    seen = drive("nvim", options, tmp_path)
    assert seen["encoding"] == "utf-16"
    assert "show graph" in seen["lenses"][0]
    (diagnostic,) = seen["diagnostics"]
    assert (diagnostic["text"], diagnostic["severity"]) == ("n += 0.5", "ERROR")
    assert (diagnostic["source"], diagnostic["code"]) == ("jit-lsp", "inplace-cast")
    assert diagnostic["related"][0]["location"]["range"]["start"]["line"] == 2
    assert "n" in seen["title"]
    assert (tmp_path / "program.py").read_text(encoding="utf-8") != PROGRAM


def test_emacs_with_eglot(tmp_path):
    seen = drive("emacs", ["--batch", "-Q", "-l", str(SCRIPTS / "emacs.el")], tmp_path)
    (diagnostic,) = seen["diagnostics"]
    assert (diagnostic["text"], diagnostic["severity"]) == ("n += 0.5", "eglot-error")
    assert "program.py:3:5" in diagnostic["message"]
    assert "n" in seen["title"]
    assert (tmp_path / "program.py").read_text(encoding="utf-8") != PROGRAM


def test_vim_with_ale(tmp_path):
    script = str(SCRIPTS / "ale.vim")
    options = ["--not-a-term", "-n", "-i", "NONE", "-u", "NONE", "-S", script]
    plain = PROGRAM.replace('label = "𝒳🙂"; ', "")  # ALE applies edits at columns in bytes
    seen = drive("vim", options, tmp_path, plain)
    (diagnostic,) = seen["diagnostics"]
    assert (diagnostic["severity"], diagnostic["code"]) == ("E", "inplace-cast")
    assert "n" in seen["title"]
    assert (tmp_path / "program.py").read_text(encoding="utf-8") != plain


def drive(editor, options, folder, text=PROGRAM):
    """What a user of ``editor`` sees. Checks what is the same in all of them."""
    if shutil.which(editor) is None:
        miss(editor)
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    task = {
        "command": SERVER,
        "interpreter": sys.executable,
        "folder": f"{folder}/",
        "file": str(path),
        "output": str(folder / "seen.json"),
        "hover_line": 2,
        "patience": PATIENCE,
    }
    environment = os.environ | {"JIT_LSP_TASK": json.dumps(task), "HOME": str(folder)}
    ran = subprocess.run(
        [editor, *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=4 * PATIENCE,
        check=True,
    )
    seen = json.loads((folder / "seen.json").read_text())
    if "missing" in seen:
        miss(seen["missing"])
    assert "problem" not in seen, f"{seen['problem']}\n{ran.stderr.decode()}"
    (diagnostic,) = seen["diagnostics"]
    assert diagnostic["line"] == 3
    assert "n += 0.5: the result is f64, n holds i64" in diagnostic["message"].splitlines()[0]
    assert seen["hints"] == [": i64[4]"]
    assert "i64" in seen["hover"]
    assert "np.arange" in seen["hover"]
    return seen


def miss(program):
    """Skip, except where every editor has to be there."""
    if os.environ.get("JIT_LSP_REQUIRE_EDITORS"):
        pytest.fail(f"{program} is not installed, and this run requires it")
    pytest.skip(f"{program} is not installed")
