"""What is found in a program is found in the same text as a module that a program imports."""

import sys
from pathlib import Path

import pytest
from case_runs import CASES

from jit_lsp.session import Cancel, Limits, Request, trace


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ("aliased-elements/rows_of_zeros", 6),
        ("aliased-name/best_position", 8),
        ("aliased-name/original_read_later", 8),
        ("mutated-default/histogram", 8),
        ("write-through-view/rows_swapped", 6),
        ("integer-wraparound/ok_seterr", None),
    ],
)
def test_a_module_is_judged_as_a_program_is(tmp_path: Path, case: str, line: int | None) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "module.py").write_text((CASES / f"{case}.py").read_text())
    program = tmp_path / "program.py"
    program.write_text("import module\n")
    request = Request(str(program), program.read_text(), sys.executable, limits=Limits(wall=20.0))
    found = [(f.code, f.span.path, f.span.line) for f in trace(request, Cancel()).findings
             if f.severity.loud]  # fmt: skip
    rule = case.partition("/")[0]
    assert found == ([] if line is None else [(rule, str(tmp_path / "module.py"), line)])
