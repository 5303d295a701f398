"""Markdown (CommonMark): prose as prose, aligned lines in fenced blocks, any text taken literally.

A line is set in a fence when any of it is annotated ``Style.BLOCK``. Elsewhere every character that
Markdown reads is escaped, blanks that it would drop are hard ones, and lines end in hard breaks.
"""

from __future__ import annotations

import re
from itertools import groupby

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


def _prose(line: StyledLine) -> str:
    if not any(run.text.strip() for run in line):
        return "&nbsp;"
    parts: list[str] = []
    for index, run in enumerate(line):
        before = line[index - 1].text[-1] if index else " "
        after = line[index + 1].text[0] if index + 1 < len(line) else " "
        parts.append(_inline(run, before, after))
    return _at_line_start("".join(parts))


def _inline(run: Run, before: str, after: str) -> str:
    if Style.CODE in run.annotations:
        text = _code(run.text)
    else:
        text = _escaped(run.text)
        if any(a in STRONG for a in run.annotations if isinstance(a, Style)):
            text = _delimited(text, run.text, "**", before, after)
        elif Style.EMPHASIS in run.annotations:
            text = _delimited(text, run.text, "*", before, after)
    for annotation in run.annotations:
        if isinstance(annotation, Link) and annotation.is_safe:
            text = f"[{text}](<{annotation.target}>)"
    return text


def _code(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    inner = f" {text} " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else text
    return fence + inner + fence if text.strip() else _escaped(text)


def _delimited(escaped: str, text: str, mark: str, before: str, after: str) -> str:
    """Emphasis only where CommonMark's flanking rules (section 6.2) read the marks as such."""
    opens = not text[0].isspace() and (text[0].isalnum() or not before.isalnum())
    closes = not text[-1].isspace() and (text[-1].isalnum() or not after.isalnum())
    return mark + escaped + mark if opens and closes else escaped


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]<>&|~$])", r"\\\1", text)
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
