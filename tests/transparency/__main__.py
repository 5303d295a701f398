"""Other people's tests, plain and recorded: what differs is listed with its reason, or a defect.

``./dev transparency [--numpy] [PYTHON..]``: CPython's own tests of the language, or NumPy's
installed suite, in each interpreter that is named, else in the one that runs this.
``differences.toml`` has the tests that are known to differ, and why.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
TRACER = HERE.parents[1] / "server" / "tracer"
MODES = ("plain", "recorded", "twins")
NUMPY_TESTS = "import numpy, pathlib; root = pathlib.Path(numpy.__file__).parent;" + (
    "print(*sorted('.'.join(('numpy', *f.relative_to(root).with_suffix('').parts))"
    " for f in root.rglob('tests/test_*.py')))"
)

Outcomes = dict[str, str]


def main() -> int:
    """Run them, and give 1 where something differs that has no reason."""
    parser = argparse.ArgumentParser(prog="./dev transparency", description=__doc__)
    parser.add_argument("--numpy", action="store_true", help="NumPy's own tests, not CPython's")
    parser.add_argument("--only", nargs="+", default=(), metavar="MODULE", help="these modules")
    parser.add_argument("pythons", nargs="*", default=[sys.executable], metavar="PYTHON")
    options = parser.parse_args()
    unknown = 0
    for python in options.pythons:
        modules = list(options.only or (numpy_modules(python) if options.numpy else language()))
        plain, *others = run(python, modules)
        print(f"{python}: {len(plain):,} tests of {len(modules)} modules, {kinds(plain)}")
        for mode, outcomes in zip(MODES[1:], others, strict=True):
            differing = differences(plain, outcomes)
            print(f"  {mode}: {len(differing)} differ")
            for test in differing:
                reason = reason_for(test)
                unknown += not reason
                was, now = plain.get(test, "not run"), outcomes.get(test, "not run")
                print(
                    f"    {test}\n      {was[:200]} -> {now[:300]}\n      {reason or 'NO REASON'}"
                )
    return int(unknown > 0)


def language() -> list[str]:
    """CPython's modules that test the language, and what is close to it."""
    names = (HERE / "language.txt").read_text(encoding="utf-8").split()
    return [f"test.test_{name}" for name in names]


def numpy_modules(python: str) -> Sequence[str]:
    """NumPy's, as installed for ``python``."""
    return subprocess.check_output([python, "-c", NUMPY_TESTS], text=True).split()


def run(python: str, modules: Sequence[str]) -> list[Outcomes]:
    """The outcomes of the modules' tests, for each mode."""
    jobs = [(mode, module) for module in modules for mode in MODES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda job: outcomes_of(python, *job), jobs))
    return [
        {test: how for job, of in zip(jobs, done, strict=True) if job[0] == mode
         for test, how in of.items()}
        for mode in MODES
    ]  # fmt: skip


def outcomes_of(python: str, mode: str, module: str, seconds: float = 900) -> Outcomes:
    """The outcomes of one module's tests, run in a process and a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "outcomes.json")
        command = [python, str(HERE / "suite.py"), mode, str(TRACER), str(output), module]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
        try:
            status = subprocess.run(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            return {module: f"took more than {seconds:g} seconds"}
        if not output.exists():
            return {module: f"the process ended with {status}"}
        outcomes: Outcomes = json.loads(output.read_text(encoding="utf-8"))
        return outcomes


def differences(plain: Outcomes, other: Outcomes) -> list[str]:
    """The tests whose outcome is of another kind; its text may have addresses."""
    tests = {**plain, **other}
    return [t for t in tests if kind(plain.get(t, "-")) != kind(other.get(t, "-"))]


@cache
def known() -> dict[str, str]:
    """Patterns of tests that differ, and why."""
    return tomllib.loads((HERE / "differences.toml").read_text(encoding="utf-8"))


def reason_for(test: str) -> str:
    """Why a test is known to differ; empty where it isn't."""
    return next((reason for pattern, reason in known().items() if fnmatchcase(test, pattern)), "")


def kind(outcome: str) -> str:
    """Success, failure, …, without its text."""
    return outcome.partition(":")[0]


def kinds(outcomes: Outcomes) -> str:
    """How many of each."""
    counted = Counter(map(kind, outcomes.values())).most_common()
    return ", ".join(f"{count:,} {name}" for name, count in counted)


if __name__ == "__main__":
    raise SystemExit(main())
