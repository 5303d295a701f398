"""Files that have all of what is written to them, or are as they were."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in the place of ``path``, at once, when all of it has been written.

    A file that is there already keeps its permissions; of a link, what it leads to is replaced.

    Raises:
        OSError: it can't be written.
    """
    if path.exists() and not path.is_file():  # a device, a pipe; of a folder, this says so
        path.write_bytes(data)
        return
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".jit-lsp-")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        beside.chmod(_mode(target))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """The permissions that a file has, or that a new one gets."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
