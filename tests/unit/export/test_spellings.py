"""What is said instead of ops without an export: it computes the same, and has one."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from jit_lsp.export.registry import rule_for
from jit_lsp.export.spellings import SPELLINGS
from jit_lsp.ir import Symbol, registry

NUMBERS = np.random.default_rng(0)
NAMES: dict[str, Any] = {
    "np": np,
    "a": NUMBERS.uniform(0.1, 3, (2, 3)),
    "b": NUMBERS.uniform(0.1, 3, (2, 3)),
    "i": np.array([0, 2, 3, 2, 9]) % 4,
    "k": np.array([[0, 1, 1], [1, 0, 0]]),
    "n": np.array([2.0, np.nan, 5.0, -1.0]),
    "s": NUMBERS.uniform(0.1, 3, (3, 3)),
    "v": NUMBERS.uniform(0.1, 3, 9),
    "bins": np.array([0.5, 1.0, 2.0]),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_spelling_gives_the_same(name: str) -> None:
    call, instead = SPELLINGS[name]
    assert f"{name}(" in call
    np.testing.assert_allclose(eval(instead, NAMES), eval(call, NAMES))


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_spelling_has_an_export_that_the_op_has_not(name: str) -> None:
    assert rule_for(Symbol.parse(name)) is None
    for used in re.findall(r"np\.[a-z_0-9.]+", SPELLINGS[name][1]):
        if callable(eval(used, NAMES)):
            assert rule_for(Symbol.parse(used)) is not None, used


def test_no_row_names_an_operator_that_nothing_emits() -> None:
    for symbol, info in registry.all_ops().items():
        if info.export is not None:
            rule = rule_for(symbol)
            assert rule is not None and rule.__name__ == "_elementwise", symbol
