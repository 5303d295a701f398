"""A run that is computed again from its trace: the same where the trace is right, and told where
something else wrote."""

import contextlib
import io
import threading
import warnings
import weakref
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import pytest
import random_programs
from random_python import Writer

from jit_lsp.diagnostics.rules import read_write_race
from jit_lsp.doc.source import Source
from jit_lsp.tracer import frontends, wire
from jit_lsp.tracer.decode import Decoder
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.kept import HELD, MOST_BYTES, Kept
from jit_lsp.tracer.publish import Publisher
from jit_lsp.tracer.replay import differences

CASES = Path(__file__).parents[2] / "cases"
PATH = "program.py"
NOT_HERE = {
    "crash", "timeout", "memory-limit", "blocked-effect", "read-write-race", "script-error",
}  # fmt: skip
"""Kinds that end the process, or differ by chance."""


WRITTEN_UNSEEN = "ok_filled_by_owner"
"""An opaque object keeps an array and fills it: the trace has no write."""


def recorded(source, **names):
    """The trace of a program that ran in this process, with what its arrays held. What tests
    themselves run in is no thread of its."""
    decoder, unpacker = Decoder(PATH, {PATH: Source(PATH, source)}), wire.Unpacker()

    def take(data):
        for frame in unpacker.feed(data):
            decoder.feed(frame)

    publisher = Publisher(take)
    recorder = publisher.recorder()
    recorder.whole = True
    recorder.keep_contents()
    recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
    rewritten = instrument(source, PATH)
    publisher.program(rewritten.program)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        with contextlib.suppress(Exception, SystemExit), mock.patch("_thread._count", lambda: 0):
            code = rewritten.code(lambda key: recorder.resolve(key, PATH))
            exec(code, {"__name__": "__main__", "np": np, **names})
        recorder.flush()
    return decoder.trace


def programs():
    for path in sorted(CASES.glob("*/*.py")):
        text = path.read_text(encoding="utf-8")
        is_told = path.parent.name in NOT_HERE or path.stem == WRITTEN_UNSEEN
        if not is_told and "torch" not in text and "__file__" not in text:
            yield pytest.param(text, id=f"{path.parent.name}/{path.stem}")
    for seed in range(25):
        yield pytest.param(Writer(Random(seed)).program(), id=f"random-{seed}")
        pieces = random_programs.program(Random(seed), 20)
        if not any("open(" in piece for piece in pieces):
            yield pytest.param("\n".join(pieces), id=f"arrays-{seed}")


@pytest.mark.parametrize("source", list(programs()))
def test_the_same(source):
    np.random.seed(0)
    assert list(differences(recorded(source))) == []


def test_most_is_computed(monkeypatch):
    """Nothing differs where nothing is computed: that is not what the others show."""
    from jit_lsp.tracer import replay

    done = []
    computed = replay._Replay.computed
    monkeypatch.setattr(
        replay._Replay, "computed",
        lambda self, *given: done.append(computed(self, *given)) or done[-1],
    )  # fmt: skip
    trace = recorded("""
x = np.arange(12.0).reshape(3, 4)
rows = x[1:]
rows *= 2
x[0, 1:3] += rows[0, :2]
total = (x @ x.T).sum(axis=1, keepdims=True)
np.add(total, 1, out=total)
scaled = np.where(total > 3, np.sqrt(total), -total)
means = [row.mean() for row in x]
y = np.concatenate([scaled, total], axis=1).astype(np.float32)
y.sort(axis=0)
""")
    assert list(differences(trace)) == []
    assert sum(one for one, _ in done) >= 13


def test_written_by_a_view_that_nobody_sees():
    trace = recorded("""
frame = np.zeros((2, 3))
raw = memoryview(frame).cast("B")
dark = frame - 1.0
raw[:8] = np.float64(7.0).tobytes()
bright = frame + 1.0
""")
    (found,) = differences(trace)
    assert (found.event.site.span.line, found.before.site.span.line) == (6, 4)
    assert (found.found, found.place, found.expected, found.value) == (True, (0, 0), 0.0, 7.0)


