"""Functions that nothing called are known by their examples."""

import pytest

from jit_lsp.tracer.lift import lift


def recorded(result):
    """The texts of the events' sites inside functions."""
    trace = result.trace
    return [trace.text(e.site.span) for e in trace.events if e.frame.scope.kind == "function"]


def findings(result):
    return [(f.code, f.span.line) for f in result.findings]


def test_a_comment_above_a_function_is_its_example(traced):
    result = traced(
        """
        import numpy as np

        # Rows of a batch.
        # jit: example double(np.ones((4, 3)))
        @(lambda function: function)
        def double(x):
            return x * 2
        """
    )
    assert recorded(result) == ["x * 2"]
    assert str(result.trace.events[-2].result.type) == "f64[4, 3]"
    assert list(lift(result.trace).module.graphs) == ["main", "double"]


def test_a_docstring_has_examples(traced):
    result = traced(
        '''
        import numpy as np

        def halve(x):
            """Half of it.

            >>> v = np.ones(3)
            >>> halve(
            ...     v)
            array([0.5, 0.5, 0.5])
            >>> halve(None)
            Traceback (most recent call last):
            TypeError
            >>> halve(undefined)  # doctest: +SKIP
            """
            return x / 2

        class Layer:
            """A layer.

            >>> Layer().forward(np.ones(2))
            """

            def forward(self, x):
                return x + 1
        '''
    )
    assert recorded(result) == ["x / 2", "x + 1"]
    assert result.findings == ()


def test_what_was_called_is_not_called_again(traced):
    result = traced(
        """
        import numpy as np

        # jit: example count(np.ones(1))
        def count(x):
            global calls
            calls += 1
            print("called", calls)
            return x + 1

        calls = 0
        count(np.ones(2))

        # jit: example print("not to be seen") or loud(np.ones(1))
        def loud(x):
            return x + count(x)
        """
    )
    assert recorded(result) == ["x + 1", "x + 1", "count(x)", "x + count(x)"]
    assert result.trace.output == "called 1\n"


def test_an_example_that_fails_in_the_function_is_a_finding_there(traced):
    result = traced(
        """
        import numpy as np

        # jit: example add(np.ones(3), np.ones(4))
        def add(x, y):
            return x + y
        """
    )
    assert findings(result) == [("shape-mismatch", 6)]
    assert result.trace.failure.calls[0].span.line == 4


@pytest.mark.parametrize(
    ("example", "found"),
    [
        ("# jit: example add(missing)", [("script-error", 4)]),  # written for us: told
        ("# jit: example add(", [("script-error", 4)]),
        ("# jit: example exit(3)", []),
    ],
)
def test_an_example_that_is_wrong_itself(traced, example, found):
    result = traced(f"\nimport numpy as np\n\n{example}\ndef add(x):\n    return x + 1\n")
    assert findings(result) == found


def test_a_docstring_that_is_wrong_itself_is_not_ours_to_tell(traced):
    result = traced(
        '''
        def add(x):
            """It adds.

            >>> add(missing)
            >>> add(
            """
            return x + 1
        '''
    )
    assert result.findings == ()


def test_without_a_sandbox_nothing_but_the_program_runs(traced):
    text = "import numpy as np\n# jit: example f(np.ones(1))\ndef f(x):\n    return x + 1\n"
    assert recorded(traced(text)) == ["x + 1"]
    assert recorded(traced(text, sandbox=False)) == []


def test_a_program_that_failed_is_not_followed_by_examples(traced):
    text = "import numpy as np\n# jit: example f(np.ones(1))\ndef f(x):\n    return x + 1\n1 / 0\n"
    assert recorded(traced(text)) == []
