"""Correct programs, and the same with one mistake of a known kind.

A fragment is a few lines that are right, and what a mistake makes of one of them. Names, sizes and
numbers are drawn; so is what stands around: the module, a function, a method, a loop, a branch.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

NAMES = ("x", "data", "signal", "heights", "scores", "points", "weights", "samples", "rates", "obs")


@dataclass(frozen=True)
class Mutant:
    """``right`` says nothing; ``wrong`` must be found as one of ``codes``."""

    kind: str
    codes: frozenset[str]
    right: str
    wrong: str


@dataclass(frozen=True)
class _Fragment:
    """``lines`` with one of them as a pair: as it should be, and as it is by mistake."""

    codes: str
    lines: tuple[str | tuple[str, str], ...]

    def text(self, *, wrong: bool) -> str:
        return "\n".join(line if isinstance(line, str) else line[wrong] for line in self.lines)


@st.composite
def mutants(draw: st.DrawFn, kind: str) -> Mutant:
    """A mutant of one of the ``KINDS``."""
    a, b, c = draw(st.permutations(NAMES))[:3]
    rows, columns = draw(st.integers(3, 9)), draw(st.integers(10, 16))
    fragment = draw(st.sampled_from(KINDS[kind]))(a, b, c, rows, columns)
    around = draw(st.sampled_from((_module, _function, _method, _loop, _branch)))
    right, wrong = (
        f"import numpy as np\n\nrng = np.random.default_rng(7)\n\n{around(fragment.text(wrong=w))}"
        for w in (False, True)
    )
    return Mutant(kind, frozenset(fragment.codes.split()), right, wrong)


def _module(body: str) -> str:
    return f"{body}\n"


def _function(body: str) -> str:
    return f"def work():\n{_inside(body)}\n\nwork()\n"


def _method(body: str) -> str:
    inner = textwrap.indent(_inside(body), "    ")
    return f"class Task:\n    def run(self):\n{inner}\n\nTask().run()\n"


def _loop(body: str) -> str:
    return f"for trial in range(3):\n{_inside(body)}\n"


def _branch(body: str) -> str:
    return f"if rng is not None:\n{_inside(body)}\n"


def _inside(body: str) -> str:
    return textwrap.indent(body, "    ")


_Make = Callable[[str, str, str, int, int], _Fragment]


def _wrong_axis(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("shape-mismatch", (
        f"{a} = rng.normal(size=({n}, {m}))",
        f"{b} = rng.normal(size=({m}, 4))",
        (f"{c} = {a} @ {b}", f"{c} = {a}.T @ {b}"),
        f"print({c}.sum())",
    ))  # fmt: skip


def _wrong_axis_mean(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("shape-mismatch", (
        f"{a} = rng.normal(size=({n}, {m}))",
        (f"{b} = {a}.mean(axis=0)", f"{b} = {a}.mean(axis=1)"),
        f"{c} = {a} - {b}",
        f"print({c}.std())",
    ))  # fmt: skip


def _wrong_axis_join(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("shape-mismatch", (
        f"{a} = rng.normal(size=({n}, {m}))",
        f"{b} = np.zeros(({n + 1}, {m}))",
        (f"{c} = np.concatenate([{a}, {b}])", f"{c} = np.concatenate([{a}, {b}], axis=1)"),
        f"print({c}.shape)",
    ))  # fmt: skip


def _missing_keepdims(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("shape-mismatch", (
        f"{a} = rng.random(({n}, {m}))",
        (f"{b} = {a} / {a}.sum(axis=1, keepdims=True)", f"{b} = {a} / {a}.sum(axis=1)"),
        f"print({b}.max())",
    ))  # fmt: skip


def _missing_keepdims_max(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("shape-mismatch", (
        f"{a} = rng.normal(size=({n}, {m}))",
        (f"{b} = np.max({a}, axis=1, keepdims=True)", f"{b} = np.max({a}, axis=1)"),
        f"{c} = np.exp({a} - {b})",
        f"print({c}.sum())",
    ))  # fmt: skip


def _missing_keepdims_square(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("misaligned-reduction", (
        f"{a} = rng.random(({n}, {n}))",
        (f"{b} = {a} / {a}.sum(axis=1, keepdims=True)", f"{b} = {a} / {a}.sum(axis=1)"),
        f"print({b}.max())",
    ))  # fmt: skip


def _missing_copy_elements(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("aliased-elements", (
        (f"{a} = [np.zeros({n}) for _ in range(3)]", f"{a} = [np.zeros({n})] * 3"),
        f"{a}[1][0] = 1.5",
        f"print({a}[2].sum())",
    ))  # fmt: skip


def _missing_copy_slice(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("write-through-view", (
        f"{a} = rng.normal(size={n})",
        (f"{b} = {a}.copy()", f"{b} = {a}[:]"),
        f"{b} -= {b}.mean()",
        f"print({a}.max(), {b}.max())",
    ))  # fmt: skip


def _missing_copy_swap(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("write-through-view", (
        f"{a} = rng.normal(size=({n}, {m}))",
        (f"{a}[[0, 2]] = {a}[[2, 0]]", f"{a}[0], {a}[2] = {a}[2], {a}[0]"),
        f"print({a}[0])",
    ))  # fmt: skip


def _missing_copy_best(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("aliased-name", (
        f"{a} = rng.normal(size={n})",
        (f"best = {a}.copy()", f"best = {a}"),
        f"{a} += 0.5",
        f"{b} = np.abs({a} - best).max()",
        f"print({b}, best.sum())",
    ))  # fmt: skip


def _missing_copy_argument(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("mutated-argument", (
        "def centred(v):",
        ("    v = v - v.mean()", "    v -= v.mean()"),
        "    return v",
        f"{a} = rng.normal(size={n})",
        f"{b} = centred({a})",
        f"{c} = {a}.max()",
        f"print({b}.sum(), {c})",
    ))  # fmt: skip


def _missing_copy_sorted(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("mutated-argument", (
        "def ranked(values, k):",
        ("    values = np.sort(values)", "    values.sort()"),
        "    return values[-k:]",
        f"{a} = rng.normal(size={n})",
        f"{b} = ranked({a}, 2)",
        f"print({b}, {a}[0])",
    ))  # fmt: skip


def _int_array_sum(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("inplace-cast", (
        (f"{a} = np.zeros({n})", f"{a} = np.zeros({n}, dtype=int)"),
        f"for row in rng.normal(size=({m}, {n})):",
        f"    {a} += row",
        f"print({a}.mean())",
    ))  # fmt: skip


def _int_array_store(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("truncating-write", (
        f"{a} = np.arange({n})",
        (f"{b} = np.zeros({n})", f"{b} = np.zeros_like({a})"),
        f"{b}[1:] = ({a}[1:] + {a}[:-1]) / 4",
        f"print({b}.sum())",
    ))  # fmt: skip


def _int_array_scale(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("inplace-cast", (
        (f"{a} = np.arange({n}, dtype=float)", f"{a} = np.arange({n})"),
        f"{a} *= 0.25",
        f"print({a})",
    ))  # fmt: skip


def _missing_axis(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("implicit-outer-broadcast", (
        f"{a} = rng.normal(size=({m}, {n}))",
        f"{b} = rng.normal(size={m})",
        f"{c} = {a} @ np.ones(({n}, 1))",
        (f"error = {c}[:, 0] - {b}", f"error = {c} - {b}"),
        "print((error ** 2).mean())",
    ))  # fmt: skip


def _uninitialised(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("uninitialized-read", (
        (f"{a} = np.zeros({n})", f"{a} = np.empty({n})"),
        f"for step in range({m}):",
        f"    {a} += rng.normal(size={n})",
        f"print({a}.max())",
    ))  # fmt: skip


def _none_bound(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("none-result", (
        f"{a} = rng.normal(size={n})",
        (f"{b} = np.sort({a})", f"{b} = {a}.sort()"),
        f"print({b})",
    ))  # fmt: skip


def _none_used(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("none-result", (
        f"{a} = np.arange({n})",
        (f"{b} = rng.permutation({a})[:2]", f"{b} = rng.shuffle({a})[:2]"),
        f"print({b})",
    ))  # fmt: skip


def _truth(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("ambiguous-truth", (
        f"{a} = rng.normal(size={n})",
        f"{b} = rng.normal(size={n})",
        (f"if ({a} > {b}).any():", f"if {a} > {b}:"),
        f"    {a} = {b}",
        f"print({a})",
    ))  # fmt: skip


def _truth_both(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("ambiguous-truth", (
        f"{a} = rng.normal(size={n})",
        (f"{b} = ({a} > -1) & ({a} < 1)", f"{b} = {a} > -1 and {a} < 1"),
        f"print({b})",
    ))  # fmt: skip


def _duplicates(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("duplicate-index-update", (
        f"{a} = rng.integers(0, {n}, size={10 * m})",
        f"{b} = np.zeros({n})",
        (f"np.add.at({b}, {a}, 1)", f"{b}[{a}] += 1"),
        f"print({b})",
    ))  # fmt: skip


def _shape_argument(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("shape-argument", (
        (f"{a} = np.zeros(({n}, {m}))", f"{a} = np.zeros({n}, {m})"),
        f"print({a}.shape)",
    ))  # fmt: skip


def _lost_write(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("lost-write", (
        f"{a} = rng.normal(size={m})",
        f"{b} = np.array([0, 2, 3])",
        (f"{a}[{b}[1]] = 0", f"{a}[{b}][1] = 0"),
        f"print({a})",
    ))  # fmt: skip


def _discarded(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("discarded-result", (
        f"{a} = rng.normal(size={n})",
        (f"{a} = np.append({a}, 1.0)", f"np.append({a}, 1.0)"),
        f"print({a})",
    ))  # fmt: skip


def _first_nan(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("first-nan", (
        f"{a} = np.linspace(0.0, 1.0, {m})",
        (f"{b} = {a} * np.log(np.maximum({a}, 1e-12))", f"{b} = {a} * np.log({a})"),
        f"print(-{b}.sum())",
    ))  # fmt: skip


def _first_nan_variance(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("first-nan", (
        f"{a} = np.ones(({n}, {m}))",
        (f"{b} = ({a} - 1) / ({a}.std(axis=0) + 1e-9)", f"{b} = ({a} - 1) / {a}.std(axis=0)"),
        f"print({b}.mean())",
    ))  # fmt: skip


def _wraparound(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("integer-wraparound", (
        f"{a} = np.arange({n}, dtype=np.uint8)",
        f"{b} = {a}[::-1]",
        (f"{c} = {a}.astype(int) - {b}", f"{c} = {a} - {b}"),
        f"print(np.abs({c}).max())",
    ))  # fmt: skip


def _resize(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("resize-repeat", (
        f"{a} = rng.normal(size={n})",
        (f"{b} = np.pad({a}, (0, {m - n}))", f"{b} = np.resize({a}, {m})"),
        f"print({b}.sum())",
    ))  # fmt: skip


def _transposed(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("transpose-of-1d", (
        f"{a} = rng.normal(size={n})",
        (f"{b} = {a} - {a}[:, None]", f"{b} = {a} - {a}.T"),
        f"print(np.abs({b}).max())",
    ))  # fmt: skip


def _ragged(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("ragged-array", (
        f"{a} = [[0.0] * {n}, [1.0] * {n}]",
        (f"{a}.append([2.0] * {n})", f"{a}.append([2.0] * {n - 1})"),
        f"{b} = np.array({a})",
        f"print({b}.shape)",
    ))  # fmt: skip


def _float_index(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = rng.normal(size={m})",
        (f"{b} = {a}[len({a}) // 2]", f"{b} = {a}[len({a}) / 2]"),
        f"print({b})",
    ))  # fmt: skip


def _float_slice(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = rng.normal(size={m})",
        (f"{b} = len({a}) // 3", f"{b} = len({a}) / 3"),
        f"print({a}[:{b}])",
    ))  # fmt: skip


def _float_size(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = np.arange({2 * n})",
        (f"{b} = {a}.reshape({a}.size // 2, 2)", f"{b} = {a}.reshape({a}.size / 2, 2)"),
        f"print({b})",
    ))  # fmt: skip


def _float_labels(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = rng.integers(0, {n}, size={m}).astype(float)",
        (f"{b} = np.bincount({a}.astype(int))", f"{b} = np.bincount({a})"),
        f"print({b})",
    ))  # fmt: skip


def _mask_parentheses(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = rng.normal(size={m})",
        (f"{b} = ({a} > 0.5) | ({a} < -0.5)", f"{b} = {a} > 0.5 | {a} < -0.5"),
        f"print({a}[{b}])",
    ))  # fmt: skip


def _mask_minus(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = rng.normal(size={m}) > 0",
        f"{b} = rng.normal(size={m}) > 0",
        (f"{c} = {a} ^ {b}", f"{c} = {a} - {b}"),
        f"print({c}.sum())",
    ))  # fmt: skip


def _columns_of_text(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("dtype-mismatch", (
        f"{a} = [line.split(',') for line in ['{n},1.5', '{m},0.5']]",
        (f"{b} = np.array({a}, dtype=float)", f"{b} = np.array({a})"),
        f"{c} = {b} * 2",
        f"print({c})",
    ))  # fmt: skip


def _order_shape(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("noncontiguous-view", (
        f"{a} = rng.normal(size=({n}, {m}))",
        (f"{b} = {a}.T.copy()", f"{b} = {a}.T"),
        f"{b}.shape = ({n * m},)",
        f"print({b}[:3])",
    ))  # fmt: skip


def _order_bytes(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("noncontiguous-view", (
        "import zlib",
        f"{a} = rng.normal(size=({n}, {m}))",
        (f"{b} = {a}[:2]", f"{b} = {a}[:, :2]"),
        f"print(zlib.crc32({b}))",
    ))  # fmt: skip


def _order_elements(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("noncontiguous-view", (
        f"{a} = rng.normal(size=({n}, {m}, 2))",
        (f"{b} = {a}[:, ::2]", f"{b} = {a}[:, :, ::-1]"),
        f"{c} = {b}.view(complex)",
        f"print({c}.sum())",
    ))  # fmt: skip


def _windows(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("overlapping-write", (
        "from numpy.lib.stride_tricks import sliding_window_view",
        f"{a} = rng.normal(size={m})",
        (
            f"{b} = sliding_window_view({a}, 3).copy()",
            f"{b} = sliding_window_view({a}, 3, writeable=True)",
        ),
        f"{b} -= {b}.mean(axis=1, keepdims=True)",
        f"print({b}.std())",
    ))  # fmt: skip


def _threads(a: str, b: str, c: str, n: int, m: int) -> _Fragment:
    return _Fragment("read-write-race", (
        "import threading",
        "lock = threading.Lock()",
        f"{a} = np.zeros({1000 * n})",
        f"def add_to_{a}(part):",
        ("    with lock:", "    if part:"),
        f"        np.add({a}, part, out={a})",
        f"{b} = [threading.Thread(target=add_to_{a}, args=(i + 1.0,)) for i in range({n})]",
        f"for {c} in {b}:",
        f"    {c}.start()",
        f"for {c} in {b}:",
        f"    {c}.join()",
        f"print({a}[0])",
    ))  # fmt: skip


KINDS: Mapping[str, tuple[_Make, ...]] = {
    "wrong axis": (_wrong_axis, _wrong_axis_mean, _wrong_axis_join),
    "missing keepdims": (_missing_keepdims, _missing_keepdims_max, _missing_keepdims_square),
    "missing copy": (
        _missing_copy_best,
        _missing_copy_argument,
        _missing_copy_sorted,
        _missing_copy_elements,
        _missing_copy_slice,
        _missing_copy_swap,
    ),
    "array of integers": (_int_array_sum, _int_array_store, _int_array_scale),
    "missing index": (_missing_axis,),
    "empty for zeros": (_uninitialised,),
    "None for an array": (_none_bound, _none_used),
    "truth of an array": (_truth, _truth_both),
    "repeated indices": (_duplicates,),
    "sizes for a shape": (_shape_argument,),
    "write into a copy": (_lost_write,),
    "result thrown away": (_discarded,),
    "undefined numbers": (_first_nan, _first_nan_variance),
    "narrow integers": (_wraparound,),
    "resize for pad": (_resize,),
    "transposed vector": (_transposed,),
    "ragged rows": (_ragged,),
    "floats for whole numbers": (_float_index, _float_slice, _float_size, _float_labels),
    "masks as numbers": (_mask_parentheses, _mask_minus),
    "text for numbers": (_columns_of_text,),
    "order in memory": (_order_shape, _order_bytes, _order_elements),
    "overlapping windows": (_windows,),
    "threads without a lock": (_threads,),
}
