"""Hovers."""

from __future__ import annotations

from base64 import b64encode
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

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
    found = _found(ls, params.text_document.uri, params.position)
    return lsp.Hover(*found) if found is not None else None


def _quick(ls: Server, params: Any) -> Any:
    """The same for a place in a program, as it is sent."""
    uri, position = params["textDocument"]["uri"], params["position"]
    if uri in ls.views:
        return NotImplemented
    found = _found(ls, uri, lsp.Position(position["line"], position["character"]))
    if found is None:
        return None
    content, place = found
    answer: dict[str, Any] = {"contents": {"kind": content.kind, "value": content.value}}
    if place is not None:
        ends = {"start": place.start, "end": place.end}
        answer["range"] = {
            name: {"line": end.line, "character": end.character} for name, end in ends.items()
        }
    return answer


SERVER.protocol.quick[lsp.TEXT_DOCUMENT_HOVER] = partial(_quick, SERVER)


def _found(
    ls: Server, uri: str, position: lsp.Position
) -> tuple[lsp.MarkupContent, lsp.Range | None] | None:
    """What is known of a place in a program, and the range that it is about."""
    document = ls.document(uri)
    if document is None:
        return None
    found = ls.results.hover(document.path, place_of(ls, document, position))
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
    return content, range_of(ls, located) if located is not None else None


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
