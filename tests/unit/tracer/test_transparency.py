"""A traced program does what the plain one does: output, errors, exit status, to the byte."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from with_torch import HAS_TORCH, runnable

from tests.transparency.__main__ import MODES, differences, outcomes_of, reason_for, torch_modules

FOLDER = Path(__file__).parents[2] / "programs"
PROGRAMS = [path for path in sorted(FOLDER.glob("*.py")) if runnable(path)]


def outcome(command, program):
    ran = subprocess.run(
        [*command, str(program), "--flag", "word"],
        input=b"from stdin", capture_output=True, timeout=180,
    )  # fmt: skip
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_run_is_python(program, tmp_path):
    findings = tmp_path / "findings.json"
    plain = outcome([sys.executable], program)
    runner = [sys.executable, "-m", "jit_lsp.cli", "run", "--interpreter", sys.executable]
    traced = outcome([*runner, "--findings", str(findings)], program)
    assert traced[1].decode() == plain[1].decode()
    assert traced[2].decode() == plain[2].decode()
    assert traced[0] == plain[0]
    assert findings.exists()


@pytest.mark.skipif(find_spec("test.test_scope") is None, reason="Python came without its tests")
@pytest.mark.parametrize("module", ["scope", "super", "patma", "coroutines", "dynamic"])
def test_others_see_no_difference(module):
    """A sample of ``./dev transparency``, which has the tests of many more modules."""
    name = f"test.test_{module}"
    plain, recorded, twins = (outcomes_of(sys.executable, mode, name, 60) for mode in MODES)
    assert len(plain) > 5
    assert [t for t in differences(plain, recorded) if not reason_for(t)] == []
    assert [t for t in differences(plain, twins) if not reason_for(t)] == []


@pytest.mark.skipif(
    not HAS_TORCH or find_spec("expecttest") is None, reason="PyTorch's tests can't be made here"
)
def test_operations_of_torch_give_the_same_bits(tmp_path):
    """A sample of ``./dev transparency --torch``: forward, in place, by method, and gradients."""
    folder = str(tmp_path)
    (module,) = torch_modules(
        sys.executable, folder, "add", "cat", "linalg.svd", "nn.functional.gelu"
    )
    plain, twins = (
        outcomes_of(sys.executable, mode, module, 150, folder) for mode in ("plain", "twins")
    )
    assert len(plain) > 15
    assert all(outcome.startswith("ok ") for outcome in plain.values())
    assert differences(plain, twins) == []
