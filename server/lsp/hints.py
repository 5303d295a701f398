"""Inlay hints and code lenses: what a run knows, within and above the text."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..doc import render_markdown
from ..doc.source import Span
from ..hints import Hint, hints
from ..lenses import Lens, lenses
from ..project import TraceOn
from ..results import Located, Traced
from .contents import graph_uri
from .convert import STALE, range_of
from .handshake import SHOW_COMMAND, TRACE_COMMAND
from .server import SERVER, Server


@SERVER.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
def _inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    document = ls.document(params.text_document.uri)
    traced = ls.results.reading(document.path) if document is not None else None
    if document is None or traced is None or not ls.settings_of(document.path).inlay_hints:
        return []
    first, last = params.range.start.line + 1, params.range.end.line + 1
    found = ((hint, traced.now(hint.span)) for hint in hints(traced.index.facts, document.path))
    return [
        _hint(ls, traced, hint, located)
        for hint, located in found
        if located is not None and first <= located.span.line <= last
    ]


def _hint(ls: Server, traced: Traced, hint: Hint, located: Located) -> lsp.InlayHint:
    more = render_markdown(hint.more)
    if traced.stale:
        more = f"{more}\n\n*{STALE}*"
    return lsp.InlayHint(
        range_of(ls, located).end,
        hint.label,
        kind=lsp.InlayHintKind.Type,
        tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, more),
    )


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
def _code_lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    document = ls.document(params.text_document.uri)
    if document is None or not ls.settings_of(document.path).code_lens:
        return []
    return [
        lsp.CodeLens(place, _command(command, lens.text))
        for lens, place, command in lenses_now(ls, document.path)
    ]


def lenses_now(ls: Server, path: str) -> list[tuple[Lens, lsp.Range, lsp.Command | None]]:
    """The lenses of an open file, where they are, and what each of them does, if anything."""
    traced = ls.results.reading(path)
    if traced is None:
        return [_to_run(ls, path)] if ls.configuration.trace_on(path) is TraceOn.COMMAND else []
    found = (
        (lens, traced.now(lens.span)) for lens in lenses(traced.result, traced.index.facts, path)
    )
    program = traced.result.request.file
    return [
        (lens, range_of(ls, located), _leads_to(ls, program, lens))
        for lens, located in found
        if located is not None
    ]


def _to_run(ls: Server, path: str) -> tuple[Lens, lsp.Range, lsp.Command]:
    """The lens of a file that only a command runs, before it did."""
    start = lsp.Position(0, 0)
    command = lsp.Command("run this file", TRACE_COMMAND, arguments=[ls.uri(path)])
    lens = Lens(Span(path, 1, 0, 1, 0), command.title, None)
    return lens, lsp.Range(start, start), command


def _leads_to(ls: Server, program: str, lens: Lens) -> lsp.Command | None:
    if lens.graph is None:
        return None
    of = f" of {lens.graph}" if lens.graph else ""
    uri = graph_uri(ls, program, lens.graph)
    return lsp.Command(f"show the graph{of}", SHOW_COMMAND, arguments=[uri])


def _command(command: lsp.Command | None, text: str) -> lsp.Command:
    """The whole text of a lens; one that leads nowhere is a command all the same, without name."""
    if command is None:
        return lsp.Command(text, "")
    if command.title == text:
        return command
    return lsp.Command(f"{text} · show graph", command.command, arguments=command.arguments)
