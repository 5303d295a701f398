"""Puts the server and all it imports into a folder that any Python can run: python bundled --stdio.

What it imports is what its package metadata says, less NumPy: only the interpreter of graphs, which
the server does not use, needs it, and it is not pure Python. The files are those of the environment
that this runs in, so the versions are the ones that the tests run with.
"""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
LEFT_OUT = {"numpy"}
DO_WITHOUT = {"wcwidth"}  # has a compiled part that it does without where there is none
MAIN = '''\
"""The server, with what it imports beside it."""

from jit_lsp.cli import main

raise SystemExit(main())
'''


def bundle(folder: Path) -> None:
    """Fill ``folder``, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    skipped = shutil.ignore_patterns("__pycache__", "*.c", "*.so", "*.pyd")  # for any machine
    shutil.copytree(ROOT / "server", folder / "jit_lsp", ignore=skipped)
    for found in requirements("jit-lsp")[1:]:
        copy(found, folder)
    (folder / "__main__.py").write_text(MAIN, encoding="utf-8")


def requirements(name: str) -> list[Distribution]:
    """The distribution ``name``, and all that it needs where this runs, each once."""
    chosen: dict[str, Distribution] = {}
    queue = [name]
    while queue:
        found = distribution(queue.pop())
        chosen[canonicalize_name(found.name)] = found
        for line in found.requires or ():
            needed = Requirement(line)
            applies = needed.marker is None or needed.marker.evaluate({"extra": ""})
            if applies and canonicalize_name(needed.name) not in LEFT_OUT | chosen.keys():
                queue.append(needed.name)
    return list(chosen.values())


def copy(found: Distribution, folder: Path) -> None:
    """Copy its modules, type information aside, and its licence."""
    for file in found.files or ():
        if ".." in file.parts or "__pycache__" in file.parts:
            continue
        source = Path(str(file.locate()))
        if source.suffix in {".so", ".pyd"}:
            if found.name in DO_WITHOUT:
                continue
            raise SystemExit(f"{found.name} is not pure Python: {file}")
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


if __name__ == "__main__":
    bundle(Path(sys.argv[1]))
