"""Many checks side by side, with a bar on a terminal that says how far they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tqdm import tqdm  # type: ignore[import-untyped]

from .supervisor import Cancel

T = TypeVar("T")
BAR = "{percentage:3.0f}% {bar} {n_fmt}/{total_fmt} files, {remaining} left"


def side_by_side(
    files: Sequence[str], check: Callable[[str, Cancel], T], jobs: int | None = None
) -> list[T]:
    """What ``check`` says of each file, at most ``jobs`` at a time (as many as there are cores).

    Whatever ends it early, an exception of a check or an interrupt, ends the runs too.
    """
    cancels = [Cancel() for _ in files]
    pool = ThreadPoolExecutor(min(jobs or cores(), max(len(files), 1)))
    hidden = len(files) < 2 or not sys.stderr.isatty()
    with tqdm(total=len(files), disable=hidden, leave=False, bar_format=BAR) as bar:
        try:
            futures = [
                pool.submit(check, file, cancel)
                for file, cancel in zip(files, cancels, strict=True)
            ]
            for future in futures:
                future.add_done_callback(lambda _: bar.update())
            return [future.result() for future in futures]
        finally:
            for cancel in cancels:
                cancel.cancel()
            pool.shutdown(cancel_futures=True)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
