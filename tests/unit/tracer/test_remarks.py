"""What is found in values at the moment of an operation, and what isn't looked for."""

import numpy as np
import pytest

from jit_lsp.tracer.remarks import Remarks

SETUP = """
import numpy as np
a = np.array([10, 200], dtype=np.uint8)
b = np.array([12, 10], dtype=np.uint8)
w = np.array([1, 2, 3])
x = np.array([0.5, 1.0, 2.5])
i = np.array([0, 1, 1])
big = np.array([2**62, 1])
"""


def remarks(result):
    """Each remark as (kind, text of its site, details)."""
    trace = result.trace
    assert trace.failure is None
    return [(r.kind, trace.text(r.event.site.span), r.details) for r in trace.remarks]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a - b", ("wrapped", "a - b", (1, 10, 12, -2, 254))),
        ("a * 2", ("wrapped", "a * 2", (1, 200, 2, 400, 144))),
        ("3 - b", ("wrapped", "3 - b", (2, 3, 12, -9, 247))),
        ("-a", ("wrapped", "-a", (2, 0, 10, -10, 246))),
        ("a += 100", ("wrapped", "a += 100", (1, 200, 100, 300, 44))),
        ("a -= b", ("wrapped", "a -= b", (1, 10, 12, -2, 254))),
        ("big + big", ("wrapped", "big + big", (1, 2**62, 2**62, "a large int", "a large int"))),
        ("big * 5", ("wrapped", "big * 5", (1, 2**62, 5, "a large int", 2**62))),
        ("w[:] = x", ("cut", "w[:]", (2, 0.5))),
        ("w[:] = x * 3", ("cut", "x * 3", (2, 1.5))),
        ("w[i] += 1", ("repeated", "w[i] += 1", (3, 2, 2, 1))),
        ("w[i // 1] += 1", ("repeated", "i // 1", (3, 2, 2, 1))),
        ("np.eye(2)[i, i] += 1", ("repeated", "np.eye(2)[i, i] += 1", (3, 2, 2, 1, 1))),
    ],
)  # fmt: skip
def test_found(traced, line, found):
    assert remarks(traced(SETUP + line)) == [found]


@pytest.mark.parametrize(
    "line",
    [
        "b - 10", "a + 55", "a // 3 * 3", "a & b", "a ^ b", "a.astype(int) - b", "x[:2] - a",
        "w * w",
        "np.subtract(a, b)", "a[0] - b[1]", "a[:0] - b[:0]",
        "w[:] = x * 2 + 1e-12", "w[:] = np.floor(x)", "x[:] = x / 3", "w[:] = [1, 2, 3]",
        "w[[0, 2]] += 1", "w[x > 0] += 1", "w[i] = 1", "w[1:] += 1", "w[i] = w[i] + 1",
    ],
)  # fmt: skip
def test_nothing_found(traced, line):
    assert remarks(traced(SETUP + line)) == []


def test_each_site_is_told_once_and_looked_at_so_often(traced):
    result = traced(
        """
        import numpy as np
        a = np.zeros(4, dtype=np.uint8)
        for k in range(400):
            a - 1
            a + 1
        large = np.zeros(3_000_000, dtype=np.uint8)
        large[-1] = 255
        large + 1
        """
    )
    found = remarks(result)
    assert [text for _, text, _ in found] == ["a - 1"]


def test_values_are_not_kept_alive(traced):
    result = traced(
        """
        import numpy as np, weakref
        w = np.array([1, 2, 3])
        gone = []
        for k in range(3):
            v = np.arange(3) / 2
            gone.append(weakref.ref(v))
            w[:] = v
            w[:] = v + 1
            i = np.zeros(2, int)
            gone.append(weakref.ref(i))
            w[i] += 1
            w[i + 0] += 1
        del v, i
        assert all(r() is None for r in gone)
        """
    )
    assert len(remarks(result)) == 4


def test_warnings_and_states_stay_as_they_were(traced):
    result = traced(
        """
        import numpy as np, warnings
        warnings.simplefilter("error")
        np.seterr(all="raise")
        a = np.array([200], dtype=np.uint8)
        w = np.array([1, 2])
        b = a + a
        w[:] = np.array([0.5, 1e300]) / np.array([1.0, 1e300])
        w[[0, 0]] += 1
        assert np.geterr()["invalid"] == "raise"
        """
    )
    assert [kind for kind, _, _ in remarks(result)] == ["wrapped", "cut"]


def test_calls_that_lead_to_no_array_are_soon_left_alone(monkeypatch):
    monkeypatch.setattr("_thread._count", lambda: 0)  # those that run the tests
    record = object()
    looked_at = Remarks([], {id(record): {}})
    looked_at.array = np.ndarray
    looked_at.digest = np.ndarray.tobytes
    for _ in range(20):
        looked_at.watch(record, 1, (["none"],), False)
        looked_at.watch(record, 2, ([np.ones(3)],), False)
    assert looked_at.settled == {1}
