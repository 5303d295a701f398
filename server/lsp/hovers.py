"""Hovers."""

from __future__ import annotations

from base64 import b64encode
from concurrent.futures import Future
from dataclasses import replace

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from ..doc import Style, annotate, render_plain
from ..hover import Hover
from ..ir.diagram import diagram
from ..ir.svg import draw_svg
from ..results import Traced
from .convert import STALE, WIDTH, place_of, range_of
from .server import SERVER, Server
from .views import hover_in_graph


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | Future[lsp.Hover | None] | None:
    if params.text_document.uri in ls.views:
        return hover_in_graph(ls, params)
    document = ls.document(params.text_document.uri)
    if document is None:
        return None
    found = ls.results.hover(document.path, place_of(ls, document, params.position))
    if found is None:
        return None
    hover, traced = found
    if notes := _notes(ls, traced):
        hover = replace(hover, parts=(*hover.parts, annotate(Style.EMPHASIS, notes)))
    located = traced.now(hover.span)
    formats = get_capability(ls.client_capabilities, "text_document.hover.content_format") or ()
    markdown = list(formats)[:1] == [lsp.MarkupKind.Markdown]
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    text = hover.markdown if markdown else render_plain(hover.doc, WIDTH)
    if markdown and hover.nodes and ls.shows_pictures(document.path):
        text = f"{text}\n\n{_picture(hover)}"
    content = lsp.MarkupContent(kind, text)
    return lsp.Hover(content, range_of(ls, located) if located is not None else None)


def _picture(hover: Hover) -> str:
    """The part of the graph as an image within Markdown."""
    drawn = draw_svg(diagram(hover.nodes[0].region, hover.nodes))
    return f"![the graph](data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()})"


def _notes(ls: Server, traced: Traced) -> str:
    """Why what is shown may not be so any more."""
    notes = [STALE] if traced.stale else []
    if ls.runs.is_busy(traced.result.request.file):
        notes.append("a newer run goes on")
    return "; ".join(notes)
