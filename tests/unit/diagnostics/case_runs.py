"""Running many small programs side by side."""

import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jit_lsp.session import Cancel, Limits, Request, Result, trace

CASES = Path(__file__).parents[2] / "cases"
WORKERS = 4


def run_all(texts: Mapping[Path, str]) -> Mapping[Path, Result]:
    """The results of texts, each run as the file of its path."""
    with ThreadPoolExecutor(WORKERS) as pool:
        results = pool.map(run_text, map(str, texts), texts.values())
        return dict(zip(texts, results, strict=True))


def run_text(name: str, text: str) -> Result:
    wall = 2.0 if "/timeout/" in name or "# timeout: 1\n" in text else 10.0
    if "import torch" in text:  # which takes seconds, and more where much else is going on
        wall = 60.0
    return trace(Request(name, text, sys.executable, limits=Limits(wall=wall)), Cancel())
