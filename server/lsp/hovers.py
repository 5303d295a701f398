"""Hovers."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from ..doc import render_plain
from .convert import WIDTH, place_of, range_of
from .server import SERVER, Server


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return None
    found = ls.results.hover(document.path, place_of(ls, document, params.position))
    if found is None:
        return None
    hover, located = found
    formats = get_capability(ls.client_capabilities, "text_document.hover.content_format") or ()
    markdown = list(formats)[:1] == [lsp.MarkupKind.Markdown]
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    content = lsp.MarkupContent(
        kind, hover.markdown if markdown else render_plain(hover.doc, WIDTH)
    )
    return lsp.Hover(content, range_of(ls, located) if located is not None else None)
