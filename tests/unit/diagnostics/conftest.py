"""Programs are run once for all tests here, side by side."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from case_runs import CASES, Runs, sharing
from with_torch import runnable

from jit_lsp.session import Result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker has all tests that look at the same runs."""
    for item in items:
        if "case_runs" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("cases"))


@pytest.fixture(scope="session")
def runs() -> Iterator[Runs]:
    """Runs texts as files."""
    with sharing() as shared:
        yield shared


@pytest.fixture(scope="session")
def case_runs(runs: Runs) -> Mapping[Path, Result]:
    """The result of every case file."""
    paths = [path for path in sorted(CASES.glob("*/*.py")) if runnable(path)]
    return runs.run_all({path: path.read_text() for path in paths})
