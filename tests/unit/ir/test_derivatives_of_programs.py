"""Derivatives of what programs write down: loops, writes in place, what can't be differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from derivatives import Case, check, close

from jit_lsp.doc import Span
from jit_lsp.ir import GraphError, Module, Value, parse, print_module
from jit_lsp.ir.gradients.reverse import NotDifferentiable
from jit_lsp.ir.interpreter import run
from jit_lsp.ir.passes.differentiate import differentiate

TRAINING = """\
graph @main(%X.0: f64[8, 3], %y.1: f64[8], %w.2: f64[3]) {
  %w.3 : f64[3] = np.copy(%w.2)
  %w.4 : f64[3] = loop %i.5 in 4 (%w.6 = %w.3) {
    %e.7 : f64[8] = call @error(%X.0, %y.1, %w.6)
    %t.8 : f64[3, 8] = np.ndarray.T(%X.0)
    %g.9 : f64[3] = np.matmul(%t.8, %e.7)
    %s.10 : f64[3] = np.multiply(%g.9, 0.05)
    %w.11 : f64[3] = np.subtract!(%w.6, %s.10)
    next %w.11
  }
  %e.12 : f64[8] = call @error(%X.0, %y.1, %w.4)
  %l.13 : f64[] = np.vdot(%e.12, %e.12)
  return %l.13
}

graph @error(%X.14: f64[8, 3], %y.15: f64[8], %w.16: f64[3]) {
  %p.17 : f64[8] = np.matmul(%X.14, %w.16)
  %e.18 : f64[8] = np.subtract(%p.17, %y.15)
  return %e.18
}
"""

FILLED = """\
graph @main(%x.0: f64[3], %w.1: f64[3]) {
  %s.2 : f64[3, 3] = np.zeros((3, 3))
  %s.3 : f64[3, 3], %h.4 : f64[3] = loop %i.5 in 3 (%s.6 = %s.2, %h.7 = %x.0) {
    %a.8 : f64[3] = np.multiply(%h.7, %w.1)
    %h.9 : f64[3] = np.tanh(%a.8)
    %s.10 : f64[3, 3] = np.setitem!(%s.6, %i.5, %h.9)
    next %s.10, %h.9
  }
  %q.11 : f64[3, 3] = np.square(%s.3)
  %l.12 : f64[] = np.sum(%q.11)
  return %l.12
}
"""

READ_WRITTEN_READ = """\
graph @main(%x.0: f64[4], %w.1: f64[4]) {
  %a.2 : f64[4] = np.multiply(%x.0, %w.1)
  %v.3 : f64[2] = np.getitem(%a.2, 1:3)
  %b.4 : f64[4] = np.multiply(%a.2, %a.2)
  %v.5 : f64[2] = np.multiply!(%v.3, 3.0)
  %c.6 : f64[4] = np.multiply(%a.2, %b.4)
  %w.7 : f64[4] = np.setitem!(%w.1, 0, 7.0)
  %d.8 : f64[4] = np.multiply(%c.6, %w.7)
  %l.9 : f64[] = np.sum(%d.8)
  return %l.9
}
"""

NEEDED_THEN_CHANGED = """\
graph @main(%x.0: f64[4], %k.1: f64[4]) {
  %a.2 : f64[4] = np.multiply(%x.0, %k.1)
  %k.3 : f64[4] = lib.change!(%k.1)
  %l.4 : f64[] = np.sum(%a.2)
  return %l.4
}
"""


def values(module: Module) -> dict[int, Value]:
    return {value.number: value for value in module.main.body.values()}


def case(text: str, loss: int, by: list[int], inputs: list[Any]) -> Case:
    module = parse(text)
    found = values(module)
    return Case(module, found[loss], [found[number] for number in by], inputs)


def numbers(*shapes: tuple[int, ...]) -> list[Any]:
    source = np.random.default_rng(2)
    return [source.uniform(0.2, 0.9, shape) for shape in shapes]


@pytest.mark.parametrize(
    "text, loss, by, shapes",
    [
        pytest.param(TRAINING, 13, [0, 1, 2], [(8, 3), (8,), (3,)], id="steps of a descent"),
        pytest.param(FILLED, 12, [0, 1], [(3,), (3,)], id="states kept in an array"),
        pytest.param(READ_WRITTEN_READ, 9, [0, 1], [(4,), (4,)], id="read, written, read"),
    ],
)
def test_loops_and_writes_agree_with_differences(
    text: str, loss: int, by: list[int], shapes: list[tuple[int, ...]]
) -> None:
    check(case(text, loss, by, numbers(*shapes)))


def test_what_a_derivative_needs_is_kept_before_it_is_changed() -> None:
    one = case(NEEDED_THEN_CHANGED, 4, [0], [])
    text = print_module(differentiate(one.module, one.loss, one.by))
    assert text.index("np.copy(%k") < text.index("lib.change!")


def test_loops_of_loops_are_differentiated() -> None:
    inner = TRAINING.replace("loop %i.5 in 4", "loop %i.5 in 2")
    body = inner[inner.index("  %w.4") : inner.index("  %e.12")]
    outer = (
        "  %w.4 : f64[3] = loop %o.30 in 2 (%w.31 = %w.3) {\n"
        + body.replace("%w.4 ", "%w.32 ").replace("= %w.3)", "= %w.31)")
        + "    next %w.32\n  }\n"
    )
    check(case(inner.replace(body, outer), 13, [0, 2], numbers((8, 3), (8,), (3,))))


def test_each_derivative_has_the_place_of_its_op() -> None:
    text = """\
