"""Four renderers of one layout: all show the plain text, none lets the text be read as markup."""

from __future__ import annotations

import html
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from jit_lsp.doc import (
    Doc,
    Link,
    Style,
    annotate,
    concat,
    hardline,
    nest,
    render_ansi,
    render_html,
    render_markdown,
    render_plain,
    wants_color,
)

NASTY = "ab 12`*_~|<>&\"'\\[]()#+-=!.:$1.\té形\x1b\x00  "
texts = st.text(NASTY, max_size=12)
styles = st.sampled_from([*Style, Link("https://x.org/a"), Link("javascript:alert(1)"), "other"])
inline: st.SearchStrategy[Doc] = st.recursive(
    texts,
    lambda parts: st.one_of(
        st.lists(parts, max_size=4).map(lambda docs: concat(*docs)),
        st.builds(annotate, styles, parts),
    ),
    max_leaves=8,
)
documents = st.lists(inline, min_size=1, max_size=5).map(
    lambda docs: nest(2, concat(*[part for doc in docs for part in (doc, hardline)][:-1]))
)


@given(documents)
def test_html_round_trips(doc: Doc) -> None:
    shown = render_html(doc)
    inside = shown.removeprefix('<pre class="doc">').removesuffix("</pre>")
    inside = inside.removeprefix("\n")  # as browsers do
    tags = re.findall(r"<[^>]*>", inside)
    assert all(re.fullmatch(r'</?(span|a)( (class|href)="[\w :/.-]*")?>', tag) for tag in tags)
    assert "javascript:" not in " ".join(tags)
    assert html.unescape(re.sub(r"<[^>]*>", "", inside)) == render_plain(doc)


@given(documents)
def test_ansi_round_trips(doc: Doc) -> None:
    shown = render_ansi(doc)
    assert re.sub(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", shown) == render_plain(doc)
    assert render_ansi(doc, color=False) == render_plain(doc)


@given(documents)
def test_markdown_round_trips(doc: Doc) -> None:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    shown = text_of(parser.parse(render_markdown(doc)))
    assert visible_lines(shown) == visible_lines(render_plain(doc))


def text_of(tokens: list) -> str:
    """The text that a reader of parsed Markdown sees."""
    blocks = []
    for token in tokens:
        if token.type == "fence":
            blocks.append(token.content.removesuffix("\n"))
        elif token.type == "inline":
            parts = {"softbreak": "\n", "hardbreak": "\n"}
            blocks.append("".join(parts.get(t.type, t.content) for t in token.children))
        else:
            assert token.type in ("paragraph_open", "paragraph_close"), token.type
    return "\n".join(blocks)


def visible_lines(text: str) -> list[str]:
    """Lines as they look: hard blanks are blanks, and blanks at the end are nothing."""
    return [line.replace("\xa0", " ").rstrip() for line in text.split("\n")]


def test_markdown_sets_prose_and_blocks() -> None:
    doc = concat(
        annotate(Style.STRONG, "shapes"),
        " differ in ",
        annotate(Style.CODE, "a`b"),
        hardline,
        annotate(Style.BLOCK, "  ```", hardline, "  x"),
        hardline,
        annotate(Link("https://x.org"), "why"),
    )
    assert render_markdown(doc) == (
        "**shapes** differ in ``a`b``\n\n````text\n  ```\n  x\n````\n\n[why](<https://x.org>)"
    )


def test_styles_nest() -> None:
    doc = annotate(Style.TYPE, "f32[", annotate(Style.MARKED, "784"), "]")
    assert render_ansi(doc) == "\x1b[36mf32[\x1b[0m\x1b[36;1;31m784\x1b[0m\x1b[36m]\x1b[0m"
    assert '<span class="type marked">784</span>' in render_html(doc)


def test_indentation_has_no_style() -> None:
    doc = annotate(Style.FIX, nest(2, "a", hardline, "b"))
    assert render_ansi(doc) == "\x1b[1;32ma\x1b[0m\n  \x1b[1;32mb\x1b[0m"


@pytest.mark.parametrize("target", ["javascript:x", 'https://x"y', "https://x y", "https://x>"])
def test_unsafe_links_are_text(target: str) -> None:
    doc = annotate(Link(target), "x")
    assert "href" not in render_html(doc)
    assert render_markdown(doc) == "x"
    assert render_ansi(doc) == "x"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_color_is_for_terminals_that_want_it(
    stream: io.StringIO,
    environment: dict[str, str],
    wanted: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(stream) is wanted
