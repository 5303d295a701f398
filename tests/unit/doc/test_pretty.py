"""Any value prints, briefly: whatever it is, and whatever its ``repr`` does."""

from __future__ import annotations

import dataclasses
import signal
import subprocess
import sys
from collections import OrderedDict, namedtuple
from enum import Enum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jit_lsp.doc import Doc, annotate, pretty, pretty_for, render_plain

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
    lambda values: (
        st.lists(values, max_size=4)
        | st.dictionaries(st.text(max_size=3), values, max_size=4)
        | st.tuples(values, values)
    ),
    max_leaves=12,
)


def shown(value: object, width: int = 80) -> str:
    return render_plain(pretty(value), width)


@settings(max_examples=50)
@given(plain)
def test_small_values_of_builtin_types_print_as_python_does(value: object) -> None:
    assert shown(value, 10_000) == repr(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros((64, 784), "f4"), "f32[64, 784] 0.0 to 0.0"),
        (np.arange(3), "i64[3] [0, 1, 2]"),
        (np.float32(1.5), "f32[] 1.5"),
        (np.array([[1.0, np.nan]] * 5), "f64[5, 2] holds NaN"),
        (np.zeros((0, 3), "u1"), "u8[0, 3]"),
        (np.array(["a", "b"]), "<U1[2]"),
        (
            np.zeros(2, [(f"field{i}", "f4") for i in range(9)]),
            "[('field0', '<f4'), … ('field8', '<f4')][2]",
        ),
        (np.zeros(2_000_000, "i1"), "i8[2000000]"),
        ({"w": [np.ones((2, 2), "i4")]}, "{'w': [i32[2, 2] 1 to 1]}"),
        ("x" * 1000, f"'{'x' * 60}'… (1,000 long)"),
        ({"k" * 1000: 1}, f"{{'{'k' * 60}'… (1,000 long): 1}}"),
        (SimpleNamespace(a=1), "types.SimpleNamespace(a=1)"),
        (OrderedDict(a=1), "collections.OrderedDict([('a', 1)])"),
    ],
)
def test_values(value: object, text: str) -> None:
    assert shown(value, 200) == text


class Color(Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int
    y: Any
    secret: int = dataclasses.field(default=0, repr=False)


Pair = namedtuple("Pair", "left right")


def test_records_print_with_their_fields() -> None:
    text = shown([Point(1, Point(2, np.ones(1))), Pair(1, 2), Color.RED], 200)
    assert "Point(x=1, y=" in text
    assert "y=f64[1] [1.0])" in text
    assert "Pair(left=1, right=2)" in text
    assert "secret" not in text


class Raises:
    def __repr__(self) -> str:
        raise ValueError


class Exits:
    def __repr__(self) -> str:
        raise SystemExit


class Recurses:
    def __repr__(self) -> str:
        return repr(self)


class Floods:
    def __repr__(self) -> str:
        return "line\n" * 20_000_000


class Lies:
    @property
    def __class__(self) -> Any:
        raise RuntimeError


class Refuses:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError


class BadList(list[int]):
    def __len__(self) -> int:
        raise ValueError


class BadArray:
    shape = dtype = property(lambda self: 1 / 0)


@pytest.mark.parametrize(
    "kind", [Raises, Exits, Recurses, Floods, Lies, Refuses, BadList, BadArray]
)
@pytest.mark.filterwarnings("ignore:The pretty printer")
def test_no_value_breaks_or_floods(kind: type) -> None:
    for value in (kind(), [kind()], {"key": kind()}, SimpleNamespace(x=kind())):
        text = shown(value)
        assert text
        assert len(text) < 500


def test_an_integer_too_long_for_a_line_is_told_by_its_size() -> None:
    assert shown(10**5000) == "<int of 16,610 bits>"
    assert shown({"n": -(10**5000), "m": [10**20]}) == (
        "{'n': <int of 16,610 bits>, 'm': [100000000000000000000]}"
    )
    assert shown(10**100) == str(10**100)


def test_a_number_of_an_enumeration_has_its_name() -> None:
    assert shown([signal.SIGINT, True, 2]) == "[Signals.SIGINT, True, 2]"


def test_a_bad_part_does_not_hide_the_others() -> None:
    assert shown([1, Raises(), 2]) == "[1, <Raises whose repr raises ValueError>, 2]"


def test_depth_and_breadth_are_bounded() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert "[...]" in shown(deep)
    wide: list[Any] = [1]
    for _ in range(30):
        wide = [wide] * 10
    assert len(shown(wide)) < 5_000
    assert "999990 more elements" in shown(list(range(10**6)))


def test_cycles_end() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert "Recursion on list" in shown(loop)


def test_large_strings_are_not_even_looked_through() -> None:
    text = shown(["x" * 10**8, b"y" * 10**8], 200)
    assert text == f"['{'x' * 60}'… (100,000,000 long), b'{'y' * 60}'… (100,000,000 long)]"


class Ours:
    def __pretty__(self) -> Doc:
        return annotate("ours", "an ours")


class Registered:
    pass


@pretty_for(Registered)
def _(value: Registered) -> Doc:
    return "registered"


def test_types_say_how_they_print() -> None:
    assert shown([Ours(), Registered()]) == "[an ours, registered]"


def test_a_printer_that_fails_is_reported_in_the_text() -> None:
    class Broken:
        def __pretty__(self) -> Doc:
            raise KeyError

    assert shown(Broken()) == "<Broken that can't be printed: KeyError>"


def test_documents_of_prettyprinter_break_as_ours_do() -> None:
    assert shown({"alpha": [1, 2, 3], "beta": (4,)}, 22) == (
        "{\n  'alpha': [1, 2, 3],\n  'beta': (4,)\n}"
    )


def test_importing_leaves_the_streams_alone() -> None:
    code = "import sys; a = sys.stdout, sys.stderr; import jit_lsp.doc; "
    code += "assert a == (sys.stdout, sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stdout == run.stderr == b""


def test_other_users_of_prettyprinter_see_no_change() -> None:
    import prettyprinter

    assert "object at" in prettyprinter.pformat([Ours()])
