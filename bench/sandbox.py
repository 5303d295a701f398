"""What confinement costs: a tiny program run in each tier, against the same run unconfined.

The rounds go through all tiers in turn, so that what else the machine does falls on all of them.
The processor time is that of all processes of the run, and shakes less than the wall time.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from jit_lsp.session import Cancel, Request, trace

ROUNDS = 25
PROGRAMS = {"pass": "pass\n", "import numpy": "import numpy\n"}
TIERS: dict[str, dict[str, object]] = {
    "unconfined": {"sandbox": False},
    "namespaces": {},
    "landlock": {"without": ("namespaces",)},
    "audit": {"without": ("namespaces", "landlock")},
}


def main() -> None:
    print(f"a run in each tier: medians of {ROUNDS} rounds in ms, what is added, and ratios")
    print(f"  {'':<26}{'wall':>8}{'added':>8}{'':>8}{'CPU':>8}{'added':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            measure(Path(folder), name, text)


def measure(folder: Path, name: str, text: str) -> None:
    took: dict[str, list[tuple[float, float]]] = {tier: [] for tier in TIERS}
    held = {}
    for _ in range(ROUNDS):
        for tier, options in TIERS.items():
            start, used = time.perf_counter(), processor_time()
            held[tier] = run(folder, text, options)
            took[tier].append((time.perf_counter() - start, processor_time() - used))
    base, base_used = (median(times) for times in zip(*took["unconfined"], strict=True))
    for tier, rounds in took.items():
        now, used = (median(times) for times in zip(*rounds, strict=True))
        means = ", ".join(m for m in held[tier] if m in (*TIERS, "seccomp"))
        print(
            f"  {name:<14}{tier:<12}{1e3 * now:8.1f}{1e3 * (now - base):+8.1f}{now / base:7.2f}x"
            f"{1e3 * used:8.1f}{1e3 * (used - base_used):+8.1f}  {means}"
        )


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder: Path, text: str, options: dict[str, object]) -> tuple[str, ...]:
    path = folder / "program.py"
    path.write_text(text)
    request = Request(str(path), text, sys.executable, directory=str(folder), **options)  # type: ignore[arg-type]
    recorded = trace(request, Cancel()).trace
    assert recorded.outcome.status == "finished", recorded.outcome
    return recorded.confined


if __name__ == "__main__":
    main()
