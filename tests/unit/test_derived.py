"""``jit-lsp trace --grad`` and ``--execute``: what they print, compute, refuse."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jit_lsp.cli import main

FIT = """\
import numpy as np

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 3))
y = X @ np.array([1.0, -2.0, 0.5])


def loss_of(w, b):
    pred = X @ w + b
    return ((pred - y) ** 2).mean()


w = np.zeros(3)
b = np.zeros(())
for step in range(20):
    pred = X @ w + b
    loss = ((pred - y) ** 2).mean()
    err = pred - y
    w -= 0.1 * (X.T @ err) / len(y)
final = loss_of(w, b)
count = np.arange(3)
kept = np.unique(w).sum()
"""
X = np.random.default_rng(0).normal(size=(20, 3))
Y = X @ np.array([1.0, -2.0, 0.5])

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """``jit-lsp trace`` of the program with these options and inputs."""
    program = tmp_path / "fit.py"
    program.write_text(FIT)

    def traced(*options: str, **inputs: Any) -> tuple[int, str, str]:
        given = list(options)
        if inputs:
            np.savez(tmp_path / "inputs.npz", **inputs)
            given += ["--execute", "--inputs", str(tmp_path / "inputs.npz")]
        status = main(["trace", *given, str(program)])
        return status, *capfd.readouterr()

    return traced


def difference(function: Callable[[Any], Any], x: Any) -> Any:
    steps = np.eye(x.size).reshape(x.size, *x.shape) * 1e-6
    return np.array([(function(x + s) - function(x - s)) / 2e-6 for s in steps]).reshape(x.shape)


def test_the_gradient_of_a_function_is_a_stage_of_it(run: Run) -> None:
    status, out, _ = run("--grad", "loss_of", "--wrt", "w,b")
    assert status == 0
    assert out.startswith("graph @loss_of(")
    assert out.count("--- stage") == 1
    stage = out.partition("--- stage 1 ---")[2]
    assert "# fit.py:9:12" in stage and "# fit.py:10:12" in stage
    assert "%w.grad." in out.partition("return")[2]


def test_the_gradient_of_a_function_is_computed(run: Run, tmp_path: Path) -> None:
    w, b = np.array([0.3, 0.2, 0.1]), np.array(0.5)
    results = tmp_path / "out.npz"
    status, out, _ = run(
        "--grad", "loss_of", "--wrt", "w,b", "-o", str(results), X=X, y=Y, w=w, b=b
    )
    assert (status, out) == (0, "")
    found = np.load(results)
    assert set(found.files) == {"loss_of", "w.grad", "b.grad"}
    assert np.allclose(found["loss_of"], np.mean((X @ w + b - Y) ** 2))
    wanted = difference(lambda w: np.mean((X @ w + b - Y) ** 2), w)
    assert np.allclose(found["w.grad"], wanted, atol=1e-7)


def test_a_loss_in_a_loop_is_differentiated_in_one_turn(run: Run, tmp_path: Path) -> None:
    results = tmp_path / "out.npz"
    inputs = {"X": X, "y": Y, "w": np.zeros(3), "b": np.zeros(())}
    status, _, _ = run("--grad", "loss", "--wrt", "w", "-o", str(results), **inputs)
    assert status == 0
    assert np.allclose(np.load(results)["w.grad"], 2 * X.T @ (X @ np.zeros(3) - Y) / 20)


def test_the_gradient_of_a_program_goes_through_its_loop(run: Run, tmp_path: Path) -> None:
    results = tmp_path / "out.npz"
    status, _, _ = run("--grad", "final", "--wrt", "b", "-o", str(results), X=X)
    assert status == 0

    def final(b: Any) -> Any:
        w = np.zeros(3)
        for _ in range(20):
            w -= 0.1 * (X.T @ (X @ w + b - Y)) / 20
        return np.mean((X @ w + b - Y) ** 2)

    assert np.allclose(np.load(results)["b.grad"], difference(final, np.zeros(())), atol=1e-7)


def test_second_derivatives_are_along_directions(run: Run) -> None:
    status, out, _ = run(
        "--grad", "loss_of", "--wrt", "w", "--derivatives", "2",
        **{"X": X, "y": Y, "w": np.zeros(3), "b": np.zeros(()), "w.grad.direction": np.ones(3)},
    )  # fmt: skip
    assert status == 0
    curve = 2 * X.T @ (X @ np.ones(3)) / 20
    shown = out.partition("w.grad2 = f64[3]\n")[2].strip().strip("[]").split()
    assert np.allclose([float(number) for number in shown], curve, atol=1e-6)


def test_a_program_is_computed_from_what_it_began_with(run: Run) -> None:
    status, out, _ = run(X=X)
    assert status == 0
    space: dict[str, Any] = {}
    exec(FIT, space)
    assert f"final = {space['final']}\n" in out
    assert f"w = f64[3]\n  {space['w']}" in out


@pytest.mark.parametrize(
    "options, inputs, message",
    [
        (["--grad", "loss_of"], {}, "--grad needs --wrt"),
        (["--wrt", "w"], {}, "--grad LOSS says what"),
        (["--grad", "loss_of", "--wrt", "u"], {}, "no value 'u' before the loss"),
        (["--grad", "los", "--wrt", "w"], {}, "did you mean loss?"),
        (["--grad", "y", "--wrt", "X"], {}, "y.3 is f64[20], not one number"),
        (["--grad", "final", "--wrt", "count"], {}, "there is no value 'count' before the loss"),
        (["--grad", "kept", "--wrt", "rng"], {}, "not an array"),
        (["--grad", "loss_of", "--wrt", "w", "--derivatives", "0"], {}, "not a number of"),
        (["--function", "g", "--grad", "x", "--wrt", "w"], {}, "no function 'g' was recorded"),
        (["--execute"], {}, "@main also takes rng (opaque<"),
        (["--function", "loss_of"], {"w": np.zeros(3)}, "@loss_of also takes X (f64[20, 3]), b"),
        (["--function", "g"], {"w": np.zeros(3)}, "no function 'g' was recorded"),
        ([], {"Z": X}, "@main has no value 'Z'"),
        ([], {"X": X[:, :2]}, "X is f64[20, 2] in the file; the graph takes f64[20, 3]"),
        ([], {"X": X.astype("f4")}, "X is f32[20, 3] in the file; the graph takes f64[20, 3]"),
        (["--inputs", "x.npz"], {}, "--inputs are for --execute"),
        (["--execute", "--inputs", "missing.npz"], {}, "missing.npz: No such file"),
        (["--execute", "--inputs", __file__], {}, "isn't what numpy.savez writes"),
        (["-o", "/proc/none/out.npz"], {"X": X}, "/proc/none/out.npz: No such file"),
    ],
)
def test_what_cant_be_done_is_said(
    run: Run, options: list[str], inputs: dict[str, Any], message: str
) -> None:
    try:
        status, out, err = run(*options, **inputs)
    except SystemExit:  # the parser of options
        return
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("jit-lsp: ")


def test_a_value_is_missing_where_the_run_ended_before_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "cut.py"
    program.write_text("import numpy as np\nw = np.ones(3)\nloss = w @ np.ones(4)\n")
    options = ["--interpreter", sys.executable, "--grad", "loss", "--wrt", "w"]
    assert main(["trace", *options, str(program)]) == 2
    ended, missing = capfd.readouterr().err.splitlines()
    assert ended.endswith("cut.py:3:8: w @ np.ones(4): w has 3 elements, np.ones(4) has 4")
    assert missing.startswith("jit-lsp: there is no value 'loss' in @main")


TWO = """\
import numpy as np

