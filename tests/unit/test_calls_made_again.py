"""Graphs with calls of code that isn't recorded, executed: its process makes them again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jit_lsp.cli import main

LIBRARY = """\
import numpy as np
def center(x, weight=1.0):
    return (x - x.mean()) * weight
def fill(x, value):
    x[...] = value
"""

PROGRAMS = {
    "a function": """\
import numpy as np
def smooth(a, b, power=2, *, shift=0.0):  # jit: opaque
    return np.sqrt(a) * b ** power + shift
x = np.arange(6.0).reshape(2, 3) + 1
u = smooth(x, x * 2)
v = smooth(u.T, b=x.T[:, ::-1], shift=0.25) + 1
w = smooth(x[0], 3, power=1, **{"shift": 2.0})
""",
    "several results, and a scalar": """\
import numpy as np
def parts(a):  # jit: opaque
    return a[:2], a.sum(axis=1), a + 1j
def largest(a):  # jit: opaque
    return a.max()
x = np.arange(12.0).reshape(3, 4)
head, sums, turned = parts(x)
x[0] = 7.0
scaled = x / largest(x)
both = head + sums[:2, None]
""",
    "lists, tuples and objects": """\
import numpy as np
class Scale:
    def __init__(self, by):
        self.by = by
    def __call__(self, a):  # jit: opaque
        return a * self.by
    def apply(self, arrays, mode):  # jit: opaque
        return sum(arrays) * self.by if mode == "sum" else arrays[0]
def total(*arrays, start):  # jit: opaque
    return sum(arrays, start)
scale = Scale(3.0)
x, y = np.ones(3), np.arange(3)
a = scale(x)
b = scale.apply([x, a], "sum")
pair = a, b
c = total(x, *pair, start=y)
""",
    "read, mutated, read again": """\
import numpy as np
def scale(v, by):  # jit: opaque
    v *= by
x = np.arange(4.0)
before = x + 1
scale(x, 3.0)
after = x + before
scale(v=x, by=0.5)
last = x + after
""",
    "mutated through an alias and a slice": """\
import numpy as np
def scale(v, by):  # jit: opaque
    v *= by
table = np.arange(12.0).reshape(3, 4)
same, row, column = table, table[1], table[:, 2]
before = table + row
scale(same, 2.0)
between = table + column[:, None]
scale(row[::-2], 5.0)
scale(column, 10.0)
after = table + row + same
""",
    "arguments that share memory": """\
import numpy as np
def shift(a, b):  # jit: opaque
    a += b.sum()
    return b
x = np.arange(8.0)
left, right = x[:5], x[3:]
y = shift(left, right)
y += 100.0
result = x * 1.0
""",
    "mutated and given": """\
import numpy as np
def both(a, *, out):  # jit: opaque
    out[:] = a * 2
    return a + out, out
x, o = np.arange(3.0), np.zeros(3)
p, q = both(x, out=o)
o += 1.0
r = p + q
""",
    "in loops and functions": """\
import numpy as np
def step(state, rate):  # jit: opaque
    state *= rate
    return state.sum()
def run(state, turns):
    total = np.zeros(())
    for i in range(turns):
        total = total + step(state, 0.5)
        state = state + 1.0
    return state * total
x = np.arange(4.0)
few = run(x, 3)
many = run(x, 90)
""",
    "an unknown library's functions": """\
import numpy as np
import somelib
from somelib import fill
x = np.arange(5.0)
a = somelib.center(x * 2, weight=2.0)
fill(x[1:3], 9.0)
b = x + a
""",
    "blocks": """\
import contextlib
import numpy as np
x = np.arange(6.0)
power, view = 2, x[2:]
before = x + view.sum()
with np.errstate(all="ignore"):  # jit: opaque
    y = x ** power
    view *= 3
    parts = [y[i] for i in range(3)]
    for i, part in enumerate(parts):
        y[i] = part + i
    if power > 1:
        x = x + 1
after = x + y + view.sum()
def inner(a, scale):
    b = a * 2
    with contextlib.suppress(ZeroDivisionError):  # jit: opaque
        b += scale * a[0]
        c, d = b + 1, b.sum()
    return b - c * d
one = inner(x, 0.5)
two = inner(y, 2.0)
with np.errstate(all="ignore"):  # jit: opaque
    x[0] = 100.0
last = x * 1.0
""",
    "named as operations of Python's are": """\
import numpy as np
def add(a, b):  # jit: opaque
    return a * b
class Stack:
    def item(self, a):  # jit: opaque
        return a + 7
x = np.arange(3.0)
y = add(x, x + 1)
z = Stack().item(y)
""",
    "arrays that objects hold": """\
