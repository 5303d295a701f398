"""Derivatives of whole graphs: against differences, and against other libraries' derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import check, close
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from random_expressions import Expressions, functions_of

from jit_lsp.ir import Symbol, parse, print_module, verify
from jit_lsp.ir.gradients.reverse import NotDifferentiable
from jit_lsp.ir.interpreter import Interpreter, run
from jit_lsp.ir.passes.differentiate import differentiate

SEEDS = st.integers(0, 10_000)


@given(SEEDS)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_random_graphs_agree_with_differences(seed: int) -> None:
    case = Expressions(seed).build()
    try:
        check(case)
    except NotDifferentiable as error:
        assert "can't be followed" in error.reason  # a write that stays in place is named
        reject()


@given(SEEDS)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_a_derivative_reads_back_and_verifies(seed: int) -> None:
    case = Expressions(seed).build()
    for order in (1, 2):
        try:
            made = differentiate(case.module, case.loss, case.by, num_derivatives=order)
        except NotDifferentiable:
            reject()
        text = print_module(made)
        module = parse(text)
        assert print_module(module) == text
        assert verify(module, types=True) == []
        assert text.count("--- stage") == order


@given(SEEDS)
@settings(max_examples=20, deadline=None, derandomize=True)
def test_random_graphs_agree_with_torch(seed: int) -> None:
    torch = pytest.importorskip("torch")
    case = Expressions(seed, writes=False).build()
    inputs = [torch.tensor(x, requires_grad=True) for x in case.inputs]
    interpreter = Interpreter(case.module, {**functions_of(torch), **OF_TORCH})
    (loss,) = interpreter.call(case.module.main, inputs)
    first = torch.autograd.grad(loss, inputs, create_graph=True, materialize_grads=True)
    directions = [torch.ones_like(x) for x in inputs]
    whole = sum((g * d).sum() for g, d in zip(first, directions, strict=True))
    second = torch.autograd.grad(whole, inputs, materialize_grads=True)
    agree(case, [x.detach().numpy() for x in (*first, *second)])


@given(SEEDS)
@settings(max_examples=5, deadline=None, derandomize=True)
def test_random_graphs_agree_with_jax(seed: int) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    case = Expressions(seed, writes=False).build()
    functions = {**functions_of(jax.numpy), Symbol("np", "getitem"): lambda a, i: a[at(i)]}
    interpreter = Interpreter(case.module, functions)

    def loss(*inputs: Any) -> Any:
        return interpreter.call(case.module.main, inputs)[0]

    gradient = jax.grad(loss, tuple(range(len(case.inputs))))
    directions = tuple(np.ones_like(x) for x in case.inputs)
    first, second = jax.jvp(gradient, tuple(case.inputs), directions)
    agree(case, [*map(np.asarray, first), *map(np.asarray, second)])


def agree(case: Any, wanted: list[Any]) -> None:
    """First and second derivatives, these along ones, are as wanted."""
    module = differentiate(case.module, case.loss, case.by, num_derivatives=2)
    _, *found = run(module, *map(np.copy, case.inputs), *map(np.ones_like, case.inputs))
    for ours, theirs in zip(found, wanted, strict=True):
        close(ours, theirs, 1e-9)


def at(index: Any) -> Any:
    return np.array(index) if isinstance(index, list) else index


OF_TORCH = {
    Symbol("np", "transpose"): lambda a: a.permute(*range(a.ndim)[::-1]),
    Symbol("np", "getitem"): lambda a, i: a[i],
    Symbol("np", "maximum"): lambda a, b: __import__("torch").maximum(a, b),
    Symbol("np", "concatenate"): lambda a, axis: __import__("torch").cat(a, axis),
    Symbol("np", "cumsum"): lambda a, axis: __import__("torch").cumsum(a, axis),
}
