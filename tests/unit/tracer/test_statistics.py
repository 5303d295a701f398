"""What arrays held at the end of a run."""

import math

import pytest

from jit_lsp.hover import hover
from jit_lsp.index import Index


def held(result, name):
    arrays = [e.result for e in result.trace.events if name in getattr(e.result, "names", ())]
    return arrays[-1].statistics


def test_finite_elements_are_summed_up_and_others_counted(traced):
    result = traced(
        """
        import numpy as np
        x = np.array([1.0, -3.0, 0.0, np.nan, np.inf, 2.0])
        whole = np.arange(5)
        flags = whole > 2
        nothing = np.full(3, np.nan)
        empty = np.zeros(0)
        complex_ = np.ones(2) * 1j
        huge = np.full(4, 1e308)
        """
    )
    x = held(result, "x")
    assert (x.mean, x.least, x.most) == (0.0, -3.0, 2.0)
    assert x.deviation == pytest.approx(math.sqrt(3.5))
    assert (x.zeros, x.nans, x.infinite, x.sampled) == (1, 1, 1, False)
    assert (held(result, "whole").mean, held(result, "flags").mean) == (2.0, 0.4)
    nothing = held(result, "nothing")
    assert (nothing.mean, nothing.least, nothing.nans) == (None, None, 3)
    assert held(result, "empty") is held(result, "complex_") is None
    assert held(result, "huge").mean is None  # the sum overflows; no warning is to be seen
    assert held(result, "huge").most == 1e308
    assert result.trace.output == ""


def test_what_was_written_last_counts_and_what_is_gone_is_not_told(traced):
    result = traced(
        """
        import numpy as np
        x = np.zeros(4)
        x += 3
        def f(y):
            z = y * 2
            return z.sum()
        f(x)
        """
    )
    assert held(result, "x").mean == 3.0
    assert held(result, "z") is None


def test_of_large_arrays_a_sample_is_taken(traced):
    result = traced(
        """
        import numpy as np
        x = np.arange(3_000_000.0)
        turned = np.ones((2000, 2000)).T
        strided = np.ones((2000, 2000))[:, ::2]
        """
    )
    x = held(result, "x")
    assert x.sampled
    assert x.mean == pytest.approx(1.5e6, rel=1e-4)
    assert held(result, "turned").mean == held(result, "strided").mean == 1.0


def test_where_a_program_failed_its_arrays_are_still_told_of(traced):
    result = traced(
        """
        import numpy as np
        def f():
            x = np.ones(3)
            return x @ np.ones(4)
        f()
        """
    )
    assert held(result, "x").mean == 1.0


def test_a_hover_has_them(traced):
    result = traced("import numpy as np\nx = np.array([0.0, -2.5, 1.0])\n")
    assert Index(result).at(result.request.path, 2, 0).values[-1].statistics.least == -2.5
    shown = hover(result, result.request.path, 2, 0)
    assert "mean −0.5 · std 1.47 · min −2.5 · max 1 · 1 zero · no NaN" in shown.markdown