import numpy as np
class Memory:
    def __init__(self, size):
        self.seen = np.zeros(size)
    def take(self, a):  # jit: opaque
        self.seen += a
        return a * 2
memory = Memory(3)
x = np.arange(3.0)
start = memory.seen + 1
for i in range(4):
    y = memory.take(x + i)
end = memory.seen * y
""",
    "functions as arguments": """\
import numpy as np
def twice(a):
    return a * 2
def apply(f, a):  # jit: opaque
    return f(f(a))
def through(f, a):
    return f(a) + 1
def plus(a):  # jit: opaque
    return a + 10
def minus(a):  # jit: opaque
    return a - 10
x = np.arange(3.0)
a = apply(twice, x)
b = through(plus, x)
c = through(minus, x)
d = through(np.negative, x)
e = np.apply_along_axis(lambda row: row.cumsum() * 2, 1, np.outer(x, b))
f = np.vectorize(lambda number: number + 0.5 if number > 0 else 0.25)(x)
""",
}

Traced = Callable[..., Any]


@pytest.fixture
def traced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Traced:
    """What ``jit-lsp trace`` gives for a program, options and inputs: arrays, or what it said."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "somelib.py").write_text(LIBRARY)
    path, given, out = (tmp_path / name for name in ("program.py", "in.npz", "out.npz"))

    def run(text: str, *options: str, **inputs: Any) -> Any:
        path.write_text(f"import sys\nsys.path.append({str(folder)!r})\n{text}")
        asked = ["--execute", "--interpreter", sys.executable, "-o", str(out), *options]
        if inputs:
            np.savez(given, **inputs)
            asked += ["--inputs", str(given)]
        out.unlink(missing_ok=True)
        status = main(["trace", *asked, str(path)])
        said = capsys.readouterr().err
        return dict(np.load(out)) if status == 0 else said

    return run


def run_here(text: str, folder: Path, **given: Any) -> dict[str, Any]:
    """The variables of a program that has run, with other values for some from the start."""
    sys.path.append(str(folder / "site-packages"))
    try:
        space: dict[str, Any] = {}
        exec(text, space)
    finally:
        sys.path.pop()
        sys.modules.pop("somelib", None)
    return space


def same(found: Mapping[str, Any] | str, wanted: Mapping[str, Any]) -> None:
    assert isinstance(found, dict), found
    assert found
    for name, value in found.items():
        assert value.dtype == np.asarray(wanted[name]).dtype, name
        assert value.tobytes() == np.asarray(wanted[name]).tobytes(), name


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("level", [0, 2])
def test_results_are_those_of_the_program(
    name: str, level: int, traced: Traced, tmp_path: Path
) -> None:
    found = traced(PROGRAMS[name], f"-O{level}")
    wanted = run_here(PROGRAMS[name], tmp_path)
    same(found, wanted)
    arrays = {n for n, v in wanted.items() if isinstance(v, np.ndarray | np.generic)}
    assert len(found) >= len(arrays) - 3  # names of one array may be one value


def test_new_inputs_go_through_calls(traced: Traced, tmp_path: Path) -> None:
    text = PROGRAMS["mutated through an alias and a slice"]
    table = np.random.default_rng(1).normal(size=(3, 4))
    found = traced(text, table=table)
    space = run_here(text.replace("np.arange(12.0).reshape(3, 4)", "GIVEN.copy()").replace(
        "import numpy as np", f"import numpy as np\nGIVEN = np.array({table.tolist()!r})"
    ), tmp_path)  # fmt: skip
    same(found, space)
    found = traced(text, "-O2", row=np.ones(4))
    assert found["row"].tolist() == [1.0, 5.0, 1.0, 5.0]


CUBIC = """\
import numpy as np
def cubic(a, b, c=0.5, *, mode="x"):  # jit: opaque backward=cubic_backward
    return a ** 3 * b + c
def cubic_backward(a, b, c, g, *, mode):  # jit: opaque backward=cubic_twice
    return 3 * a ** 2 * b * g, a ** 3 * g, None, None
def cubic_twice(a, b, c, g, along_a, along_b, along_c, along_mode, *, mode):
    assert along_c is None and along_mode is None and mode == "y"
    return (
        6 * a * b * g * along_a + 3 * a ** 2 * g * along_b,
        3 * a ** 2 * g * along_a,
        None,
        3 * a ** 2 * b * along_a + a ** 3 * along_b,
        None,
    )
def loss(x, w):
    h = np.tanh(x * w)
    for turn in range({turns}):
        h = cubic(h, w, 0.25, mode="y")
    return (h * x).sum()
x, w = np.array([0.5, 0.7, 0.9]), np.array([1.3, 0.8, 0.6])
value = loss(x, w)
"""


