"""Documents that know how to fit: build them with combinators, lay them out, render the layout.

>>> doc = group("train(", nest(2, softline, sep(punctuate(",", ["model", "data"]))), softline, ")")
>>> print(render_plain(doc, width=14))
train(
  model,
  data
)
"""

from .algebra import (
    align,
    annotate,
    cat,
    column,
    concat,
    encloses,
    fill,
    fill_sep,
    flat_alt,
    group,
    hang,
    hardline,
    hcat,
    hsep,
    indent,
    line,
    nest,
    nesting,
    page_width,
    punctuate,
    reannotate,
    sep,
    softline,
    text,
    text_lines,
    vcat,
    vsep,
)
from .ansi import render_ansi, wants_color
from .html import STYLESHEET, render_html
from .layout import Layout, LayoutOptions, layout
from .markdown import render_markdown
from .nodes import Doc, Node
from .plain import render_plain
from .pretty import pretty, pretty_for
from .source import Source, Span
from .style import Link, Style
from .width import display_width, visible

__all__ = [
    "STYLESHEET",
    "Doc",
    "Layout",
    "LayoutOptions",
    "Link",
    "Node",
    "Source",
    "Span",
    "Style",
    "align",
    "annotate",
    "cat",
    "column",
    "concat",
    "display_width",
    "encloses",
    "fill",
    "fill_sep",
    "flat_alt",
    "group",
    "hang",
    "hardline",
    "hcat",
    "hsep",
    "indent",
    "layout",
    "line",
    "nest",
    "nesting",
    "page_width",
    "pretty",
    "pretty_for",
    "punctuate",
    "reannotate",
    "render_ansi",
    "render_html",
    "render_markdown",
    "render_plain",
    "sep",
    "softline",
    "text",
    "text_lines",
    "vcat",
    "visible",
    "vsep",
    "wants_color",
]
