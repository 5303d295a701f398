"""Every example in the documentation of documents runs: in docstrings, and in the guide."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import jit_lsp.doc
from jit_lsp.doc import Doc, algebra, render_plain

MODULES = [
    importlib.import_module(f"jit_lsp.doc.{module.name}")
    for module in pkgutil.iter_modules(jit_lsp.doc.__path__)
]
GUIDE = Path(__file__).parents[3] / "docs" / "doc-algebra.md"


def show(doc: Doc, *widths: int) -> None:
    """Print ``doc`` laid out for each of ``widths``."""
    for width in widths:
        print(render_plain(doc, width))


NAMES = {**{name: getattr(jit_lsp.doc, name) for name in jit_lsp.doc.__all__}, "show": show}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_of(module: Any) -> None:
    names = {**NAMES, **vars(module)}
    assert doctest.testmod(module, extraglobs=names, verbose=False).failed == 0


def test_examples_of_the_guide() -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) > 10
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), NAMES, GUIDE.name, None, 0)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_every_combinator_is_shown_at_two_widths() -> None:
    public = [x for x in jit_lsp.doc.__all__ if inspect.isfunction(getattr(algebra, x, None))]
    for name in public:
        shown = re.findall(r"show\(.*, (\d+), (\d+)\)", getattr(algebra, name).__doc__ or "")
        assert shown, f"the docstring of {name} shows no layout at two widths"
