"""Suppression comments and pyproject.toml do what docs/configuration.md says."""

import subprocess
import sys
from dataclasses import replace

import pytest

from jit_lsp.launch import Request, through_entry
from jit_lsp.project import Project, ProjectError, project_of
from jit_lsp.session import Cancel, trace

NAN = "import numpy as np\np = np.array([0.0, 0.5])\nh = p * np.log(p){comment}\n"


def codes(result):
    return [(f.code, f.span.line) for f in result.findings]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", [("first-nan", 3)]),
        ("  # jit: ignore", []),
        ("  # jit: ignore[first-nan]", []),
        ("  #jit:ignore[ timeout , first-nan ]", []),
        ("  # noqa  # jit: ignore[first-nan]", []),
        ("\n# jit: ignore-file[first-nan]", []),
        ("\n# jit: ignore-file", []),
        ("  # jit: ignore[timeout]", [("first-nan", 3), ("unused-suppression", 3)]),
        ("\n# jit: ignore", [("first-nan", 3), ("unused-suppression", 4)]),
        ("\ns = '# jit: ignore-file'", [("first-nan", 3)]),
    ],
)
def test_comments(traced, comment, expected):
    assert codes(traced(NAN.format(comment=comment))) == expected


def test_a_comment_on_any_line_of_the_finding_counts(traced):
    result = traced(
        """
        import numpy as np
        x = (
            np.zeros(2)
            / np.zeros(2)  # jit: ignore[first-nan]
        )
        """
    )
    assert codes(result) == []


def test_a_comment_below_the_end_of_a_run_is_not_called_unused(traced):
    assert codes(traced("1 / 0\nx = 1  # jit: ignore\n")) == [("script-error", 1)]


@pytest.fixture
def project(tmp_path):
    def write(table):
        (tmp_path / "pyproject.toml").write_text(f"[tool.jit-lsp]\n{table}\n")
        return project_of(str(tmp_path / "a" / "b.py"))

    return write


def test_the_table_is_read(project, tmp_path):
    read = project(
        """
        select = ["first-nan", "timeout"]
        ignore = ["timeout"]
        timeout = 3
        interpreter = "bin/python"
        severity = { first-nan = "error" }
        per-file-ignores = { "tests/*" = ["first-nan"], "old" = ["first-nan"] }
        """
    )
    assert (read.folder, read.timeout, read.interpreter) == (tmp_path, 3.0, "bin/python")
    assert read.wants("first-nan", str(tmp_path / "x.py"))
    assert not read.wants("timeout", str(tmp_path / "x.py"))
    assert not read.wants("script-error", str(tmp_path / "x.py"))
    assert not read.wants("first-nan", str(tmp_path / "tests" / "x.py"))
    assert not read.wants("first-nan", str(tmp_path / "old" / "deep" / "x.py"))
    assert read.wants("first-nan", "/elsewhere/tests/x.py")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('selct = ["first-nan"]', "there is no 'selct'; did you mean 'select'?"),
        ('ignore = ["first-nam"]', "no rule 'first-nam'; did you mean 'first-nan'?"),
        ('ignore = "first-nan"', "a list of rules"),
        ("timeout = -1", "a number of seconds"),
        ("timeout = true", "a number of seconds"),
        ('severity = { first-nan = "fatal" }', "not 'fatal'"),
        ("interpreter = 3", "a text"),
        ("ignore = [", "Invalid value"),
        ("exclude = 'old'", "a list of path patterns"),
        ("quadratic-apend = {}", "did you mean 'quadratic-append'?"),
        ("quadratic-append = 3", "a table of options"),
        ("quadratic-append = { iteration = 3 }", "did you mean 'iterations'?"),
        ("quadratic-append = { rows = 3 }", "no option 'rows'; it has iterations"),
        ("quadratic-append = { iterations = 0 }", "at least 1"),
        ("mutated-argument = { in-place = 'f' }", "a list of texts"),
        ("first-nan = { x = 1 }", "no option 'x'; it has none"),
    ],
)
def test_what_is_wrong_is_named(project, table, words):
    with pytest.raises(ProjectError) as caught:
        project(table)
    assert words in str(caught.value)
    assert "pyproject.toml" in str(caught.value)


