"""What a project says in its pyproject.toml, under ``[tool.jit-lsp]``.

    [tool.jit-lsp]
    ignore = ["transpose-of-1d"]
    exclude = ["notebooks", "drafts/*_old.py"]
    timeout = 30
    interpreter = "envs/main/bin/python"
    entries = ["train.py --epochs 1", "tests/test_model.py::test_forward"]

    [tool.jit-lsp.severity]
    first-nan = "error"

    [tool.jit-lsp.per-file-ignores]
    "tests/**" = ["script-error"]

    [tool.jit-lsp.quadratic-append]
    iterations = 1000

    [tool.jit-lsp.sandbox]
    memory = "8 GB"

Light to import, as ``launch`` is, which asks it for the interpreter and the time.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import confinement
from .confinement import Confinement

if TYPE_CHECKING:
    from .entries import Entry

FILE = "pyproject.toml"
SEVERITIES = ("error", "warning", "information", "hint")
RULES = frozenset(
    file.stem.replace("_", "-")
    for file in (Path(__file__).parent / "diagnostics" / "rules").glob("[!_]*.py")
)
"""The names of all rules: those of their files."""


class ProjectError(Exception):
    """The configuration can't be used; the text says where and why."""


class TraceOn(StrEnum):
    """When an editor's server runs a program."""

    SAVE = "save"
    OPEN = "open"  # and on save
    COMMAND = "command"  # alone
    NEVER = "never"  # not even then


@dataclass(frozen=True, slots=True)
class Project:
    """The configuration of one project; the defaults where there is none."""

    folder: Path | None = None
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, str] = field(default_factory=dict)
    per_file_ignores: Mapping[str, frozenset[str]] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Of rules, by their names."""
    timeout: float | None = None
    interpreter: str | None = None
    args: tuple[str, ...] = ()
    trace_on: TraceOn | None = None
    entries: tuple[Entry, ...] = ()
    sandbox: Confinement = field(default_factory=Confinement)

    @property
    def python(self) -> str | None:
        """The interpreter as a path that does not depend on where we are."""
        if self.folder is None or self.interpreter is None:
            return None
        return str(self.folder / self.interpreter)

    def entry_for(self, path: str) -> Entry | None:
        """The entry that runs the file ``path``; None where it runs by itself."""
        if self.folder is None or not self.entries:
            return None
        from .entries import entry_for  # few projects have entries, and every start would pay

        return entry_for(path, self.entries, self.folder)

    def wants(self, rule: str, path: str) -> bool:
        """Whether the findings of ``rule`` in the file ``path`` are shown."""
        if rule in self.ignore or (self.select is not None and rule not in self.select):
            return False
        return not any(
            rule in rules and self._matches(path, pattern)
            for pattern, rules in self.per_file_ignores.items()
        )

    def excludes(self, path: str) -> bool:
        """Whether a check of folders leaves the file or folder ``path`` out."""
        return any(self._matches(path, pattern) for pattern in self.exclude)

    def _matches(self, path: str, pattern: str) -> bool:
        if self.folder is None:
            return False
        try:
            relative = Path(path).relative_to(self.folder).as_posix()
        except ValueError:
            return False
        pattern = pattern.rstrip("/")
        return fnmatch(relative, pattern) or relative.startswith(pattern + "/")


def project_of(path: str) -> Project:
    """The project that the file ``path`` belongs to: the nearest pyproject.toml with our table.

    Raises:
        ProjectError: that file is no TOML, or our table has what it can't.
    """
    for folder in Path(path).absolute().parents:
        file = folder / FILE
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if "jit-lsp" not in text:
            continue
        import tomllib  # here, since most files have no such project and every start would pay

        try:
            table = tomllib.loads(text).get("tool", {}).get("jit-lsp")
        except tomllib.TOMLDecodeError as error:
            raise ProjectError(f"{file}: {error}") from None
        if table is not None:
            return _read(table, folder, file)
    return Project()


def root_of(path: str) -> str:
    """The folder whose modules belong together with the file ``path``: the nearest above it that
    looks like a project's, else its own."""
    folders = Path(path).absolute().parents
    marked = (f for f in folders if any((f / mark).exists() for mark in (FILE, "setup.py", ".git")))
    return str(next(marked, folders[0]))


def _read(table: Any, folder: Path, file: Path) -> Project:
    where = f"{file}: tool.jit-lsp"
    if not isinstance(table, dict):
        raise ProjectError(f"{where} must be a table")
    values: dict[str, Any] = {"folder": folder, "options": {}}
    for key, value in table.items():
        try:
            if key in _READERS:
                values[key.replace("-", "_")] = _READERS[key](value)
            elif key in RULES:
                values["options"][key] = _options(key, value)
            else:
                hint = _hint(key, [*_READERS, *RULES])
                raise ProjectError(f"{where}: there is no {key!r}{hint}")
        except ValueError as error:
            raise ProjectError(f"{where}.{key}: {error}") from None
    return Project(**values)


def _options(rule: str, given: object) -> dict[str, object]:
    """What is set for one rule, checked against the options that it declares."""
    name = rule.replace("-", "_")
    module = importlib.import_module(f".diagnostics.rules.{name}", __package__)
    known: Mapping[str, object] = getattr(module, "OPTIONS", {})
    if not isinstance(given, dict):
        raise ValueError("a table of options is wanted")
    for key, value in given.items():
        if key not in known:
            options = f"; it has {', '.join(known)}" if known else "; it has none"
            raise ValueError(f"there is no option {key!r}{_hint(key, known) or options}")
        if isinstance(known[key], int):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{key}: a number of at least 1 is wanted, not {value!r}")
        elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{key}: a list of texts is wanted, not {value!r}")
    return given


def _rules(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("a list of rules is wanted")
    for name in value:
        _known(name)
    return frozenset(value)


def _known(name: str) -> str:
    if name not in RULES:
        raise ValueError(f"there is no rule {name!r}{_hint(name, RULES)}")
    return name


def _severities(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("a table of rules and severities is wanted")
    for name, level in value.items():
        _known(name)
        if level not in SEVERITIES:
            raise ValueError(f"{name}: one of {', '.join(SEVERITIES)} is wanted, not {level!r}")
    return value


def _per_file(value: object) -> dict[str, frozenset[str]]:
    if not isinstance(value, dict):
        raise ValueError("a table of path patterns and rules is wanted")
    return {pattern: _rules(rules) for pattern, rules in value.items()}


def _patterns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(pattern, str) for pattern in value):
        raise ValueError("a list of path patterns is wanted")
    return tuple(value)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 86_400:
        raise ValueError("a number of seconds is wanted, up to a day")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("a text is wanted")
    return value


def _entries(value: object) -> tuple[Entry, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
        raise ValueError("a list of entries is wanted, each a text")
    from .entries import parse

    return tuple(parse(text) for text in value)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of texts is wanted")
    return tuple(value)


def _occasion(value: object) -> TraceOn:
    if not isinstance(value, str) or value not in {*TraceOn}:
        raise ValueError(f"one of {', '.join(TraceOn)} is wanted, not {value!r}")
    return TraceOn(value)


_READERS: dict[str, Callable[[object], object]] = {
    "select": _rules,
    "ignore": _rules,
    "severity": _severities,
    "per-file-ignores": _per_file,
    "exclude": _patterns,
    "timeout": _seconds,
    "interpreter": _text,
    "args": _texts,
    "trace-on": _occasion,
    "entries": _entries,
    "sandbox": confinement.read,
}


def _hint(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
