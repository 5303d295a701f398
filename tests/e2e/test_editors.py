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
    seen = drive(
        "nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {script}"], tmp_path
    )
    assert seen["encoding"] == "utf-16"
    (diagnostic,) = seen["diagnostics"]
    assert (diagnostic["source"], diagnostic["code"]) == ("jit-lsp", "inplace-cast")
    assert diagnostic["severity"] == "ERROR"


def test_emacs_with_eglot(tmp_path):
    drive("emacs", ["--batch", "-Q", "-l", str(SCRIPTS / "emacs.el")], tmp_path)


def drive(editor, arguments, folder):
    """What a user of ``editor`` sees. Checks what is the same in all of them."""
    if shutil.which(editor) is None:
        if os.environ.get("JIT_LSP_REQUIRE_EDITORS"):
            pytest.fail(f"{editor} is not installed, and this run requires it")
        pytest.skip(f"{editor} is not installed")
    path = folder / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    task = {
        "command": SERVER,
        "interpreter": sys.executable,
        "folder": f"{folder}/",
        "file": str(path),
        "hover_line": 2,
        "patience": PATIENCE,
    }
    environment = os.environ | {"JIT_LSP_TASK": json.dumps(task), "HOME": str(folder)}
    ran = subprocess.run(
        [editor, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=True,
    )
    seen = json.loads(ran.stdout)
    assert "problem" not in seen, f"{seen['problem']}\n{ran.stderr}"
    (diagnostic,) = seen["diagnostics"]
    assert (diagnostic["line"], diagnostic["text"]) == (3, "n += 0.5")
    assert "n" in diagnostic["message"].splitlines()[0]
    assert "float64" in diagnostic["message"] or "f64" in diagnostic["message"]
    assert "i64[4]" in seen["hover"]
    assert seen["title"]
    assert path.read_text(encoding="utf-8") != PROGRAM
    return seen
