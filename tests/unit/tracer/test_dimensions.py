"""Dimensions have the names of the sizes that they were made with, and keep them."""

import pytest

from jit_lsp.index import Index
from jit_lsp.ir import parse, print_module, verify
from jit_lsp.ir.shapes import Dimension, broadcast
from jit_lsp.ir.types import ArrayType
from jit_lsp.tracer.lift import lift

START = """
import numpy as np
batch, width, hidden = 5, 3, 4
x = np.ones((batch, width))
w = np.ones(shape=(width, hidden))
b = np.zeros(hidden)
"""


def types(module):
    """The types of the named values, by name and graph."""
    found = {}
    for graph in module.graphs.values():
        inner = [value for node in graph.body.walk() for value in node.results]
        for value in (*graph.parameters, *inner):
            if value.hint is not None and isinstance(value.type, ArrayType):
                found[f"{graph.name}.{value.hint}"] = str(value.type).partition(";")[0].rstrip("]")
    return {name: text + "]" for name, text in found.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = x @ w + b", "f64[batch=5, hidden=4]"),
        ("y = x.T", "f64[width=3, batch=5]"),
        ("y = x[:, None, :] - x", "f64[batch=5, batch=5, width=3]"),
        ("y = x.sum(axis=0)", "f64[width=3]"),
        ("y = x.max(axis=1, keepdims=True)", "f64[batch=5, 1]"),
        ("y = x[1:]", "f64[4, width=3]"),
        ("y = x[0]", "f64[width=3]"),
        ("y = np.concatenate([x, x], axis=0)", "f64[10, width=3]"),
        ("y = x.reshape(width, batch)", "f64[width=3, batch=5]"),
        ("y = x.reshape(-1, batch)", "f64[3, batch=5]"),
        ("g = np.random.default_rng(0)\ny = g.normal(size=(2, width))", "f64[2, width=3]"),
        ("y = np.eye(hidden)", "f64[hidden=4, hidden=4]"),
        ("y = np.zeros_like(x)", "f64[batch=5, width=3]"),
        ("y = np.einsum('ij,jk->ki', x, w)", "f64[hidden=4, batch=5]"),
        ("y = np.ones(batch * width)", "f64[15]"),
        ("y = np.ones((batch + 0, width))", "f64[5, width=3]"),
    ],
)
def test_type_rules_carry_names(traced, text, expected):
    module = lift(traced(START + text + "\n").trace).module
    assert types(module)["main.y"] == expected
    assert verify(module, types=True) == []
    written = print_module(module)
    assert print_module(parse(written)) == written


def test_a_shape_that_is_taken_apart_names_the_array(traced):
    result = traced(
        """
        import numpy as np
        a = np.random.rand(2, 3, 4)
        n, _, d = a.shape
        b = np.random.rand(6, 7)
        rows = len(b)
        columns = b.shape[-1]
        c = b @ np.ones((7, 2))
        b = np.random.rand(8, 9)
        """
    )
    module = lift(result.trace).module
    found = [str(v.type) for v in _made(result, "np.random.rand")]
    assert found == ["f64[n=2, 3, d=4]", "f64[rows=6, columns=7]", "f64[8, 9]"]
    assert types(module)["main.c"] == "f64[rows=6, 2]"


def test_a_function_has_its_own_names_and_its_caller_others(traced):
    module = lift(
        traced(
            START
            + """
def layer(x, w):
    n, d = x.shape
    z = x @ w
    return z, z.sum(axis=0)

y, s = layer(x, w)
u, v = layer(np.ones((5, 3)), w)
"""
        ).trace
    ).module
    found = types(module)
    assert found["layer.x"] == "f64[n=5, d=3]"
    assert found["layer.z"] == "f64[n=5, hidden=4]"
    assert found["main.y"] == "f64[batch=5, hidden=4]"
    assert found["main.s"] == "f64[hidden=4]"
    assert found["main.u"] == "f64[5, hidden=4]"
    assert verify(module, types=True) == []


def test_a_loop_keeps_the_names_that_every_iteration_gives(traced):
    result = traced(
        START
        + """
h = np.zeros((batch, hidden))
for step in range(6):
    h = np.tanh(x @ w + h)
square = np.ones((hidden, hidden))
for step in range(6):
    square = square.T * 2
turned = np.ones((batch, batch))
other = 5
turned = np.ones((batch, other))
for step in range(6):
    turned = turned.T * 2
"""
    )
    module = lift(result.trace).module
    loops = [n for n in module.graphs["main"].body.walk() if n.op.name == "loop"]
    found = {v.hint: str(v.type) for loop in loops for v in loop.results}
    assert found["h"] == "f64[batch=5, hidden=4]"
    assert found["square"] == "f64[hidden=4, hidden=4]"
    assert found["turned"] == "f64[5, 5]"


def test_hover_has_the_names(traced):
    result = traced(START + "y = x @ w\n")
    seen = Index(result).at(result.request.path, START.count("\n") + 1, 0)
    assert str(seen.values[-1].type) == "f64[batch=5, hidden=4]"


def test_every_time_that_a_place_ran_has_the_names(traced):
    result = traced(START + "for step in range(9):\n    y = x @ w + step\n")
    seen = Index(result).at(result.request.path, START.count("\n") + 2, 4)
    assert set(seen.kinds) == {"f64[batch=5, hidden=4]"}


def test_a_dimension_is_a_size_with_a_name():
    named = ArrayType("f32", (Dimension(2, "n"), 3))
    assert named is ArrayType("f32", (2, 3), names=("n", None))
    assert named is not ArrayType("f32", (2, 3))
    assert named.named(()) is ArrayType("f32", (2, 3))
    assert named.with_(sizes=named.sizes[::-1]).names == (None, "n")
    assert [type(size) for size in ArrayType("f32", (2, 3)).sizes] == [int, int]
    assert ArrayType("f32", broadcast((2, 1), named.sizes)).names == ("n", None)


def _made(result, callee):
    return [e.result for e in result.trace.events if callee in result.trace.text(e.site.span)]