def cost(w):
    loss = np.sum(w * w)
    return loss

def other(w):
    near = np.sum(w)
    loss = near * 2.0
    return loss

cost(np.ones(3)), other(np.ones(2))
"""


def test_a_loss_is_looked_for_in_the_functions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "two.py"
    program.write_text(TWO)

    def asked(loss: str, *more: str) -> tuple[int, str, str]:
        options = ["--interpreter", sys.executable, "--grad", loss, "--wrt", "w", *more]
        status = main(["trace", *options, str(program)])
        return status, *capfd.readouterr()

    status, out, _ = asked("near")
    assert (status, out.partition("(")[0]) == (0, "graph @other")
    status, out, _ = asked("loss", "--function", "other")
    assert (status, out.partition("(")[0]) == (0, "graph @other")
    missing = "jit-lsp: there is no value 'loss' in @main; there is one in @cost and @other: "
    assert asked("loss") == (2, "", missing + "choose by --function\n")
    assert "did you mean near?" in asked("neer")[2]


def test_an_op_without_a_derivative_is_a_finding_at_its_line(run: Run) -> None:
    status, out, err = run("--grad", "kept", "--wrt", "w")
    assert (status, out) == (1, "")
    assert "error[no-derivative]: np.unique can't be differentiated" in err
    assert "fit.py:22:8" in err


def test_what_cant_be_computed_is_named_with_its_line(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "lists.py"
    program.write_text("import numpy as np\nx = np.ones(3)\ny = np.sqrt(sorted([x[0], 4.0]))\n")
    assert main(["trace", "--execute", str(program)]) in (1, 2)


def test_the_derivative_of_the_example_is_the_one_it_has_by_hand(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "mlp.py"
    space = runpy.run_path(str(example))
    theta = np.random.default_rng(3).normal(0.0, 0.5, 387)
    by_hand = np.empty(387)
    loss = space["loss_and_gradient"](theta, space["x"], space["labels"], by_hand)
    inputs, out = tmp_path / "in.npz", tmp_path / "out.npz"
    np.savez(inputs, theta=theta, x=space["x"], labels=space["labels"])
    asked = ["--function", "loss_and_gradient", "--grad", "loss", "--wrt", "theta"]
    given = ["--execute", "--inputs", str(inputs), "-o", str(out)]
    assert main(["trace", *asked, *given, str(example)]) == 0
    found = np.load(out)
    assert found["loss"] == loss
    assert np.allclose(found["theta.grad"], by_hand, rtol=1e-12, atol=1e-14)


OPAQUE = """\
import numpy as np


