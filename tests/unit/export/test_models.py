"""Whole programs as models, through the command line: what onnxruntime gives is what they give."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from running import run
from with_torch import runnable

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
MOST_NODES = {
    "network": 3, "images": 8, "sequences": 11, "cells": 60, "attention": 8, "perceptron": 13,
    "inplace": 18, "turns": 2, "steps": 1, "heads": 20, "volumes": 6,
}  # fmt: skip


def trace(*arguments: object) -> tuple[int, str]:
    command = [sys.executable, "-m", "jit_lsp.cli", "trace", "--interpreter", sys.executable]
    ran = subprocess.run(
        [*command, "--timeout", "60", *map(str, arguments)], capture_output=True, timeout=120
    )
    return ran.returncode, ran.stderr.decode()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_model_computes_what_the_program_does(program: Path, tmp_path: Path) -> None:
    if not runnable(program):
        pytest.skip("torch is not installed")
    target = tmp_path / "model.onnx"
    status, said = trace("--function", "forward", "--format", "onnx", "-o", target, program)
    assert status == 0, said
    model = onnx.load(target)
    space = runpy.run_path(str(program))
    (name,) = (each.name for each in model.graph.input)
    assert name.rpartition(".")[0] in ("x", "xs", "tokens")
    calls = [(space["given"], space["wanted"])]
    if "more" in space:
        calls.append((space["more"], space["net"].forward(*space["more"])))
    for (given,), wanted in calls:
        results = run(model, {name: np.asarray(given)})
        assert results is not None
        np.testing.assert_allclose(results[0], detached(wanted), rtol=1e-4, atol=1e-5)
    assert len(model.graph.node) <= MOST_NODES[program.stem], operators(model)


@pytest.mark.parametrize("name", ["turns", "steps"])
def test_many_turns_are_one_loop(name: str, tmp_path: Path) -> None:
    program = Path(__file__).parent / "programs" / f"{name}.py"
    if not runnable(program):
        pytest.skip("torch is not installed")
    target = tmp_path / "model.onnx"
    trace("--function", "forward", "--format", "onnx", "-o", target, program)
    first = onnx.load(target).graph.node[0]
    assert first.op_type == "Loop"
    (body,) = (each.g for each in first.attribute if each.name == "body")
    assert body.node, "nothing is computed in a turn"


def test_weights_have_the_names_of_the_state(tmp_path: Path) -> None:
    program = Path(__file__).parent / "programs" / "sequences.py"
    if not runnable(program):
        pytest.skip("torch is not installed")
    target = tmp_path / "model.onnx"
    trace("--function", "forward", "--format", "onnx", "-o", target, program)
    names = {each.name.rpartition(".")[0] for each in onnx.load(target).graph.initializer}
    assert {"table.weight", "out.weight", "out.bias"} <= names


@pytest.mark.parametrize("function", ["forward", "unpack"])
def test_an_example_is_a_model(function: str, tmp_path: Path) -> None:
    target, program = tmp_path / "model.onnx", ROOT / "examples" / "mlp.py"
    status, said = trace("--function", function, "--format", "onnx", "-o", target, program)
    assert status == 0, said
    model, space = onnx.load(target), runpy.run_path(str(program))
    feeds = {each.name: space[each.name.partition(".")[0]] for each in model.graph.input}
    results = run(model, feeds)
    assert results is not None
    wanted = space[function](*feeds.values())
    for one, other in zip(results, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


EXAMPLES = {
    ("heat", "step"): "",
    ("heat", "hold"): "np.ix_ has no export",
    ("heat", "settle"): "np.empty has no export",
    ("kalman", "drive"): "np.random.Generator.normal has no export: %rng",
    ("kalman", "smoothed"): "np.linalg.solve has no export",
    ("kmeans", "squared_distances"): "",
    ("kmeans", "update"): "np.divide writes in place",
    ("pca_images", "decode"): "",
}
"""What becomes of functions of the examples: a model, or a finding that says this."""


@pytest.mark.parametrize("name", EXAMPLES, ids="-".join)
def test_functions_of_examples(name: tuple[str, str], tmp_path: Path) -> None:
    target, program = tmp_path / "model.onnx", ROOT / "examples" / f"{name[0]}.py"
    status, said = trace("--function", name[1], "--format", "onnx", "-o", target, program)
    message = EXAMPLES[name]
    assert (status, target.exists()) == ((1, False) if message else (0, True)), said
    if message:
        assert f"error[no-export]: {message}" in said
        return
    model, random = onnx.load(target), np.random.default_rng(0)
    feeds, arguments = {}, {}
    for each in model.graph.input:
        sizes = [d.dim_value or 5 for d in each.type.tensor_type.shape.dim]
        feeds[each.name] = random.normal(size=sizes)
        arguments[each.name.partition(".")[0]] = feeds[each.name].copy()
    function = runpy.run_path(str(program))[name[1]]
    returned = function(**arguments)
    results = run(model, feeds)
    assert results is not None
    wanted = arguments["after"] if returned is None else returned  # what it has written there
    np.testing.assert_allclose(results[0], wanted, rtol=1e-9, atol=1e-9)


PROGRAM = """\
import numpy as np


def solve(a, b):
    inverse = np.linalg.inv(a)
    return inverse @ b


solve(np.eye(3), np.ones(3))
"""


def test_what_has_no_export_names_itself_and_its_line(tmp_path: Path) -> None:
    program, target = tmp_path / "solve.py", tmp_path / "model.onnx"
    program.write_text(PROGRAM)
    status, said = trace("--function", "solve", "--format", "onnx", "-o", target, program)
    assert status == 1
    assert "np.linalg.inv has no export" in said
    assert "5 │     inverse = np.linalg.inv(a)" in said
    assert not target.exists()
    status, said = trace(
        "--function", "solve", "--format", "onnx", "--allow-custom", "-o", target, program
    )
    assert (status, said) == (0, "")
    custom = [node for node in onnx.load(target).graph.node if node.domain == "jit_lsp"]
    assert [node.op_type for node in custom] == ["np.linalg.inv"]


@pytest.mark.parametrize("output", ["missing/model.onnx", "."])
def test_a_model_that_cannot_be_written(output: str, tmp_path: Path) -> None:
    program = ROOT / "examples" / "mlp.py"
    target = tmp_path / output
    status, said = trace("--function", "forward", "--format", "onnx", "-o", target, program)
    assert status == 2
    assert said.splitlines()[-1].startswith(f"jit-lsp: {target}: ")
    assert list(tmp_path.iterdir()) == []


def detached(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(value.detach() if hasattr(value, "detach") else value)


def operators(model: onnx.ModelProto) -> Counter[str]:
    return Counter(node.op_type for node in model.graph.node)
