"""Every gradient in the registry agrees with differences, to second order."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import Kink, application, check
from numpy_calls import Call, Draw, call_for

from jit_lsp.ir import Symbol, registry
from jit_lsp.ir.gradients.application import FLAT, Through
from jit_lsp.ir.gradients.reverse import NotDifferentiable
from jit_lsp.ir.interpreter import function_of
from jit_lsp.ir.opinfo import OpInfo

SEEDS = 30
DECLARED = [
    info
    for info in registry.all_ops().values()
    if isinstance(info.gradient, tuple | Through)
    and info.symbol.namespace == "np"
    and info.effects not in ("uninitialised", "random")
]
UNCHECKED = {"np.kaiser"}  # its rule says that the derivative isn't known
SYMMETRIC = ("np.linalg.cholesky", "np.linalg.eigh", "np.linalg.eigvalsh")


@pytest.mark.parametrize("info", DECLARED, ids=lambda info: str(info.symbol))
def test_gradient_agrees_with_differences(info: OpInfo) -> None:
    checked, refused = agreements(info, numbers_of="f")
    assert checked or str(info.symbol) in UNCHECKED, f"nothing was checked: {refused}"


@pytest.mark.parametrize("info", DECLARED, ids=lambda info: str(info.symbol))
def test_gradient_for_complex_numbers_agrees_or_is_refused(info: OpInfo) -> None:
    checked, refused = agreements(info, numbers_of="c")
    if checked:
        assert str(info.symbol) not in REAL_ALONE, "say so no more"
    for error in refused:
        assert "complex" in str(error) or checked


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("uniform", (0.3, 0.9)),
        ("normal", (0.3, 0.9)),
        ("laplace", (0.3, 0.9)),
        ("lognormal", (0.3, 0.9)),
        ("exponential", (0.7,)),
    ],
)
def test_gradient_of_draws_agrees(
    name: str, parameters: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same draws, whatever the parameters of the distribution are."""

    def draw(*args: Any) -> Any:
        return getattr(np.random.RandomState(3), name)(*args)

    monkeypatch.setattr(np.random, name, draw)
    args = [np.full((3,), x) for x in parameters]
    symbol = Symbol("np", f"random.{name}")
    check(application(symbol, args, {}, draw(*args), lambda n, v: True, []))


def test_every_op_says_what_its_derivative_is() -> None:
    for info in registry.all_ops().values():
        if info.symbol.namespace == "np" and not info.mutates:
            assert info.gradient is not None, info.symbol


def test_what_is_flat_gives_nothing_that_changes_a_little() -> None:
    """Where an op that says so gives numbers with a fraction, small steps don't change them."""
    for info in registry.all_ops().values():
        if info.gradient is not FLAT or info.effects:
            continue
        make = CALLS.get(info.symbol.name) or call_for(info.symbol.name)
        if make is None:
            continue
        function = function_of(info.symbol)
        for seed in range(5):
            args, keywords = make(Draw(seed))
            moved = [
                a + 1e-9 if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a for a in args
            ]
            try:
                before, after = (function(*x, **keywords) for x in (args, moved))
            except (ValueError, TypeError, IndexError, np.exceptions.AxisError):
                continue
            for one, other in zip(*map(several, (before, after)), strict=True):
                if np.asarray(one).dtype.kind in "fc":
                    np.testing.assert_array_equal(one, other)


