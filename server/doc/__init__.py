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
    flat,
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
from .arrays import array_summary, element_name
from .html import STYLESHEET, render_html
from .layout import Layout, LayoutOptions, layout
from .markdown import render_markdown
from .nodes import Doc, Node
from .phrase import phrase
from .plain import render_plain
from .pretty import pretty, pretty_for
from .source import Source, Span
from .sourcemap import OutputRange, Place, Segment, segments, source_map
from .style import Link, Style
from .width import display_width, visible

__all__ = [
    "STYLESHEET",
    "Doc",
    "Layout",
    "LayoutOptions",
    "Link",
    "Node",
    "OutputRange",
    "Place",
    "Segment",
    "Source",
    "Span",
    "Style",
    "align",
    "annotate",
    "array_summary",
    "cat",
    "column",
    "concat",
    "display_width",
    "element_name",
    "encloses",
    "fill",
    "fill_sep",
    "flat",
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
    "phrase",
    "pretty",
    "pretty_for",
    "punctuate",
    "reannotate",
    "render_ansi",
    "render_html",
    "render_markdown",
    "render_plain",
    "segments",
    "sep",
    "softline",
    "source_map",
    "text",
    "text_lines",
    "vcat",
    "visible",
    "vsep",
    "wants_color",
]
