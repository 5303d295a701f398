"""What is run for a file that is no program itself: the entries of its project.

``[tool.jit-lsp] entries`` lists them. An entry is a script with its arguments (``train.py --epochs
1``), a module as of ``python -m`` (``package.train``), a function (``package.module:function``), or
a test of pytest's (``tests/test_model.py::test_forward``). For all but the first, a few lines of
Python stand in for the program that a user would write to run it.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .doc import parsing

DRIVER = "<entry>"
"""The name, in the project's folder, of the lines that stand in for a program."""
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_FUNCTION = re.compile(rf"({_MODULE.pattern}):({_MODULE.pattern})")
_MOST_FILES = 2000


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to run a project."""

    text: str
    kind: str  # script, module, function or test
    target: str
    arguments: tuple[str, ...] = ()

    def program(self, folder: Path) -> tuple[str, str | None]:
        """The path of what is run, and its text; None where that is the file's own."""
        if self.kind == "script":
            return str(folder / self.target), None
        return str(folder / DRIVER), self._driver()

    def _driver(self) -> str:
        if self.kind == "function":
            module, _, function = self.target.partition(":")
            first = function.partition(".")[0]
            return f"from {module} import {first}\n\n{function}()\n"
        if self.kind == "module":
            return _RUNPY.format(module=self.target)
        return _PYTEST.format(arguments=[self.target, *self.arguments])

    def starts(self, folder: Path) -> list[Path]:
        """The project's files that it runs or imports first."""
        if self.kind == "script":
            return [folder / self.target]
        if self.kind == "test":
            file = folder / self.target.partition("::")[0]
            return [file, *(above / "conftest.py" for above in file.parents)]
        module = self.target.partition(":")[0]
        return [*_files_of(module, folder), *_files_of(module + ".__main__", folder)]


_RUNPY = """\
import runpy

runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""
# What pytest itself says of a failure is not for us: the first exception ends the program, as if
# the test had been called by it. Assertions stay as they are written.
_PYTEST = """\
import pytest


class FirstError:
    error = None

    def pytest_exception_interact(self, call):
        self.error = self.error or call.excinfo.value


first = FirstError()
pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *{arguments!r}], [first])
if first.error is not None:
    steps = first.error.__traceback__
    while steps.tb_next is not None and "pytest" in steps.tb_frame.f_globals["__name__"]:
        steps = steps.tb_next
    while steps.tb_next is not None and "pluggy" in steps.tb_frame.f_globals["__name__"]:
        steps = steps.tb_next
    raise first.error.with_traceback(steps)
"""


def parse(text: str) -> Entry:
    """An entry as it is written in the configuration.

    Raises:
        ValueError: it is none.
    """
    try:
        target, *arguments = shlex.split(text) or [""]
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    if "::" in target:
        return Entry(text, "test", target, tuple(arguments))
    if target.endswith(".py"):
        return Entry(text, "script", target, tuple(arguments))
    if _FUNCTION.fullmatch(target) and not arguments:
        return Entry(text, "function", target)
    if _MODULE.fullmatch(target):
        return Entry(text, "module", target, tuple(arguments))
    raise ValueError(f"{text!r} is no script.py, module, module:function or test_file.py::test")


def entry_for(path: str, entries: Sequence[Entry], folder: Path) -> Entry | None:
    """The entry that runs the file ``path``: the one that is it, else the first that imports it."""
    file = Path(path)
    for entry in entries:
        if entry.kind == "script" and folder / entry.target == file:
            return entry
    return next((e for e in entries if file in _reached(e.starts(folder), folder)), None)


def _reached(starts: Sequence[Path], folder: Path) -> set[Path]:
    """The project's files that these import, they themselves included."""
    reached: set[Path] = set()
    todo = [file for file in starts if file.is_file()]
    while todo and len(reached) < _MOST_FILES:
        file = todo.pop()
        if file not in reached:
            reached.add(file)
            todo += _imported(file, folder, file.stat().st_mtime_ns)
    return reached


@lru_cache(maxsize=4 * _MOST_FILES)
def _imported(file: Path, folder: Path, changed: int) -> list[Path]:
    """The project's files that a file's import statements name. ``changed`` is when it was, for the
    cache."""
    try:
        tree = parsing.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    found: list[Path] = []
    for name, level in _names(tree):
        if level:
            base = file.parents[level - 1] if level <= len(file.parents) else folder
            found += _below(base, name)
        else:
            found += _below(file.parent, name) or _files_of(name, folder)
    return found


def _names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level
            prefix = f"{node.module}." if node.module else ""
            yield from ((prefix + alias.name, node.level) for alias in node.names)


def _files_of(module: str, folder: Path) -> list[Path]:
    return _below(folder, module) or _below(folder / "src", module)


def _below(base: Path, module: str) -> list[Path]:
    """The files that importing ``module`` from ``base`` runs: packages', and its own."""
    found = []
    place = base
    for part in filter(None, module.split(".")):
        place = place / part
        candidates = (place / "__init__.py", place.with_suffix(".py"))
        found += [candidate for candidate in candidates if candidate.is_file()]
    return found
