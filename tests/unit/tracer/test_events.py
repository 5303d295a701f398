"""What is recorded of small programs: values, identities, views, writes, frames, failures."""

import pytest

from jit_lsp.tracer.trace import Array, Constant, Pack, Scalar


def events(result):
    """Each event as (text of its site, event)."""
    trace = result.trace
    return [(trace.text(e.site.span), e) for e in trace.events if e.site.kind != "leaf"]


def event(result, text):
    found = [e for t, e in events(result) if t == text]
    assert len(found) == 1, f"{text} in {[t for t, _ in events(result)]}"
    return found[0]


def test_an_operation_knows_its_operands_and_its_result(traced):
    result = traced(
        """
        import numpy as np
        x = np.ones((2, 3))
        w = np.arange(3.0, dtype=np.float32)
        y = (x * w).sum(axis=1) @ np.eye(2)
        """
    )
    x, w = (
        event(result, "np.ones((2, 3))").result,
        event(result, "np.arange(3.0, dtype=np.float32)"),
    )
    product = event(result, "x * w")
    assert product.operands == (x, w.result)
    assert str(product.result.type) == "f64[2, 3]"
    assert str(w.result.type) == "f32[3]"
    total = event(result, "(x * w).sum(axis=1)")
    assert total.operand("self") is product.result
    assert event(result, "(x * w).sum(axis=1) @ np.eye(2)").operands[0] is total.result
    assert (x.names, w.result.names) == (["x"], ["w"])
    assert result.trace.outcome.status == "finished"


def test_a_view_shares_memory_and_a_copy_does_not(traced):
    result = traced(
        """
        import numpy as np
        x = np.zeros((4, 4))
        a = x[1:, ::2]
        b = a.T
        c = x[[0, 1]]
        """
    )
    x = event(result, "np.zeros((4, 4))").result
    a, b, c = (event(result, t).result for t in ("x[1:, ::2]", "a.T", "x[[0, 1]]"))
    assert a.memory is x
    assert b.memory is x
    assert c.memory is c
    assert a.type.strides == (32, 16)


def test_writes_are_seen_in_all_their_forms(traced):
    result = traced(
        """
        import numpy as np
        x = np.zeros(4)
        x += 1
        x[0] = 5
        x[1:] *= 2
        class Holder: pass
        h = Holder()
        h.data = x
        h.data -= 1
        x = x + 1
        n = 1.5
        n += x
        """
    )
    first = event(result, "np.zeros(4)").result
    for text in ("x += 1", "x[0]", "x[1:] *= 2", "h.data -= 1"):
        assert event(result, text).written == (first,), text
    assert event(result, "x + 1").written == ()
    assert event(result, "n += x").written == ()  # a float gave way to a new array


@pytest.mark.parametrize(
    ("statement", "lost"),
    [
        ("x[[0, 1]][0] = 1", True),
        ("x[0:2][0] = 1", False),
        ("x[x > 5][0:1] += 1", True),
        ("(kept := x[[0, 1]])[0] = 1", False),
        ("parts[0][1] = 1", False),
    ],
)
def test_a_write_into_memory_that_nobody_holds_is_lost(traced, statement, lost):
    result = traced(
        f"""
        import numpy as np
        x = np.arange(10.0)
        parts = [x[[0, 1]]]
        {statement}
        """
    )
    stores = [e for _, e in events(result) if e.kind == "store"]
    assert [e.lost and e.operands[0].memory is e.operands[0] for e in stores] == [lost]


def test_a_call_owns_the_frames_that_ran_inside(traced):
    result = traced(
        """
        import numpy as np
        def inner(a):
            return a * 2
        def outer(b, scale):
            c = inner(b)
            return inner(c) + scale
        y = outer(np.ones(3), 1.5)
        """
    )
    call = event(result, "outer(np.ones(3), 1.5)")
    (frame,) = call.entered
    assert frame.scope.name == "outer"
    assert frame.parent is result.trace.frames[0]
    inner_calls = [e for t, e in events(result) if t.startswith("inner(")]
    assert [f.scope.name for e in inner_calls for f in e.entered] == ["inner", "inner"]
    assert all(e.frame is frame for e in inner_calls)
    total = event(result, "inner(c) + scale")
    assert total.operands[1] == Constant(1.5)
    assert call.result is total.result


def test_recursion_threads_and_generators_keep_frames_apart(traced):
    result = traced(
        """
        import threading
        import numpy as np
        def down(a, n):
            return a if n == 0 else down(a + 1, n - 1) * 2
        y = down(np.zeros(2), 3)
        def pairs(a):
            for i in range(2):
                yield a + i
        g, h = pairs(y), pairs(y * 3)
        z = [next(g), next(h), next(g), next(h)]
        results = []
        t = threading.Thread(target=lambda: results.append(y * 7))
        t.start(); t.join()
        """
    )
    products = [e for t, e in events(result) if t.endswith("* 2")]
    assert len({e.frame.number for e in products}) == 3
    sums = [e for t, e in events(result) if t == "a + i"]
    assert [e.frame.number for e in sums[:2]] == [e.frame.number for e in sums[2:]]
    assert sums[0].frame is not sums[1].frame
    assert event(result, "y * 7").frame.scope.kind == "lambda"


def test_scalars_packs_and_unknown_values(traced):
    result = traced(
        """
        import numpy as np
        x = np.ones((3, 2))
        u, s, vt = np.linalg.svd(x)
        m = x.max()
        both = np.concatenate([x, x * m])
        q = np.where(x > 0, x, None)
        """
    )
    svd = event(result, "np.linalg.svd(x)").result
    assert isinstance(svd, Pack)
    assert [n for item in svd.items for n in item.names] == ["u", "s", "vt"]
    peak = event(result, "x.max()").result
    assert isinstance(peak, Scalar)
    assert (peak.value, str(peak.type)) == (1.0, "f64[]")
    joined = event(result, "np.concatenate([x, x * m])")
    assert [type(o) for o in joined.operands] == [Array, Array]


