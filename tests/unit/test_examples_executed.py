"""Functions of the examples, executed as graphs on other arrays: what they give when they are
called."""

from __future__ import annotations

import contextlib
import io
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jit_lsp.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
RANDOM = np.random.default_rng(5)


def normal(*sizes: int) -> Any:
    return RANDOM.normal(size=sizes)


def covariances(count: int) -> Any:
    factors = normal(count, 3, 3)
    return factors @ factors.transpose(0, 2, 1) + np.eye(3)


ARGUMENTS: dict[tuple[str, str], dict[str, Any]] = {
    ("heat", "step"): {"now": normal(41, 41), "after": normal(41, 41), "lap": normal(39, 39)},
    ("heat", "hold"): {"plate": normal(41, 41)},
    ("kalman", "smoothed"): {
        "before": normal(400, 3), "cov_before": covariances(400),
        "after": normal(400, 3), "cov_after": covariances(400),
    },
    ("kmeans", "silhouettes"): {
        "points": normal(301, 2), "labels": RANDOM.integers(0, 6, 301),
    },
    ("kmeans", "update"): {
        "points": normal(301, 2), "labels": RANDOM.integers(0, 5, 301),
        "distances": normal(301, 6) ** 2,
    },
    ("mlp", "forward"): {"theta": normal(387), "x": normal(360, 2)},
    ("pca_images", "decode"): {
        "codes": normal(300, 20), "basis": normal(20, 576), "mean": normal(576),
    },
}  # fmt: skip


AROUND = {
    ("heat", "hold"): ["HEATED_ROWS", "HEATED_COLUMNS"],
    ("kalman", "smoothed"): ["F"],
}
"""What the functions take from around them."""


@pytest.mark.parametrize("name", ARGUMENTS, ids="-".join)
def test_a_function_gives_what_it_gives_when_it_is_called(
    name: tuple[str, str], tmp_path: Path
) -> None:
    program, function = name
    path, given, out = EXAMPLES / f"{program}.py", tmp_path / "in.npz", tmp_path / "out.npz"
    with contextlib.redirect_stdout(io.StringIO()):
        space = runpy.run_path(str(path))
    arguments = {n: a.copy() for n, a in ARGUMENTS[name].items()}
    around = {n: space[n] for n in AROUND.get(name, ())}
    np.savez(given, **ARGUMENTS[name], **around)
    options = ["--interpreter", sys.executable, "--timeout", "60", "--function", function]
    options += ["--execute", "--inputs", str(given), "-o", str(out)]
    assert main(["trace", *options, str(path)]) == 0
    found = dict(np.load(out))
    returned = space[function](**arguments)
    if returned is None:  # what it wrote is in its arguments
        assert found.keys() & arguments.keys()
        for variable, value in arguments.items():
            assert np.array_equal(found.get(variable, value), value), variable
        return
    wanted = returned if isinstance(returned, tuple) else (returned,)
    assert len(found) == len(wanted)
    for result, value in zip(found.values(), wanted, strict=True):
        assert result.tobytes() == value.tobytes()
