"""Which Python runs a user's program: the one named, the environment's, or the first on PATH.

Light to import, as ``spawn`` is, since it is asked before everything else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

_IN_ENVIRONMENT = ("Scripts/python.exe",) if os.name == "nt" else ("bin/python3", "bin/python")
_ON_PATH = ("python3", "python")


def find_interpreter(
    start: str, explicit: str | None = None, environment: Mapping[str, str] = os.environ
) -> str:
    """The interpreter for a program in the folder ``start``.

    In order: ``explicit`` (a path, or a name on PATH), the activated environment, a ``.venv`` in
    the folder or above it, ``python3`` on PATH.

    Raises:
        FileNotFoundError: none of them is there; the text says what was looked for.
    """
    path = environment.get("PATH")
    if explicit:
        if found := _which(os.path.expanduser(explicit), path):
            return found
        raise FileNotFoundError(f"no interpreter at {explicit!r}")
    active = environment.get("VIRTUAL_ENV")
    folders = [active] if active else []
    folders += [os.path.join(folder, ".venv") for folder in _and_parents(os.path.abspath(start))]
    for folder in folders:
        for name in _IN_ENVIRONMENT:
            if _runs(candidate := os.path.join(folder, name)):
                return candidate
    for name in _ON_PATH:
        if found := _which(name, path):
            return found
    raise FileNotFoundError("no Python: none is given, none active, no .venv, none on PATH")


def _which(name: str, path: str | None) -> str | None:
    if os.path.dirname(name) and _runs(name):
        return name
    import shutil  # only for names without a folder: most starts need not wait for it

    return shutil.which(name, path=path)


def _runs(path: str) -> bool:
    return os.access(path, os.X_OK) and os.path.isfile(path)


def _and_parents(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above