def test_long_loops_are_sampled_and_counted(traced):
    result = traced(
        """
        import numpy as np
        x = np.zeros(3)
        for i in range(5000):
            x = x + 1
            for j in range(3):
                x = x * 0.5
            if i == 4000:
                break
        """
    )
    runs = [r for r in result.trace.loop_runs if r.loop.target == "i"]
    assert [r.iterations for r in runs] == [4001]
    assert len(result.trace.events) < 300


def test_what_changes_late_in_a_loop_is_seen(traced):
    result = traced(
        """
        import numpy as np
        x = np.zeros(3)
        for i in range(6000):
            x = x + 1
            if i > 3000:
                x = np.append(x, 0.0) if x.size < 5 else x
        """
    )
    shapes = {str(e.result.type) for t, e in events(result) if t == "x + 1"}
    assert {"f64[3]", "f64[5]"} <= shapes


def test_the_first_nan_is_told_from_nans_that_came_in(traced):
    result = traced(
        """
        import numpy as np
        data = np.array([1.0, np.nan, 3.0])
        scaled = data * 2
        with np.errstate(invalid="ignore"):
            meant = np.zeros(2) / np.zeros(2)
        p = np.array([0.0, 0.5])
        h = p * np.log(p)
        """
    )
    found = [(result.trace.text(n.event.site.span), n.carried) for n in result.trace.not_finite]
    assert [m for m, carried in found if not carried and "np.array" not in m] == ["p * np.log(p)"]
    assert ("data * 2", True) in found


def test_a_failure_knows_the_operation_and_its_operands(traced):
    result = traced(
        """
        import numpy as np
        def layer(x, w):
            return np.maximum((x * 2) @ w.T, 0)
        for k in range(2):
            layer(np.ones((2, 3)), np.ones((4, 3)))
        layer(np.ones((2, 3)), np.ones((4, 5)))
        """
    )
    failure = result.trace.failure
    assert result.trace.text(failure.site.span) == "(x * 2) @ w.T"
    assert [str(v.type).partition(";")[0].rstrip("]") for _, _, v in failure.operands] == [
        "f64[2, 3", "f64[5, 4",
    ]  # fmt: skip
    assert [c.function for c in failure.calls] == ["<module>", "layer"]


def test_a_failure_in_a_plain_body_still_knows_its_names(traced):
    result = traced(
        """
        import numpy as np
        w = np.ones((3, 3))
        for k in range(900):
            x = np.ones((2, 3 if k < 800 else 4))
            y = x @ w
        """
    )
    failure = result.trace.failure
    assert [str(v.type) for _, _, v in failure.operands] == ["f64[2, 4]", "f64[3, 3]"]


@pytest.mark.parametrize("condition", ["x > 1", "x", "not x", "0 < x < 2", "x.any() and x"])
def test_the_value_whose_truth_was_asked_for(traced, condition):
    result = traced(
        f"""
        import numpy as np
        x = np.array([0.0, 1.0, 2.0])
        if {condition}:
            pass
        """
    )
    failure = result.trace.failure
    assert failure.type == "ValueError"
    assert failure.span.line == 4


@pytest.mark.parametrize(
    "target", ["held['w']", "held[key]", "held['w' + '']", "box.held['w']", "[box][0].held['w']"]
)
def test_an_element_is_seen_to_be_written_or_replaced(traced, target):
    result = traced(
        f"""
        import numpy as np
        class Box:
            pass
        box = Box()
        w = np.ones(3)
        held = box.held = {{'w': w, 'n': 0.0}}
        key, boxes = 'w', [box]
        {target.replace("[box]", "boxes")} += 2.0
        held['n'] += w
        """
    )
    w = event(result, "np.ones(3)").result
    written = event(result, f"{target.replace('[box]', 'boxes')} += 2.0")
    assert written.in_place
    assert written.result is w
    replaced = event(result, "held['n'] += w")
    assert not replaced.in_place
    assert replaced.result is not w


def test_what_ran_plain_before_a_failure_is_worked_out(traced):
    program = """
        import numpy as np
        def step(x, b):
            return np.concatenate([x * 2.0, (b + 1.0)[None]], axis=0)
        x = np.ones((4, 3))
        for i in range(300):
            b = np.ones(5 if i == {last} else 3, dtype=np.float32)
            step(x, b)
        """
    recorded, plain = (traced(program.format(last=last)).trace for last in (0, 299))
    for one, other in zip(recorded.failure.operands, plain.failure.operands, strict=True):
        assert one[:2] == other[:2]
        assert str(getattr(one[2], "type", one[2])) == str(getattr(other[2], "type", other[2]))
    assert [str(v.type) for _, _, v in plain.failure.operands[:2]] == ["f64[4, 3]", "f32[1, 5]"]
    assert recorded.text(plain.failure.operands[1][2].made.site.span) == "(b + 1.0)[None]"


def test_what_lambdas_and_comprehensions_do_over_and_over_is_counted(traced):
    result = traced(
        """
        import numpy as np
        x = np.ones(3)
        scaled = lambda k: x * k
        for i in range(500):
            scaled(i)
        rows = [x + i for i in range(400)]
        """
    )
    trace = result.trace
    loops = {trace.text(run.loop.span)[:4]: run.iterations for run in trace.loop_runs}
    assert loops == {"for ": 500, "[x +": 400}
    assert len(trace.events) < 200
