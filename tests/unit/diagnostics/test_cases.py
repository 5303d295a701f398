"""Every case file gives the finding that its first line expects, and no other that is loud."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from with_torch import runnable

from jit_lsp.diagnostics.rules import all_rules
from jit_lsp.session import Result

CASES = Path(__file__).parents[2] / "cases"
EXPECT = re.compile(
    r"# expect: (?:nothing|(?P<line>\d+) (?P<code>[a-z0-9-]+)(?: related (?P<related>\d+))?)\n"
)
FILES = [path for path in sorted(CASES.glob("*/*.py")) if runnable(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case(path: Path, case_runs: Mapping[Path, Result]) -> None:
    expect = EXPECT.match(path.read_text())
    assert expect is not None
    rule = path.parent.name
    loud = [f for f in case_runs[path].findings if f.severity.loud or f.code == rule]
    if expect["line"] is None:
        assert loud == []
        return
    assert [(f.code, f.span.line) for f in loud] == [(expect["code"], int(expect["line"]))]
    if expect["related"] is not None:
        assert int(expect["related"]) in [label.span.line for label in loud[0].labels]


def test_every_rule_that_judges_runs_has_cases() -> None:
    judging = {name for name, rule in all_rules().items() if rule.check or rule.explain}
    assert {path.parent.name for path in CASES.glob("*/*.py")} == judging
