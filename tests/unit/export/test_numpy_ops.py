"""Every op of NumPy that has an export: what onnxruntime gives is what NumPy gives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from running import OneOp, run

from jit_lsp.export.errors import ExportError
from jit_lsp.export.exporter import export
from jit_lsp.export.registry import exported
from jit_lsp.ir import ArrayType, Operand, Pack, Symbol, as_operand, element_name, registry
from jit_lsp.ir.interpreter import arguments, function_of
from tests.unit.ir.numpy_calls import Draw, call_for

ROUNDS = 6
MOST_ROUNDS = 60
"""Where runtimes compute few of the calls."""
ELEMENTS = ("bool", "u8", "i32", "i64", "f16", "f32", "f64")
UNORDERED = {"argsort", "ndarray.argsort"}
"""Ops that may take equal elements in any order."""
OPS = [symbol for symbol in exported() if symbol.namespace == "np"]


class Whole(Draw):
    """Arrays of real numbers, none of them empty: runtimes have no others."""

    def shape(self, least: int = 0, most: int = 3) -> tuple[int, ...]:
        return self.full(least, most)

    def of(self, shape: tuple[int, ...], elements: tuple[str, ...] = ELEMENTS) -> Any:
        return super().of(shape, tuple(e for e in elements if e in ELEMENTS) or ("f64",))

    def scalar(self) -> Any:
        return self.random.choice((True, 2, 3, 0.5))


@pytest.mark.parametrize("symbol", OPS, ids=str)
def test_a_model_computes_what_numpy_does(symbol: Symbol) -> None:
    make = call_for(symbol.name)
    assert make is not None, "numpy_calls has no arguments for this op"
    function, compared = function_of(symbol), 0
    for seed in range(MOST_ROUNDS):
        if compared and seed >= ROUNDS:
            break
        args, keywords = make(Whole(seed))
        graph, results = applied(symbol, function, args, keywords)
        if graph is None:
            continue
        try:
            made = export(graph.module, "main")
        except ExportError as error:
            assert str(symbol) in error.reason, error.reason
            continue
        found = run(made.model, graph.feeds)
        if found is None:
            continue
        compared += 1
        if symbol.name in UNORDERED:
            axis = keywords.get("axis", -1)
            found = [np.take_along_axis(args[0], found[0], axis)]
            results = [np.take_along_axis(args[0], results[0], axis)]
        for one, other in zip(found, results, strict=True):
            agree(one, np.asarray(other))
    assert compared, "no random call was exported and run"


def test_there_are_enough_ops() -> None:
    assert len(OPS) >= 220


def applied(
    symbol: Symbol, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[OneOp | None, list[Any]]:
    """The graph of one call, and what NumPy gives; None where it gives no arrays."""
    graph, info = OneOp(), registry.get(symbol)
    operands = [operand(graph, arg) for arg in args]
    attributes = {n: tuple(v) if isinstance(v, list) else v for n, v in keywords.items()}
    trial = OneOp().body.append(symbol, [], attributes=attributes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            positional, named = arguments(trial, info, args)
            result = function(*positional, **named)
        except (TypeError, ValueError, IndexError, np.exceptions.AxisError, np.linalg.LinAlgError):
            return None, []
    results = list(result) if isinstance(result, tuple | list) else [result]
    if not all(isinstance(each, np.ndarray | np.generic) for each in results):
        return None, []
    graph.apply(symbol, operands, attributes, [type_of(each) for each in results])
    return graph, results


def operand(graph: OneOp, value: Any) -> Operand:
    if isinstance(value, np.ndarray):
        return graph.array(type_of(value), value)
    if isinstance(value, np.generic):
        return as_operand(value.item())
    if isinstance(value, tuple | list):
        kind = "list" if isinstance(value, list) else "tuple"
        return Pack(kind, [operand(graph, item) for item in value])
    return as_operand(value)


def type_of(value: Any) -> ArrayType:
    array = np.asarray(value)
    return ArrayType(element_name(array.dtype.str), array.shape)


def agree(found: Any, wanted: np.ndarray[Any, Any]) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    tolerance = 1e-2 if wanted.dtype == np.float16 else 2e-6
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=1e-6)
