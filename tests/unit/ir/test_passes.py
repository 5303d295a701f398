"""Passes: what each does to small graphs, and that random graphs compute the same bit by bit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import FUNCTIONS, graph_of_views, inputs_for, random_graph

from jit_lsp.ir import InvalidGraph, Module, PrintOptions, parse, print_module, verify
from jit_lsp.ir.interpreter import Interpreter
from jit_lsp.ir.passes.manager import Pass, PassError, all_passes, optimise, run_passes

FULL = PrintOptions(full=True)
SEEDS = st.integers(0, 2**32)
CASES = sorted((Path(__file__).parent / "data" / "passes").glob("*.txt"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_a_pass_does(path: Path) -> None:
    before, _, after = path.read_text().partition("=====\n")
    chosen = all_passes()[path.stem.split(".")[0]]
    assert print_module(run_passes(parse(before), [chosen]).module) == after


def test_every_pass_has_a_case() -> None:
    assert {path.stem.split(".")[0] for path in CASES} == set(all_passes())


@given(SEEDS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_random_graphs_are_valid_and_read_back(seed: int) -> None:
    module = random_graph(seed)
    assert verify(module, types=True) == []
    full = print_module(module, FULL)
    assert print_module(parse(full), FULL) == full
    short = print_module(module)
    assert print_module(parse(short)) == short
    assert print_module(module.copy(), FULL) == full


@pytest.mark.parametrize("name", all_passes())
@given(SEEDS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_each_pass_computes_the_same(name: str, seed: int) -> None:
    same_after([all_passes()[name]], seed)


@given(SEEDS, st.lists(st.sampled_from(list(all_passes().values())), min_size=2, max_size=9))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_combination_computes_the_same(seed: int, chosen: list[Pass]) -> None:
    same_after(chosen, seed)


@given(SEEDS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_no_write_is_left_where_all_views_are_sure(seed: int) -> None:
    module = graph_of_views(seed)
    assert verify(module, types=True) == []
    assert any(node.mutated for node in module.walk())
    changed = run_passes(module, [all_passes()["functionalise"]]).module
    assert not [node for node in changed.walk() if node.mutated], print_module(module)
    assert verify(changed, types=True) == []
    assert computed(changed, seed) == computed(module, seed), print_module(module)


def same_after(chosen: list[Pass], seed: int) -> None:
    module = random_graph(seed)
    before = print_module(module, FULL)
    changed = run_passes(module, chosen).module
    assert print_module(module, FULL) == before, "passes work on a copy"
    assert computed(changed, seed) == computed(module, seed), print_module(changed)


def computed(module: Module, seed: int) -> list[Any]:
    """Bytes, types and shapes of results and of the inputs afterwards."""
    inputs = inputs_for(module, seed)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = Interpreter(module, FUNCTIONS).call(module.main, inputs)
    return [
        (np.asarray(a).dtype, np.asarray(a).shape, np.asarray(a).tobytes())
        for a in (*results, *inputs)
    ]


def test_level_0_changes_nothing_and_level_1_is_the_default() -> None:
    module = parse(UNTIDY)
    assert print_module(optimise(module, 0)) == print_module(module)
    assert print_module(optimise(module)) == print_module(optimise(module, 1))
    assert print_module(optimise(module)) != print_module(module)


def test_a_report_has_the_time_of_each_pass() -> None:
    chosen = list(all_passes().values())
    report = run_passes(parse(UNTIDY), chosen)
    assert set(report.seconds) == set(all_passes())
    assert all(seconds >= 0 for seconds in report.seconds.values())


@pytest.mark.parametrize("seed", range(8))
def test_a_pass_that_raises_at_any_node_changes_nothing(seed: int) -> None:
    module = random_graph(seed)
    before = print_module(module, FULL)
    for stop in range(len(list(module.walk()))):
        with pytest.raises(PassError, match="clumsy failed: at node") as caught:
            run_passes(module, [Pass("clumsy", "Breaks everything up to a node.", clumsy(stop))])
        assert isinstance(caught.value.cause, RuntimeError)
        assert print_module(module, FULL) == before
        assert verify(module, types=True) == []


def clumsy(stop: int) -> Callable[[Module], None]:
    def run(module: Module) -> None:
        for number, node in enumerate(list(module.walk())):
            if number == stop:
                raise RuntimeError(f"at node {number}")
            node.attributes = {"broken": number}
            node.set_operands(())
            node.span = None

    return run


def test_a_pass_that_leaves_an_invalid_graph_changes_nothing() -> None:
    module = parse(UNTIDY)
    before = print_module(module, FULL)

    def forget(module: Module) -> None:
        module.main.parameters[0].uses.clear()

    with pytest.raises(PassError, match="pass forgetful left an invalid graph"):
        run_passes(module, [Pass("forgetful", "Forgets uses.", forget)])
    assert print_module(module, FULL) == before


def test_an_invalid_graph_is_refused_before_any_pass() -> None:
    module = parse(UNTIDY)
    module.main.parameters[0].uses.clear()
    with pytest.raises(InvalidGraph):
        run_passes(module, [])


UNTIDY = """\
graph @main(%x.0: f64[3]) {
  %a.1 : f64[3] = np.exp(%x.0)
  %b.2 : f64[3] = np.exp(%x.0)
  return %b.2
}
"""
