"""Other people's tests, plain and recorded: what differs is listed with its reason, or a defect.

``./dev transparency [--numpy | --torch] [PYTHON..]``: CPython's own tests of the language, NumPy's
installed suite, or tests made of PyTorch's databases (``of_torch``; they need expecttest), in each
interpreter that is named, else in the one that runs this.
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
from collections.abc import Iterator, Sequence
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
    parser.add_argument("--torch", action="store_true", help="PyTorch's")
    parser.add_argument("--only", nargs="+", default=(), metavar="MODULE", help="these modules")
    parser.add_argument("pythons", nargs="*", default=[sys.executable], metavar="PYTHON")
    options = parser.parse_args()
    unknown = 0
    for python in options.pythons:
        with tempfile.TemporaryDirectory() as folder:
            if options.torch:
                found = torch_modules(python, folder)
            else:
                found = numpy_modules(python) if options.numpy else language()
            unknown += compare(python, list(options.only or found), folder)
    return int(unknown > 0)


def compare(python: str, modules: Sequence[str], folder: str) -> int:
    """Run modules, those in ``folder`` too, and print what differs, as it goes; gives the number of
    differences that have no reason."""
    unknown, whole = 0, [Outcomes() for _ in MODES]
    for module, by_mode in run(python, modules, folder):
        for outcomes, more in zip(whole, by_mode, strict=True):
            outcomes.update(more)
        plain, *others = by_mode
        print(f"{module}: {len(plain):,} tests, {kinds(plain)}", flush=True)
        if not plain or not kind(plain.get(module, "ok")).startswith("ok"):  # no test ran
            print(f"  NOTHING COMPARED: {plain.get(module)}", flush=True)
            unknown += 1
        for mode, outcomes in zip(MODES[1:], others, strict=True):
            for test in differences(plain, outcomes):
                reason = reason_for(test)
                unknown += not reason
                was, now = plain.get(test, "not run"), outcomes.get(test, "not run")
                print(f"  {mode} {test}\n    {was[:200]} -> {now[:300]}")
                print(f"    {reason or 'NO REASON'}", flush=True)
    plain, *others = whole
    print(f"{python}: {len(plain):,} tests of {len(modules)} modules, {kinds(plain)}")
    for mode, outcomes in zip(MODES[1:], others, strict=True):
        print(f"  {mode}: {len(differences(plain, outcomes))} differ")
    return unknown


def language() -> list[str]:
    """CPython's modules that test the language, and what is close to it."""
    names = (HERE / "language.txt").read_text(encoding="utf-8").split()
    return [f"test.test_{name}" for name in names]


def numpy_modules(python: str) -> Sequence[str]:
    """NumPy's, as installed for ``python``."""
    return subprocess.check_output([python, "-c", NUMPY_TESTS], text=True).split()


def torch_modules(python: str, into: str, *operations: str) -> Sequence[str]:
    """Tests of PyTorch, of all that it has or of some operations, which are written here."""
    command = [python, "-m", "of_torch.generate", into, *operations]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    return subprocess.check_output(command, text=True, env=environment).split()


def run(
    python: str, modules: Sequence[str], folder: str
) -> Iterator[tuple[str, Sequence[Outcomes]]]:
    """The outcomes of each module's tests, for each mode."""
    jobs = [(mode, module) for module in modules for mode in MODES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda job: outcomes_of(python, *job, folder=folder), jobs)
        for module in modules:
            yield module, [next(done) for _ in MODES]


def outcomes_of(
    python: str, mode: str, module: str, seconds: float = 1800, folder: str = ""
) -> Outcomes:
    """The outcomes of one module's tests, run in a process and a folder of their own; the module
    may be one of ``folder``."""
    path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory() as own:
        output = Path(own, "outcomes.json")
        command = [python, str(HERE / "suite.py"), mode, str(TRACER), str(output), module]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
        environment |= {"NPY_AVAILABLE_MEM": "4 GB"}  # not what the others leave at the moment
        environment |= {"PYTHONPATH": path} if path else {}
        try:
            status = subprocess.run(
                command, cwd=own, env=environment, stdin=subprocess.DEVNULL,
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
    """Success, failure, …, without its text; with the digest of what a test saw."""
    return outcome.partition(":")[0]


def kinds(outcomes: Outcomes) -> str:
    """How many of each."""
    counted = Counter(kind(how).partition(" ")[0] for how in outcomes.values()).most_common()
    return ", ".join(f"{count:,} {name}" for name, count in counted)


if __name__ == "__main__":
    raise SystemExit(main())
