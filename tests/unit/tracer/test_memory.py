"""Recording holds no array: a chain of large ones needs no more memory than it does plain."""

import subprocess
import sys

import pytest
from test_random_programs import recorded as instrumented

CHAIN = """
import resource
import numpy as np

def chain(x):
    for i in range(4):
        x = (x * 2.0 + 1.0) - x / 3.0
        x = np.maximum(x, 0.5)
    return x

chain(np.ones(100_000_000 // 8))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="others count the peak in other units")
def test_a_chain_of_large_arrays_needs_no_more_memory(tmp_path):
    program = tmp_path / "chain.py"
    program.write_text(CHAIN)
    runner = [sys.executable, "-m", "jit_lsp.cli", "run", "--interpreter", sys.executable]
    findings = ["--findings", str(tmp_path / "findings.json")]
    plain, recorded = (
        int(subprocess.check_output([*command, str(program)], timeout=120))
        for command in ([sys.executable], [*runner, *findings])
    )
    assert plain > 250_000
    assert recorded <= 1.05 * plain


@pytest.mark.parametrize("many", [False, True])
def test_an_array_that_was_resized_is_only_a_number_from_then_on(many, monkeypatch):
    monkeypatch.setattr("jit_lsp.tracer.recorder.MAX_CLEAN", 2 if many else 1 << 16)
    code, flush = instrumented(
        """
import sys
import numpy as np
grown = np.ones(100) * 2
str((grown, [grown]))
grown.resize(50)
str(grown)
grown.resize(150)
print(grown.sum())
more = [np.ones(3) * i for i in range(9)]
""",
        twins=False,
    )
    exec(code, {"__name__": "__main__"})
    flush()
    flush()