def test_without_a_table_there_are_defaults(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "jit-lsp-user"\n')
    assert project_of(str(tmp_path / "x.py")) == Project()


def test_a_project_judges_its_runs(project, traced):
    project('severity = { first-nan = "error" }\nper-file-ignores = { "sub*.py" = ["first-nan"] }')
    (finding,) = traced(NAN.format(comment="")).findings
    assert finding.severity == "error"
    assert traced(NAN.format(comment=""), name="subject.py").findings == ()


def test_a_project_tunes_rules(project, traced):
    grows = """
        import numpy as np
        out = np.array([])
        for i in range(50):
            out = np.append(out, i)
        """
    moves = """
        import numpy as np
        def centre(v):
            v -= v.mean()
            return v
        x = np.array([1.0, 5.0])
        y = centre(x)
        z = x.sum()
        """
    assert (codes(traced(grows)), codes(traced(moves))) == ([], [("mutated-argument", 4)])
    project("quadratic-append = { iterations = 40 }\nmutated-argument = { in-place = ['centre'] }")
    assert (codes(traced(grows)), codes(traced(moves))) == ([("quadratic-append", 5)], [])


def test_a_misspelt_rule_in_a_comment_is_told(traced):
    (loud, hint) = traced(NAN.format(comment="  # jit: ignore[frist-nan]")).findings
    assert (loud.code, hint.code) == ("first-nan", "unused-suppression")
    assert hint.headline == "there is no rule 'frist-nan'; did you mean first-nan?"
    assert hint.fixes[0].edits[0].new_text == "first-nan"


def test_the_command_line_says_what_is_wrong_with_it(project, tmp_path):
    with pytest.raises(ProjectError):
        project('ignroe = ["timeout"]')
    (tmp_path / "x.py").write_text("x = 1\n")
    command = [sys.executable, "-m", "jit_lsp.cli", "check", str(tmp_path / "x.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert "did you mean 'ignore'?" in ran.stderr


def test_a_run_goes_on_without_a_configuration_that_is_wrong(traced, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.jit-lsp]\nignroe = []\n")
    result = traced("x = 1\n")
    assert [(f.code, f.severity.value) for f in result.findings] == [
        ("script-error", "information")
    ]
    assert "did you mean 'ignore'?" in result.findings[0].headline


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('memory = "4 GiB"', "memory: a size such as '512 MB' is wanted"),
        ("memory = 4", "memory: a size"),
        ("cpu = true", "cpu: a number of seconds"),
        ("processes = 0", "processes: a number from 1"),
        ('memroy = "1 GB"', "did you mean 'memory'"),
        ('write = ["/tmp"]', "write: a path below the project's folder"),
        ('write = ["a/../../b"]', "write: a path below the project's folder"),
        ('write = [".git"]', "write: what is hidden"),
        ('hide = "a"', "hide: a list of paths"),
    ],
)
def test_a_sandbox_that_can_not_be_is_told(project, table, said):
    with pytest.raises(ProjectError, match=said) as error:
        project(f"[tool.jit-lsp.sandbox]\n{table}")
    assert "tool.jit-lsp.sandbox" in str(error.value)


@pytest.mark.parametrize("without", [(), ("namespaces",), ("namespaces", "landlock", "seccomp")])
def test_what_a_project_lets_its_runs_write_is_written(tmp_path, without):
    (tmp_path / "results").mkdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / "link").symlink_to("/tmp")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.jit-lsp.sandbox]\nwrite = ["results", "link", "absent"]\nhide = ["secret.txt"]\n'
        'file-size = "1 MB"\n'
    )
    (tmp_path / "secret.txt").write_text("secret")
    path = tmp_path / "a.py"
    path.write_text(
        "open('results/a.txt', 'w').write('1')\n"
        "for action in (lambda: open('secret.txt').read(), lambda: open('kept/b.txt', 'w')):\n"
        "    try:\n        print(action())\n    except OSError as error:\n        print('no')\n"
    )
    asked = Request(str(path), path.read_text(), sys.executable, directory=str(tmp_path))
    request = replace(through_entry(asked, project_of(str(path))), without=without)
    assert request.limits.file_size == 1 << 20
    result = trace(request, Cancel())
    assert result.trace.outcome.status == "finished", result.trace.output
    assert (tmp_path / "results" / "a.txt").read_text() == "1"
    assert not (tmp_path / "kept" / "b.txt").exists()
    assert result.trace.output.startswith("no")