def value_of(text: str, folder: Path) -> Callable[[Any, Any], Any]:
    function: Callable[[Any, Any], Any] = run_here(text, folder)["loss"]
    return function


@pytest.mark.parametrize("turns, level", [(1, 2), (3, 0), (3, 2)])
def test_gradients_by_a_function_that_the_program_names(
    turns: int, level: int, traced: Traced, tmp_path: Path
) -> None:
    text = CUBIC.replace("{turns}", str(turns))
    x, w = np.array([0.4, 0.9, 1.1]), np.array([0.9, 1.1, 0.7])
    found = traced(text, f"-O{level}", "--grad", "loss", "--wrt", "x,w", x=x, w=w)
    assert isinstance(found, dict), found
    loss = value_of(text, tmp_path)
    close(found["loss"], loss(x, w))
    close(found["x.grad"], slope(lambda x: loss(x, w), x))
    close(found["w.grad"], slope(lambda w: loss(x, w), w))


def test_second_derivatives_by_the_function_that_is_named_for_the_first(
    traced: Traced, tmp_path: Path
) -> None:
    text = CUBIC.replace("{turns}", "2")
    x, w = np.array([0.4, 0.9, 1.1]), np.array([0.9, 1.1, 0.7])
    along = {"x.grad.direction": np.array([1.0, 0.5, -1.0]), "w.grad.direction": np.ones(3)}
    asked = ["--grad", "loss", "--wrt", "x,w", "--derivatives", "2"]
    found = traced(text, *asked, x=x, w=w, **along)
    assert isinstance(found, dict), found
    loss = value_of(text, tmp_path)

    def sloped(x: Any, w: Any) -> Any:
        by_x, by_w = slope(lambda x: loss(x, w), x), slope(lambda w: loss(x, w), w)
        return by_x @ along["x.grad.direction"] + by_w @ along["w.grad.direction"]

    close(found["x.grad2"], slope(lambda x: sloped(x, w), x, 1e-3), 1e-4)
    close(found["w.grad2"], slope(lambda w: sloped(x, w), w, 1e-3), 1e-4)


def test_gradients_of_what_is_mutated_and_of_a_method(traced: Traced, tmp_path: Path) -> None:
    text = """\
import numpy as np
class Gain:
    def __init__(self, by):
        self.by = by
    def on(self, v, q):  # jit: opaque backward=on_backward
        v *= q * self.by
def on_backward(self, v, q, g):
    return None, q * self.by * g, (v * self.by * g).sum(axis=0)
gain = Gain(3.0)
def loss(x, w):
    h = x * x
    gain.on(h, w)
    return (h * h).sum()
x, w = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 0.5])
value = loss(x, w)
"""
    x, w = np.array([[1.0, 2.0, 0.5], [0.1, 0.2, -1.0]]), np.array([0.5, -1.0, 2.0])
    found = traced(text, "--grad", "loss", "--wrt", "x,w", x=x, w=w)
    assert isinstance(found, dict), found
    loss = value_of(text, tmp_path)
    close(found["x.grad"], slope(lambda x: loss(x, w), x))
    close(found["w.grad"], slope(lambda w: loss(x, w), w))


def close(found: Any, wanted: Any, tolerance: float = 1e-6) -> None:
    assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance), (found, wanted)


def slope(function: Callable[[Any], Any], x: Any, step: float = 1e-6) -> Any:
    """Finite differences of a number by the elements of an array."""
    steps = np.eye(x.size).reshape(x.size, *x.shape) * step
    found = [(function(x + s) - function(x - s)) / (2 * step) for s in steps]
    return np.array(found).reshape(x.shape)


