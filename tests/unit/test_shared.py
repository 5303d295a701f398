"""Programs that share what they import come to the same as each by itself."""

import sys
import textwrap
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from with_torch import runnable

from jit_lsp.ir import print_module
from jit_lsp.session import Cancel, Cancelled, Limits, Request, trace
from jit_lsp.shared import Shared
from jit_lsp.tracer.lift import lift

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pods are for Linux")
CASES = Path(__file__).parents[1] / "cases"
ONE_OF_EACH = [
    path
    for folder in sorted(CASES.iterdir())
    for path in sorted(folder.glob("[!o]*.py"))[:1]
    if runnable(path) and folder.name != "timeout"
]


@pytest.fixture(scope="module")
def shared():
    with closing(Shared()) as made:
        yield made


def request(path, text, **more):
    limits = Limits(wall=60.0 if "torch" in text else 20.0)
    return Request(str(path), textwrap.dedent(text), sys.executable, limits=limits, **more)


def shown(result):
    """All that a user sees of a check."""
    recorded = result.trace
    raised = recorded.outcome.status == "raised"  # nobody waits for the traceback
    return {
        "output": "" if raised else recorded.output,
        "outcome": replace(recorded.outcome, stack=()),
        "findings": result.findings,
        "graph": print_module(lift(recorded).module),
        "sources": {path: source.text for path, source in recorded.sources.items()},
    }


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.parent.name)
def test_a_case_comes_to_the_same(shared, path):
    beside = CASES / path.name  # all in one folder
    asked = request(beside, path.read_text())
    both = [shown(shared.trace(asked, Cancel())), shown(trace(asked, Cancel()))]
    if path.parent.name == "read-write-race":
        for each in both:
            del each["graph"]  # whose order is that of the threads in this run
    assert both[0] == both[1]


def test_programs_with_the_same_imports_share_an_interpreter(shared, tmp_path):
    where = (
        "import numpy as np\nimport os\nprint(os.getppid(), 'numpy' in __import__('sys').modules)"
    )
    first, second = (
        shared.trace(request(tmp_path / name, text), Cancel()).trace.output
        for name, text in (("a.py", where), ("b.py", where + "\nx = np.ones(3)"))
    )
    assert first == second


def test_nothing_of_one_program_is_left_for_the_next(shared, tmp_path):
    leaves = "import numpy as np, sys\nopen('left', 'w').close()\nnp.mine = sys.mine = 1\n"
    looks = """
        import numpy as np, os, sys
        print(os.path.exists("left"), hasattr(np, "mine"), hasattr(sys, "mine"), sys.argv)
    """
    for text in (leaves, looks):
        asked = request(tmp_path / "one.py", text, arguments=("a",), directory=str(tmp_path))
        result = shared.trace(asked, Cancel())
        assert result.findings == ()
    assert result.trace.output == trace(asked, Cancel()).trace.output
    assert result.trace.output.startswith("False False False")


def test_a_module_of_the_folder_comes_before_one_that_is_installed(shared, tmp_path):
    (tmp_path / "numpy.py").write_text("ones = len\n")
    asked = request(tmp_path / "one.py", "import numpy as np\nprint(np.ones('four'))\n")
    assert shared.trace(asked, Cancel()).trace.output == "4\n"


def test_one_that_is_stopped_leaves_the_others_alone(shared, tmp_path):
    cancel = Cancel()

    def stop(*, line, seconds):
        cancel.cancel()

    endless = request(tmp_path / "endless.py", "import numpy as np\nwhile True:\n    pass\n")
    with pytest.raises(Cancelled):
        shared.trace(endless, cancel, stop)
    asked = request(tmp_path / "next.py", "import numpy as np\nprint(np.ones(3).sum())\n")
    assert shared.trace(asked, Cancel()).trace.output == "3.0\n"


def test_an_interpreter_that_is_none_is_told_as_ever(tmp_path):
    asked = replace(request(tmp_path / "one.py", "x = 1\n"), interpreter="/bin/false")
    with closing(Shared()) as shared:
        outcomes = [shared.trace(asked, Cancel()).trace.outcome for _ in range(4)]
    assert {outcome.status for outcome in outcomes} == {"unavailable"}
