"""Execution with arrays written over at their last use, and with ops computed together."""

from __future__ import annotations

import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import FUNCTIONS, inputs_for, random_graph

from jit_lsp.ir import Module, blocks, parse, print_module
from jit_lsp.ir import execute as execution
from jit_lsp.ir.blocks import BLOCK, compile_blocks
from jit_lsp.ir.execute import Executor, execute
from jit_lsp.ir.interpreter import Interpreter
from jit_lsp.ir.passes.manager import optimise

SEEDS = st.integers(0, 2**32)

CHAIN = """\
graph @main(%x.0: {0}[{1}], %y.1: {0}[{1}]) {{
  %a.2 : {0}[{1}] = np.multiply(%x.0, 2.0)
  %b.3 : {0}[{1}] = np.sin(%a.2)
  %c.4 : {0}[{1}] = np.add(%b.3, %y.1)
  %e.6 : {0}[{1}] = np.exp(%y.1)
  %f.7 : {0}[{1}] = np.multiply(%c.4, %e.6)
  %g.8 : {0}[{1}] = np.add(%f.7, 0.25)
  %h.9 : {0}[{1}] = np.square(%g.8)
  %i.10 : {0}[{1}] = np.absolute(%h.9)
  %j.11 : {0}[{1}] = np.negative(%i.10)
  return %j.11
}}
"""

STACKED = """\
graph @main(%x.0: f64[1000]) {
  %s.1 : f64[200, 1000] = np.zeros((200, 1000))
  %s.2 : f64[200, 1000], %h.3 : f64[1000] = loop %i.4 in 200 (%s.5 = %s.1, %h.6 = %x.0) {
    %h.7 : f64[1000] = np.multiply(%h.6, 1.01)
    %s.8 : f64[200, 1000] = ir.with_item(%s.5, %i.4, %h.7)
    next %s.8, %h.7
  }
  return %s.2
}
"""


@given(SEEDS, st.sampled_from((0, 1, 2)))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_random_graphs_give_the_bits_that_the_interpreter_gives(seed: int, level: int) -> None:
    module = optimise(random_graph(seed), level)
    plain = outcome(Interpreter(module, FUNCTIONS), module, seed)
    assert outcome(Executor(module, FUNCTIONS, fused=False), module, seed) == plain


def outcome(interpreter: Interpreter, module: Module, seed: int) -> list[Any]:
    """Bytes, types and shapes of results and of the inputs afterwards."""
    inputs = inputs_for(module, seed)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = interpreter.call(module.main, list(inputs))
    arrays = [np.asarray(each) for each in (*results, *inputs)]
    return [(array.dtype, array.shape, array.tobytes()) for array in arrays]


def test_a_group_of_several_shapes_is_computed_together_within_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numexpr")
    monkeypatch.setattr(execution, "BY_NUMEXPR", 30000)
    text = CHAIN.replace("np.sin(%a.2)", "np.square(%a.2)").replace("np.exp", "np.negative")
    text = text.replace("%y.1: {0}[{1}]", "%y.1: {0}[100]")
    text = text.replace("%e.6 : {0}[{1}]", "%e.6 : {0}[100]")
    module = optimise(parse(text.format("f64", "300, 100")), 2)
    assert "ir.fused" in print_module(module)
    numbers = np.random.default_rng(0)
    x, y = numbers.normal(size=(300, 100)), numbers.normal(size=100)
    kept = x.copy(), y.copy()
    together: list[Any] = []
    monkeypatch.setattr(execution.Group, "__call__", counted(execution.Group.__call__, together))
    (found,) = execute(module, module.main, [x, y])
    (wanted,) = execute(module, module.main, [x, y], fused=False)
    assert len(together) == 1
    assert found.dtype == wanted.dtype == x.dtype
    assert np.max(np.abs(found - wanted)) <= 1e-14 * np.max(np.abs(wanted))
    assert (x.tobytes(), y.tobytes()) == (kept[0].tobytes(), kept[1].tobytes())


@pytest.mark.parametrize("element", ["f64", "f32"])
def test_blocks_give_the_bits_of_whole_arrays(element: str) -> None:
    sizes = f"{element}[30001]"
    text = CHAIN.format(element, 30001).replace("np.negative(%i.10)", "np.maximum(%i.10, %y.1)")
    text = text.replace(
        f"%g.8 : {sizes} = np.add(%f.7, 0.25)",
        f"%m.20 : bool[30001] = np.greater(%y.1, 0.1)\n"
        f"  %g.8 : {sizes} = np.where(%m.20, %f.7, 0.25)",
    )
    module = optimise(parse(text), 2)
    (node,) = [node for node in module.main.body if str(node.op) == "ir.fused"]
    numbers = np.random.default_rng(0)
    x, y = (numbers.normal(size=30001).astype(f"f{int(element[1:]) // 8}") for _ in range(2))
    (wanted,) = execute(module, module.main, [x, y], fused=False)
    group = compile_blocks(node)
    assert group is not None and group.takes([x, y])
    assert group([x, y]).tobytes() == wanted.tobytes()
    assert group([x, y], x.copy()).tobytes() == wanted.tobytes()
    assert not group.takes([x[::2], y[::2]])
    (found,) = execute(module, module.main, [x, y])
    assert found.tobytes() == wanted.tobytes()


