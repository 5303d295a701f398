"""The rules' case files in plain Python: each fails or misbehaves as its header says, or doesn't.

A header's first two lines are `# expect:` and `# why:`. A positive also says how plain Python shows
the fault: `# raises: EXCEPTION` on the expected line, `# raises: EXCEPTION at LINE` on another, or
`# check: EXPRESSION`, true at the end of the run. A timeout case shows it by still being at the
expected line, a crash case by ending there; blocked effects are right in plain Python, and so are
races most of the time.
"""

import contextlib
import io
import re
import subprocess
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from with_torch import runnable

CASES = Path(__file__).parents[1] / "cases"
HEADER = re.compile(
    r"# expect: (?:nothing|(?P<line>\d+) (?P<code>[a-z0-9-]+)(?: related (?P<related>\d+))?)\n"
    r"# why: .+\n"
    r"(?:# (?P<shown>raises|check): (?P<what>.+?)(?: at (?P<at>\d+))?\n)?"
)
RULES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
FILES = [path for path in sorted(CASES.glob("*/*.py")) if runnable(path)]
NEGATIVE = [path for path in FILES if path.name.startswith("ok_")]
ENDLESS = [path for path in FILES if path.parent.name == "timeout" and path not in NEGATIVE]
CRASHING = [path for path in FILES if path.parent.name == "crash" and path not in NEGATIVE]
RIGHT = [path for path in FILES if path.parent.name in ("blocked-effect", "read-write-race")]
POSITIVE = [path for path in FILES if path not in NEGATIVE + ENDLESS + RIGHT + CRASHING]


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("rule", RULES)
def test_rule_has_four_of_each_kind(rule: str) -> None:
    names = [path.name for path in (CASES / rule).glob("*.py")]
    negatives = [name for name in names if name.startswith("ok_")]
    assert len(negatives) >= 4
    assert len(names) - len(negatives) >= 4


@pytest.mark.parametrize("path", POSITIVE, ids=label)
def test_positive_shows_its_fault(path: Path) -> None:
    expect = header(path)
    assert expect["code"] == path.parent.name
    names, error, warned = execute(path)
    if expect["shown"] == "raises":
        assert error is not None
        assert expect["what"] in [kind.__name__ for kind in type(error).__mro__]
        assert innermost_line(error, path) == int(expect["at"] or expect["line"])
        return
    assert error is None
    assert eval(expect["what"], names)
    if expect["code"] == "first-nan" and "import torch" not in path.read_text():
        assert first_invalid_line(warned, path) in (int(expect["line"]), None)


@pytest.mark.parametrize("path", NEGATIVE, ids=label)
def test_negative_runs_to_its_end(path: Path) -> None:
    assert header(path)["line"] is None
    _, error, warned = execute(path)
    assert error is None
    assert [str(w.message) for w in warned if issubclass(w.category, RuntimeWarning)] == []


@pytest.mark.parametrize("path", RIGHT, ids=label)
def test_case_that_is_right_in_plain_python_runs_to_its_end(path: Path) -> None:
    assert execute(path)[1] is None


@pytest.mark.parametrize("path", ENDLESS, ids=label)
def test_endless_case_stays_at_its_line(path: Path) -> None:
    program = (
        "import faulthandler, runpy, sys, numpy\n"  # so that no time goes into importing later
        "faulthandler.dump_traceback_later(0.3, exit=True)\n"
        "runpy.run_path(sys.argv[1])"
    )
    command = [sys.executable, "-c", program, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    at = re.search(re.escape(f'File "{path}", line ') + r"(\d+)", ran.stderr)
    assert at is not None, ran.stderr
    assert at[1] == header(path)["line"]


@pytest.mark.parametrize("path", CRASHING, ids=label)
def test_crashing_case_ends_by_a_signal_at_its_line(path: Path) -> None:
    command = [sys.executable, "-X", "faulthandler", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode < 0
    at = re.search(re.escape(f'File "{path}", line ') + r"(\d+)", ran.stderr)
    assert at is None or at[1] == header(path)["line"]


def header(path: Path) -> re.Match[str]:
    match = HEADER.match(path.read_text())
    assert match is not None, f"{label(path)}: the header is not in the agreed form"
    return match


def execute(
    path: Path,
) -> tuple[dict[str, Any], BaseException | None, list[warnings.WarningMessage]]:
    """The script's names, what it raised (a clean exit is nothing), and its warnings."""
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    error: BaseException | None = None
    with (
        np.errstate(),
        warnings.catch_warnings(record=True) as warned,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("always")
        try:
            exec(compile(path.read_text(), str(path), "exec"), names)
        except SystemExit as leaving:
            error = leaving if leaving.code else None
        except Exception as raised:
            error = raised
    return names, error, warned


def innermost_line(error: BaseException, path: Path) -> int | None:
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if frame.filename == str(path)][-1]


def first_invalid_line(warned: list[warnings.WarningMessage], path: Path) -> int | None:
    """Where NumPy first warned of a NaN in the making; None where that was in NumPy's own files."""
    places = [w for w in warned if "invalid value" in str(w.message)]
    assert places
    return places[0].lineno if places[0].filename == str(path) else None
