"""Markdown (CommonMark): prose as prose, aligned lines in fenced blocks, any text taken literally.

A line is set in a fence when any of it is annotated ``Style.BLOCK``. Elsewhere every character that
Markdown reads is escaped, blanks that it would drop are hard ones, and lines end in hard breaks.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

from .layout import Layout
from .nodes import Doc
from .runs import Run, StyledLine, laid_out, styled_lines
from .style import Link, Style

STRONG = {
    Style.STRONG,
    Style.HEADLINE,
    Style.ERROR,
    Style.WARNING,
    Style.INFORMATION,
    Style.HINT,
    Style.NOTE,
    Style.HELP,
    Style.FIX,
}


def render_markdown(document: Layout | Doc, width: int = 80) -> str:
    """``document`` as Markdown whose rendering shows its plain text.

    >>> print(render_markdown(annotate(Style.STRONG, "2 * 3") + " is " + annotate(Style.CODE, "6")))
    **2 \\* 3** is `6`
    """
    lines = styled_lines(laid_out(document, width))
    blocks = []
    for fenced, group in groupby(lines, key=_is_block):
        members = list(group)
        blocks.append(_fence(members) if fenced else "\\\n".join(map(_prose, members)))
    return "\n\n".join(blocks)


def _is_block(line: StyledLine) -> bool:
    return any(Style.BLOCK in run.annotations for run in line)


def _fence(lines: list[StyledLine]) -> str:
    text = "\n".join("".join(run.text for run in line) for line in lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


class _Stretch(NamedTuple):
    """A part of a line that is marked up in one way."""

    mark: str  # "", "*", "**", or "`" for code
    target: str  # of a link, or nothing
    text: str


def _prose(line: StyledLine) -> str:
    if not any(run.text.strip() for run in line):
        return "&nbsp;"
    stretches = [
        _Stretch(mark, target, "".join(run.text for run in runs))
        for (mark, target), runs in groupby(line, key=_markup)
    ]
    parts: list[str] = []
    before, marked = " ", False  # the character before, and whether it is a mark of emphasis
    for index, stretch in enumerate(stretches):
        after = stretches[index + 1].text[0] if index + 1 < len(stretches) else " "
        text, marked = _inline(stretch, before, after, marked)
        parts.append(f"[{text}](<{stretch.target}>)" if stretch.target else text)
        before = stretch.text[-1]
    return _at_line_start("".join(parts))


def _markup(run: Run) -> tuple[str, str]:
    styles = {a for a in run.annotations if isinstance(a, Style)}
    links = [a.target for a in run.annotations if isinstance(a, Link) and a.is_safe]
    strong = "**" if styles & STRONG else "*" if Style.EMPHASIS in styles else ""
    return "`" if Style.CODE in styles else strong, links[-1] if links else ""


def _inline(stretch: _Stretch, before: str, after: str, marked: bool) -> tuple[str, bool]:
    """Emphasis only where CommonMark's flanking rules (section 6.2) read the marks as such."""
    mark, _, text = stretch
    if mark == "`":
        return _code(text), False
    opens = not text[0].isspace() and (text[0].isalnum() or not before.isalnum())
    closes = not text[-1].isspace() and (text[-1].isalnum() or not after.isalnum())
    if mark and opens and closes and not marked:
        return mark + _escaped(text) + mark, True
    return _escaped(text), False


def _code(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    inner = f" {text} " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else text
    return fence + inner + fence if text.strip() else _escaped(text)


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]<>&|~$]|!$)", r"\\\1", text)  # "!" makes a link an image
    return text.replace("  ", " &nbsp;")


def _at_line_start(text: str) -> str:
    body = text.lstrip(" ")
    blanks = len(text) - len(body)
    if not blanks:
        body = re.sub(r"^([#+=-]|\d{1,9}(?=[.)]))", _escape_start, body)
    return "&nbsp;" * blanks + body


def _escape_start(match: re.Match[str]) -> str:
    start = match[0]
    return f"\\{start}" if not start.isdigit() else f"{start}\\"
