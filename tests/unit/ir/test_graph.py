"""Building and changing graphs: uses stay consistent, what is wrong is refused at once."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from jit_lsp.ir import (
    ArrayType,
    Constant,
    GraphError,
    Keyword,
    Module,
    Pack,
    PrintOptions,
    Symbol,
    as_operand,
    element_name,
    parse,
    print_module,
    verify,
)

F32 = ArrayType("f32", (2, 3))
ADD = Symbol("np", "add")


def test_equal_types_and_symbols_are_the_same_object() -> None:
    assert ArrayType("f32", (2, 3)) is F32
    assert ArrayType("f32", (2, 3), names=(None, None)) is F32
    assert Symbol.parse("np.add") is ADD
    assert pickle.loads(pickle.dumps(F32)) is F32


@pytest.mark.parametrize(
    "sizes, strides, expected",
    [
        ((2, 3), (12, 4), True),
        ((2, 3), (4, 8), False),
        ((2, 3), None, None),
        ((1, 3), (999, 4), True),
        ((0, 3), (4, 8), True),
        ((), (), True),
        ((None, 3), (12, 4), None),
    ],
)
def test_contiguous(sizes: tuple[int, ...], strides: tuple[int, ...], expected: bool) -> None:
    type_ = ArrayType("f32", sizes, strides)
    assert type_.contiguous is expected
    assert ("strides" in str(type_)) == (expected is False)


def test_sizes_are_one_call_away() -> None:
    assert (F32.ndim, F32.size, F32.nbytes) == (2, 6, 24)
    assert ArrayType("f32", (2, None)).size is None
    assert F32.with_(sizes=(6,)).sizes == (6,)
    assert F32.with_(element="f64").nbytes == 48


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ArrayType("f 32", ()),
        lambda: ArrayType("f32", (-1,)),
        lambda: ArrayType("f32", (1,), (1, 2)),
        lambda: ArrayType("f32", (1,), names=("a", "b")),
        lambda: ArrayType("f32", (1,), names=("a b",)),
        lambda: ArrayType("f32", (), device="a;b"),
        lambda: Symbol("np", ""),
        lambda: Symbol("n.p", "add"),
        lambda: element_name("float"),
    ],
)
def test_wrong_types_and_names_are_refused(wrong: object) -> None:
    with pytest.raises(ValueError):
        wrong()  # type: ignore[operator]


@pytest.mark.parametrize(
    "typestr, name",
    [
        ("<f8", "f64"),
        ("|b1", "bool"),
        ("<i2", "i16"),
        (">f4", "f32_be"),
        ("<c16", "c128"),
        ("<U5", "str5"),
        ("|S3", "bytes3"),
        ("<M8[ns]", "datetime_ns"),
        ("<m8", "timedelta"),
        ("|O", "object"),
        ("|V16", "void16"),
        ("|T16", "string"),
    ],
)
def test_element_names(typestr: str, name: str) -> None:
    assert element_name(typestr) == name


def test_uses_follow_every_change() -> None:
    module = Module()
    body = module.add_graph("main").body
    x, y = body.add_parameter(F32, "x"), body.add_parameter(F32, "y")
    node = body.append(ADD, [x, Pack("list", [x, Keyword("k", y)])], [F32])
    assert (x.uses, y.uses) == ({node: 2}, {node: 1})
    x.replace_uses(y)
    assert (x.uses, y.uses) == ({}, {node: 3})
    node.set_operands([x, Constant(1)])
    assert (x.uses, y.uses) == ({node: 1}, {})
    end = body.set_return([node.result])
    with pytest.raises(GraphError, match="still used"):
        node.erase()
    body.set_return([])
    assert end not in node.result.uses
    node.erase()
    assert x.uses == {}
    assert list(body) == [body.terminator]


def test_erasing_a_loop_frees_what_it_captured() -> None:
    module = Module()
    body = module.add_graph("main").body
    x = body.add_parameter(F32, "x")
    loop = body.append_loop(3, [("x", x)], "i")
    inside = loop.regions[0]
    inside.append(ADD, [x, inside.parameters[1]], [F32])
    inside.set_next([inside.parameters[1]])
    loop.erase()
    assert x.uses == {}


def test_nodes_go_ahead_of_the_end_or_where_they_are_told() -> None:
    module = Module()
    body = module.add_graph("main").body
    body.set_return([])
    last = body.append(Symbol("lib", "last"), [])
    first = body.append(Symbol("lib", "first"), [], before=last)
    body.append(Symbol("lib", "middle"), [], before=last)
    assert [node.op.name for node in body] == ["first", "middle", "last", "return"]
    first.move_before(last)
    assert [node.op.name for node in body] == ["middle", "first", "last", "return"]
    assert verify(module) == []


def test_numbers_are_unique_and_follow_the_text_after_renumbering() -> None:
    module = parse("graph @main(%x.7: int) {\n  %y.3 : int = py.f(%x.7)\n  return %y.3\n}\n")
    assert module.main.body.add_parameter(F32).number > 7
    module.renumber()
    assert [value.number for value in module.main.body.values()] == [0, 1, 2]
    assert module.next_number() == 3


def test_graphs_of_one_name_are_numbered_and_found_by_their_types() -> None:
    module = Module()
    first, second = module.add_graph("f"), module.add_graph("f")
    first.body.add_parameter(F32)
    assert (first.name, second.name) == ("f", "f.1")
    assert module.specialisation("f", [F32]) is first
    assert module.specialisation("f", []) is second
    assert module.specialisation("g", []) is None
    with pytest.raises(GraphError, match="no main graph"):
        module.main  # noqa: B018 -- asking is what raises
    assert list(module.functions) == ["f", "f.1"]


HINTS = ["x", "self.W", "layers.0.weight", "x[0]", "ö", "a·b", "", "1", "."]
INFINITE = float("inf")
NUMBERS = [1, -1, 1.5, -0.0, INFINITE, -INFINITE, 1e300, 1j, True]
OTHERS = [None, ..., b"\x00'\"", "a\n\u2028", "\ud800", ADD, F32, (), (1,), [1, [2]]]
SLICES = [slice(None), slice(1, None, 2), slice(None, None, -1)]


@pytest.mark.parametrize("hint", HINTS)
def test_any_hint_reads_back(hint: str) -> None:
    module = Module()
    body = module.add_graph("main").body
    body.set_return([body.add_parameter(F32, hint)])
    text = print_module(module)
    assert print_module(parse(text)) == text


@pytest.mark.parametrize("value", [*NUMBERS, *OTHERS, *SLICES], ids=repr)
def test_any_literal_reads_back(value: object) -> None:
    module = Module()
    body = module.add_graph("main").body
    operand = as_operand(value)
    body.append(Symbol("lib", "f"), [operand, operand], attributes={"a": value})
    body.set_return([])
    again = parse(print_module(module)).main.body.first
    assert again is not None
    assert again.operands == (operand, operand)


def test_what_is_no_attribute_is_refused() -> None:
    body = Module().add_graph("main").body
    for attributes in ({"a": object()}, {"a b": 1}, {"a": {"b": 1}}):
        with pytest.raises(TypeError, match="attribute"):
            body.append(ADD, [], attributes=attributes)
    with pytest.raises(GraphError):
        Pack("set", [])
    with pytest.raises(GraphError):
        Keyword("a b", Constant(1))


def test_the_graph_needs_no_numpy() -> None:
    code = "import sys, jit_lsp.ir, jit_lsp.ir.window; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_printing_does_not_depend_on_how_the_graph_was_made() -> None:
    text = "graph @main(%x.0: int) {\n  return %x.0\n}\n"
    assert str(parse(text)) == print_module(parse(text), PrintOptions()) == text
