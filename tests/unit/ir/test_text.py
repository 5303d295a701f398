"""The text form: print, parse, print again is the identity."""

from __future__ import annotations

from pathlib import Path

import pytest

from jit_lsp.ir import ParseError, PrintOptions, parse, parse_type, print_module

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
