"""Running many small programs as ``jit-lsp check`` runs the files of one folder: side by side, from
processes that have imported what all of them import."""

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from jit_lsp.session import Cancel, Limits, Request, Result
from jit_lsp.shared import Shared

CASES = Path(__file__).parents[2] / "cases"
WORKERS = 2


class Runs:
    """Runs texts, each as the file of its path."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def run(self, path: Path, text: str) -> Result:
        return self._shared.trace(request(path, text), Cancel())

    def run_all(self, texts: Mapping[Path, str]) -> Mapping[Path, Result]:
        with ThreadPoolExecutor(WORKERS) as pool:
            results = pool.map(self.run, texts, texts.values())
            return dict(zip(texts, results, strict=True))


@contextmanager
def sharing() -> Iterator[Runs]:
    shared = Shared()
    try:
        yield Runs(shared)
    finally:
        shared.close()


def request(path: Path, text: str) -> Request:
    """To run a text as the file of a path, or of one beside the other cases."""
    wall = 4.0 if path.parent.name == "timeout" or "# timeout: 1\n" in text else 10.0
    if "import torch" in text:  # which takes seconds, and more where much else is going on
        wall = 60.0
    return Request(str(together(path)), text, sys.executable, limits=Limits(wall=wall))


def together(path: Path) -> Path:
    """The path of a case as if all were in one folder."""
    return CASES / f"{path.parent.name}.{path.name}" if path.is_relative_to(CASES) else path


def apart(path: str) -> str:
    """The folder and the name of a case that was run."""
    return Path(path).name.replace(".", "/", 1)
