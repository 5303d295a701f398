"""What a program reads of the machine's files while it runs: on what else but its text it depends.

Known are the files that Python itself opens and the folders that it lists; what a library reads by
calls of its own is not seen.
"""

from __future__ import annotations

import os
import sys
from typing import Any

_OF_THE_KERNEL = ("/proc/", "/dev/", "/sys/")


class Reads:
    """The paths that were read since they were last asked for."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._new: list[str] = []
        sys.addaudithook(self._hook)

    def take(self) -> list[str]:
        """What is new."""
        new, self._new = self._new, []
        return new

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not isinstance(flags, int) or flags & os.O_ACCMODE == os.O_WRONLY:
                return
        elif event == "os.listdir" or event == "os.scandir":
            path = "." if arguments[0] is None else arguments[0]
        else:
            return
        if isinstance(path, str | bytes):
            self._add(path)

    def _add(self, path: str | bytes) -> None:
        try:
            text = os.path.abspath(os.fsdecode(path))
        except OSError:  # the current folder is gone
            return
        if text not in self._known and not text.startswith(_OF_THE_KERNEL):
            self._known.add(text)
            self._new.append(text)
