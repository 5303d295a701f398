"""What a project says of the sandbox of its runs, in ``[tool.jit-lsp.sandbox]``.

    [tool.jit-lsp.sandbox]
    memory = "8 GB"
    processes = 64
    hide = ["~/company", "data/private"]
    write = ["results"]

>>> read({"memory": "8 GB", "write": ["results"]})
Confinement(limits={'memory': 8589934592}, hide=(), write=('results',))
>>> read({"write": ["../elsewhere"]})
Traceback (most recent call last):
ValueError: write: a path below the project's folder is wanted, not '../elsewhere'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import Any

_SIZE = re.compile(r"(\d+)\s*(B|kB|MB|GB)")
_UNITS = {"B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


@dataclass(frozen=True, slots=True)
class Confinement:
    """Limits by name, as ``Limits`` has them; paths that are not to be read; and paths, below the
    project's folder, that are really written to."""

    limits: Mapping[str, Any] = field(default_factory=dict)
    hide: tuple[str, ...] = ()
    write: tuple[str, ...] = ()

    def hidden(self, folder: Path) -> tuple[str, ...]:
        """The paths that are hidden, from the project's folder."""
        return tuple(str(folder / Path(path).expanduser()) for path in self.hide)

    def writable(self, folder: Path) -> tuple[str, ...]:
        """The real paths that may be written to: those that exist, and lead nowhere else."""
        root = folder.resolve()
        places = [(folder / path).resolve() for path in self.write]
        return tuple(str(p) for p in places if p.exists() and p != root and p.is_relative_to(root))


def read(table: object) -> Confinement:
    """The table's content.

    Raises:
        ValueError: it holds what it can't; the text says what.
    """
    if not isinstance(table, dict):
        raise ValueError("a table is wanted")
    limits: dict[str, Any] = {}
    paths: dict[str, tuple[str, ...]] = {}
    for key, value in table.items():
        try:
            if key in _LIMITS:
                limits[key.replace("-", "_")] = _LIMITS[key](value)
            elif key in _PATHS:
                paths[key] = _PATHS[key](value)
            else:
                close = get_close_matches(key, [*_LIMITS, *_PATHS], 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ValueError(f"there is no {key!r}{hint}") from None
        except ValueError as error:
            said = str(error)
            raise ValueError(said if said.startswith("there is") else f"{key}: {said}") from None
    return Confinement(limits, **paths)


def _size(value: object) -> int:
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if match is None or not int(match[1]):
        raise ValueError(f"a size such as '512 MB' is wanted, not {value!r}")
    return int(match[1]) * _UNITS[match[2]]


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 86_400:
        raise ValueError(f"a number of seconds up to a day is wanted, not {value!r}")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1 << 20:
        raise ValueError(f"a number from 1 is wanted, not {value!r}")
    return value


def _paths(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(path, str) and path for path in value):
        raise ValueError("a list of paths is wanted")
    return tuple(value)


def _paths_inside(value: object) -> tuple[str, ...]:
    paths = _paths(value)
    for path in paths:
        parts = PurePath(path).parts
        if PurePath(path).is_absolute() or not parts or ".." in parts or path.startswith("~"):
            raise ValueError(f"a path below the project's folder is wanted, not {path!r}")
        if any(part.startswith(".") for part in parts):
            raise ValueError(f"what is hidden is not to be written to: {path!r}")
    return paths


_LIMITS: dict[str, Callable[[object], float]] = {
    "cpu": _seconds,
    "memory": _size,
    "file-size": _size,
    "scratch": _size,
    "output": _size,
    "files": _count,
    "processes": _count,
}
_PATHS: dict[str, Callable[[object], tuple[str, ...]]] = {"hide": _paths, "write": _paths_inside}
