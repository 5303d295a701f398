"""Every fix that has edits can be applied: the text still compiles and the finding is gone."""

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest
from case_runs import CASES, run_all

from jit_lsp.diagnostics.model import Finding
from jit_lsp.repair import edited
from jit_lsp.session import Result

FILES = [path for path in sorted(CASES.glob("*/*.py")) if not path.name.startswith("ok_")]


@pytest.fixture(scope="module")
def fixed(case_runs: Mapping[Path, Result]) -> Mapping[Path, Result]:
    """What is said of each case after its first fix was applied."""
    texts = {}
    for path in FILES:
        fixes = expected(path, case_runs).fixes
        if fixes and fixes[0].edits:
            texts[path] = edited(path.read_text(), fixes[0].edits)
            ast.parse(texts[path])
    return run_all(texts)


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_fix_removes_the_finding(
    path: Path, case_runs: Mapping[Path, Result], fixed: Mapping[Path, Result]
) -> None:
    if path not in fixed:
        return
    finding = expected(path, case_runs)
    after = fixed[path].findings
    assert finding.code not in [f.code for f in after]
    if finding.fixes[0].safe:
        assert [f.code for f in after if f.severity.loud] == []


def test_some_fixes_are_safe(case_runs: Mapping[Path, Result]) -> None:
    findings = [f for result in case_runs.values() for f in result.findings]
    assert sum(any(fix.safe and fix.edits for fix in f.fixes) for f in findings) >= 10


def expected(path: Path, runs: Mapping[Path, Result]) -> Finding:
    """The finding that a case is about."""
    return next(f for f in runs[path].findings if f.code == path.parent.name)
