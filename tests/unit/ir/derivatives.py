"""Graphs of one application, and their derivatives by differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jit_lsp.ir import (
    ArrayType,
    Graph,
    Keyword,
    Module,
    Operand,
    Symbol,
    Value,
    as_operand,
    element_name,
)
from jit_lsp.ir.expressions import Writer
from jit_lsp.ir.interpreter import run
from jit_lsp.ir.passes.differentiate import differentiate

STEP = 1e-6


class Kink(Exception):
    """There is no derivative at this point."""


@dataclass
class Case:
    """A graph whose loss is taken, its inputs, and which of them it is differentiated by."""

    module: Module
    loss: Value
    by: list[Value]
    inputs: list[Any]


def application(
    symbol: Symbol,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    results: Any,
    smooth: Callable[[str, Any], bool],
    names: Sequence[str],
) -> Case:
    """``symbol`` on these arguments: arrays are parameters, and those that are ``smooth`` active.

    The loss is curved in every part of every result, so that second derivatives show.
    """
    module = Module()
    graph = module.add_graph("main")
    case = Case(module, None, [], [])  # type: ignore[arg-type]  # it comes below

    def operand(value: Any, name: str) -> Operand:
        if isinstance(value, np.ndarray | np.generic):
            made = parameter(case, graph, value, name)
            if smooth(name, value):
                case.by.append(made)
            return made
        if isinstance(value, list | tuple):
            items = [operand(item, name) for item in value]
            return as_operand(type(value)(items))
        return as_operand(value)

    padded = [*names, *[names[-1] if names else "x"] * len(args)]
    operands = [operand(arg, name) for arg, name in zip(args, padded, strict=False)]
    attributes = {}
    for name, value in keywords.items():
        if isinstance(value, np.ndarray):
            operands.append(Keyword(name, operand(value, name)))
        else:
            attributes[name] = value
    given = list(results) if isinstance(results, tuple | list) else [results]
    types = [ArrayType(element_name(np.asarray(r).dtype.str), np.shape(r)) for r in given]
    node = graph.body.append(symbol, operands, types, attributes=attributes)
    writer = Writer(graph.body)
    numbers = np.random.default_rng(3)
    total: Any = None
    for result, value in zip(node.results, given, strict=True):
        kind, given_ = np.asarray(value).dtype.kind, writer.expr(result)
        if kind not in "fc":
            continue
        for each in (given_,) if kind == "f" else (writer.np.real(given_), writer.np.imag(given_)):
            weights = parameter(case, graph, numbers.uniform(0.5, 1.5, np.shape(value)), "weights")
            part = writer.np.sum(writer.np.tanh(each) * writer.expr(weights))
            total = part if total is None else total + part
    if total is not None:
        case.loss = total.operand
        graph.body.set_return([case.loss])
    return case


def parameter(case: Case, graph: Graph, value: Any, name: str) -> Value:
    """One more parameter of the graph, and its input."""
    type_ = ArrayType(element_name(np.asarray(value).dtype.str), np.shape(value))
    case.inputs.append(value)
    return graph.body.add_parameter(type_, name)


def check(case: Case, *, orders: int = 2, tolerance: float = 2e-5, symmetric: bool = False) -> None:
    """First derivatives against differences of the loss, second against those of the first."""
    parameters = list(case.module.main.parameters)
    places = [parameters.index(value) for value in case.by]
    first = differentiate(case.module, case.loss, case.by)
    numbers = np.random.default_rng(5)
    directions = [direction(numbers, case.inputs[p]) for p in places]
    if symmetric:
        directions = [d + np.swapaxes(d, -1, -2) for d in directions]

    def moved(step: float) -> list[Any]:
        inputs = [np.copy(x) if isinstance(x, np.ndarray) else x for x in case.inputs]
        for place, direction in zip(places, directions, strict=True):
            inputs[place] = (inputs[place] + step * direction).astype(
                np.asarray(inputs[place]).dtype
            )
        return inputs

    _, *gradients = run(first, *moved(0))
    for gradient, place in zip(gradients, places, strict=True):
        assert np.shape(gradient) == np.shape(case.inputs[place])
    (above,), (below,) = run(case.module, *moved(STEP)), run(case.module, *moved(-STEP))
    if not all(np.isfinite(gradient).all() for gradient in gradients):
        raise Kink  # such as the deviation of equal numbers
    slope = sum(np.sum(np.real(np.conj(g) * d)) for g, d in zip(gradients, directions, strict=True))
    close(slope, (above - below) / (2 * STEP), tolerance)
    if orders == 1:
        return
    second = differentiate(case.module, case.loss, case.by, num_derivatives=2)
    found = run(second, *moved(0), *directions)[1 + len(places) :]
    ahead, back = run(first, *moved(STEP))[1:], run(first, *moved(-STEP))[1:]
    for curve, a, b in zip(found, ahead, back, strict=True):
        if symmetric:
            curve, a, b = (x + np.swapaxes(x, -1, -2) for x in (curve, a, b))
        close(curve, (a - b) / (2 * STEP), 10 * tolerance)


def direction(numbers: np.random.Generator, of: Any) -> Any:
    """A direction in which to change an input."""
    made = numbers.uniform(-1, 1, np.shape(of))
    return made + 1j * numbers.uniform(-1, 1, np.shape(of)) if np.iscomplexobj(of) else made


def close(found: Any, wanted: Any, tolerance: float) -> None:
    """Two numbers or arrays agree, relative to their size."""
    size = max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    difference = float(np.max(np.abs(np.asarray(found) - wanted), initial=0.0))
    assert difference <= tolerance * size, f"{found}\nis not\n{wanted}"
