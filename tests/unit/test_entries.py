"""What is run for a file that is no program itself."""

import subprocess
import sys
import textwrap

import pytest

from jit_lsp.entries import Entry, entry_for, parse
from jit_lsp.project import ProjectError, project_of

FILES = {
    "pyproject.toml": """
        [tool.jit-lsp]
        entries = [
          "train.py --epochs 2",
          "pkg.extra:main",
          "tests/test_loss.py::test_loss",
          "pkg.cli",
          "missing:main",
        ]
    """,
    "pkg/__init__.py": "",
    "pkg/model.py": """
        import numpy as np

        class Model:
            def forward(self, x):
                return x @ np.ones((3, 2))

            # jit: example Model().unused(np.ones(3))
            def unused(self, x):
                return x / np.ones(2)
    """,
    "train.py": """
        import sys
        import numpy as np
        from pkg import model
        print(sys.argv, __name__)
        model.Model().forward(np.ones((5, 4)))
    """,
    "pkg/extra.py": """
        import numpy as np

        def main():
            from . import helper
            return helper.add(np.ones(2), np.ones(3))
    """,
    "pkg/helper.py": "def add(x, y):\n    return x + y\n",
    "src/loss.py": "import numpy as np\ndef loss(p):\n    return p @ np.ones((2, 2))\n",
    "tests/conftest.py": "import sys\nsys.path.insert(0, 'src')\n",
    "tests/test_loss.py": """
        import numpy as np
        from loss import loss

        def test_other():
            assert False

        def test_loss():
            loss(np.ones((3, 3)))
    """,
    "pkg/cli.py": "from .only import run\nif __name__ == '__main__':\n    run()\n",
    "pkg/only.py": "import numpy as np\ndef run():\n    x = np.ones(3)\n    x += 1j\n",
    "alone.py": "import numpy as np\nnp.ones(2) + np.ones(3)\n",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    return tmp_path


def check(project, file, *options):
    command = [sys.executable, "-m", "jit_lsp.cli", "check", "--interpreter", sys.executable]
    ran = subprocess.run(
        [*command, *options, file], cwd=project, capture_output=True, text=True, timeout=60
    )
    return ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("file", "found", "place", "reached"),
    [
        ("train.py", "shape-mismatch", "pkg/model.py:5:16", "train.py:5:1"),
        ("pkg/model.py", "shape-mismatch", "pkg/model.py:5:16", "train.py:5:1"),
        ("pkg/helper.py", "shape-mismatch", "pkg/helper.py:2:12", "pkg/extra.py:5:12"),
        ("src/loss.py", "shape-mismatch", "src/loss.py:3:12", "tests/test_loss.py:8:5"),
        ("pkg/only.py", "inplace-cast", "pkg/only.py:4:5", "pkg/cli.py:3:5"),
        ("alone.py", "shape-mismatch", "alone.py:2:1", ""),
    ],
)
def test_a_file_is_run_by_the_entry_that_imports_it(project, file, found, place, reached):
    said = check(project, file)
    assert f"error[{found}]" in said
    assert f"\n  {place}\n" in said
    assert reached in said
    assert "<entry>" not in said


def test_an_entry_has_its_arguments_unless_others_are_given(project):
    (project / "train.py").write_text("import sys\nraise ValueError(sys.argv)\n")
    assert "ValueError: ['train.py', '--epochs', '2']" in check(project, "train.py")
    command = [sys.executable, "-m", "jit_lsp.cli", "check", "--interpreter", sys.executable]
    said = subprocess.run(
        [*command, "train.py", "--", "-x"], cwd=project, capture_output=True, text=True, timeout=60
    ).stdout
    assert "ValueError: ['train.py', '-x']" in said


def test_a_method_that_the_entry_never_called_has_its_example(project):
    (project / "train.py").write_text("import pkg.model\n")
    said = check(project, "pkg/model.py")
    assert "error[shape-mismatch]" in said
    assert "reached by: Model.unused at pkg/model.py:7:20" in said


def test_an_entry_that_can_not_be_run_is_told_in_the_file(project):
    (project / "pkg/cli.py").write_text("import pkg.only, nowhere\n")
    assert "pkg/cli.py:1:1" in check(project, "pkg/only.py")
    (project / "pkg/extra.py").write_text("from . import helper\n")
    said = check(project, "pkg/helper.py")
    assert "error[script-error]: ImportError: cannot import name 'main'" in said
    assert "\n  pkg/helper.py:1:1\n" in said
    assert "it was run by the entry 'pkg.extra:main'" in said
    (project / "train.py").unlink()
    assert "pkg/model.py" in check(project, "pkg/model.py")


def test_imports_lead_to_an_entry(project):
    known = project_of(str(project / "train.py"))
    chosen = {name: known.entry_for(str(project / name)) for name in FILES}
    assert {name: e.text for name, e in chosen.items() if e} == {
        "train.py": "train.py --epochs 2",
        "pkg/__init__.py": "train.py --epochs 2",
        "pkg/model.py": "train.py --epochs 2",
        "pkg/extra.py": "pkg.extra:main",
        "pkg/helper.py": "pkg.extra:main",
        "src/loss.py": "tests/test_loss.py::test_loss",
        "tests/test_loss.py": "tests/test_loss.py::test_loss",
        "tests/conftest.py": "tests/test_loss.py::test_loss",
        "pkg/cli.py": "pkg.cli",
        "pkg/only.py": "pkg.cli",
    }
    (project / "pkg/only.py").write_text("import alone\n")  # what was read before is read again
    assert entry_for(str(project / "alone.py"), known.entries, project) == parse("pkg.cli")


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("a/b.py 'x y' -z", Entry("a/b.py 'x y' -z", "script", "a/b.py", ("x y", "-z"))),
        ("pkg.mod -v", Entry("pkg.mod -v", "module", "pkg.mod", ("-v",))),
        ("pkg.mod:A.run", Entry("pkg.mod:A.run", "function", "pkg.mod:A.run")),
        ("t/test_x.py::T::t[1]", Entry("t/test_x.py::T::t[1]", "test", "t/test_x.py::T::t[1]")),
    ],
)
def test_an_entry_is_written_in_one_of_four_ways(text, entry):
    assert parse(text) == entry


@pytest.mark.parametrize("text", ["", "  ", "a/b", "pkg:", "pkg:main -x", "'unclosed", "1x"])
def test_what_is_no_entry_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=r"is no script|No closing quotation"):
        parse(text)
    (tmp_path / "pyproject.toml").write_text(f'[tool.jit-lsp]\nentries = ["{text}"]\n')
    with pytest.raises(ProjectError, match=r"tool.jit-lsp.entries: "):
        project_of(str(tmp_path / "x.py"))
