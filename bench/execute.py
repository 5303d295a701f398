"""Executed graphs beside plain NumPy, ``autograd`` and jax (compiled): chains of elementwise ops,
and a training step of a small network, its derivatives included.

Every figure is the time of plain NumPy over that of the other, so 2.0 is twice as fast; each is the
best of alternating runs in this process. What isn't installed is left out.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from jit_lsp.ir import Module, parse
from jit_lsp.ir.execute import Executor
from jit_lsp.ir.passes.differentiate import differentiate
from jit_lsp.ir.passes.manager import optimise

ELEMENTS = {"f64": np.float64, "f32": np.float32}
SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)
ROUNDS, SECONDS = 5, 3.0
CHAIN = """\
graph @main(%x.0: {1}[{0}], %y.1: {1}[{0}]) {{
  %2 : {1}[{0}] = np.multiply(%x.0, 2.0)
  %3 : {1}[{0}] = np.add(%2, %y.1)
  %4 : {1}[{0}] = np.square(%3)
  %5 : {1}[{0}] = np.subtract(%4, %x.0)
  %6 : {1}[{0}] = np.multiply(%5, 0.5)
  %7 : {1}[{0}] = np.add(%6, 1.0)
  %8 : {1}[{0}] = np.multiply(%7, %y.1)
  %9 : {1}[{0}] = np.multiply(%8, %8)
  %10 : {1}[{0}] = np.add(%9, %3)
  %11 : {1}[{0}] = np.sqrt(%10)
  %12 : {1}[{0}] = np.divide(%11, 3.0)
  %13 : {1}[{0}] = np.negative(%12)
  return %13
}}
"""
CURVES = """\
graph @main(%x.0: {1}[{0}], %y.1: {1}[{0}]) {{
  %2 : {1}[{0}] = np.multiply(%x.0, %y.1)
  %3 : {1}[{0}] = np.exp(%2)
  %4 : {1}[{0}] = np.add(%3, %x.0)
  %5 : {1}[{0}] = np.tanh(%4)
  %6 : {1}[{0}] = np.multiply(%5, %y.1)
  %7 : {1}[{0}] = np.add(%6, %x.0)
  return %7
}}
"""
STEP = """\
graph @main(%x.0: f64[{n}, 64], %t.1: f64[{n}, 10], %w1.2: f64[64, {h}], %b1.3: f64[{h}],
    %w2.4: f64[{h}, 10], %b2.5: f64[10]) {{
  %6 : f64[{n}, {h}] = np.matmul(%x.0, %w1.2)
  %7 : f64[{n}, {h}] = np.add(%6, %b1.3)
  %8 : f64[{n}, {h}] = np.tanh(%7)
  %9 : f64[{n}, 10] = np.matmul(%8, %w2.4)
  %10 : f64[{n}, 10] = np.add(%9, %b2.5)
  %11 : f64[{n}, 10] = np.subtract(%10, %t.1)
  %12 : f64[{n}, 10] = np.square(%11)
  %loss.13 : f64[] = np.mean(%12)
  return %loss.13
}}
"""


def main() -> None:
    print("plain NumPy's time over that of each; more is faster")
    chains = {"12 ops": (CHAIN, plain_chain), "exp, tanh and 4 more": (CURVES, plain_curves)}
    for title, (graph, function) in chains.items():
        for element in ELEMENTS:
            name = f"{title}, {element}"
            print(f"{name:26} {'plain':>9} {'one by one':>11} {'together':>9} {'jax':>6}")
            for size in SIZES:
                row(f"{size:>10,} elements", *chain(graph, function, element, size))
    print(
        f"{'training step':26} {'plain':>9} {'one by one':>11} {'together':>9} {'jax':>6} autograd"
    )
    for batch, hidden in ((32, 32), (256, 256), (1024, 1024)):
        row(f"batch {batch}, hidden {hidden}", *training_step(batch, hidden))


def row(name: str, plain: float, *others: float | None) -> None:
    shown = [f"{plain / other:.2f}" if other is not None else "-" for other in others]
    widths = (11, 9, 6, 8)
    cells = " ".join(f"{cell:>{width}}" for cell, width in zip(shown, widths, strict=False))
    print(f"{name:26} {plain * 1e3:6.2f} ms {cells}")


def chain(
    graph: str, function: Callable[..., Any], element: str, size: int
) -> tuple[float | None, ...]:
    numbers = np.random.default_rng(0)
    x, y = (numbers.uniform(0.1, 1, size).astype(ELEMENTS[element]) for _ in range(2))
    runs = [lambda: function(np, x, y), *executed(parse(graph.format(size, element)), [x, y])]
    jax = compiled(lambda np: lambda x, y: function(np, x, y), [x, y])
    return best([*runs, jax])


def plain_chain(np: Any, x: Any, y: Any) -> Any:
    a = x * 2.0 + y
    b = ((np.square(a) - x) * 0.5 + 1.0) * y
    return -(np.sqrt(b * b + a) / 3.0)


def plain_curves(np: Any, x: Any, y: Any) -> Any:
    return np.tanh(np.exp(x * y) + x) * y + x


def training_step(batch: int, hidden: int) -> tuple[float | None, ...]:
    numbers = np.random.default_rng(0)
    sizes = ((batch, 64), (batch, 10), (64, hidden), (hidden,), (hidden, 10), (10,))
    inputs = [numbers.normal(0, 0.1, size) for size in sizes]
    module = parse(STEP.format(n=batch, h=hidden))
    values = list(module.main.body.values())
    module = differentiate(module, values[-1], values[2:6])
    runs = [lambda: plain_step(*inputs), *executed(module, inputs)]
    jax = compiled(lambda np: loss_of(np), inputs, gradient=True)
    return best([*runs, jax, with_autograd(inputs)])


def plain_step(x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """The loss and its derivatives, as one writes them by hand."""
    hidden = np.tanh(x @ w1 + b1)
    off = hidden @ w2 + b2 - t
    loss = np.mean(np.square(off))
    g = off * (2.0 / off.size)
    back = (g @ w2.T) * (1.0 - hidden * hidden)
    return loss, x.T @ back, back.sum(axis=0), hidden.T @ g, g.sum(axis=0)


def loss_of(np: Any) -> Callable[..., Any]:
    def loss(x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        return np.mean(np.square(np.tanh(x @ w1 + b1) @ w2 + b2 - t))

    return loss


def executed(module: Module, inputs: list[Any]) -> list[Callable[[], Any]]:
    """The graph computed op by op, and with elementwise ops together."""
    one = Executor(optimise(module, 1), fused=False)
    two = Executor(optimise(module, 2))
    return [lambda e=e: e.call(e.module.main, list(inputs)) for e in (one, two)]


def compiled(
    make: Callable[[Any], Any], inputs: list[Any], *, gradient: bool = False
) -> Callable[[], Any] | None:
    if importlib.util.find_spec("jax") is None:
        return None
    import jax

    jax.config.update("jax_enable_x64", True)
    function = make(jax.numpy)
    function = jax.jit(jax.value_and_grad(function, (2, 3, 4, 5)) if gradient else function)
    given = [jax.numpy.asarray(each) for each in inputs]
    return lambda: jax.block_until_ready(function(*given))


def with_autograd(inputs: list[Any]) -> Callable[[], Any] | None:
    if importlib.util.find_spec("autograd") is None:
        return None
    import autograd

    gradient = autograd.value_and_grad(loss_of(autograd.numpy), (2, 3, 4, 5))
    return lambda: gradient(*inputs)


def best(runs: list[Callable[[], Any] | None]) -> tuple[float | None, ...]:
    """The shortest time of each; in turns, so that noise of the machine hits all alike."""
    found: list[float | None] = [None] * len(runs)
    begin, turn = time.perf_counter(), -1
    while turn < ROUNDS or time.perf_counter() - begin < SECONDS:
        turn += 1
        for place, run in enumerate(runs):
            if run is None:
                continue
            start = time.perf_counter()
            run()
            elapsed, before = time.perf_counter() - start, found[place]
            if turn and (before is None or elapsed < before):  # the first only warms up
                found[place] = elapsed
    return tuple(found)
