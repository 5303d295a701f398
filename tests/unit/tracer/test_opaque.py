"""What the program asks not to be looked into."""

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
