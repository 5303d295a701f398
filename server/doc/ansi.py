"""Text for terminals, with colours by ANSI escape sequences (ECMA-48, SGR) and links (OSC 8)."""

from __future__ import annotations

import os
from typing import TextIO

from .layout import Layout
from .nodes import Doc
from .runs import Run, laid_out, styled_lines
from .style import Link, Style

SGR: dict[Style, str] = {
    Style.ERROR: "1;31",
    Style.WARNING: "1;33",
    Style.INFORMATION: "1;34",
    Style.HINT: "1;36",
    Style.HEADLINE: "1",
    Style.PATH: "36",
    Style.GUTTER: "2",
    Style.PRIMARY: "1;31",
    Style.SECONDARY: "34",
    Style.MARKED: "1;31",
    Style.NOTE: "1",
    Style.HELP: "1;36",
    Style.FIX: "1;32",
    Style.KEYWORD: "35",
    Style.TYPE: "36",
    Style.VALUE: "33",
    Style.DIMMED: "2",
    Style.STRONG: "1",
    Style.EMPHASIS: "3",
    Style.CODE: "36",
}


def render_ansi(document: Layout | Doc, width: int = 80, *, color: bool = True) -> str:
    """``document`` with escape sequences; without any if ``color`` is false.

    >>> render_ansi(annotate(Style.FIX, "x.T"))
    '\\x1b[1;32mx.T\\x1b[0m'
    """
    result = laid_out(document, width)
    if not color:
        return result.text
    return "\n".join("".join(map(_colored, line)) for line in styled_lines(result))


def wants_color(stream: TextIO) -> bool:
    """Whether ``stream`` should get colours.

    ``NO_COLOR`` (no-color.org) forbids and ``FORCE_COLOR`` demands them; else a terminal gets them
    unless it is dumb.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _colored(run: Run) -> str:
    codes = [SGR[a] for a in run.annotations if isinstance(a, Style) and a in SGR]
    text = f"\x1b[{';'.join(codes)}m{run.text}\x1b[0m" if codes else run.text
    for annotation in run.annotations:
        if isinstance(annotation, Link) and annotation.is_safe:
            text = f"\x1b]8;;{annotation.target}\x1b\\{text}\x1b]8;;\x1b\\"
    return text