graph @main(%x.0: f64[3]) {
  %y.1 : f64[3] = np.sin(%x.0)  # a.py:3:5
  %l.2 : f64[] = np.sum(%y.1)   # a.py:4:5
  return %l.2
}
"""
    module = parse(text)
    found = values(module)
    shown = print_module(differentiate(module, found[2], [found[0]]))
    stage = shown.partition("--- stage 1 ---")[2]
    assert "np.cos(%x.0)" in stage and "# a.py:3:5" in stage.partition("np.cos(%x.0)")[2][:40]


@pytest.mark.parametrize(
    "line, reason",
    [
        (
            "%b.3 : f64[2] = np.unique(%x.0)  # a.py:7:3\n  %l.9 : f64[] = np.sum(%b.3)",
            r"np\.unique: which elements it gives depends on which are equal",
        ),
        ("%l.9 : f64[] = lib.f(%x.0)  # a.py:7:3", r"lib\.f: what it does wasn't traced"),
        (
            "%l.9 : f64[] = np.linalg.norm[ord=5](%m.1)  # a.py:7:3",
            r"np\.linalg\.norm: the norm 5 of matrices",
        ),
        (
            "%a.3 : f64[3] = loop %i.4 in ? (%b.5 = %x.0) {\n next %b.5\n }  # a.py:7:3\n"
            "  %l.9 : f64[] = np.sum(%a.3)",
            "how often the loop ran isn't known",
        ),
        (
            "%a.3 : c128[3, 3] = np.multiply(%m.1, complex(0.0, 1.0))\n"
            "  %b.4 : f64[3] = np.linalg.svd[compute_uv=False](%a.3)  # a.py:7:3\n"
            "  %l.9 : f64[] = np.sum(%b.4)",
            r"np\.linalg\.svd: its derivative for complex numbers isn't known",
        ),
    ],
)
def test_what_has_no_derivative_is_named_with_its_line(line: str, reason: str) -> None:
    module = parse(f"graph @main(%x.0: f64[3], %m.1: f64[3, 3]) {{\n  {line}\n  return %l.9\n}}\n")
    before = print_module(module)
    found = values(module)
    with pytest.raises(NotDifferentiable, match=reason) as caught:
        differentiate(module, found[9], [found[0], found[1]])
    assert print_module(module) == before
    assert isinstance(caught.value.node.span, Span | None)


@pytest.mark.parametrize(
    "loss, by, reason",
    [
        (1, [0], "not one number"),
        (3, [2], "not of real or complex numbers"),
        (4, [0], "not of real numbers"),
        (6, [0], "computed in a loop"),
    ],
)
def test_only_a_number_is_differentiated_by_real_values(
    loss: int, by: list[int], reason: str
) -> None:
    module = parse("""\
graph @main(%x.0: f64[3]) {
  %y.1 : f64[3] = np.sin(%x.0)
  %n.2 : i64[3] = np.argsort(%x.0)
  %l.3 : f64[] = np.sum(%y.1)
  %k.4 : i64[] = np.argmax(%x.0)
  %a.8 : f64[] = loop %i.5 in 2 (%b.7 = %l.3) {
    %l.6 : f64[] = np.sum(%b.7)
    next %l.6
  }
  return %a.8
}
""")
    found = values(module)
    with pytest.raises(GraphError, match=reason):
        differentiate(module, found[loss], [found[number] for number in by])


def test_what_the_loss_does_not_depend_on_has_zeros() -> None:
    module = parse("""\
graph @main(%x.0: f64[3], %y.1: f64[2]) {
  %l.2 : f64[] = np.sum(%x.0)
  return %l.2
}
""")
    found = values(module)
    _, gx, gy = run(differentiate(module, found[2], [found[0], found[1]]), np.ones(3), np.ones(2))
    assert gx.tolist() == [1, 1, 1]
    assert gy.tolist() == [0, 0]


def test_complex_numbers_have_the_derivatives_that_torch_gives() -> None:
    torch = pytest.importorskip("torch")
    module = parse("""\
graph @main(%z.0: c128[3, 3], %w.1: c128[3], %x.2: f64[3]) {
  %a.3 : c128[3] = np.matmul(%z.0, %w.1)
  %b.4 : c128[3] = np.fft.fft(%a.3)
  %c.5 : c128[3] = np.multiply(%b.4, %x.2)
  %d.6 : c128[3] = np.exp(%c.5)
  %e.7 : c128[3] = np.conjugate(%d.6)
  %f.8 : c128[3] = np.multiply(%e.7, %w.1)
  %g.9 : f64[3] = np.absolute(%f.8)
  %h.10 : f64[3] = np.angle(%c.5)
  %i.11 : f64[3] = np.multiply(%g.9, %h.10)
  %l.12 : f64[] = np.sum(%i.11)
  return %l.12
}
""")
    numbers = np.random.default_rng(0)
    shapes = ((3, 3), (3,))
    complex_ = [0.3 * (numbers.normal(size=s) + 1j * numbers.normal(size=s)) for s in shapes]
    inputs = [*complex_, numbers.normal(size=3)]
    found = values(module)
    made = differentiate(module, found[12], [found[0], found[1], found[2]], num_derivatives=2)
    directions = [np.conj(x) + 0.5 for x in inputs]
    _, *ours = run(made, *inputs, *directions)

    z, w, x = tensors = [torch.tensor(each, requires_grad=True) for each in inputs]
    c = torch.fft.fft(z @ w) * x
    loss = ((c.exp().conj() * w).abs() * c.angle()).sum()
    first = torch.autograd.grad(loss, tensors, create_graph=True)
    along = [torch.tensor(each) for each in directions]
    second = torch.autograd.grad(first, tensors, along)
    for mine, theirs in zip(ours, (*first, *second), strict=True):
        close(mine, theirs.detach().numpy(), 1e-12)
