"""The command line keeps its contract: statuses, formats, and clear words for misuse."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from jit_lsp.ir import PrintOptions, parse, print_module

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "examples" / "mlp_broken.py"
GOOD = ROOT / "examples" / "mlp.py"


def jit_lsp(*arguments, cwd=None, stdin=b"", env=None):
    command = [sys.executable, "-m", "jit_lsp.cli", *map(str, arguments)]
    ran = subprocess.run(
        command, input=stdin, capture_output=True, timeout=120, cwd=cwd, env=env, check=False
    )
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


def check(*arguments, **options):
    return jit_lsp("check", "--interpreter", sys.executable, *arguments, **options)


@pytest.fixture
def program(tmp_path):
    def write(text, name="program.py"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_broken_example_is_an_error_with_both_shapes():
    status, out, err = check("examples/mlp_broken.py", cwd=ROOT)
    assert (status, err) == (1, "")
    assert out.startswith("error[shape-mismatch]: hidden @ w2: ")
    assert "hidden   f64[360, 64]" in out
    assert "w2       f64[3, 64]" in out
    assert "examples/mlp_broken.py:43:" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_good_example_is_quiet():
    assert check(GOOD)[0] == 0


def test_json_is_what_the_contract_says():
    status, out, _ = check("--format", "json", BROKEN)
    answer = json.loads(out)
    assert (status, answer["version"]) == (1, 1)
    (finding,) = answer["findings"]
    assert set(finding) == {"path", "range", "severity", "code", "message", "related", "fixes"}
    assert finding["range"]["start"] == {"line": 42, "character": 13}
    assert finding["severity"] == "error"
    assert 34 in [r["range"]["start"]["line"] for r in finding["related"]]
    assert all(set(r) == {"path", "range", "message"} for r in finding["related"])
    assert all({"title", "edits"} == set(f) for f in finding["fixes"])


def test_columns_are_in_utf_16(program):
    path = program("import numpy as np\nx = '𝒳𝒴', np.ones(2) @ np.ones(3)\n")
    _, out, _ = check("--format", "json", path)
    (finding,) = json.loads(out)["findings"]
    assert finding["range"]["start"] == {"line": 1, "character": 12}


def test_several_files_and_arguments_behind_dashes(program):
    first = program("import sys\nassert sys.argv[1:] == ['a', '-b'], sys.argv\n", "one.py")
    second = program("1 / 0\n", "two.py")
    status, out, _ = check(first, second, "--", "a", "-b")
    assert status == 1
    assert out.count("error[") == 1
    assert "2 files in " in out


def test_a_replay_tells_of_writes_that_nobody_sees(program):
    path = program("""\
