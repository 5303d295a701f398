"""Notebooks as programs: their code cells one after the other, with places led back to the cells.

Only version 4 of the format, which Jupyter has written since 2015
(https://nbformat.readthedocs.io/en/latest/format_description.html).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .diagnostics.model import Finding
from .doc.parsing import parse
from .doc.source import Source, Span

_PYTHON_MAGICS = frozenset({"capture", "time", "timeit", "prun"})
"""Those of a cell whose other lines are Python."""
_COMMAND = re.compile(r"\s*(?:[%!?]|\w[\w.]*\?\??\s*$)")
_ASSIGNED = re.compile(r"(\s*[\w.,\s]+=\s*)[%!](?!=)")


class NotANotebook(ValueError):
    """The file holds none that we can read."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """The program that the code cells make, and the lines at which each of them begins."""

    text: str
    starts: Sequence[int]

    def place(self, span: Span) -> Span:
        """A place in the program as one of a cell: ``notes.ipynb:cell 3``, its lines from 1."""
        number = max(bisect_right(self.starts, span.line), 1)
        above = self.starts[number - 1] - 1 if self.starts else 0
        return replace(
            span,
            path=_cell(span.path, number),
            line=max(span.line - above, 1),
            end_line=max(span.end_line - above, 1),
        )

    def sources(self, path: str) -> dict[str, Source]:
        """The texts of the cells by the paths that ``place`` gives them."""
        lines = self.text.split("\n")
        ends = [*self.starts[1:], len(lines) + 1]
        found = {}
        for number, (start, end) in enumerate(zip(self.starts, ends, strict=True), 1):
            name = _cell(path, number)
            found[name] = Source(name, "\n".join(lines[start - 1 : end - 1]))
        return found


def in_file(finding: Finding) -> Finding:
    """The same for who knows files alone: at the start of the notebook, with the cell in words."""

    def place(span: Span) -> Span:
        path, cell, _ = span.path.partition(".ipynb:cell ")
        return Span(path + ".ipynb", 1, 0, 1, 0) if cell else span

    at = finding.span
    if place(at) is at:
        return finding
    where = f"cell {at.path.rpartition(' ')[2]}, line {at.line}"
    return replace(finding.placed(place), headline=f"{where}: {finding.headline}")


def notebook(data: bytes) -> Notebook:
    """The notebook in the bytes of a file.

    Raises:
        NotANotebook: they are no JSON, or no notebook of Python in version 4.
    """
    try:
        found = json.loads(data)
        version = found["nbformat"]
        cells = [_source(c) for c in found.get("cells", ()) if c["cell_type"] == "code"]
        language = found.get("metadata", {}).get("kernelspec", {}).get("language", "python")
    except ValueError as error:
        raise NotANotebook(f"the file is no notebook: {error}") from None
    except (TypeError, KeyError, AttributeError, RecursionError):
        raise NotANotebook("the file is no notebook, although it is JSON") from None
    if version != 4:
        raise NotANotebook(f"a notebook in version {version} of the format; 4 can be read")
    if language != "python":
        raise NotANotebook(f"a notebook for {language}, not Python")
    return program(cells)


def program(cells: Sequence[str]) -> Notebook:
    """The program that the texts of code cells make."""
    lines: list[str] = []
    starts = []
    for cell in cells:
        starts.append(len(lines) + 1)
        lines += _python(cell.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return Notebook("\n".join(lines) + "\n", starts)


def _source(cell: dict[str, object]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)  # type: ignore[arg-type]


def _python(cell: str) -> str:
    """The cell with what IPython alone understands left out, and every line where it was."""
    lines = cell.split("\n")
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = lines[first][2:].partition(" ")[0]
        if name not in _PYTHON_MAGICS:
            return "\n".join("" for _ in lines)
        lines[first] = ""
    if _parses(lines):  # a line that begins with a percent sign may be Python's
        return "\n".join(lines)
    return "\n".join(map(_without_command, lines))


def _without_command(line: str) -> str:
    if _COMMAND.match(line):
        return line[: len(line) - len(line.lstrip())] + "pass"
    assigned = _ASSIGNED.match(line)
    return f"{assigned[1]}None" if assigned else line


def _parses(lines: list[str]) -> bool:
    try:
        parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _cell(path: str, number: int) -> str:
    return f"{path}:cell {number}"
