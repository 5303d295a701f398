"""PyTorch is the user's: tests that need it are skipped without, except where a run requires it."""

import importlib.util
import os
from pathlib import Path

import pytest

HAS_TORCH = importlib.util.find_spec("torch") is not None


def need_torch() -> None:
    """Skip the module or test that asks, where there is no PyTorch and none is required."""
    if HAS_TORCH:
        return
    if os.environ.get("JIT_LSP_REQUIRE_TORCH"):
        pytest.fail("torch is not installed, and this run requires it", pytrace=False)
    pytest.skip("torch is not installed", allow_module_level=True)


def runnable(text: str | Path) -> bool:
    """Whether a program, or the file of one, can run here."""
    text = text if isinstance(text, str) else text.read_text()
    if HAS_TORCH or "import torch" not in text:
        return True
    if os.environ.get("JIT_LSP_REQUIRE_TORCH"):
        pytest.fail("torch is not installed, and this run requires it", pytrace=False)
    return False
