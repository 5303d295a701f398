"""What a run depended on besides its text, and whether that is still so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

Stamp = tuple[int, int, int, int] | None
"""What tells one state of a file from another; None: there is no such file."""

_CHANGING: Stamp = (-1, -1, -1, -1)
"""Of a file that was changed while the run may have read it."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Files by path, with their states as a run saw them."""

    stamps: Mapping[str, Stamp]

    def hold(self, now: dict[str, Stamp]) -> bool:
        """Whether all is as it was. ``now`` keeps what has been looked at."""
        return all(_stamp(path, now) == stamp for path, stamp in self.stamps.items())


def seen(
    paths: Iterable[str],
    texts: Iterable[str],
    directory: str,
    began: float,
    before: Inputs | None = None,
) -> Inputs:
    """What a run that began at a time of the wall clock has seen of ``paths``, and of the files
    that ``texts`` of the program may mean. What an earlier run has seen before counts."""
    known = dict(before.stamps) if before else {}
    now: dict[str, Stamp] = {}
    meant = (str(Path(directory) / text) for text in texts if text and "\0" not in text)
    for path in (*paths, *meant):
        if path not in known:
            stamp = _stamp(path, now)
            changing = stamp is not None and stamp[0] >= int(began * 1e9) - _COARSE
            known[path] = _CHANGING if changing else stamp
    return Inputs(known)


_COARSE = 20_000_000
"""Nanoseconds by which the clock of a file system may lag."""


def _stamp(path: str, now: dict[str, Stamp]) -> Stamp:
    if path not in now:
        try:
            status = Path(path).stat()
            now[path] = (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)
        except (OSError, ValueError):
            now[path] = None
    return now[path]
