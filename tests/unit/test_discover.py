"""A check of a folder runs the programs in it and nothing else."""

import pytest

from jit_lsp.discover import is_program, programs
from jit_lsp.launch import Unusable

PROGRAM = "import numpy as np\nprint(np.ones(3))\n"
MODULE = "import numpy as np\nRATE = 0.1\n\ndef f(x):\n    return x + RATE\n"
GUARDED = MODULE + "\nif __name__ == '__main__':\n    f(1)\n"


@pytest.mark.parametrize(
    ("text", "alone", "in_package"),
    [
        (PROGRAM, True, False),
        (MODULE, False, False),
        (GUARDED, True, True),
        ("from .other import f\n" + GUARDED, False, False),
        ("try:\n    import numba\nexcept ImportError:\n    numba = None\n", False, False),
        ("x = 1 +\n", True, True),
        ("", False, False),
        ("# jit: example f(1)\n" + MODULE, True, True),
        (MODULE.replace("return", "'>>> f(1)'\n    return"), True, False),
        ("x = 3\ny = x @ x\n", True, False),
    ],
)
def test_what_is_a_program(text, alone, in_package):
    assert is_program(text) is alone
    assert is_program(text, in_package=True) is in_package


@pytest.fixture
def tree(tmp_path, monkeypatch):
    files = {
        "main.py": PROGRAM,
        "helpers.py": MODULE,
        "notes.txt": PROGRAM,
        "conftest.py": PROGRAM,
        "test_main.py": PROGRAM,
        "deep/er/one.py": PROGRAM,
        "pkg/__init__.py": PROGRAM,
        "pkg/part.py": PROGRAM,
        "pkg/tool.py": GUARDED,
        ".hidden/one.py": PROGRAM,
        "node_modules/one.py": PROGRAM,
        "env/pyvenv.cfg": "",
        "env/one.py": PROGRAM,
        "old/one.py": PROGRAM,
        "drafts/one_draft.py": PROGRAM,
        "pyproject.toml": "[tool.jit-lsp]\nexclude = ['old/', '*_draft.py']\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_programs_of_a_folder(tree):
    assert programs(["."]) == ["main.py", "deep/er/one.py", "pkg/tool.py"]
    assert programs([str(tree / "pkg")]) == [str(tree / "pkg" / "tool.py")]


def test_a_file_that_is_named_is_run_once_whatever_it_is(tree):
    assert programs(["helpers.py", "old/one.py", "./helpers.py"]) == ["helpers.py", "old/one.py"]
    assert programs(["deep", "deep/er/one.py"]) == ["deep/er/one.py"]
    named = ["main.py", "helpers.py", "old/one.py", "test_main.py"]
    assert programs(named, force_exclude=True) == ["main.py"]


def test_what_is_not_there_is_said(tree):
    with pytest.raises(Unusable, match=r"none\.py: No such file"):
        programs(["main.py", "none.py"])
