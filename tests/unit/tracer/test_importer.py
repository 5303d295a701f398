"""Modules of the project are recorded, installed ones are not."""

import pytest

from jit_lsp.tracer.importer import belongs

HELPER = """
import numpy as np


def layer(x, w):
    return x @ w


def halve(v):
    v *= 0.5
    return v
"""


@pytest.fixture
def with_helper(tmp_path, traced):
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "helper.py").write_text(HELPER)
    return traced


def places(result):
    return [(f.code, f.span.path.rpartition("/")[2], f.span.line) for f in result.findings]


def test_a_failure_in_a_module_is_explained_there(with_helper):
    result = with_helper(
        """
        import numpy as np
        from pkg.helper import layer
        layer(np.ones((2, 3)), np.ones((4, 5)))
        """
    )
    assert places(result) == [("shape-mismatch", "helper.py", 6)]
    (finding,) = result.findings
    assert finding.operands[0].name == "x"
    assert [span.line for span, _ in finding.call_path] == [4]


def test_what_a_module_does_to_its_caller_is_seen(with_helper):
    result = with_helper(
        """
        import numpy as np
        from pkg import helper
        signal = np.arange(1.0, 4.0)
        half = helper.halve(signal)
        print(signal.max())
        """
    )
    assert places(result) == [("mutated-argument", "helper.py", 10)]
    labelled = {label.span.path.rpartition("/")[2] for label in result.findings[0].labels}
    assert labelled == {"program.py"}


def test_a_module_that_does_not_compile_fails_as_it_does_plain(with_helper, tmp_path):
    (tmp_path / "pkg" / "broken.py").write_text("x = (\n")
    result = with_helper("import pkg.broken\n")
    (finding,) = result.findings
    assert finding.code == "script-error"
    assert "never closed" in finding.headline


def test_sources_are_those_that_ran(with_helper):
    result = with_helper("from pkg.helper import layer\n")
    (path,) = [p for p in result.sources if p.endswith("helper.py")]
    assert result.sources[path].text == HELPER


@pytest.mark.parametrize(
    ("path", "mine"),
    [
        ("/home/me/project/a.py", True),
        ("/home/me/project/deep/er/a.py", True),
        ("/home/me/project2/a.py", False),
        ("/home/me/project/.venv/lib/a.py", False),
        ("/home/me/project/env/lib/python3.12/site-packages/a.py", False),
        ("/usr/lib/python3/a.py", False),
    ],
)
def test_what_belongs_to_a_project(path, mine):
    assert belongs(path, "/home/me/project") is mine
