"""What the program asks not to be looked into."""

from jit_lsp.ir import print_module
from jit_lsp.tracer.lift import lift


def recorded(result):
    return [result.trace.text(e.site.span) for e in result.trace.events if e.site.kind != "leaf"]


def test_a_function_that_is_opaque_is_one_operation(traced):
    result = traced(
        """
        import numpy as np

        def solve(a):  # jit: opaque
            for _ in range(3):
                a = a * 2
            return a

        # jit: opaque
        @(lambda f: f)
        def other(
            a, b=np.ones(3) + 1
        ):
            return a + b

        x = np.ones(3)
        y = solve(x) - 1
        z = other(y)
        """
    )
    assert recorded(result) == [
        "np.ones(3)", "np.ones(3) + 1", "np.ones(3)", "solve(x)", "solve(x) - 1", "other(y)",
    ]  # fmt: skip
    assert list(lift(result.trace).module.graphs) == ["main"]
    assert str(result.trace.events[-1].result.type) == "f64[3]"


def test_what_only_looks_like_an_array_is_left_alone(traced):
    result = traced(
        """
        import numpy as np

        class Operator:
            dtype = np.dtype(float)
            @property
            def size(self):
                raise RuntimeError("asked for its size")

        def apply(a, b):  # jit: opaque
            return a

        x = np.ones(3)
        apply(Operator(), x)
        apply(x, Operator())
        apply(x, b=Operator())
        """
    )
    assert result.trace.outcome.status == "finished"


def test_a_class_and_a_with_may_be_opaque(traced):
    result = traced(
        """
        import contextlib
        import numpy as np

        class Model:  # jit: opaque
            weight = np.ones(2) * 2

            def forward(self, x):
                return x @ self.weight

        with contextlib.nullcontext(np.ones(2)) as x:  # jit: opaque
            y = x + 1
            z = y * 2

        w = Model().forward(z) + 1
        text = "# jit: opaque"

        def seen(x):
            return x + 1

        seen(z)
        """
    )
    assert "y * 2" not in recorded(result)
    assert "x @ self.weight" not in recorded(result)
    assert recorded(result)[-2:] == ["x + 1", "seen(z)"]
    assert [str(v.type) for e in result.trace.events[-2:-1] for v in e.operands if v] == ["f64[2]"]


def test_what_opaque_calls_write_is_seen(traced):
    result = traced(
        """
        import random
        import struct
        import numpy as np

        def fill(a, value):  # jit: opaque
            a[:] = value

        x = np.arange(5.0)
        random.seed(1)
        random.shuffle(x)
        struct.pack_into("d", x, 8, 7.5)
        fill(x[:2], x[0] + 1)
        fill(value=3.0, a=x)
        random.choice(x)
        print(x)
        """
    )
    changed = {
        result.trace.text(e.site.span): [result.trace.text(e.site.operands[i].span) for i in places]
        for e in result.trace.events
        if (places := e.changed)
    }
    assert changed == {
        "random.shuffle(x)": ["x"],
        'struct.pack_into("d", x, 8, 7.5)': ["x"],
        "fill(x[:2], x[0] + 1)": ["x[:2]"],
        "fill(value=3.0, a=x)": ["x"],
    }
    text = print_module(lift(result.trace).module)
    assert "py.random.shuffle!(%x.0)" in text
    assert "py.fill!" in text


def test_what_opaque_calls_write_by_way_of_what_they_get_is_seen(traced):
    result = traced(
        """
        import numpy as np

        class Engine:  # jit: opaque
            def __init__(self, *buffers):
                self.groups = [{"buffers": buffers}]

            def step(self, by=1.0):
                for group in self.groups:
                    for buffer in group["buffers"]:
                        buffer += by
                return self

        def fill(value, *places):  # jit: opaque
            for place in places:
                for one in place if isinstance(place, list | tuple) else [place]:
                    one[:] = value

        def put(value, a):  # jit: opaque
            a[:] = value

        class Holder:
            pass

        a, b, c, d = np.arange(4.0), np.arange(4.0), np.arange(4.0), np.arange(4.0)
        engine, holder = Engine(a, b[1:]), Holder()
        holder.engine, holder.weight = engine, d
        rows, table = (c, d), {"a": c}
        engine.step()
        engine.step(2.0)
        holder.engine.step(by=2.0)
        [engine][0].step()
        [engine][0].step(3.0)
        fill(9.0, a[:2], b[:1])
        fill(1.0, holder.weight, (c,))
        fill(2.0, [c, d])
        fill(3.0, *rows)
        fill(4.0, rows)
        fill(5.0, [table["a"]])
        put(value=6.0, **table)
        print(a, b, c, d)
        """
    )
    seen = {
        result.trace.text(e.site.span): " ".join(sorted({a.memory.names[0] for a in e.written}))
        for e in result.trace.events
        if e.changed or e.reached
    }
    assert seen == {
        "engine.step()": "a b",
        "engine.step(2.0)": "a b",
        "holder.engine.step(by=2.0)": "a b",
        "[engine][0].step()": "a b",
        "[engine][0].step(3.0)": "a b",
        "fill(9.0, a[:2], b[:1])": "a b",
        "fill(1.0, holder.weight, (c,))": "c d",
        "fill(2.0, [c, d])": "c d",
        "fill(3.0, *rows)": "c d",
        "fill(4.0, rows)": "c d",
        'fill(5.0, [table["a"]])': "c",
        "put(value=6.0, **table)": "c",
    }
    print_module(lift(result.trace).module)
