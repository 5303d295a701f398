"""The text form: print, parse, print again is the identity."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jit_lsp.ir import (
    GraphError,
    ParseError,
    PrintOptions,
    parse,
    parse_type,
    print_module,
    verify,
)
from jit_lsp.ir.graph import DEEPEST
from jit_lsp.ir.interpreter import run
from jit_lsp.ir.jsonform import to_json
from jit_lsp.ir.passes.manager import optimise

DATA = Path(__file__).parent / "data"
GRAPHS = sorted((DATA / "graphs").glob("*.ir"))


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_files_print_as_they_are_written(path: Path) -> None:
    text = path.read_text()
    assert print_module(parse(text)) == text


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("width", [20, 60, 200])
def test_any_width_reads_back(path: Path, full: bool, width: int) -> None:
    module = parse(path.read_text())
    printed = print_module(module, PrintOptions(width=width, full=full))
    again = parse(printed)
    assert print_module(again, PrintOptions(width=width, full=full)) == printed
    assert print_module(again, PrintOptions(full=True)) == print_module(
        module, PrintOptions(full=True)
    )


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_marks_and_uses_do_not_change_what_reads_back(path: Path) -> None:
    module = parse(path.read_text())
    text = print_module(module)
    assert print_module(module, PrintOptions(marks=True)) == text
    with_uses = print_module(module, PrintOptions(uses=True))
    assert with_uses != text
    assert print_module(parse(with_uses)) == text


@pytest.mark.parametrize(
    "text",
    [
        "f32[]",
        "f32[batch=64, 784]",
        "f64[?, k=?]",
        "f32[3, 4; strides=(4, 12)]",
        "i8[2; strides=(1,); device=cuda:0; kind=tensor]",
        "str5[3]",
        "datetime_ns[7]",
        "int",
        "(f32[2], int)",
        "(int,)",
        "()",
        "list<f32[2], 3>",
        "list<(int, str), ?>",
        '{"a": f32[2], "b c": {}}',
        "module<torch.nn.Linear>",
        'parameter<"0.weight", f32[3, 4]>',
        "handle<numpy.random.Generator>",
        'opaque<"f.<locals>.T">',
    ],
)
def test_types_read_back(text: str) -> None:
    type_ = parse_type(text)
    assert type_.text(full=True) == text
    assert parse_type(text) is type_


@pytest.mark.parametrize("path", sorted((DATA / "errors").glob("*.txt")), ids=lambda p: p.stem)
def test_errors_say_where_and_what_would_be_right(path: Path) -> None:
    text, _, expected = path.read_text().partition("\n=====\n")
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert str(caught.value) == expected.rstrip("\n")


def loops(depth: int) -> str:
    lines = ["graph @main() {"]
    lines += ["  " * level + f"loop %i.{level} in 1 {{" for level in range(1, depth + 1)]
    lines += ["  " * level + end for level in range(depth, 0, -1) for end in ("  next", "}")]
    return "\n".join([*lines, "  return", "}", ""])


def test_regions_nest_as_deep_as_they_may() -> None:
    module = parse(loops(DEEPEST))
    assert print_module(module) == loops(DEEPEST)
    assert verify(module, types=True) == []
    assert verify(optimise(module, 2)) == []
    assert run(module) == ()
    json.dumps(to_json(module.copy()))
    innermost = max((node.region for node in module.walk()), key=lambda region: region.depth)
    nodes = list(innermost)
    with pytest.raises(GraphError, match="regions can't nest more than 100 deep"):
        innermost.append_loop(1, [])
    assert list(innermost) == nodes


@pytest.mark.parametrize(
    "text",
    [
        loops(5000),
        "graph @main() {\n  lib.f(" + "(" * 5000 + "1" + ",)" * 5000 + ")\n  return\n}\n",
        "graph @main(%x.0: " + "(" * 5000 + "int" + ",)" * 5000 + ") {\n  return\n}\n",
        "graph @main(%x.0: " + "list<" * 5000 + "int" + ", 1>" * 5000 + ") {\n  return\n}\n",
    ],
    ids=["regions", "operands", "tuples", "lists"],
)
def test_what_nests_too_deep_is_an_error_at_its_place(text: str) -> None:
    with pytest.raises(ParseError, match="expected less nesting, which may be 100 deep"):
        parse(text)


def test_a_node_may_have_several_regions() -> None:
    text = """\
graph @main(%x.0: f32[2]) {
  %y.1 : f32[2] = lib.choose(%x.0) (%a.2: f32[2]) {  # a.py:1:1
    yield %a.2
  } (%b.3: f32[2], %c.4: int) {
    yield %b.3
  } () {
    yield %x.0
  }
  return %y.1
}
"""
    assert print_module(parse(text)) == text
    assert verify(parse(text)) == []


@given(st.data())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_damaged_text_is_a_parse_error_or_another_graph(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([path.read_text() for path in GRAPHS] + [MANY_TYPES]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        piece = data.draw(st.sampled_from([*"()[]{}<>:=,!?%@#.-\"' x0\n\\", "1e9", "->", "nan"]))
        text = text[:at] + piece + text[at + cut :]
    try:
        module = parse(text)
    except ParseError as error:
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines)
        assert 0 <= error.column <= len(lines[error.line - 1])
        return
    printed = print_module(module)
    assert print_module(parse(printed)) == printed


MANY_TYPES = """\
graph @main(%a.0: list<(f32[2], int), ?>, %b.1: {"k": module<torch.nn.Linear>}) {
  %c.2 : parameter<"0.weight", f32[3; strides=(4,); device=cuda:0]> = lib.f[t=type int](%a.0)
  %d.3 : handle<a.B>, %e.4 : opaque<"<x>"> = lib.g(1:2, complex(1.0, 2.0), b"x", -inf, ...)
  return [%a.0, (1,)], k=%b.1
}
"""
