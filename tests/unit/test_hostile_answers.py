"""What a worker may answer that is asked to make a call again: each is an answer or an error."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jit_lsp.calls import Calls
from jit_lsp.ir import parse
from jit_lsp.ir.again import CallError
from jit_lsp.ir.graph import Node
from jit_lsp.tracer import passed

NODE = "graph @main(%x.0: f64[4]) {{\n  {} (%x.0)\n  return %y.1\n}}\n"
GIVES = "%y.1 : f64[4] = py.f"
WRITES = "%y.1 : f64[4] = py.f!"
Frame = dict[str, Any]


def node(text: str = GIVES) -> Node:
    made = parse(NODE.format(text).replace(" (", "(")).main.body.first
    assert made is not None
    made.call = 0
    return made


def answered(frames: Iterable[Frame], of: Node | None = None) -> tuple[Any, ...]:
    """What a call comes to for which these frames come back, and then nothing."""

    def exchange(sent: Iterable[bytes]) -> Iterator[Frame]:
        assert list(sent)
        yield from frames
        raise CallError("it gave no answer")

    return Calls(exchange)(of or node(), [np.arange(4.0)])


def block(data: bytes) -> Frame:
    return {"t": "block", "data": base64.b64encode(data).decode()}


def answer(values: Any, blocks: Any = (), changed: Any = ()) -> Frame:
    return {"t": "answer", "values": values, "blocks": list(blocks), "changed": list(changed)}


FINE = ["array", "<f8", [4], [8], 1, 0, True]
BYTES = np.arange(4.0).tobytes()


def test_an_answer() -> None:
    (result,) = answered([answer([FINE], [[32, 0]]), block(BYTES)])
    assert result.tolist() == [0, 1, 2, 3]
    view = ["array", "<f8", [4], [-8], 0, 24, True]
    assert answered([answer([view])])[0].tolist() == [3, 2, 1, 0]


def test_a_refusal() -> None:
    with pytest.raises(CallError, match=r"^it is tired$"):
        answered([{"t": "refused", "reason": "it is tired"}])


def with_(place: int, value: Any) -> list[Any]:
    return [*FINE[:place], value, *FINE[place + 1 :]]


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [{"t": "hello"}],
        [{"t": "answer"}],
        [answer([])],
        [answer(None)],
        [answer([FINE, FINE], [[32, 0]]), block(BYTES)],
        [answer([FINE])],
        [answer([FINE], [[32, 0]])],
        [answer([FINE], [[32, 0]]), block(BYTES[:-1])],
        [answer([FINE], [[32, 0]]), block(b"")],
        [answer([FINE], [[32, 0]]), block(BYTES * 2)],
        [answer([FINE], [[32, 0]]), {"t": "block", "data": "?"}],
        [answer([FINE], [[32, 0]]), {"t": "block"}],
        [answer([FINE], [[1 << 60, 0]]), block(BYTES)],
        [answer([FINE], [[-32, 0]]), block(BYTES)],
        [answer([FINE], [["32", 0]]), block(BYTES)],
        [answer([FINE], [32]), block(BYTES)],
        [answer([FINE], [[32, 0]], [0]), block(BYTES)],
        [answer([FINE], [[32, 0]], [7]), block(BYTES)],
        [answer([FINE], [[32, 0]], [-1]), block(BYTES)],
        [answer([FINE], [[32, 0]], [None]), block(BYTES)],
        [answer([with_(1, "|O8")], [[32, 0]]), block(BYTES)],
        [answer([with_(1, "<f4")], [[32, 0]]), block(BYTES)],
        [answer([with_(1, ">f8")], [[32, 0]]), block(BYTES)],
        [answer([with_(1, "<f999")], [[32, 0]]), block(BYTES)],
        [answer([with_(1, "<U8")], [[32, 0]]), block(BYTES)],
        [answer([with_(2, [5])], [[32, 0]]), block(BYTES)],
        [answer([with_(2, [3])], [[32, 0]]), block(BYTES)],
        [answer([with_(2, [4, 1])], [[32, 0]]), block(BYTES)],
        [answer([with_(2, [-4])], [[32, 0]]), block(BYTES)],
        [answer([with_(2, [1 << 70])], [[32, 0]]), block(BYTES)],
        [answer([with_(2, ["4"])], [[32, 0]]), block(BYTES)],
        [answer([with_(3, [1 << 40])], [[32, 0]]), block(BYTES)],
        [answer([with_(3, [-8])], [[32, 0]]), block(BYTES)],
        [answer([with_(4, 2)], [[32, 0]]), block(BYTES)],
        [answer([with_(4, -1)], [[32, 0]]), block(BYTES)],
        [answer([with_(5, 8)], [[32, 0]]), block(BYTES)],
        [answer([with_(5, -8)], [[32, 0]]), block(BYTES)],
        [answer([["is", 1.0]])],
        [answer([["int", "9" * 5000]])],
        [answer([["number", "<f8", "zz"]])],
        [answer([["number", "|O8", "00" * 8]])],
        [answer([["tuple", [["is", None]] * 4]])],
        [answer([["kept"]])],
    ],
)
def test_no_answer(frames: list[Frame]) -> None:
    with pytest.raises(CallError):
        answered(frames)


def test_what_is_written_is_of_the_size_that_was_sent() -> None:
    array, of = np.arange(4.0), node(WRITES)

    def asked(*frames: Frame) -> None:
        Calls(lambda sent: iter(list(sent) and frames))(of, [array])

    asked(answer([], [[32, 0]], [0]), block(np.full(4, 7.0).tobytes()))
    assert array.tolist() == [7, 7, 7, 7]
    for sizes, changed in (([[31, 0]], [0]), ([[64, 0]], [0]), ([[32, 0], [32, 0]], [0, 0])):
        with pytest.raises(CallError):
            asked(answer([], sizes, changed), *[block(bytes(size)) for size, _ in sizes])
        assert array.tolist() == [7, 7, 7, 7]


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner),
)


@settings(max_examples=50)
@given(values=JSON, blocks=JSON, changed=JSON)
def test_anything_gives_an_error(values: Any, blocks: Any, changed: Any) -> None:
    frame = {"t": "answer", "values": values, "blocks": blocks, "changed": changed}
    with pytest.raises(CallError):
        answered([frame])


@settings(max_examples=50)
@given(st.lists(JSON, max_size=7))
def test_any_value_is_refused_or_one(parts: list[Any]) -> None:
    for kind in ("array", "number", "tuple", "slice", "is", "int", "complex"):
        try:
            passed.unpack([kind, *parts], [np.zeros(64, np.uint8)], np)
        except (ValueError, TypeError, IndexError, OverflowError, MemoryError):
            continue


SHAPES = st.lists(st.integers(0, 4), max_size=3)


@given(
    shape=SHAPES,
    dtype=st.sampled_from(["<f8", "<f4", "|b1", "<c16", "|u1", ">i4", "<f2"]),
    views=st.lists(
        st.sampled_from(["...", "::-1", "1:", "..., ::2", "None", ":-1"]), max_size=3
    ),
)  # fmt: skip
def test_arrays_come_over_as_they_are(shape: list[int], dtype: str, views: list[str]) -> None:
    whole = np.arange(int(np.prod(shape))).astype(dtype).reshape(shape)
    take: Callable[[Any, str], Any] = lambda a, text: eval(f"a[{text}]", {"a": a}) if a.ndim else a  # noqa: E731
    arrays = [whole]
    for text in views:
        arrays.append(take(arrays[-1], text))
    packer = passed.Packer(np)
    said = packer.pack([tuple(arrays), *arrays])
    blocks = passed.room([(m.bytes.nbytes, m.phase) for m in packer.blocks], np)
    for new, memory in zip(blocks, packer.blocks, strict=True):
        new[:] = memory.bytes
    first, *rest = (passed.unpack(value, blocks, np) for value in said)
    for found, array in zip([*first, *rest], [*arrays, *arrays], strict=True):
        assert (found.dtype, found.shape, found.tobytes()) == (
            array.dtype, array.shape, array.tobytes(),
        )  # fmt: skip
    assert sum(np.shares_memory(rest[0], other) for other in rest) == sum(
        np.shares_memory(arrays[0], other) for other in arrays
    )
