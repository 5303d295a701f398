"""Derivatives through code that wasn't traced: handles that keep what it took, evaluated later."""

from __future__ import annotations

from typing import Any

import numpy as np
from derivatives import close

from jit_lsp.ir import Module, Symbol, parse, print_module, verify
from jit_lsp.ir.again import Handle
from jit_lsp.ir.execute import Executor
from jit_lsp.ir.interpreter import Interpreter
from jit_lsp.ir.passes.differentiate import differentiate
from jit_lsp.ir.passes.manager import all_passes, run_passes

PROGRAM = """\
graph @main(%x.0: f64[3], %w.1: f64[3]) {
  %a.2 : f64[3] = np.multiply(%x.0, %w.1)
  %b.3 : f64[3] = np.copy(%a.2)
  %p.4 : f64[3] = lib.cube(%a.2, %w.1)  # a.py:3:5
  %q.5 : f64[3] = lib.cube(%p.4, %x.0)  # a.py:4:5
  %b.6 : f64[3] = lib.scale!(%b.3, %q.5)  # a.py:5:5
  %s.7 : f64[3] = np.add(%b.6, %q.5)
  %l.8 : f64[] = np.sum(%s.7)
  %unused.9 : f64[3] = lib.cube(%a.2, %a.2)
  return %l.8
}
"""


def cube(a: Any, b: Any) -> Any:
    return a**3 * b


def cube_backward(a: Any, b: Any, g: Any) -> Any:
    return 3 * a**2 * b * g, a**3 * g


def scale(v: Any, q: Any) -> None:
    v *= q


def scale_backward(v: Any, q: Any, g: Any) -> Any:
    return q * g, v * g


def symbol(name: str) -> Symbol:
    return Symbol("lib", name)


FUNCTIONS = {symbol(f.__name__): f for f in (cube, cube_backward, scale, scale_backward)}
BACKWARD = {symbol(name): symbol(f"{name}_backward") for name in ("cube", "scale")}


def derivative(text: str = PROGRAM) -> Module:
    module = parse(text)
    values = {value.number: value for value in module.main.body.values()}
    return differentiate(module, values[8], [values[0], values[1]], backward=BACKWARD)


def test_gradients_go_through_opaque_calls_and_what_they_change() -> None:
    module = parse(PROGRAM)
    x, w = np.array([0.5, 0.7, 0.9]), np.array([0.3, 0.8, 0.6])
    for interpreter in (Interpreter, Executor):
        _, gx, gw = interpreter(found := derivative(), FUNCTIONS).call(found.main, [x, w])

        def loss(x: Any, w: Any) -> Any:
            return Interpreter(module, FUNCTIONS).call(module.main, [x, w])[0]

        for k, step in enumerate(np.eye(3) * 1e-6):
            close(gx[k], (loss(x + step, w) - loss(x - step, w)) / 2e-6, 1e-7)
            close(gw[k], (loss(x, w + step) - loss(x, w - step)) / 2e-6, 1e-7)


def test_a_handle_that_nothing_uses_is_not_there() -> None:
    text = print_module(derivative())
    assert text.count("ir.save[") == text.count("ir.eval[") == 3
    assert "handle<lib.cube_backward>" in text
    evaluated = [line for line in text.splitlines() if "ir.eval[" in line]
    assert [line.rpartition("# ")[2] for line in evaluated] == ["a.py:5:5", "a.py:4:5", "a.py:3:5"]


def test_it_reads_back_and_adjacent_evaluations_are_stitched() -> None:
    text = print_module(derivative())
    module = parse(text)
    assert print_module(module) == text
    assert verify(module, types=True) == []
    stitched = run_passes(
        parse(
            """\
graph @main(%h.0: handle<lib.f>, %g.1: f64[3]) {
  %a.2 : f64[3] = ir.eval[places=(0,)](%h.0, %g.1)
  %b.3 : f64[3] = ir.eval[places=(0,)](%h.0, %a.2)
  return %b.3
}
"""
        ),
        [all_passes()["stitch"]],
    ).module
    assert [str(node.op) for node in stitched.main.body] == ["ir.opaque", "ir.return"]
    double = Handle(None, (), lambda g: (2 * g,))
    (result,) = Interpreter(stitched).call(stitched.main, [double, np.ones(3)])
    assert result.tolist() == [4, 4, 4]


def test_opaque_calls_in_a_loop_are_made_again() -> None:
    module = parse("""\
graph @main(%x.0: f64[3], %w.1: f64[3]) {
  %a.2 : f64[3] = loop %i.3 in 4 (%b.4 = %x.0) {
    %c.5 : f64[3] = lib.cube(%b.4, %w.1)
    %d.6 : f64[3] = np.tanh(%c.5)
    next %d.6
  }
  %l.7 : f64[] = np.sum(%a.2)
  return %l.7
}
""")
    values = {value.number: value for value in module.main.body.values()}
    made = differentiate(module, values[7], [values[0], values[1]], backward=BACKWARD)
    assert verify(made, types=True) == []
    x, w = np.array([0.5, 0.7, 0.9]), np.array([1.1, 0.8, 0.6])
    _, *found = Interpreter(made, FUNCTIONS).call(made.main, [x, w])

    def loss(x: Any, w: Any) -> Any:
        for _ in range(4):
            x = np.tanh(cube(x, w))
        return x.sum()

    step = 1e-6
    for gradient, direction in zip(found, np.eye(2), strict=True):
        moved = [loss(x + s * step * direction[0], w + s * step * direction[1]) for s in (1, -1)]
        close(gradient.sum(), (moved[0] - moved[1]) / (2 * step), 1e-6)


def test_without_a_named_function_it_is_the_node_that_autograd_kept() -> None:
    module = parse("""\
graph @main(%x.0: f64[3]) {
  %a.1 : f64[3] = torch.special.i0[grad_fn="I0Backward0"](%x.0)
  %b.2 : f64[3] = py.solve[grad_fn="SolveBackward0"](%a.1, %x.0)
  %c.3 : f64[3] = py.solve[grad_fn="SolveBackward0"](%x.0, %x.0)
  %l.4 : f64[] = np.sum(%b.2)
  return %l.4
}
""")
    values = {value.number: value for value in module.main.body.values()}
    made = differentiate(module, values[4], [values[0]], backward=BACKWARD)
    assert verify(made, types=True) == []
    text = print_module(made)
    assert print_module(parse(text)) == text
    assert text.count("ir.save[") == text.count("ir.eval[") == 2
    assert "handle<autograd.I0Backward0>" in text
    stitched = run_passes(made, [all_passes()["stitch"]]).module
    assert [str(node.op) for node in stitched.main.body].count("ir.eval") == 0
