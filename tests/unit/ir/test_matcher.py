"""Patterns of nodes."""

from __future__ import annotations

import pytest

from jit_lsp.ir import Constant, Symbol, Value, parse
from jit_lsp.ir.matcher import Anything, Apply, Literal, Pattern, match

S = Symbol.parse
ADD, TURN, SUM = {S("np.add")}, {S("np.ndarray.T"), S("np.transpose")}, {S("np.sum")}
GRAPH = parse("""\
graph @main(%x.0: f64[3, 3], %y.1: f64[3, 3]) {
  %t.2 : f64[3, 3] = np.ndarray.T(%x.0)
  %a.3 : f64[3, 3] = np.add(%t.2, %y.1)
  %b.4 : f64[3, 3] = np.add(%x.0, %x.0)
  %c.5 : f64[3, 3] = np.add(%x.0, 1)
  %s.6 : f64[3] = np.sum[axis=0](%t.2)
  %x.7 : f64[3, 3] = np.add!(%x.0, %y.1)
  return %a.3, %b.4, %c.5, %s.6, %x.7
}
""")
VALUES = {value.number: value for value in GRAPH.main.body.values()}


@pytest.mark.parametrize(
    "pattern, number, names",
    [
        (Anything("v"), 0, {"v": 0}),
        (Apply(ADD), 3, {}),
        (Apply(ADD, name="sum"), 3, {"sum": 3}),
        (Apply(ADD, [Apply(TURN, [Anything("x")]), Anything("y")]), 3, {"x": 0, "y": 1}),
        (Apply(ADD, [Anything("x"), Anything("x")]), 4, {"x": 0}),
        (Apply(ADD, [Anything("x"), Literal(1)]), 5, {"x": 0}),
        (Apply(SUM, attributes={"axis": 0}), 6, {}),
        (Apply(TURN, uses=2), 2, {}),
        (Anything("v", where=lambda o: isinstance(o, Value) and o.hint == "x"), 0, {"v": 0}),
    ],
)
def test_fits(pattern: Pattern, number: int, names: dict[str, int]) -> None:
    expected = {name: VALUES[of] for name, of in names.items()}
    assert match(pattern, VALUES[number]) == expected


@pytest.mark.parametrize(
    "pattern, number",
    [
        (Apply(ADD), 0),  # a parameter
        (Apply(ADD), 2),  # another op
        (Apply(ADD), 7),  # a write in place isn't an application
        (Apply(ADD, [Apply(TURN)]), 4),
        (Apply(ADD, [Anything("x"), Anything("x")]), 3),
        (Apply(ADD, [Anything(), Literal(1.0)]), 5),  # 1 isn't 1.0
        (Apply(ADD, [Anything()] * 3), 3),
        (Apply(SUM, attributes={"axis": 1}), 6),
        (Apply(SUM, attributes={"keepdims": True}), 6),
        (Apply(TURN, uses=1), 2),
        (Apply(TURN, where=lambda node: False), 2),
        (Anything(where=lambda operand: False), 0),
    ],
)
def test_does_not_fit(pattern: Pattern, number: int) -> None:
    assert match(pattern, VALUES[number]) is None


def test_constants_fit_too() -> None:
    assert match(Literal("a"), Constant("a")) == {}
    assert match(Anything("c"), Constant("a")) == {"c": Constant("a")}
    assert match(Literal("a"), VALUES[0]) is None