import numpy as np
frame = np.zeros(3)
raw = memoryview(frame).cast("B")
dark = frame - 1.0
raw[:8] = np.float64(7.0).tobytes()
bright = frame + 1.0
""")
    status, output, _ = check(path)
    assert (status, output.splitlines()[-1].partition(": ")[2]) == (0, "nothing to say")
    status, output, _ = check("--replay", path)
    assert status == 1
    assert "frame[0] was 0 here" in output
    assert "frame[0] is 7" in output


def test_select_and_ignore(program):
    path = program("1 / 0\n")
    assert check("--ignore", "script-error", path)[0] == 0
    assert check("--select", "shape-mismatch", path)[0] == 0
    assert check("--select", "script-error,timeout", path)[0] == 1
    status, _, err = check("--select", "shape-mismath", path)
    assert (status, err) == (
        2, "jit-lsp: there is no rule 'shape-mismath'; did you mean shape-mismatch?\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "no_such_file.py"], "no_such_file.py: No such file or directory"),
        (["hover", ".", "1:1"], "is a folder"),
        (["check"], "required"),
        (["check", "--format", "xml", "x.py"], "invalid choice"),
        (["check", "--timeout", "0", "x.py"], "not a time"),
        (["check", "--timeout", "soon", "x.py"], "invalid"),
        (["check", "--interpreter", "/no/such/python", str(GOOD)], "no interpreter"),
        (["explain", "no-such-rule"], "there is no rule"),
        (["trace", "--function", "nothing", str(GOOD)], "there are: main"),
        (["trace", "-o", "/no/such/folder/x", str(GOOD)], "No such file"),
        (["hover", str(GOOD), "12"], "LINE:COLUMN"),
        (["hover", str(GOOD), "0:1"], "LINE:COLUMN"),
        (["fly"], "invalid choice"),
        (["--tcp", "nowhere"], "HOST:PORT"),
        ([], "usage"),
    ],
)
def test_misuse_is_two_and_says_what_is_wrong(arguments, words, tmp_path):
    status, out, err = jit_lsp(*arguments, cwd=tmp_path)
    assert status == 2
    assert words in out + err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"x = 1\ny = '\xff\xfe'\n", 2),
        (b"# coding: no-such-codec\nx = 1\n", 1),
        (b"x = 1\n\0\n", 2),
        (b"x = 1\nif\n", 2),
    ],
)
def test_a_file_that_is_no_program_is_a_finding_at_its_line(program, content, line):
    status, out, _ = check("--format", "json", program(content))
    (finding,) = json.loads(out)["findings"]
    assert status == 1
    assert (finding["code"], finding["range"]["start"]["line"] + 1) == ("script-error", line)


def test_other_encodings_are_read_as_python_reads_them(program):
    path = program("# coding: latin-1\ns = 'é'\nassert len(s) == 1\n".encode("latin-1"))
    assert check(path)[0] == 0
    assert check(program(b"\xef\xbb\xbfx = 1\n"))[0] == 0


def test_a_reader_that_goes_away_is_no_crash():
    command = f"{sys.executable} -m jit_lsp.cli explain script-error | true"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in ran.stderr


def test_version_and_help():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert jit_lsp("--version") == (0, f"jit-lsp {version}\n", "")
    assert "check" in jit_lsp("--help")[1]


def test_explain_prints_the_page():
    status, out, _ = jit_lsp("explain", "shape-mismatch")
    assert status == 0
    assert out.startswith("# shape-mismatch\n")
    assert "## What it does" in out


def test_trace_prints_a_graph_and_writes_it(tmp_path):
    status, out, err = jit_lsp("trace", "--interpreter", sys.executable, GOOD)
    assert (status, err) == (0, "")
    assert "graph @forward(" in out
    target = tmp_path / "graph.txt"
    jit_lsp("trace", "--interpreter", sys.executable, "--function", "forward", "-o", target, GOOD)
    assert target.read_text().startswith("graph @forward(")


@pytest.mark.parametrize("level", [0, 1, 2])
def test_trace_simplifies_as_far_as_asked(level):
    status, out, err = jit_lsp("trace", "--interpreter", sys.executable, f"-O{level}", GOOD)
    assert (status, err) == (0, "")
    assert print_module(parse(out), PrintOptions(width=80)) + "\n" == out


def test_trace_as_json_follows_its_schema():
    status, out, _ = jit_lsp("trace", "--interpreter", sys.executable, "--format", "json", GOOD)
    schema = json.loads((ROOT / "docs" / "schema" / "trace.schema.json").read_text())
    assert status == 0
    jsonschema.validate(json.loads(out), schema)


def test_trace_as_a_picture_and_for_graphviz():
    trace = ("trace", "--interpreter", sys.executable, "--function", "forward")
    status, out, _ = jit_lsp(*trace, "--format", "svg", GOOD)
    assert status == 0
    assert any("np.matmul" in (text.text or "") for text in ElementTree.fromstring(out).iter())
    status, out, _ = jit_lsp(*trace, "--format", "dot", GOOD)
    assert status == 0
    assert out.startswith("digraph {")


@pytest.mark.parametrize("output", ["missing/graph.txt", "."])
def test_what_cannot_be_written_is_said(output, tmp_path):
    target = tmp_path / output
    status, out, err = jit_lsp("trace", "--interpreter", sys.executable, "-o", target, GOOD)
    assert (status, out) == (2, "")
    assert err.startswith(f"jit-lsp: {target}: ")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_written_again_keeps_its_permissions(tmp_path):
    target = tmp_path / "graph.txt"
    target.write_text("old")
    target.chmod(0o600)
    assert jit_lsp("trace", "--interpreter", sys.executable, "-o", target, GOOD)[0] == 0
    assert target.read_text().startswith("graph @")
    assert target.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [target]


def test_trace_of_a_program_that_fails_shows_what_ran():
    status, out, err = jit_lsp("trace", "--interpreter", sys.executable, BROKEN)
    assert status == 1
    assert "graph @main(" in out
    assert "shape" in err or "axis" in err


def test_hover_shows_the_value_and_its_graph():
    status, out, _ = jit_lsp("hover", "--interpreter", sys.executable, GOOD, "43:7")
    assert status == 0
    assert out.startswith("logits f64[")
    assert "np.matmul(" in out
    nothing = jit_lsp("hover", "--interpreter", sys.executable, GOOD, "1:1")
    assert nothing[0] == 0
    assert "nothing was recorded" in nothing[1]


def test_run_is_python_with_an_explanation(program, tmp_path):
    status, _, err = jit_lsp("run", "--interpreter", sys.executable, BROKEN)
    assert status == 1
    traceback, _, explanation = err.partition("\n\n")
    assert traceback.startswith("Traceback")
    assert "error[shape-mismatch]" in explanation
    assert "warning[" not in explanation
    path = program("import sys\nprint(sys.argv[1:], input())\nsys.exit(7)\n")
    answer = jit_lsp("run", "--interpreter", sys.executable, path, "-x", "--", stdin=b"hi\n")
    assert answer == (7, "['-x', '--'] hi\n", "")
    assert jit_lsp("run", "--interpreter", sys.executable, tmp_path / "none.py")[0] == 2


def test_run_heeds_comments_and_the_project(program):
    ignored = program("import numpy as np\nnp.log(np.array([-1.0]))  # jit: ignore[first-nan]\n")
    assert jit_lsp("run", "--interpreter", sys.executable, ignored)[2].count("warning[") == 0
    plain = program("import numpy as np\nx = np.log(np.array([-1.0]))\n")
    assert jit_lsp("run", "--interpreter", sys.executable, plain)[2].count("warning[") == 1
    (plain.parent / "pyproject.toml").write_text("[tool.jit-lsp]\nignore = ['first-nan']\n")
    assert jit_lsp("run", "--interpreter", sys.executable, plain)[2].count("warning[") == 0


def test_run_ends_by_the_signal_that_ended_the_program(program):
    path = program("import os\nos.kill(os.getpid(), 15)\n")
    assert jit_lsp("run", "--interpreter", sys.executable, path)[0] == -15


def test_the_interpreter_is_found_as_promised(tmp_path, monkeypatch):
    from jit_lsp.interpreters import find_interpreter

    def fake(folder):
        python = folder / "bin" / "python3"
        python.parent.mkdir(parents=True)
        python.write_text("#!/bin/sh\n")
        python.chmod(0o755)
        return str(python)

    project = tmp_path / "project"
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    on_path = fake(tmp_path / "system")
    environment = {"PATH": str(tmp_path / "system" / "bin")}
    assert find_interpreter(str(deep), None, environment) == on_path
    local = fake(project / ".venv")
    assert find_interpreter(str(deep), None, environment) == local
    active = fake(tmp_path / "active")
    environment["VIRTUAL_ENV"] = str(tmp_path / "active")
    assert find_interpreter(str(deep), None, environment) == active
    assert find_interpreter(str(deep), on_path, environment) == on_path
    with pytest.raises(FileNotFoundError, match="none on PATH"):
        find_interpreter(str(tmp_path), None, {"PATH": ""})
