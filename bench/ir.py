"""The IR at 10³ to 10⁶ nodes, beside xDSL and torch.fx on the same graph.

The graph is a chain of additions in which every node also takes a value from far above, with a type
and a place in the source for each. The growth exponent is the slope between the two largest sizes
on logarithmic axes: 1 is linear. Our graphs are made and changed with the collector paused, as the
lifter and the pass manager do it. A library that isn't installed is left out.
"""

from __future__ import annotations

import gc
import math
import operator
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from io import StringIO
from time import process_time
from typing import Any

from jit_lsp.doc import Span, render_plain
from jit_lsp.doc.tables import columns
from jit_lsp.ir import ArrayType, Module, Symbol, parse, print_module, verify
from jit_lsp.ir.bulk import collector_paused
from jit_lsp.ir.passes import common_subexpressions, dead_code

SIZES = (1_000, 10_000, 100_000, 1_000_000)
OTHERS_UP_TO = 100_000
LIMIT = 1.1

Steps = dict[str, float]


def main(sizes: tuple[int, ...] = SIZES) -> None:
    ours = {size: measure(jit_lsp, size) for size in sizes}
    header = ["step", *(f"{size:,}" for size in sizes), "µs/node", "growth"]
    rows = []
    for step in ours[sizes[-1]]:
        times = [ours[size][step] for size in sizes]
        slope = growth(sizes[-2:], times[-2:])
        mark = "" if slope <= LIMIT else f" (more than {LIMIT})"
        per_node = f"{times[-1] / sizes[-1] * 1e6:.2f}"
        rows.append([step, *map(milliseconds, times), per_node, f"{slope:.2f}{mark}"])
    print(render_plain(columns([header, *rows], headed=True), width=200))
    size = max(size for size in sizes if size <= OTHERS_UP_TO)
    print(f"\nBeside others, {size:,} nodes, milliseconds (and how many times ours)")
    compared(ours[size], size)


def compared(ours: Steps, size: int) -> None:
    rows = [["", "build", "verify", "print"]]
    rows.append(["jit-lsp", *(milliseconds(ours[step]) for step in rows[0][1:])])
    for name, needs, steps in (("xDSL", "xdsl.ir", xdsl), ("torch.fx", "torch.fx", torch_fx)):
        try:
            import_module(needs)
        except ImportError:
            rows.append([name, "not installed", "", ""])
            continue
        theirs = measure(steps, size)
        cells = [f"{milliseconds(theirs[s])} ({theirs[s] / ours[s]:.1f}×)" for s in rows[0][1:]]
        rows.append([name, *cells])
    print(render_plain(columns(rows, headed=True), width=200))


def measure(library: Callable[[int], dict[str, Callable[[], Any]]], size: int) -> Steps:
    """Seconds of processor time, the best of some runs; every run is on a graph made anew."""
    best: Steps = {}
    for _ in range(3 if size <= 100_000 else 1):
        for step, run in library(size).items():
            gc.collect()
            with collector_paused() if library is jit_lsp else nullcontext():
                start = process_time()
                run()
                taken = process_time() - start
            best[step] = min(taken, best.get(step, math.inf))
    return best


def jit_lsp(size: int) -> dict[str, Callable[[], Any]]:
    made: dict[str, Any] = {}
    type_, add = ArrayType("f32", (64, 128)), Symbol("np", "add")

    def build() -> None:
        module = made["module"] = Module()
        body = module.add_graph("main").body
        values = [body.add_parameter(type_, "x")]
        for i in range(size):
            span = Span("train.py", i + 1, 4, i + 1, 20)
            operands = [values[-1], values[i // 2]]
            values.append(body.append(add, operands, [type_], ["h"], span=span).results[0])
        body.set_return([values[-1]])

    def check() -> None:
        assert not verify(made["module"])

    def show() -> None:
        made["text"] = print_module(made["module"])

    return {
        "build": build,
        "verify": check,
        "print": show,
        "parse": lambda: parse(made["text"]),
        "copy": lambda: made["module"].copy(),
        "CSE": lambda: common_subexpressions.run(made["module"]),
        "DCE": lambda: dead_code.run(made["module"]),
    }


def xdsl(size: int) -> dict[str, Callable[[], Any]]:
    from xdsl.dialects.arith import AddfOp
    from xdsl.dialects.builtin import ModuleOp, TensorType, f32
    from xdsl.dialects.func import FuncOp, ReturnOp
    from xdsl.printer import Printer

    made: dict[str, Any] = {}
    type_ = TensorType(f32, [64, 128])

    def build() -> None:
        function = FuncOp("main", ((type_,), (type_,)))
        block = function.body.block
        values: list[Any] = [block.args[0]]
        for i in range(size):
            op = AddfOp(values[-1], values[i // 2])
            block.add_op(op)
            values.append(op.results[0])
        block.add_op(ReturnOp(values[-1]))
        made["module"] = ModuleOp([function])

    return {
        "build": build,
        "verify": lambda: made["module"].verify(),
        "print": lambda: Printer(stream=StringIO()).print_op(made["module"]),
    }


def torch_fx(size: int) -> dict[str, Callable[[], Any]]:
    from torch.fx import Graph

    made: dict[str, Any] = {}

    def build() -> None:
        graph = made["graph"] = Graph()
        values = [graph.placeholder("x")]
        for i in range(size):
            values.append(graph.call_function(operator.add, (values[-1], values[i // 2])))
        graph.output(values[-1])

    return {
        "build": build,
        "verify": lambda: made["graph"].lint(),
        "print": lambda: str(made["graph"]),
    }


def growth(sizes: tuple[int, ...], times: list[float]) -> float:
    return math.log(times[1] / times[0]) / math.log(sizes[1] / sizes[0])


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f}"


if __name__ == "__main__":
    main()
