"""Which Python runs a user's program: the one named, the environment's, or the first on PATH."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

_IN_ENVIRONMENT = ("Scripts/python.exe",) if os.name == "nt" else ("bin/python3", "bin/python")
_ON_PATH = ("python3", "python")


def find_interpreter(
    start: Path, explicit: str | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """The interpreter for a program in the folder ``start``.

    In order: ``explicit`` (a path, or a name on PATH), the activated environment, a ``.venv`` in
    the folder or above it, ``python3`` on PATH.

    Raises:
        FileNotFoundError: none of them is there; the text says what was looked for.
    """
    if explicit:
        found = shutil.which(Path(explicit).expanduser(), path=environment.get("PATH"))
        if found is None:
            raise FileNotFoundError(f"no interpreter at {explicit!r}")
        return str(found)
    folders = [Path(active)] if (active := environment.get("VIRTUAL_ENV")) else []
    folders += [folder / ".venv" for folder in (start, *start.parents)]
    for folder in folders:
        for name in _IN_ENVIRONMENT:
            if os.access(folder / name, os.X_OK):
                return str(folder / name)
    for name in _ON_PATH:
        found = shutil.which(name, path=environment.get("PATH"))
        if found is not None:
            return found
    raise FileNotFoundError("no Python: none is given, none active, no .venv, none on PATH")
