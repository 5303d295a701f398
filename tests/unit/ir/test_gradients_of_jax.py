"""Every gradient in the registry agrees with jax's, to second order, where jax has the op."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from derivatives import Case, application, close
from random_expressions import functions_of

from jit_lsp.ir import Symbol
from jit_lsp.ir.gradients.reverse import NotDifferentiable
from jit_lsp.ir.interpreter import Interpreter, function_of, run
from jit_lsp.ir.opinfo import OpInfo
from jit_lsp.ir.passes.differentiate import differentiate
from tests.unit.ir.numpy_calls import Draw, call_for
from tests.unit.ir.test_gradients import CALLS, DECLARED, by, names, several, smoothed

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)

SEEDS = 30
OTHERWISE = {
    "np.arange": "jax takes its bounds as constants",
    "np.ndarray.item": "what it gives is a constant to jax",
    "np.partition": "jax leaves the parts in another order",
}
"""Where jax computes something else; ``test_gradients`` has differences for these."""


@pytest.mark.parametrize("info", DECLARED, ids=lambda info: str(info.symbol))
def test_gradient_agrees_with_jax(info: OpInfo) -> None:
    if str(info.symbol) in OTHERWISE:
        pytest.skip(OTHERWISE[str(info.symbol)])
    function = jax_function(info.symbol)
    if function is None:
        pytest.skip("jax hasn't this op")
    functions = {**functions_of(jax.numpy), info.symbol: function}
    for seed in range(SEEDS):
        case = drawn(info, seed)
        if case is not None and agrees(case, functions):
            return
    pytest.skip("jax takes none of these calls")


def drawn(info: OpInfo, seed: int) -> Case | None:
    """A graph of one random application to real numbers; None where NumPy refuses it."""
    make = CALLS.get(info.symbol.name) or call_for(info.symbol.name)
    assert make is not None
    args, keywords = make(Draw(seed))
    keywords = {
        name: smoothed(info, name, value, 100 * seed + 99, "f")
        for name, value in keywords.items()
        if name != "dtype"
    }
    pairs = enumerate(zip(names(info, args), args, strict=True))
    args = [smoothed(info, name, arg, 100 * seed + place, "f") for place, (name, arg) in pairs]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = function_of(info.symbol)(*args, **keywords)
    except (ValueError, TypeError, IndexError, np.exceptions.AxisError):
        return None
    case = application(
        info.symbol, args, keywords, results, lambda n, v: by(info, n, v), names(info, args)
    )
    finite = all(np.isfinite(x).all() for x in several(results))
    doubles = all(np.asarray(x).dtype == np.float64 for x in case.inputs[: len(case.by)])
    return case if case.loss is not None and case.by and finite and doubles else None


def agrees(case: Case, functions: dict[Symbol, Any]) -> bool:
    """Whether jax takes a graph; its derivatives then are ours."""
    parameters = list(case.module.main.parameters)
    places = [parameters.index(value) for value in case.by]

    def loss(*active: Any) -> Any:
        inputs = list(map(jax.numpy.asarray, case.inputs))
        for place, value in zip(places, active, strict=True):
            inputs[place] = value
        return Interpreter(case.module, functions).call(case.module.main, inputs)[0]

    active = [case.inputs[place] for place in places]
    directions = [np.ones_like(x) for x in active]
    gradient = jax.grad(loss, tuple(range(len(active))))
    try:
        first, second = jax.jvp(gradient, tuple(active), tuple(directions))
    except Exception:  # it hasn't this argument, or this derivative
        return False
    try:
        made = differentiate(case.module, case.loss, case.by, num_derivatives=2)
    except NotDifferentiable:
        return False
    with np.errstate(all="ignore"):
        _, *found = run(made, *map(np.copy, case.inputs), *directions)
    theirs = [np.asarray(x) for x in (*first, *second)]
    if not all(np.isfinite(x).all() for x in theirs):
        return False
    for ours, wanted in zip(found, theirs, strict=True):
        close(ours, wanted, 1e-8)
    return True


def jax_function(symbol: Symbol) -> Any:
    """What jax has under the name of an op of NumPy."""
    if symbol.name.startswith("ndarray."):
        name = symbol.name.removeprefix("ndarray.")
        if not hasattr(jax.numpy.zeros((1, 1)), name):
            return None
        return lambda a, *args, **keywords: member(a, name, args, keywords)
    if symbol.name == "getitem":
        return lambda a, index: a[np.array(index) if isinstance(index, list) else index]
    found: Any = jax.numpy
    for part in symbol.name.split("."):
        found = getattr(found, part, None)
    return found


def member(a: Any, name: str, args: Any, keywords: Any) -> Any:
    """A method of an array called, or an attribute read."""
    found = getattr(jax.numpy.asarray(a), name)
    return found(*args, **keywords) if callable(found) else found
