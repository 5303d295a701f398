"""Every fix that has edits can be applied: the text still compiles and the finding is gone."""

import ast
import importlib
import inspect
from collections.abc import Mapping
from pathlib import Path

import pytest
from case_runs import CASES, Runs
from with_torch import runnable

from jit_lsp.diagnostics.model import Finding
from jit_lsp.diagnostics.rules import all_rules
from jit_lsp.repair import edited
from jit_lsp.session import Result

FILES = [
    path
    for path in sorted(CASES.glob("*/*.py"))
    if not path.name.startswith("ok_") and runnable(path)
]


@pytest.fixture(scope="module")
def fixed(runs: Runs, case_runs: Mapping[Path, Result]) -> Mapping[Path, Result]:
    """What is said of each case after each of its fixes was applied."""
    texts = {}
    for path in FILES:
        for number, fix in enumerate(expected(path, case_runs).fixes):
            if fix.edits:
                named = path.with_suffix(f".{number}.py")
                texts[named] = edited(path.read_text(), fix.edits)
                ast.parse(texts[named])
    return runs.run_all(texts)


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_fixes_remove_the_finding(
    path: Path, case_runs: Mapping[Path, Result], fixed: Mapping[Path, Result]
) -> None:
    finding = expected(path, case_runs)
    for number, fix in enumerate(finding.fixes):
        if not fix.edits:
            continue
        after = fixed[path.with_suffix(f".{number}.py")].findings
        assert finding.code not in [f.code for f in after], fix.title
        if fix.safe:
            assert [f.code for f in after if f.severity.loud] == []


def test_every_rule_with_safe_fixes_has_a_case_for_them(case_runs: Mapping[Path, Result]) -> None:
    seen = {
        path.parent.name
        for path in FILES
        if any(fix.safe and fix.edits for fix in expected(path, case_runs).fixes)
    }
    with_safe = {name for name in all_rules() if "safe=" in source_of(name)}
    elsewhere = {path.parent.name for path in CASES.glob("*/*.py") if not runnable(path)}
    elsewhere -= {path.parent.name for path in FILES}  # rules whose cases all need what isn't here
    assert seen == with_safe - elsewhere


def source_of(rule: str) -> str:
    name = rule.replace("-", "_")
    return inspect.getsource(importlib.import_module(f"jit_lsp.diagnostics.rules.{name}"))


def expected(path: Path, runs: Mapping[Path, Result]) -> Finding:
    """The finding that a case is about."""
    return next(f for f in runs[path].findings if f.code == path.parent.name)
