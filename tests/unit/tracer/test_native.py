"""The recorders in C send what those in Python send."""

import contextlib
import gc
import io
import warnings
import weakref
from pathlib import Path
from random import Random

import numpy as np
import pytest
from random_python import Writer

from jit_lsp.tracer import frontends, native, recorder
from jit_lsp.tracer.frontends.numpy import activate
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.publish import Publisher

CASES = Path(__file__).parents[2] / "cases"
NOT_HERE = {"crash", "timeout", "memory-limit", "blocked-effect", "read-write-race"}
"""Kinds that end the process, or whose order is chance."""
CHANCE = (
    "torch", "__file__", "default_rng()", "shuffle", "np.empty", "empty_like", "RecursionError",
)  # fmt: skip
"""What programs have in their texts that do something else each time, or need more than is here. In
C none of our frames is among those that Python counts."""

pytestmark = pytest.mark.skipif(native.make_state is None, reason="the recorders in C aren't built")


def programs():
    for path in sorted(CASES.glob("*/*.py")):
        text = path.read_text(encoding="utf-8")
        if path.parent.name not in NOT_HERE and not any(chance in text for chance in CHANCE):
            yield pytest.param(text, id=f"{path.parent.name}/{path.stem}")
    for seed in range(60):
        yield pytest.param(Writer(Random(seed)).program(), id=f"random-{seed}")


def sent(source, monkeypatch, *, in_c, twins=True):
    """What a run of a program tells the server, less what it was told before."""
    frames = []
    monkeypatch.setattr(recorder, "make_state", native.make_state if in_c else None)
    monkeypatch.setattr(Publisher, "frame", lambda self, kind, **fields: frames.append(fields))
    made = Publisher(lambda data: None).recorder()
    assert (made.native is not None) is in_c
    made.frontends = [f for f in frontends.ALL if not f(made)]
    names = {"__name__": "__main__"}  # held: whether arrays are there still is to be no chance
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        np.random.seed(0)
        try:
            program = instrument(source, "<program>", twins=twins)
            code = program.code(lambda key: made.resolve(key, "<program>"))
            exec(code, names)
        except (Exception, SystemExit):
            pass
        made.flush()
    known = {}
    return [repr(once(fields, known)) for fields in frames]


def once(part, known):
    """Without the descriptions of arrays that were described so before: those in Python describe
    some again."""
    if isinstance(part, dict):
        return {key: once(value, known) for key, value in part.items()}
    if not isinstance(part, list | tuple):
        return part
    if part[:1] == ["a"] and len(part) > 2:
        if known.get(part[1]) == part:
            return part[:2]
        known[part[1]] = part
    return [once(item, known) for item in part]


@pytest.mark.parametrize("source", list(programs()))
@pytest.mark.parametrize("twins", [False, True])
def test_both_send_the_same(source, twins, monkeypatch):
    in_python = sent(source, monkeypatch, in_c=False, twins=twins)
    assert sent(source, monkeypatch, in_c=True, twins=twins) == in_python


@pytest.mark.parametrize("kind", ["float64", "float32", "float16", "complex128", "int8", "bool"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (3, 2500), (200, 300)])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("special", [0, "nan", "inf", "-nan"])
def test_nans_are_found_in_any_array(kind, shape, order, special, monkeypatch):
    source = f"""
import numpy as np
x = np.zeros({shape}, dtype={kind!r}, order={order!r})
if x.size and x.dtype.kind in "fc":
    x[(-1,) * x.ndim] = float({special!r})
y = x + x
z = np.abs(x)
for _ in range(3):
    w = y.T - 1
"""
    in_python = sent(source, monkeypatch, in_c=False)
    assert sent(source, monkeypatch, in_c=True) == in_python


@pytest.mark.parametrize(("kind", "dtype"), [("f16", "f2"), ("f32", "f4"), ("f64", "f8")])
def test_nans_in_memory(kind, dtype):
    bits = np.dtype(f"u{dtype[1]}")
    for seed in range(200):
        random = np.random.default_rng(seed)
        values = random.integers(0, 1 << (8 * bits.itemsize - 1), seed, bits, endpoint=True)
        values = (values | random.integers(0, 2, seed, bits) << (8 * bits.itemsize - 1)).view(dtype)
        values[np.isnan(values) & (random.random(seed) < 0.99)] = random.choice(
            [0, np.inf, -np.inf]
        )
        found = native.any_nan(values.ctypes.data, values.size, kind)
        assert found == bool(np.isnan(values).any())


def test_nans_of_bfloat16():
    values = np.array([0, 0x3F80, 0xFF80, 0x7F80, 0x7F81, 0xFFFF], np.uint16)
    found = [native.any_nan(values.ctypes.data + 2 * i, 1, "bf16") for i in range(len(values))]
    assert found == [False, False, False, False, True, True]


def test_nans_are_asked_for_rightly():
    with pytest.raises(ValueError, match="no kind of floats: 'i8'"):
        native.any_nan(0, 0, "i8")
    with pytest.raises(TypeError):
        native.any_nan("0", 0, "f32")
    with pytest.raises(TypeError):
        native.any_nan(0, 0)


def test_arrays_that_are_laid_out_otherwise_are_refused():
    state = native.make_state(recorder.Recorder(lambda log: None).space, [], {})
    probe = np.empty((3, 4))[:, :2]
    address = probe.__array_interface__["data"][0]
    kinds = np.dtype(float), np.dtype(np.float32), np.dtype(bool)
    assert not state.learn(probe, address + 8, *kinds, 10, {}, str)
    assert not state.learn(probe.copy(), address, *kinds, 10, {}, str)
    assert not state.learn(object(), address, *kinds, 10, {}, str)
    assert state.learn(probe, address, *kinds, 10, {}, str)


def test_nothing_of_a_run_is_kept(monkeypatch):
    monkeypatch.setattr(recorder, "make_state", native.make_state)

    def run():
        made = Publisher(lambda data: None).recorder()
        assert activate(made)  # that of PyTorch stays with the process
        source = "import numpy as np\nx = np.ones(3)\nfor _ in range(9):\n    x = x + 1\n"
        names = {}
        exec(instrument(source, "p").code(lambda key: made.resolve(key, "p")), names)
        array = weakref.ref(names.pop("x"))
        assert array() is None  # the log holds no array
        return weakref.ref(made)

    gone = run()
    gc.collect()
    assert gone() is None


REFUSING = """
import numpy as np

class Meta(type):
    def __eq__(cls, other):
        raise RuntimeError("asked whether it is equal")

class Thing(metaclass=Meta):
    def work(self, x):
        return 1

class Odd:
    def work(self, x):
        return x.sum()

Odd.__module__ = None
thing, odd = Thing(), Odd()
x = np.arange(5)
told = thing.work(x), odd.work(x), len([thing, x]), str((thing, x)) > "", [thing, odd][1] is odd
"""


def test_types_that_refuse_to_be_asked_are_left_alone():
    made = Publisher(lambda data: None).recorder()
    made.frontends = [f for f in frontends.ALL if not f(made)]
    assert made.native is not None
    code = instrument(REFUSING, "<program>").code(lambda key: made.resolve(key, "<program>"))
    names = {"__name__": "__main__"}
    exec(code, names)
    made.flush()
    assert names["told"] == (1, 10, 2, True, True)
