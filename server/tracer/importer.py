"""Modules of the user's project are recorded like the program; installed libraries stay opaque.

The one thing that changes is the code that a module's loader finds: no finder is added to
``sys.meta_path`` and no loader takes the place of another.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source

from .instrument import instrument
from .publish import Publisher
from .recorder import Recorder
from .sites import Program, Tables

_INSTALLED = frozenset({"site-packages", "dist-packages", ".venv", "venv", "node_modules", ".tox"})


def install(project: str, tables: Tables, programs: dict[str, Program], recorder: Recorder,
            publisher: Publisher, texts: Mapping[str, str] | None = None,
            calls: bool = False) -> None:  # fmt: skip
    """Record the modules below the folder ``project`` when they are imported. ``texts`` are run in
    place of what is in the files with these paths. With ``calls``, what calls are made with is
    kept."""
    plain = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> types.CodeType | None:
        path = loader.get_filename(name)
        if not belongs(path, project):
            return plain(loader, name)
        text = texts.get(path) if texts else None
        try:
            source = decode_source(loader.get_data(path)) if text is None else text
            rewritten = instrument(source, path, tables, calls=calls)
            code = rewritten.code(lambda key: recorder.resolve(key, path))
        except Exception:  # whatever is wrong with the file, Python says it in its own way
            return plain(loader, name) if text is None else compile(text, path, "exec")
        programs[path] = rewritten.program
        publisher.program(rewritten.program)
        return code

    SourceFileLoader.get_code = get_code  # type: ignore[assignment,method-assign]


def belongs(path: str, project: str) -> bool:
    """Whether a module's file is part of the project rather than something installed."""
    path = os.path.abspath(path)
    if not path.startswith(project.rstrip(os.sep) + os.sep):
        return False
    inside = path[len(project) :].split(os.sep)
    if not _INSTALLED.isdisjoint(inside):
        return False
    return not any(path.startswith(p + os.sep) for p in (sys.prefix, sys.base_prefix))
