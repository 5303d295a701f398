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
        "fill(value=3.0, a=x)": ["x"],
    }
    text = print_module(lift(result.trace).module)
    assert "py.random.shuffle!(%x.0)" in text
    assert "py.fill!" in text
