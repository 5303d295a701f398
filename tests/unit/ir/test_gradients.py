"""Declared gradients agree with finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jit_lsp.ir import registry
from jit_lsp.ir.interpreter import function_of
from jit_lsp.ir.opinfo import OpInfo

STEP = 1e-6
DECLARED = [
    info
    for info in registry.all_ops().values()
    if info.gradient is not None and info.symbol.namespace == "np"
]


@pytest.mark.parametrize("info", DECLARED, ids=lambda info: str(info.symbol))
def test_gradient_agrees_with_finite_differences(info: OpInfo) -> None:
    assert info.gradient is not None
    numbers = np.random.default_rng(7)
    names = list(info.parameters)[: len(info.gradient)]
    arguments = {name: numbers.uniform(0.2, 0.8, (3, 3)) for name in names}
    function = function_of(info.symbol)
    result = function(*arguments.values())
    g = numbers.uniform(-1, 1, result.shape)
    for name, expression in zip(names, info.gradient, strict=True):
        declared = eval(expression, {"np": np}, {**arguments, "r": result, "g": g})
        assert np.allclose(declared, numeric(function, arguments, name, g), atol=1e-6), expression


def numeric(function: Any, arguments: dict[str, Any], name: str, g: Any) -> Any:
    """The gradient of ``sum(g * function(..))`` by central differences."""
    found = np.zeros_like(arguments[name])
    for index in np.ndindex(found.shape):
        ends = []
        for sign in (1, -1):
            moved = arguments[name].copy()
            moved[index] += sign * STEP
            ends.append(np.sum(g * function(*{**arguments, name: moved}.values())))
        found[index] = (ends[0] - ends[1]) / (2 * STEP)
    return found


def test_there_are_gradients() -> None:
    assert len(DECLARED) >= 30
