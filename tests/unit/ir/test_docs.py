"""What docs/ir.md shows is true."""

from __future__ import annotations

import re
from pathlib import Path

from jit_lsp.ir import parse, print_module, verify
from jit_lsp.ir.passes.manager import all_passes
from jit_lsp.ir.verifier import CHECKS

PAGE = (Path(__file__).parents[3] / "docs" / "ir.md").read_text()
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, re.S)


def test_the_graph_is_valid_and_prints_as_shown() -> None:
    (text,) = [text for kind, text in BLOCKS if text.startswith("graph @main")]
    module = parse(text)
    assert verify(module, types=True) == []
    assert print_module(module) == text


def test_the_program_runs(capsys: object) -> None:
    (program,) = [text for kind, text in BLOCKS if kind == "python"]
    exec(program, {})


def test_every_check_and_pass_is_listed() -> None:
    for name, sentence in CHECKS.items():
        assert f"| `{name}` | {sentence} |" in PAGE
    for each in all_passes().values():
        assert f"| `{each.name}` | -O{each.level} | {each.sentence} |" in PAGE
