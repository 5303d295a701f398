"""Assertions that held say what was expected; one that failed does not."""

from collections.abc import Callable

import pytest

from jit_lsp.session import Result

HEAD = "import numpy as np\n\nrates = np.array([-1.0, 2.0])\n"


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("assert np.isnan(np.log(rates).sum())", set()),
        ("assert np.log(rates).sum() > 0", {"first-nan", "script-error"}),
        ("print(np.log(rates).sum())", {"first-nan"}),
    ],
)
def test_confirmed(run: Callable[[str, str], Result], line: str, codes: set[str]) -> None:
    assert {f.code for f in run("/p.py", f"{HEAD}{line}\n").findings} == codes
