"""``jit-lsp:`` documents: reading them, what is asked of open ones, and the ways between them and
the program."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from ..contents import Content
from ..doc.source import Span
from ..doc.sourcemap import OutputRange
from ..documents import Document
from ..irtext import Symbol, about, at, definition, definition_of, folds, symbols, tokens
from ..positions import columns_to_units
from ..uris import address_of, address_uri, path_of
from .contents import chained, content_of, described, status_data
from .convert import location_of, place_of
from .handshake import TOKEN_MODIFIERS, TOKEN_TYPES
from .server import SERVER, Server

T = TypeVar("T")
Target = lsp.Location | None


@SERVER.feature(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT)
def _text_document_content(
    ls: Server, params: lsp.TextDocumentContentParams
) -> Future[lsp.TextDocumentContentResult]:
    read = content_of(ls, params.uri)
    return chained(read, lambda made: lsp.TextDocumentContentResult(made.text))


@SERVER.feature("jit-lsp/content")
def _content(ls: Server, params: object) -> Future[dict[str, Any]]:
    return described(ls, _uri(params))


@SERVER.feature("jit-lsp/status")
def _status(ls: Server, params: object) -> dict[str, Any]:
    path = path_of(_uri(params))
    if path is None:
        raise JsonRpcInvalidParams("expected the URI of a file")
    return status_data(ls, path)


@SERVER.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(
    ls: Server, params: lsp.DocumentSymbolParams
) -> Future[list[lsp.DocumentSymbol] | None] | None:
    def convert(view: Document, made: Content) -> list[lsp.DocumentSymbol]:
        return [_symbol(ls, view, symbol) for symbol in symbols(made)]

    return _of_view(ls, params.text_document.uri, convert)


@SERVER.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def _folds(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
    view = ls.views.get(params.text_document.uri)
    if view is None or not _is_graph(view.uri):
        return None
    return [lsp.FoldingRange(first - 1, last - 1) for first, last in folds(view.text)]


@SERVER.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)
def _tokens(
    ls: Server, params: lsp.SemanticTokensParams
) -> Future[lsp.SemanticTokens | None] | None:
    return _of_view(ls, params.text_document.uri, lambda view, made: _encoded(ls, view, made))


@SERVER.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def _definition(ls: Server, params: lsp.DefinitionParams) -> Future[Target] | None:
    """From a graph: to where a value is defined, or to the program. From the program: to its
    graph, if that is open beside it; else the word is left to other servers."""
    uri = params.text_document.uri
    if uri in ls.views:
        return _of_view(ls, uri, lambda view, made: _leads_to(ls, view, made, params.position))
    document = ls.document(uri)
    if document is None or address_uri(document.uri, "ir") not in ls.views:
        return None
    return _into_graph(ls, document, params.position)


@SERVER.feature(lsp.TEXT_DOCUMENT_IMPLEMENTATION)
def _implementation(ls: Server, params: lsp.ImplementationParams) -> Future[Target] | None:
    """From the program to its graph."""
    document = ls.document(params.text_document.uri)
    return _into_graph(ls, document, params.position) if document is not None else None


def hover_in_graph(ls: Server, params: lsp.HoverParams) -> Future[lsp.Hover | None] | None:
    """What a word of an open graph means."""

    def look(view: Document, made: Content) -> lsp.Hover | None:
        place = place_of(ls, view, params.position)
        one = at(made, place.line, place.column)
        text = about(one) if one is not None else ""
        if one is None or not text:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
        return lsp.Hover(content, _range(ls, view.line, one))

    return _of_view(ls, params.text_document.uri, look)


def _into_graph(ls: Server, document: Document, position: lsp.Position) -> Future[Target] | None:
    place = place_of(ls, document, position)
    traced = ls.results.reading(document.path)
    value = traced.graph_value(document.path, place) if traced is not None else None
    if traced is None or value is None:
        return None
    uri = address_uri(ls.uri(traced.result.request.file), "ir")

    def locate(made: Content) -> Target:
        found = definition_of(made, value)
        return lsp.Location(uri, _range(ls, _lines(made), found)) if found is not None else None

    return chained(content_of(ls, uri), locate)


def _leads_to(ls: Server, view: Document, made: Content, position: lsp.Position) -> Target:
    place = place_of(ls, view, position)
    one = at(made, place.line, place.column)
    target = definition(made, one) if one is not None else None
    if isinstance(target, Span):
        address = address_of(view.uri)
        traced = ls.results.of(address.subject) if address is not None else None
        located = traced.now_or_then(target) if traced is not None else None
        return location_of(ls, located) if located is not None else None
    return lsp.Location(view.uri, _range(ls, view.line, target)) if target is not None else None


def _of_view(
    ls: Server, uri: str, use: Callable[[Document, Content], T]
) -> Future[T | None] | None:
    """What ``use`` makes of an open graph; None where its text is not the newest any more."""
    view = ls.views.get(uri)
    if view is None or not _is_graph(uri):
        return None
    read = content_of(ls, uri)
    return chained(read, lambda made: use(view, made) if view.text == made.text else None)


def _is_graph(uri: str) -> bool:
    address = address_of(uri)
    return address is not None and address.kind == "ir"


def _symbol(ls: Server, view: Document, symbol: Symbol) -> lsp.DocumentSymbol:
    end = columns_to_units(view.line(symbol.last_line), 10**9, ls.encoding)
    whole = lsp.Range(
        lsp.Position(symbol.first_line - 1, 0), lsp.Position(symbol.last_line - 1, end)
    )
    kind = lsp.SymbolKind.Function if symbol.graph else lsp.SymbolKind.Variable
    children = [_symbol(ls, view, child) for child in symbol.children]
    selection = _range(ls, view.line, symbol.selection)
    return lsp.DocumentSymbol(
        symbol.name, kind, whole, selection, detail=symbol.detail, children=children
    )


def _encoded(ls: Server, view: Document, made: Content) -> lsp.SemanticTokens:
    """Five numbers a token, places relative to the token before (LSP 3.17, "Semantic Tokens")."""
    data: list[int] = []
    line, start = 1, 0
    for token in tokens(made):
        text = view.line(token.line)
        begin = columns_to_units(text, token.start, ls.encoding)
        length = columns_to_units(text, token.end, ls.encoding) - begin
        modifiers = int(token.definition) << TOKEN_MODIFIERS.index("definition")
        column = begin - start if token.line == line else begin
        data += [token.line - line, column, length, TOKEN_TYPES.index(token.kind), modifiers]
        line, start = token.line, begin
    return lsp.SemanticTokens(data)


def _range(ls: Server, line: Callable[[int], str], one: OutputRange) -> lsp.Range:
    start, end = (
        lsp.Position(at.line - 1, columns_to_units(line(at.line), at.column, ls.encoding))
        for at in (one.start, one.end)
    )
    return lsp.Range(start, end)


def _lines(made: Content) -> Callable[[int], str]:
    lines = made.text.split("\n")
    return lambda number: lines[number - 1]


def _uri(params: object) -> str:
    uri = params.get("uri") if isinstance(params, dict) else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("expected a uri")
    return uri
