"""The verifier: each check has graphs, broken by hand, that it alone finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jit_lsp.doc import Source, render_plain
from jit_lsp.ir import ArrayType, Module, Node, Symbol, parse
from jit_lsp.ir.verifier import CHECKS, InvalidGraph, check, verify
from jit_lsp.ir.window import error_message

DATA = Path(__file__).parent / "data"
BROKEN = sorted((DATA / "verifier").glob("*.txt"))
RIGHT = """\
graph @main(%x.0: f64[3]) {  # a.py:1:1
  %y.1 : f64[3] = np.negative(%x.0)  # a.py:2:5
  %z.2 : f64[3] = loop %i.3 in 2 (%w.4 = %y.1) {
    %v.5 : f64[3] = np.add[where=True](%w.4, %x.0)
    next %v.5
  }
  return %z.2, %y.1
}
"""


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_only_its_own_check_finds_what_is_broken(path: Path) -> None:
    text, _, expected = path.read_text().partition("\n=====\n")
    errors = verify(parse(text), types=True)
    assert [error.check for error in errors] == [path.stem.split(".")[0]]
    assert render_plain(error_message(errors[0])).rstrip() == expected.rstrip()


def same_number(module: Module) -> None:
    last(module, "np.negative").results[0].number = 0


def no_type(module: Module) -> None:
    module.main.body.append(Symbol("py", "f"), [], [None])  # type: ignore[list-item]


def use_forgotten(module: Module) -> None:
    del module.main.parameters[0].uses[last(module, "np.negative")]


def use_counted_twice(module: Module) -> None:
    module.main.parameters[0].uses[last(module, "np.negative")] = 2


def use_of_a_stranger(module: Module) -> None:
    module.main.parameters[0].uses[last(module, "ir.return")] = 1


def wrong_region(module: Module) -> None:
    last(module, "np.negative").region = last(module, "np.add").region


def odd_attribute(module: Module) -> None:
    last(module, "np.negative").attributes = {"where": object()}


def early_end(module: Module) -> None:
    body = module.main.body
    other = body.append(Symbol("py", "f"), [])
    end = body.terminator
    assert end is not None
    end.move_before(other)


def value_of_another_graph(module: Module) -> None:
    other = module.add_graph("f")
    other.body.set_return([module.main.parameters[0]])


def negative_stage(module: Module) -> None:
    add = last(module, "np.add")
    add.region.mark_stage(-1).move_before(add)


BREAKING: list[tuple[str, Callable[[Module], None]]] = [
    ("single-definition", same_number),
    ("types", no_type),
    ("uses", use_forgotten),
    ("uses", use_counted_twice),
    ("uses", use_of_a_stranger),
    ("links", wrong_region),
    ("attributes", odd_attribute),
    ("terminator", early_end),
    ("definition", value_of_another_graph),
    ("stage", negative_stage),
]


@pytest.mark.parametrize("name, damage", BREAKING, ids=lambda x: getattr(x, "__name__", x))
def test_damage_that_text_cannot_hold(name: str, damage: Callable[[Module], None]) -> None:
    module = parse(RIGHT)
    assert verify(module, types=True) == []
    damage(module)
    assert {error.check for error in verify(module)} == {name}


def test_every_check_has_a_broken_graph() -> None:
    assert {path.stem.split(".")[0] for path in BROKEN} | {n for n, _ in BREAKING} == set(CHECKS)


@pytest.mark.parametrize("path", sorted((DATA / "graphs").glob("*.ir")), ids=lambda p: p.stem)
def test_right_graphs_have_no_errors(path: Path) -> None:
    assert verify(parse(path.read_text())) == []


def test_a_failure_shows_the_line_of_the_program() -> None:
    module = parse(RIGHT.replace("np.negative(%x.0)", "np.negative(%x.0, %x.0, %x.0, %x.0, 1, 2)"))
    (error,) = verify(module)
    source = Source("a.py", "def f(x):\n    y = -x\n")
    text = render_plain(error_message(error, {"a.py": source}))
    assert "2 │     y = -x" in text
    assert text.index("y = -x") < text.index("np.negative(")


def test_check_raises_with_the_errors() -> None:
    module = parse(RIGHT)
    check(module)
    module.main.body.append(Symbol("ir", "magic"), [], [ArrayType("f32", ())])
    with pytest.raises(InvalidGraph, match=r"ir\.magic") as caught:
        check(module)
    assert [error.check for error in caught.value.errors] == ["unknown-op"]


def last(module: Module, op: str) -> Node:
    return [node for node in module.walk() if str(node.op) == op][-1]