def test_written_by_an_opaque_object_that_keeps_it():
    path = CASES / "uninitialized-read" / f"{WRITTEN_UNSEEN}.py"
    (found,) = differences(recorded(path.read_text(encoding="utf-8")))
    assert (found.event.site.span.line, found.before.site.span.line) == (22, 19)


def test_written_while_an_update_had_begun():
    trace = recorded("""
counts = np.zeros(3)
def bump():
    counts[0] += 10
    return 1.0
counts[0] += bump()
""")
    (found,) = differences(trace)
    assert (found.event.site.span.line, found.before.site.span.line) == (6, 4)
    assert (found.found, found.expected, found.value) == (False, 11.0, 1.0)


@pytest.mark.parametrize("locked", [True, False])
def test_threads(locked):
    """Two threads read one number before either has written its own."""
    both = threading.Barrier(1 if locked else 2, timeout=10)
    trace = recorded(
        """
import threading
total = np.zeros(2)
lock = threading.Lock()
def read():
    if not locked:
        both.wait()
    return 1.0
def add():
    with lock if locked else threading.Lock():
        total[0] += read()
threads = [threading.Thread(target=add) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
""",
        both=both, locked=locked,
    )  # fmt: skip
    found = list(differences(trace))
    assert [d.event.site.span.line for d in found] == ([] if locked else [11])


def test_each_memory_is_told_once():
    trace = recorded("""
frame = np.zeros(3)
raw = memoryview(frame).cast("B")
for i in range(1, 9):
    seen = frame + 1
    raw[:8] = np.float64(i).tobytes()
""")
    assert len(list(differences(trace))) == 7
    (finding,) = read_write_race.check(trace)
    assert finding.span.line == 5
    assert "frame[0] is 1, it was 0 the time before" in finding.at


def test_large_arrays_and_others_are_left_alone():
    trace = recorded(f"""
large = np.zeros({MOST_BYTES // 8 + 1})
raw = memoryview(large).cast("B")
raw[:8] = np.float64(7.0).tobytes()
first = large + 1
number = np.array(3.0)
words = np.array(["a", "b"])
settled = np.median(np.array([3.0, 1.0, 2.0]), overwrite_input=True)
empty = np.empty(5)
order = np.array([2, 1, 2]).argsort()
values, vectors = np.linalg.eigh(np.eye(3))
""")
    assert list(differences(trace)) == []


def test_nothing_is_told_beyond_the_most(monkeypatch):
    monkeypatch.setattr("jit_lsp.tracer.kept.MOST_IN_ALL", 100)
    trace = recorded("x = np.arange(6.0)\ny = x + 1\nz = y + 1\nw = z + 1\n")
    assert trace.told is not None and trace.told < len(trace.events)
    assert list(differences(trace)) == []


def test_no_op_of_a_hostile_trace_is_run_but_computations():
    """Whatever a worker says that ran: only what the registry knows as harmless is done again."""
    from jit_lsp.ir import Module, Symbol, types
    from jit_lsp.tracer.replay import _is_small

    def node(op, *operands, **attributes):
        graph = Module().add_graph("main")
        x = graph.body.add_parameter(types.ArrayType("f64", (3,)))
        graph.body.append(Symbol("np", op), [x, *operands], [x.type], [None], attributes)
        return next(iter(graph.body))

    assert _is_small(node("sum"))
    assert not _is_small(node("save"))
    assert not _is_small(node("repeat", 1 << 40))
    assert not _is_small(node("apply_along_axis", Symbol("np", "save")))


def test_elements_are_told_when_they_change():
    x = np.zeros(2)
    log, token = Kept({np.ndarray: np.ndarray.tobytes}), weakref.ref(x)
    for site in range(1, 4):
        x[0] = site // 2
        log.append((site, None, weakref.ref(np.zeros(1)), (), "<f8", (), None, (token,)))
    told = [entry[0] for entry in log.taken(log[:])]
    assert told == [1, HELD, 2, HELD, 3]