def solve_backward(a, b, g):
    return None, np.linalg.solve(a.T, g)


def solve(a, b):  # jit: opaque backward={}
    return np.linalg.solve(a, b)


def loss(a, b):
    return np.sum(np.square(solve(a, b)))


loss(np.eye(3) * 2, np.ones(3))
"""


def test_an_opaque_function_has_the_derivative_that_is_named_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "opaque.py"
    command = ["trace", "--grad", "loss", "--wrt", "b", str(program)]
    program.write_text(OPAQUE.format("solve_backward"))
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "ir.save[by=py.solve_backward](%a." in text
    assert "ir.eval[places=(1,)]" in text
    program.write_text(OPAQUE.format("solve_bakward"))
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "opaque.py:8: there is no function 'solve_bakward' to be the backward of solve" in said
    assert "did you mean solve_backward?" in said


def test_a_hover_shows_the_graph_of_a_gradient(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "hovered.py"
    text = OPAQUE.format("solve_backward")
    program.write_text(text)
    line = text[: text.index("def loss")].count("\n") + 2
    column = text.splitlines()[line - 1].index("b)") + 1
    command = ["hover", "--grad", "loss", str(program)]
    assert main([*command, f"{line}:{column}"]) == 0
    assert "%b.grad." in capsys.readouterr().out.partition("--- stage 1 ---")[2]
    assert main([*command, f"{line}:1"]) == 2
    assert f"there is no variable at {line}:1" in capsys.readouterr().err
