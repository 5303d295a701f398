"""Random graphs that can be differentiated: arithmetic, products, views, loops, calls, writes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from derivatives import Case, parameter

from jit_lsp.ir import ArrayType, Module, Region, Symbol, Value, as_operand, registry
from jit_lsp.ir.expressions import Writer, known_sizes

S = Symbol.parse
VECTOR, MATRIX = ArrayType("f64", (3,)), ArrayType("f64", (3, 3))


class Expressions:
    """Adds random nodes to a graph; all its arrays have 3 or 3 by 3 elements, mostly."""

    def __init__(self, seed: int, *, writes: bool = True) -> None:
        self.random = random.Random(seed)
        self.module = Module()
        self.writes = writes

    def build(self) -> Case:
        """A graph with a number as its loss."""
        graph = self.module.add_graph("main")
        callee = self.callee() if self.random.random() < 0.5 else None
        case = Case(self.module, None, [], [])  # type: ignore[arg-type]  # set below
        numbers = np.random.default_rng(self.random.randrange(1000))
        for type_ in (VECTOR, MATRIX, self.random.choice((VECTOR, MATRIX))):
            case.by.append(parameter(case, graph, numbers.uniform(-0.9, 0.9, type_.sizes), "p"))
        self.callees = [callee] if callee is not None else []
        alive = self.extend(graph.body, list(case.by), self.random.randint(3, 9), 2)
        writer = Writer(graph.body)
        total: Any = 0.0
        for value in alive[-3:]:
            total = writer.np.sum(writer.np.sin(writer.expr(value))) + total
        case.loss = total.operand
        graph.body.set_return([case.loss])
        return case

    def callee(self) -> Any:
        self.callees: list[Any] = []
        graph = self.module.add_graph("f")
        values = [graph.body.add_parameter(VECTOR, "u"), graph.body.add_parameter(MATRIX, "v")]
        made = self.extend(graph.body, values, 3, 0)
        graph.body.set_return([next(v for v in reversed(made) if v.type.sizes == (3,))])
        return graph

    def extend(self, region: Region, alive: list[Value], count: int, depth: int) -> list[Value]:
        """Add nodes to ``region``; returns what can be used after them."""
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.15 and depth:
                self.loop(region, alive, depth)
            elif kind < 0.25 and self.callees and region.outer is None:
                self.call(region, alive)
            elif kind < 0.4 and self.writes and region.outer is None:
                self.write(region, alive)
            else:
                alive.append(self.plain(region, alive))
        return alive

    def plain(self, region: Region, alive: list[Value]) -> Value:
        writer = Writer(region)
        a, b = (writer.expr(self.random.choice(alive)) for _ in range(2))
        made = self.random.choice(PLAIN)(writer.np, a, b)
        if known_sizes(made.type) not in ((3,), (3, 3)):
            made = writer.np.broadcast_to(made, (3,) if made.ndim < 2 else (3, 3)) * 0.5
        return made.operand  # type: ignore[no-any-return]

    def loop(self, region: Region, alive: list[Value], depth: int) -> None:
        start = self.random.choice(alive)
        node = region.append_loop(self.random.randint(0, 3), [("w", start)], "i")
        (body,) = node.regions
        made = self.extend(body, [*alive, body.parameters[1]], 2, depth - 1)
        alike = [v for v in made[len(alive) :] if v.type.sizes == start.type.sizes]  # type: ignore[attr-defined]
        body.set_next([alike[-1]])
        alive.append(node.result)

    def call(self, region: Region, alive: list[Value]) -> None:
        (callee,) = self.callees
        arguments = [
            self.random.choice([v for v in alive if v.type.sizes == wanted.type.sizes])
            for wanted in callee.parameters
        ]
        alive.append(region.append_call(callee, arguments, callee.result_types).result)

    def write(self, region: Region, alive: list[Value]) -> None:
        """A copy that is written to in place, after something has read it."""
        writer = Writer(region)
        old = writer.np.copy(writer.expr(self.random.choice(alive)))
        if self.random.random() < 0.5:
            alive.append((old * old).operand)
        index = self.random.choice((0, slice(1, None)))
        source = writer.expr(self.random.choice(alive))
        part = source[index] if source.ndim == old.ndim else writer.np.sum(source)
        if self.random.random() < 0.5:
            view = old[1:]
            region.append(
                S("np.multiply"), [view.operand, as_operand(0.5)], [view.type], mutated=[0]
            )
            alive.append((old * 2.0).operand)
            return
        node = region.append(
            S("np.setitem"),
            [writer.operand(each) for each in (old, index, part)],
            [old.type],
            mutated=[0],
        )
        alive.append(node.result)


PLAIN: list[Callable[[Any, Any, Any], Any]] = [
    lambda np, a, b: a + b,
    lambda np, a, b: a - b * 0.5,
    lambda np, a, b: a * b,
    lambda np, a, b: a / (b * b + 1.0),
    lambda np, a, b: np.sin(a),
    lambda np, a, b: np.tanh(a),
    lambda np, a, b: np.exp(np.tanh(a)),
    lambda np, a, b: np.sqrt(a * a + 1.0),
    lambda np, a, b: np.maximum(a, b * 0.3 + 0.123),
    lambda np, a, b: np.where(a > 0.1234, a, b),
    lambda np, a, b: np.sum(a, axis=0),
    lambda np, a, b: np.mean(a, axis=-1),
    lambda np, a, b: np.matmul(a, b) * 0.5,
    lambda np, a, b: np.transpose(a),
    lambda np, a, b: np.reshape(a * 1.0, shape=(-1,))[:3],
    lambda np, a, b: a[[2, 0, 2]],
    lambda np, a, b: np.concatenate([a, a], axis=0)[1:4],
    lambda np, a, b: np.stack([np.sum(a), np.sum(b), np.sum(a * b)], axis=0) * 0.1,
    lambda np, a, b: np.cumsum(a, axis=0) * 0.5,
]


def functions_of(library: Any, names: Mapping[str, str] | None = None) -> dict[Symbol, Any]:
    """The functions of another library, for those of NumPy."""
    found = {}
    for symbol in registry.all_ops():
        if symbol.namespace == "np":
            function: Any = library
            for part in (names or {}).get(symbol.name, symbol.name).split("."):
                function = getattr(function, part, None)
            if function is not None:
                found[symbol] = function
    return found
