"""Assertions that held say what was expected; one that failed does not."""

from pathlib import Path

import pytest
from case_runs import Runs

HEAD = "import numpy as np\n\nrates = np.array([-1.0, 2.0])\n"


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("assert np.isnan(np.log(rates).sum())", set()),
        ("assert np.log(rates).sum() > 0", {"first-nan", "script-error"}),
        ("print(np.log(rates).sum())", {"first-nan"}),
    ],
)
def test_confirmed(runs: Runs, line: str, codes: set[str]) -> None:
    assert {f.code for f in runs.run(Path("/p.py"), f"{HEAD}{line}\n").findings} == codes
