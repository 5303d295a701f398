"""Twelve messages at three widths in all renderers, against files that a person looked at.

``UPDATE_GOLDEN=1 ./dev test tests/unit/doc/test_messages.py`` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from twelve_messages import MESSAGES

from jit_lsp.doc import (
    display_width,
    render_ansi,
    render_html,
    render_markdown,
    render_plain,
)
from jit_lsp.doc.message import Verbosity

GOLDEN = Path(__file__).parents[2] / "golden" / "messages"
RENDERERS = {"txt": render_plain, "ansi": render_ansi, "md": render_markdown, "html": render_html}
WIDTHS = (40, 80, 120)


@pytest.mark.parametrize("kind", RENDERERS)
@pytest.mark.parametrize("name", MESSAGES)
def test_golden(name: str, kind: str) -> None:
    doc = MESSAGES[name](Verbosity.NORMAL)
    for width in WIDTHS:
        shown = RENDERERS[kind](doc, width) + "\n"
        file = GOLDEN / name / f"{width}.{kind}"
        if os.environ.get("UPDATE_GOLDEN"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(shown, encoding="utf-8")
        assert shown == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MESSAGES)
def test_normal_is_at_most_twelve_lines_of_eighty_columns(name: str) -> None:
    lines = render_plain(MESSAGES[name](Verbosity.NORMAL), 80).split("\n")
    assert len(lines) <= 12
    assert max(map(display_width, lines)) <= 80
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize("name", MESSAGES)
def test_one_line_is_the_headline_and_complete(name: str) -> None:
    line = render_plain(MESSAGES[name](Verbosity.ONE_LINE), 40)
    assert "\n" not in line
    full = render_plain(MESSAGES[name](Verbosity.FULL), 1000)
    assert full.startswith(line + "\n")


def test_full_leaves_nothing_out() -> None:
    full = render_plain(MESSAGES["much-to-say"](Verbosity.FULL), 80)
    for words in ("10,000 times", "1.9 s of 2.4 s", "collect in a list", "out.append(f(step))"):
        assert words in full
