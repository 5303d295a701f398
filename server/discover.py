"""Which programs a check of folders runs.

A folder holds more than programs: modules that others import, tests, other people's code. Of what
is found there a file is run when running it says something: see :func:`is_program`. A file that is
named is run whatever it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from .doc.parsing import parse
from .launch import NotText, Unusable, text_of
from .project import Project, ProjectError, project_of

EXCLUDED = frozenset(
    ("__pycache__", "build", "dist", "node_modules", "site-packages", "venv", "__pypackages__")
)
"""Folders that are left out, as are hidden ones and environments."""
_NO_PROGRAMS = frozenset(("__init__.py", "__main__.py", "conftest.py", "setup.py"))
_DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def programs(named: Sequence[str], *, force_exclude: bool = False) -> list[str]:
    """The files to run: those named, and the programs in the folders named; each once, in order.

    With ``force_exclude`` files that are named are chosen like those in folders.

    Raises:
        Unusable: there is no such file or folder, or a project's configuration can't be used.
    """
    found: dict[Path, str] = {}
    for name in named:
        path, files = Path(name), [name]
        if path.is_dir():
            files = [str(file) for file in _in_folder(path)]
        elif not path.exists():
            raise Unusable(f"{name}: No such file or directory")
        elif force_exclude and not _is_wanted(path):
            files = []
        for file in files:
            found.setdefault(Path(file).resolve(), file)
    return list(found.values())


def is_program(text: str, *, in_package: bool = False) -> bool:
    """Whether a text does something when it is run, besides defining what others import.

    In a package only a text with ``if __name__ == "__main__":`` or with ``# jit: example`` does.
    Elsewhere examples in docstrings count too, since they are run. One that can't be parsed counts,
    so that it is reported.

    >>> is_program("import numpy as np\\nLIMIT = 3\\ndef f(x): return x"), is_program("f(1)")
    (False, True)
    """
    try:
        module = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(module)):
        return False
    if "# jit: example" in text or any(_is_main_guard(statement) for statement in module.body):
        return True
    return not in_package and (">>>" in text or any(map(_acts, module.body)))


def _in_folder(folder: Path) -> Iterator[Path]:
    inside = sorted(folder.iterdir())
    yield from (p for p in inside if p.suffix == ".py" and p.is_file() and _is_wanted(p))
    for path in inside:
        if path.is_dir() and not path.is_symlink() and _is_entered(path):
            yield from _in_folder(path)


def _is_entered(folder: Path) -> bool:
    if folder.name.startswith(".") or folder.name in EXCLUDED:
        return False
    return not (folder / "pyvenv.cfg").exists() and not _is_excluded(folder)


def _is_wanted(file: Path) -> bool:
    """Whether a file that nobody named is run."""
    name = file.name
    if name in _NO_PROGRAMS or name.startswith("test_") or name.endswith("_test.py"):
        return False
    if _is_excluded(file):
        return False
    try:
        text = text_of(str(file))
    except (OSError, NotText):
        return True  # to be reported
    return is_program(text, in_package=(file.parent / "__init__.py").exists())


def _is_excluded(path: Path) -> bool:
    absolute = path.absolute()
    return _project(absolute.parent).excludes(str(absolute))


@cache
def _project(folder: Path) -> Project:
    try:
        return project_of(str(folder / "any"))
    except ProjectError as error:
        raise Unusable(str(error)) from None


def _acts(statement: ast.stmt) -> bool:
    """Whether a statement at the top level calls, computes or decides something."""
    if isinstance(statement, _DEFINING):
        return False
    if isinstance(statement, ast.If | ast.Try):  # imports that depend on something
        parts = [*statement.body, *statement.orelse, *getattr(statement, "finalbody", ())]
        return any(_acts(part) for part in parts)
    return any(isinstance(node, ast.Call | ast.BinOp | ast.For | ast.While) for node in
               ast.walk(statement))  # fmt: skip


def _is_main_guard(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If):
        return False
    names = {node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)}
    return "__name__" in names
