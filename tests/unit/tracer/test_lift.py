"""Graphs read like their programs, verify, and parse back to themselves.

The text of each program in tests/golden/graphs stands beside it; JIT_LSP_REWRITE=1 writes it anew.
"""

import os
import sys
from pathlib import Path

import pytest
from with_torch import runnable

from jit_lsp import ir
from jit_lsp.session import Cancel, Limits, Request, trace
from jit_lsp.tracer.lift import lift

ROOT = Path(__file__).parents[3]
GOLDEN = sorted((ROOT / "tests" / "golden" / "graphs").glob("*.py"))
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if runnable(path)]


def graph_of(path):
    limits = Limits(wall=60.0)
    request = Request(str(path), path.read_text(encoding="utf-8"), sys.executable, limits=limits)
    return lift(trace(request, Cancel()).trace).module


@pytest.mark.parametrize("program", [*GOLDEN, *EXAMPLES], ids=lambda p: p.stem)
def test_a_graph_verifies_and_parses_back(program):
    module = graph_of(program)
    assert ir.verify(module) == []
    for options in (ir.PrintOptions(), ir.PrintOptions(full=True)):
        text = ir.print_module(module, options)
        assert ir.print_module(ir.parse(text), options) == text


@pytest.mark.parametrize("program", GOLDEN, ids=lambda p: p.stem)
def test_a_graph_reads_as_it_did(program):
    text = ir.print_module(graph_of(program), ir.PrintOptions(width=90)) + "\n"
    golden = program.with_suffix(".graph")
    if os.environ.get("JIT_LSP_REWRITE"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_the_training_loop_of_the_example_is_one_loop():
    module = graph_of(ROOT / "examples" / "mlp.py")
    loops = [n for n in module.main.body if n.op is ir.Symbol("ir", "loop")]
    assert [n.attributes["count"] for n in loops] == [20, 400]
    assert "loss_and_gradient" in "".join(n.callee or "" for n in loops[1].regions[0].walk())


def test_equal_bodies_are_one_graph(traced):
    result = traced(
        """
        import numpy as np
        def f(a):
            return a + 1
        for n in (3, 3, 4, 3):
            f(np.ones(n))
        """
    )
    assert set(lift(result.trace).module.functions) == {"f"}
    result = traced(
        """
        import numpy as np
        def f(a):
            return a + 1
        x = f(np.ones(3))
        y = f(np.ones(4))
        z = f(np.ones(3))
        """
    )
    module = lift(result.trace).module
    assert set(module.functions) == {"f", "f.1"}
    assert [n.callee for n in module.main.body if n.callee] == ["f", "f.1", "f"]


def test_lists_written_out_are_nested_as_they_were(traced):
    result = traced(
        """
        import numpy as np
        a, b = 1.5, 2
        v = np.ones(2)
        F = np.array([[1.0, a, 3.0], (a, b, [1][0]), [0.0, 0.0, 1.0]])
        H = np.array([[[a, b], [b, a]], [[1, 2], [a, 4]]])
        K = F[(0, b), 1]
        L = np.concatenate(([v], [[a, v[0]]]))
        """
    )
    text = ir.print_module(lift(result.trace).module)
    assert "np.array([[1.0, 1.5, 3.0], (1.5, 2, 1), [0.0, 0.0, 1.0]])" in text
    assert "np.array([[[1.5, 2], [2, 1.5]], [[1, 2], [1.5, 4]]])" in text
    assert "((0, 2), 1)" in text
    assert "np.concatenate(([%v.0], [[1.5, %4]]))" in text