REFUSED = {
    "random numbers": (
        """\
def noisy(a):  # jit: opaque
    return a + np.random.default_rng().normal(size=a.shape)
y = noisy(x)
""",
        "py.noisy: it gives something else when it is called again with the same",
    ),
    "what it keeps": (
        """\
count = [0.0]
def counted(a):  # jit: opaque
    count[0] += 1
    return a + count[0]
y = counted(x)
""",
        "py.counted: it gives something else when it is called again with the same",
    ),
    "what has changed since": (
        """\
offset = 1.0
def moved(a):  # jit: opaque
    return a + offset
y = moved(x)
offset = 2.0
""",
        "py.moved: it gives something else when it is called again with the same",
    ),
    "files": (
        """\
def stored(a):  # jit: opaque
    np.save("stored.npy", a)
    return a + 1
y = stored(x)
""",
        "py.stored: it writes files, which isn't done again",
    ),
    "other programs": (
        """\
import subprocess
def asked(a):  # jit: opaque
    try:
        subprocess.run(["true"])
    except OSError:
        pass
    return a + 1
y = asked(x)
""",
        "py.asked: it starts or ends programs, which isn't done again",
    ),
    "a generator": (
        """\
def summed(parts, a):  # jit: opaque
    return sum(parts, a)
y = summed((i * x for i in range(3)), x)
""",
        "py.summed: it takes a generator, which can be gone over only once",
    ),
    "arrays in a dictionary": (
        """\
def applied(parameters, a):  # jit: opaque
    return parameters["w"] * a
y = applied({"w": x + 1}, x)
""",
        "py.applied: it takes arrays, as argument 1, that the graph doesn't know",
    ),
    "arrays that an object holds": (
        """\
class Memory:
    def __init__(self):
        self.seen = np.zeros(4)
    def add(self, a):  # jit: opaque
        self.seen += a
        return self.seen
memory = Memory()
start = memory.seen + 1
y = memory.add(x)
end = memory.seen + y
""",
        "py.program.add: it gives something else when it is called again with the same",
    ),
    "an exception": (
        """\
calls = []
def once(a):  # jit: opaque
    calls.append(a.sum())
    if len(calls) > 1:
        raise RuntimeError("only once")
    return a * 2
y = once(x)
""",
        "py.once: it raised RuntimeError: only once",
    ),
    "the end": (
        """\
import sys
def ended(a):  # jit: opaque
    if hasattr(sys, "seen"):
        sys.exit(3)
    sys.seen = True
    return a * 2
y = ended(x)
""",
        "py.ended: it raised SystemExit: 3",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cant_be_done_again_is_said_with_its_line(name: str, traced: Traced) -> None:
    text, message = REFUSED[name]
    said = traced(f"import numpy as np\nx = np.arange(4.0)\n{text}")
    assert isinstance(said, str), said
    assert message in said
    assert said.startswith("jit-lsp: ") and "program.py:" in said
    assert said.count("\n") == 1


def test_what_nothing_uses_is_not_called_again(traced: Traced) -> None:
    found = traced("""\
import numpy as np
def shown(a):  # jit: opaque
    open("shown.txt", "w").write(str(a))
x = np.arange(3.0)
shown(x)
y = x + 1
""")
    assert isinstance(found, dict) and found["y"].tolist() == [1, 2, 3]


def test_numbers_of_another_type_or_size_are_no_result(traced: Traced) -> None:
    text = """\
import numpy as np
def chosen(a, mask):  # jit: opaque
    return a[mask > 0] if mask[0] < 9 else (a > 0 if mask[1] else a)
x, mask = np.arange(3.0), np.array([1, 0, 1])
y = chosen(x, mask)
"""
    assert traced(text, mask=np.array([0, 1, 1]))["y"].tolist() == [1, 2]
    assert "py.chosen: it gave f64[3]; it gave f64[2] in the run" in traced(
        text, mask=np.array([1, 1, 1])
    )
    assert "it gave bool[3]; it gave f64[2]" in traced(text, mask=np.array([9, 1, 1]))


def test_it_may_write_no_more_than_it_did(traced: Traced) -> None:
    text = """\
import numpy as np
def clipped(a, b):  # jit: opaque
    if b.max() > 5:
        b[:] = 5
    return a + b
x, y = np.arange(3.0), np.arange(3.0)
z = clipped(x, y)
"""
    assert "py.clipped: it wrote into an array that it left alone in the run" in traced(
        text, y=np.full(3, 9.0)
    )


def test_without_the_worker_calls_are_named(traced: Traced) -> None:
    said = traced(PROGRAMS["a function"], "--fake")
    assert "program.py:7:5: py.smooth: what it does wasn't recorded; --inputs can have" in said


ENDED = {
    "endless": ("while True: pass", "it gave no answer within 2 s"),
    "left": ("os._exit(0)", "the process that ran the program has ended"),
    "killed": ("os.kill(os.getpid(), 9)", "the process that ran the program has ended"),
    "garbage": (
        r"send(b'\x00\x00\x00\x02[]'); time.sleep(5)",
        "what came back is no answer: a frame is not an object with a kind",
    ),
    "too much": (
        r"while True: send(b'\x00\x00\x10\x00' + b'{\"t\":\"x\"}' + b' ' * 4087)",
        "what came back is no answer",
    ),
}


@pytest.mark.parametrize("name", ENDED)
def test_a_worker_that_gives_no_answer(name: str, traced: Traced) -> None:
    what, message = ENDED[name]
    said = traced(
        f"""\
import os, stat, time
import numpy as np
def send(data):
    for number in range(3, 30):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, data)
        except OSError:
            pass
def f(a):  # jit: opaque
    if started:
        {what}
    return a + 1
started = False
x = np.arange(3.0)
y = f(x)
started = True
""",
        "--timeout",
        "2",
    )
    assert isinstance(said, str), said
    assert f"program.py:18:5: py.f: {message}" in said