def agreements(info: OpInfo, numbers_of: str) -> tuple[int, list[NotDifferentiable]]:
    """How many random applications agree, and what was refused."""
    make = CALLS.get(info.symbol.name) or call_for(info.symbol.name)
    assert make is not None, "there are no arguments for this op in numpy_calls or here"
    function = function_of(info.symbol)
    checked, refused = 0, []
    for seed in range(SEEDS):
        if checked == (3 if numbers_of == "f" else 1):
            break
        args, keywords = make(Draw(seed))
        keywords = {
            name: smoothed(info, name, value, 100 * seed + 99, numbers_of)
            for name, value in keywords.items()
            if name != "dtype"
        }
        args = [
            smoothed(info, name, arg, 100 * seed + place, numbers_of)
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
        if numbers_of == "c" and not any(np.iscomplexobj(x) for x in case.inputs):
            continue
        numbers = several(results)
        if case.loss is None or not case.by or not all(np.isfinite(x).all() for x in numbers):
            continue
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
                check(case, symmetric=str(info.symbol) in SYMMETRIC)
        except NotDifferentiable as error:
            refused.append(error)
            continue
        except Kink:
            continue
        checked += 1
    return checked, refused


def several(results: Any) -> Any:
    return results if isinstance(results, tuple | list) else [results]


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
    return covered and np.asarray(value).dtype.kind in "fc"


def smoothed(info: OpInfo, name: str, value: Any, seed: int, numbers_of: str) -> Any:
    """An argument with real or complex numbers, no two alike, where it has a gradient by it."""
    if isinstance(value, list | tuple) and any(isinstance(v, np.ndarray | list) for v in value):
        items = enumerate(value)
        return type(value)(smoothed(info, name, v, seed + 10 * i, numbers_of) for i, v in items)
    if not isinstance(value, np.ndarray):
        return value
    if rule_of(info, name) is None and value.dtype.kind not in "fc":
        return value
    if numbers_of == "c":
        real, imaginary = (smoothed(info, name, value, s, "f") for s in (seed, seed + 1000))
        return real + 1j * imaginary if value.dtype.kind in "fc" else value
    numbers = np.random.default_rng(seed)
    if str(info.symbol) in AS_GIVEN:
        return value
    if info.fusible:
        low, high = DOMAINS.get(info.symbol.name, (0.2, 0.8))
        return numbers.uniform(low, high, value.shape)
    noise = numbers.uniform(0.05, 0.45, value.shape)
    if str(info.symbol) in SYMMETRIC:
        noise = noise + np.swapaxes(noise, -1, -2)
    return np.real(value).astype("f8") * 0.3 + noise


def with_nan(d: Draw) -> Any:
    a = d.of((4, 5), ("f64",))
    a[d.random.randrange(4), d.random.randrange(5)] = np.nan
    return a


REAL_ALONE = ("np.linalg.cholesky", "np.linalg.eigh", "np.linalg.svd", "np.linalg.qr")
AS_GIVEN = ("np.linalg.eigvals",)
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
    "arange": lambda d: ((d.of(()), 5.0, d.of(())), {}),
    **dict.fromkeys(
        ("linspace", "logspace", "geomspace"),
        lambda d: ((d.of(()), d.of(())), {"num": 5, "endpoint": d.random.random() < 0.5}),
    ),
    "ndarray.item": lambda d: (
        (d.of((2, 3)), *d.random.choice([(4,), (1, 2), ((0, 1),)])),
        {},
    ),
    "partition": lambda d: ((d.of((3, 4)), d.random.randrange(3)), d.maybe(axis=0)),
    "interp": lambda d: ((d.of((3, 4)), np.array([0.0, 2.0, 4.0, 9.0]), d.of((4,))), {}),
    "sinc": lambda d: ((d.of((3,)),), {}),
    "unwrap": lambda d: ((d.of((3, 4)) * 9.0,), {}),
    "angle": lambda d: ((d.of((3,), ("c128",)),), d.maybe(deg=True)),
    "polyfit": lambda d: (
        (np.array([0.0, 1.0, 2.5, 3.0, 4.0]), d.of(d.random.choice([(5,), (5, 2)])), 2),
        d.random.choice([{}, {"w": d.of((5,))}]),
    ),
    "polyval": lambda d: ((d.of((3,)), d.of((2, 2))), {}),
    "linalg.lstsq": lambda d: (
        d.random.choice([(d.of(s), d.of(s[:1])) for s in ((4, 2), (3, 3), (2, 3))]),
        {"rcond": None},
    ),
    "linalg.eig": lambda d: ((np.diag([1.0, 3.0, 9.0]) * 5 + d.of((3, 3)),), {}),
    "linalg.eigvals": lambda d: ((np.diag([1.0, 3.0, 9.0]) * 5 + d.of((3, 3)),), {}),
    "linalg.cond": lambda d: ((d.of((3, 3)),), d.maybe(p="fro")),
    **dict.fromkeys(
        ("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn"),
        lambda d: (
            (d.of((3, 2, 4)),),
            d.random.choice([{}, {"s": (2, 5), "axes": (0, 2)}, {"axes": (1, 2), "norm": "ortho"}]),
        ),
    ),
    **dict.fromkeys(
        ("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft"),
        lambda d: (
            (d.of((3, 4)),),
            d.random.choice(
                [{}, {"axis": 0}, {"n": 6}, {"n": 3, "axis": 1}, {"n": 5, "norm": "ortho"}]
            ),
        ),
    ),
    **dict.fromkeys(("fft.fftfreq", "fft.rfftfreq"), lambda d: ((5, d.of(())), {})),
    **dict.fromkeys(
        ("nansum", "nanprod", "nanmean", "nanmax", "nanmin", "nanstd", "nanvar", "nanmedian"),
        lambda d: (
            (with_nan(d),),
            d.random.choice([{}, {"axis": 0}, {"axis": -1, "keepdims": True}]),
        ),
    ),
    **dict.fromkeys(("nancumsum", "nancumprod"), lambda d: ((with_nan(d),), d.maybe(axis=1))),
    **dict.fromkeys(
        ("nanquantile", "nanpercentile"),
        lambda d: ((with_nan(d), d.random.random()), d.maybe(axis=0, keepdims=True)),
    ),
    "ediff1d": lambda d: ((d.of((2, 3)),), d.random.choice([{}, {"to_end": d.of((2,))}])),
    "gradient": lambda d: (
        d.random.choice(
            [(d.of((4,)),), (d.of((4, 3)),), (d.of((4,)), 0.5), (d.of((3,)), np.array([0, 4.0, 9]))]
        ),
        {},
    ),
    "bincount": lambda d: ((np.array([0, 2, 1, 2]), d.of((4,))), d.maybe(minlength=5)),
    "corrcoef": lambda d: ((d.of((3, 5)),), d.maybe(rowvar=False)),
    "block": lambda d: (
        d.random.choice(
            [([[d.of((2, 2)), d.of((2, 1))], [d.of((1, 3))]],), ([d.of((2,)), d.of((3,))],)]
        ),
        {},
    ),
    "frexp": lambda d: ((d.of((3,)),), {}),
    "vander": lambda d: ((d.of((3,)),), d.random.choice([{}, {"N": 4}, {"increasing": True}])),
    "linalg.matrix_power": lambda d: ((d.matrix(square=True), d.random.randint(-2, 3)), {}),
}
