"""What pygls does by itself: a server whose hover says one sentence."""

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1")


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> lsp.Hover:
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "`x` `f64[3]`"))


server.start_io()
