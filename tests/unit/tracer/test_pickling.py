"""Functions that are sent to other processes go there as they were written."""

SENDER = """
import marshal


def _code_reduce(obj):
    \"\"\"What the real one takes apart.\"\"\"
    return marshal.dumps(obj)
"""


def test_code_that_is_sent_has_nothing_of_ours(traced, tmp_path):
    """``marshal`` takes constants of Python alone."""
    library = tmp_path / "site-packages" / "cloudpickle"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("from .cloudpickle import _code_reduce\n")
    (library / "cloudpickle.py").write_text(SENDER)
    result = traced(
        """
        import marshal
        import sys
        import types

        sys.path.insert(0, "site-packages")
        import cloudpickle
        import numpy as np

        def work(n):
            table = np.zeros(4)
            for k in range(n):
                table[k] = k * 2.0
            return [v + n for v in table], (lambda x: x + n)(1)

        sent = cloudpickle._code_reduce(work.__code__)
        there = types.FunctionType(marshal.loads(sent), {"np": np})
        assert repr(there(3)) == repr(work(3))
        try:
            marshal.dumps(work.__code__)
        except ValueError:
            print("recorded here")
        """
    )
    assert (result.trace.outcome.status, result.trace.output) == ("finished", "recorded here\n")