def counted(function: Any, calls: list[Any]) -> Any:
    def call(*args: Any, **keywords: Any) -> Any:
        calls.append(args)
        return function(*args, **keywords)

    return call


@pytest.mark.parametrize("count", [1, 100_000, 16 * BLOCK // 8, 40 * BLOCK // 8 + 7])
def test_threads_give_the_bits_of_one(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = optimise(parse(CHAIN.format("f64", count)), 2)
    (node,) = (node for node in module.main.body if node.op.name == "fused")
    group = compile_blocks(node)
    assert group is not None
    numbers = np.random.default_rng(count)
    x, y = numbers.normal(size=(2, count))
    y[-1] = 1000.0  # its exponential is too large for the type
    assert group.takes([x, y])
    given: list[bytes] = []
    for cores in (1, 2, 3, 7):
        monkeypatch.setattr(blocks, "_CORES", cores)
        with np.errstate(over="ignore"):
            given.append(group([x, y]).tobytes())
        with np.errstate(over="raise"), pytest.raises(FloatingPointError):
            group([x, y])
    assert given == given[:1] * 4


def test_small_arrays_and_other_types_are_computed_one_by_one() -> None:
    for element, size in (("f64", 10), ("i64", 30000)):
        text = CHAIN.format(element, size).replace("np.sin", "np.square").replace("2.0", "2")
        text = text.replace("0.25", "1").replace("np.exp", "np.square").replace("0.5", "1")
        module = optimise(parse(text), 2)
        x = np.arange(size).astype(f"{element[0]}8")
        (found,) = execute(module, module.main, [x, x])
        (wanted,) = Interpreter(module).call(module.main, [x, x])
        assert found.tobytes() == wanted.tobytes()


def test_what_nothing_refers_to_is_written_over() -> None:
    module = parse(CHAIN.format("f64", 100_000))
    x = np.linspace(0, 1, 100_000)
    assert peak(module, [x, x], plain=False) < 0.7 * peak(module, [x, x], plain=True)


def test_a_loop_that_fills_an_array_does_not_copy_it() -> None:
    module = parse(STACKED)
    x = np.ones(1000)
    assert peak(module, [x], plain=False) < 0.6 * peak(module, [x], plain=True)
    (found,) = execute(module, module.main, [x])
    assert np.allclose(found[-1], 1.01**200)
    assert x.tolist() == [1.0] * 1000


def peak(module: Module, inputs: list[Any], *, plain: bool) -> int:
    """The most bytes that arrays took meanwhile."""
    tracemalloc.start()
    try:
        (Interpreter(module) if plain else Executor(module, fused=False)).call(
            module.main, list(inputs)
        )
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "statements, returned",
    [
        ("%b.1 : f64[4] = np.add(%a.0, 1.0)", "%a.0, %b.1"),
        ("%b.1 : f64[4] = np.add(%a.0, 1.0)\n  %c.2 : f64[4] = np.add(%b.1, 1.0)", "%b.1, %c.2"),
        ("%b.1 : f64[4] = np.add(%a.0, 1.0)", "%b.1, %b.1"),
        ("%b.1 : f64[4] = np.copy(%a.0)\n  %v.2 : f64[2] = np.getitem(%b.1, 1:3)\n"
         "  %c.3 : f64[4] = np.multiply(%b.1, 3.0)", "%v.2, %c.3"),
        ("%b.1 : f64[4] = np.add(%a.0, %a.0)", "%b.1"),
        ("%b.1 : f64[4] = ir.with_item(%a.0, 0, 9.0)", "%a.0, %b.1"),
        ("%b.1 : f64[4] = loop %i.2 in 3 (%c.3 = %a.0) {\n  %d.4 : f64[4] = np.add(%c.3, 1.0)\n"
         "  next %d.4\n  }", "%a.0, %b.1"),
        ("%b.1 : f64[4] = lib.same(%a.0)\n  %c.2 : f64[4] = np.add(%b.1, 1.0)", "%c.2"),
    ],
)  # fmt: skip
def test_what_is_still_used_is_not_written_over(statements: str, returned: str) -> None:
    module = parse(f"graph @main(%a.0: f64[4]) {{\n  {statements}\n  return {returned}\n}}\n")
    x, y = np.arange(4.0), np.arange(4.0)
    found = Executor(module, FUNCTIONS).call(module.main, [x])
    wanted = Interpreter(module, FUNCTIONS).call(module.main, [y])
    assert [each.tolist() for each in found] == [each.tolist() for each in wanted]
    assert x.tolist() == y.tolist()
