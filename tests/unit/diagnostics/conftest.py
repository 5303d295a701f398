"""Programs are run once for all tests here, side by side."""

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jit_lsp.session import Cancel, Limits, Request, Result, trace

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests" / "cases"
WORKERS = 4

Run = Callable[[str, str], Result]


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs a text as the file of a name."""
    return _run


@pytest.fixture(scope="session")
def case_runs() -> Mapping[Path, Result]:
    """The result of every case file."""
    paths = sorted(CASES.glob("*/*.py"))
    return run_all({path: path.read_text() for path in paths})


def run_all(texts: Mapping[Path, str]) -> Mapping[Path, Result]:
    """The results of texts, each run as the file of its path."""
    with ThreadPoolExecutor(WORKERS) as pool:
        results = pool.map(_run, map(str, texts), texts.values())
        return dict(zip(texts, results, strict=True))


def _run(name: str, text: str) -> Result:
    wall = 1.0 if "/timeout/" in name or "# timeout: 1\n" in text else 10.0
    return trace(Request(name, text, sys.executable, limits=Limits(wall=wall)), Cancel())
