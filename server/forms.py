"""The forms in which ``jit-lsp trace`` gives a graph, and how they get where they are wanted."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from .files import write_whole
from .ir import Module
from .ir.diagram import diagram
from .ir.dot import print_dot
from .ir.jsonform import to_json
from .ir.svg import draw_svg
from .launch import Unusable

__all__ = ["FORMS", "write_form"]


def write_form(form: str | bytes, output: str | None) -> None:
    """Write to a file, which then has all of it or is as it was; or to standard output.

    Raises:
        Unusable: it can't be written.
    """
    data = form.encode() if isinstance(form, str) else form
    if output is not None:
        try:
            write_whole(Path(output), data)
        except OSError as error:
            raise Unusable(f"{output}: {error.strerror}") from None
        return
    if isinstance(form, bytes) and sys.stdout.isatty():
        raise Unusable("this is no text for a terminal; name a file with -o FILE")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _data(module: Module) -> str:
    return json.dumps(to_json(module), indent=1) + "\n"


def _picture(module: Module) -> str:
    """The picture of one graph: the function that was asked for, or the program."""
    graph = next(iter(module.graphs.values()))
    return draw_svg(diagram(graph.body), title=graph.name) + "\n"


FORMS: dict[str, Callable[[Module], str]] = {
    "json": _data,
    "dot": print_dot,
    "svg": _picture,
}
"""What each form but the graph text says of a module, for other programs."""
