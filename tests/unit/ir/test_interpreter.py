"""The interpreter: what a graph computes, and how it fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jit_lsp.ir import Node, Symbol, element_name, parse
from jit_lsp.ir.interpreter import ExecutionError, Interpreter, dtype_of, run

TRAINING = """\
graph @main(%X.0: f64[8, 3], %y.1: f64[8]) {
  %w.2 : f64[3] = np.zeros(3)
  %w.3 : f64[3] = loop %i.4 in 50 (%w.5 = %w.2) {
    %e.6 : f64[8] = call @error(%X.0, %y.1, %w.5)
    %t.7 : f64[3, 8] = np.ndarray.T(%X.0)
    %g.8 : f64[3] = np.matmul(%t.7, %e.6)
    %s.9 : f64[3] = np.multiply(%g.8, 0.05)
    %w.10 : f64[3] = np.subtract!(%w.5, %s.9)
    next %w.10
  }
  --- stage 1 ---
  return %w.3
}

graph @error(%X.11: f64[8, 3], %y.12: f64[8], %w.13: f64[3]) {
  %p.14 : f64[8] = np.matmul(%X.11, %w.13)
  %e.15 : f64[8] = np.subtract(%p.14, %y.12)
  return %e.15
}
"""


def test_a_loop_with_calls_and_writes_computes_what_the_program_does() -> None:
    numbers = np.random.default_rng(1)
    X, y = numbers.normal(size=(8, 3)), numbers.normal(size=8)
    w = np.zeros(3)
    for _ in range(50):
        w -= X.T @ (X @ w - y) * 0.05
    (result,) = run(parse(TRAINING), X, y)
    assert result.tobytes() == w.tobytes()


def test_a_hook_sees_every_node_with_operands_and_results() -> None:
    seen: list[tuple[str, int, int]] = []

    def hook(node: Node, operands: Any, results: Any) -> None:
        seen.append((str(node.op), len(operands), len(results)))

    run(parse(TRAINING), np.ones((8, 3)), np.ones(8), hook=hook)
    assert seen[0] == ("np.zeros", 1, 1)
    assert seen[-1] == ("ir.loop", 1, 1)
    assert len(seen) == 1 + 50 * 7 + 1


def test_views_see_what_is_written() -> None:
    text = """\
graph @main(%x.0: f64[3]) {
  %v.1 : f64[2] = np.getitem(%x.0, 1:)
  %x.2 : f64[3] = np.setitem!(%x.0, 1, 5.0)
  %o.3 : f64[3] = np.zeros(3)
  %o.4 : f64[3] = np.add(%x.2, 1.0, out=%o.3!)
  return %v.1, %o.4
}
"""
    x = np.zeros(3)
    view, out = run(parse(text), x)
    assert view.tolist() == [5, 0]
    assert out.tolist() == [1, 6, 1]
    assert np.shares_memory(view, x)


@pytest.mark.parametrize(
    "line, message",
    [
        ("%y.1 : f64[3] = np.matmul(%x.0, %x.0, %x.0, %x.0)  # a.py:3:1", r"np\.matmul.*a\.py:3:1"),
        ("%y.1 : f64[3] = lib.unknown(%x.0)", "isn't a function of NumPy"),
        ("%y.1 : f64[3] = np.linalg.nothing(%x.0)", "nothing"),
        ("%y.1 : f64[3], %z.2 : int = np.linalg.eigh(%x.0)", "LinAlgError"),
        ("%y.1 : f64[3] = loop %i.2 in ? (%z.3 = %x.0) { next %z.3 }", "how often the loop ran"),
    ],
)
def test_a_failure_names_the_node(line: str, message: str) -> None:
    module = parse(f"graph @main(%x.0: f64[3]) {{\n  {line}\n  return %y.1\n}}\n")
    with pytest.raises(ExecutionError, match=message) as caught:
        run(module, np.ones(3))
    assert caught.value.node is module.main.body.first


def test_other_functions_are_given_by_symbol() -> None:
    module = parse("graph @main(%x.0: int) {\n  %y.1 : int = lib.f[k=2](%x.0)\n  return %y.1\n}\n")
    functions = {Symbol.parse("lib.f"): lambda x, k: x * k}
    assert Interpreter(module, functions).call(module.main, [21]) == (42,)
    with pytest.raises(TypeError, match="takes 1"):
        Interpreter(module, functions).call(module.main, [])


@pytest.mark.parametrize(
    "typestr", ["<f8", ">f4", "|b1", "<c16", "<U5", "|S3", "<M8[ns]", "<m8[s]", "|O", "|V16", "|u1"]
)
def test_element_types_and_dtypes_correspond(typestr: str) -> None:
    assert dtype_of(element_name(typestr)).str == np.dtype(typestr).str


@pytest.mark.parametrize(
    "statement, expected",
    [
        ('np.ndarray.astype[dtype="i8"](%x.0)', "int8"),
        ("np.zeros[dtype=np.float32](2)", "float32"),
        ("np.ndarray.reshape[shape=(3, 1)](%x.0)", "float64"),
        ("np.reshape[shape=(3, 1)](%x.0)", "float64"),
        ("np.expand_dims[axis=0](%x.0)", "float64"),
    ],
)
def test_attributes_become_arguments(statement: str, expected: str) -> None:
    line = f"%y.1 : f64[3] = {statement}"
    module = parse(f"graph @main(%x.0: f64[3]) {{\n  {line}\n  return %y.1\n}}\n")
    (result,) = run(module, np.ones(3))
    assert result.dtype == expected
