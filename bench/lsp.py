"""From a save to its diagnostics over standard input and output, against ``python`` on the file.

Cold starts the server too, as an editor does once; warm is every save after that. All of it is
measured in turns, so that what else the machine does falls on both sides of a ratio.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tests.e2e.raw_client import RawClient

EXAMPLES = Path(__file__).parent.parent / "examples"
PROGRAMS = ("mlp.py", "mlp_broken.py", "heat.py")
ROUNDS = 7
HOVERS = 200


def main() -> None:
    print(f"save to diagnostics: medians of {ROUNDS} rounds in ms, and ratios to python FILE")
    print(f"  {'':<16}{'python':>8}{'warm':>8}{'':>8}{'cold':>8}{'':>8}{'hover p50':>12}{'p99':>8}")
    for name in PROGRAMS:
        measure(EXAMPLES / name)


def measure(path: Path) -> None:
    plain, warm, cold = [], [], []
    with RawClient() as client:
        uri = _ready(client, path)
        _save(client, uri)
        for _ in range(ROUNDS):
            plain.append(_timed(lambda: _run_plainly(path)))
            warm.append(_timed(lambda: _save(client, uri)))
            cold.append(_timed(lambda: _from_nothing(path)))
        hovers = sorted(_timed(lambda: client.hover(uri, 0, 0)) for _ in range(HOVERS))
    base, p50, p99 = median(plain), hovers[HOVERS // 2], hovers[HOVERS * 99 // 100]
    print(
        f"  {path.name:<16}{1e3 * base:8.0f}"
        f"{1e3 * median(warm):8.0f}{median(warm) / base:7.2f}x"
        f"{1e3 * median(cold):8.0f}{median(cold) / base:7.2f}x"
        f"{1e3 * p50:12.2f}{1e3 * p99:8.2f}"
    )


def _ready(client: RawClient, path: Path) -> str:
    client.initialize(initializationOptions={"jit-lsp": {"interpreter": sys.executable}})
    return client.open(path)


def _save(client: RawClient, uri: str) -> None:
    heard = len(client.heard)
    client.save(uri)
    client.diagnostics(uri, heard)


def _from_nothing(path: Path) -> None:
    with RawClient() as client:
        _save(client, _ready(client, path))


def _run_plainly(path: Path) -> None:
    subprocess.run([sys.executable, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
