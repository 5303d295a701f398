"""Every gradient in the registry agrees with differences, to second order."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import Kink, application, check
from numpy_calls import Call, Draw, call_for

from jit_lsp.ir import registry
from jit_lsp.ir.gradients.application import Through
from jit_lsp.ir.gradients.reverse import NotDifferentiable
from jit_lsp.ir.interpreter import function_of
from jit_lsp.ir.opinfo import OpInfo

ROUNDS, SEEDS = 3, 30
DECLARED = [
    info
    for info in registry.all_ops().values()
    if info.gradient is not None
    and info.symbol.namespace == "np"
    and info.effects != "uninitialised"
]
SYMMETRIC = ("np.linalg.cholesky", "np.linalg.eigh", "np.linalg.eigvalsh")


@pytest.mark.parametrize("info", DECLARED, ids=lambda info: str(info.symbol))
def test_gradient_agrees_with_differences(info: OpInfo) -> None:
    make = CALLS.get(info.symbol.name) or call_for(info.symbol.name)
    assert make is not None, "there are no arguments for this op in numpy_calls or here"
    function = function_of(info.symbol)
    checked, refused = 0, []
    for seed in range(SEEDS):
        if checked == ROUNDS:
            break
        args, keywords = make(Draw(seed))
        keywords = {
            name: smoothed(info, name, value, 100 * seed + 99)
            for name, value in keywords.items()
            if name != "dtype"
        }
        args = [
            smoothed(info, name, arg, 100 * seed + place)
            for place, (name, arg) in enumerate(zip(names(info, args), args, strict=True))
        ]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results = function(*args, **keywords)
        except (ValueError, TypeError, IndexError, np.exceptions.AxisError):
            continue
        case = application(
            info.symbol, args, keywords, results, lambda n, v: by(info, n, v), names(info, args)
        )
        numbers = results if isinstance(results, tuple | list) else [results]
        if case.loss is None or not case.by or not all(np.isfinite(x).all() for x in numbers):
            continue
        try:
            with np.errstate(all="ignore"):
                check(case, symmetric=str(info.symbol) in SYMMETRIC)
        except NotDifferentiable as error:
            refused.append(error)
            continue
        except Kink:
            continue
        checked += 1
    assert checked, f"nothing was checked: {refused}"


def test_there_are_gradients() -> None:
    assert len(DECLARED) >= 180


def names(info: OpInfo, args: Any) -> list[str]:
    """The parameter that each argument is for."""
    known = [name for name in info.parameters if name != "*"]
    return [known[min(i, len(known) - 1)].removeprefix("*") for i in range(len(args))]


def rule_of(info: OpInfo, name: str) -> Any:
    if isinstance(info.gradient, Through):
        return True
    known = [each.removeprefix("*") for each in info.parameters if each != "*"]
    assert info.gradient is not None
    return dict(zip(known, info.gradient, strict=False)).get(name)


def by(info: OpInfo, name: str, value: Any) -> bool:
    """Whether it is differentiated by this argument."""
    known = [each.removeprefix("*") for each in info.parameters if each != "*"]
    covered = isinstance(info.gradient, Through) or name in known[: len(info.gradient or ())]
    return covered and np.asarray(value).dtype.kind == "f"


def smoothed(info: OpInfo, name: str, value: Any, seed: int) -> Any:
    """An argument with real numbers, no two alike, where the op has a gradient by it."""
    if isinstance(value, list | tuple) and any(isinstance(v, np.ndarray) for v in value):
        return type(value)(smoothed(info, name, v, seed + 10 * i) for i, v in enumerate(value))
    if not isinstance(value, np.ndarray):
        return value
    if rule_of(info, name) is None and value.dtype.kind != "f":
        return value
    numbers = np.random.default_rng(seed)
    if info.fusible:
        low, high = DOMAINS.get(info.symbol.name, (0.2, 0.8))
        return numbers.uniform(low, high, value.shape)
    noise = numbers.uniform(0.05, 0.45, value.shape)
    if str(info.symbol) in SYMMETRIC:
        noise = noise + np.swapaxes(noise, -1, -2)
    return np.real(value).astype("f8") * 0.3 + noise


DOMAINS = {"arccosh": (1.2, 2.0), "acosh": (1.2, 2.0)}
CALLS: dict[str, Callable[[Draw], Call]] = {
    **dict.fromkeys(("ndarray.astype", "astype"), lambda d: ((d.array(), "f8"), {})),
    "full": lambda d: (((2, 3), d.of(())), {}),
    "full_like": lambda d: ((d.array(), d.of(())), {}),
    "insert": lambda d: ((d.of((3, 2)), 1, d.of((2,))), d.maybe(axis=0)),
    "select": lambda d: (
        ([np.array([True, False, False]), np.array([True, True, False])], [d.of((3,)), d.of((3,))]),
        {},
    ),
    "choose": lambda d: ((np.array([0, 1, 0]), [d.of((3,)), d.of((3,))]), {}),
    "clip": lambda d: ((d.of((3, 4)), d.of((4,)), d.of(())), {}),
    "linalg.multi_dot": lambda d: (([d.of((2, 3)), d.of((3, 4)), d.of((4,))],), {}),
    "linalg.svdvals": lambda d: ((d.matrix(),), {}),
    "linalg.norm": lambda d: (
        (d.of((3, 4)),),
        d.random.choice(
            [{}, {"axis": 0}, {"axis": 1, "ord": 1}, {"axis": 0, "ord": 3}, {"keepdims": True}]
        ),
    ),
    "average": lambda d: (
        (d.of((3, 2)),),
        d.random.choice([{}, {"axis": 0, "weights": d.of((3,))}]),
    ),
    "quantile": lambda d: ((d.of((3, 4)), d.random.random()), d.maybe(axis=1, keepdims=True)),
    "percentile": lambda d: ((d.of((3, 4)), 100 * d.random.random()), d.maybe(axis=0)),
    "trapezoid": lambda d: ((d.of((3, 4)),), d.random.choice([{}, {"x": d.of((4,))}, {"dx": 2.0}])),
    "einsum": lambda d: (
        d.random.choice(
            [
                ("ij,jk->ik", d.of((2, 3)), d.of((3, 4))),
                ("bij, bjk", d.of((2, 3, 2)), d.of((2, 2, 3))),
                ("...i,i->...", d.of((2, 3, 4)), d.of((4,))),
                ("ii->i", d.of((3, 3))),
                ("ii", d.of((3, 3))),
                ("ij,kl->il", d.of((2, 3)), d.of((2, 4))),
                ("i,ij,j->", d.of((2,)), d.of((2, 3)), d.of((3,))),
            ]
        ),
        {},
    ),
    "linalg.qr": lambda d: ((d.of((4, 3)) + np.eye(4, 3) * 4,), {}),
    "linalg.svd": lambda d: (
        (d.random.choice([d.of((3, 3)), d.of((3, 4)), d.of((4, 3))]),),
        {"full_matrices": False},
    ),
    "linalg.matrix_power": lambda d: ((d.matrix(square=True), d.random.randint(-2, 3)), {}),
}
