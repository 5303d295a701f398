"""The examples in plain Python: the good ones are right and quiet, the twins have one mistake."""

import difflib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from with_torch import runnable

from jit_lsp.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = [path for path in sorted(EXAMPLES.glob("*.py")) if runnable(path)]
TWINS = [path for path in PROGRAMS if path.stem.endswith("_broken")]
GOOD = [twin.with_name(twin.name.replace("_broken", "")) for twin in TWINS]
EXPECT = re.compile(r"# expect: (\d+) ([a-z0-9-]+)(?: related (\d+))?")


def run(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=one_thread)


def test_programs_each_with_its_own_kind_of_mistake() -> None:
    names = ["heat", "kalman", "kmeans", "mlp", "pca_images", "torch_spirals"]
    assert [path.stem for path in GOOD] == names[: len(GOOD)]
    assert {*PROGRAMS} == {*GOOD, *TWINS}
    assert len({expected(twin)[1] for twin in TWINS}) == len(TWINS)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_program_is_quiet_and_deterministic(path: Path) -> None:
    assert path.read_text().startswith("# expect: nothing\n")
    assert 60 <= len(path.read_text().splitlines()) <= 200
    first, second = run(path, "-W", "error"), run(path, "-W", "error")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout != ""


@pytest.mark.parametrize("twin", TWINS, ids=lambda path: path.stem)
def test_twin_differs_in_the_expected_line_alone_and_in_its_result(twin: Path) -> None:
    good = twin.with_name(twin.name.replace("_broken", ""))
    line, _, related = expected(twin)
    changed = changed_lines(good, twin)
    assert line in changed or int(related or 0) in changed
    assert len(changed) <= 6
    assert run(twin).stdout != run(good).stdout


def expected(twin: Path) -> tuple[int, str, str | None]:
    match = EXPECT.match(twin.read_text())
    assert match is not None, f"{twin.name} does not say what is expected"
    return int(match[1]), match[2], match[3]


def changed_lines(good: Path, twin: Path) -> set[int]:
    """Lines of the twin, from 1, that its good program doesn't have; the header is left out."""
    old, new = (path.read_text().splitlines()[1:] for path in (good, twin))
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {i + 2 for tag, *_, lo, hi in blocks if tag != "equal" for i in range(lo, hi)}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_is_found_is_what_the_program_expects(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ["--interpreter", sys.executable, "--timeout", "60", "--format", "json"]
    status = main(["check", *options, str(path)])
    found = json.loads(capfd.readouterr().out)["findings"]
    if path in GOOD:
        assert (status, found) == (0, [])
        return
    line, code, related = expected(path)
    (finding,) = found
    assert (status, finding["code"], finding["range"]["start"]["line"] + 1) == (1, code, line)
    lines = [each["range"]["start"]["line"] + 1 for each in finding["related"]]
    assert related is None or int(related) in lines
