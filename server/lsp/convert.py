"""Between places inside and those of LSP: ranges, locations, edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ..documents import Document
from ..positions import Place, columns_to_units, units_to_columns
from ..results import Located

if TYPE_CHECKING:
    from .server import Server

STALE = "from the run before this edit"
"""What is said beside facts that may not be so any more."""
WIDTH = 80
"""Columns that a text is laid out for where the client doesn't say."""


def range_of(ls: Server, located: Located) -> lsp.Range:
    """A place of a present text, in the client's units."""
    span, line = located.span, located.line
    start = columns_to_units(line(span.line), span.column, ls.encoding)
    end = columns_to_units(line(span.end_line), span.end_column, ls.encoding)
    return lsp.Range(lsp.Position(span.line - 1, start), lsp.Position(span.end_line - 1, end))


def location_of(ls: Server, located: Located) -> lsp.Location:
    """The same with its file."""
    return lsp.Location(ls.uri(located.span.path), range_of(ls, located))


def place_of(ls: Server, document: Document, position: lsp.Position) -> Place:
    """A position of the client in an open document."""
    number = position.line + 1
    column = units_to_columns(document.line(number), position.character, ls.encoding)
    return Place(number, column)


def workspace_edit(ls: Server, edits: list[tuple[Located, str]]) -> lsp.WorkspaceEdit:
    """New texts for places, of the versions that the client has shown us last."""
    by_file: dict[str, list[lsp.TextEdit]] = {}
    for located, text in edits:
        by_file.setdefault(located.span.path, []).append(lsp.TextEdit(range_of(ls, located), text))
    if not ls.can("workspace.workspace_edit.document_changes"):
        return lsp.WorkspaceEdit({ls.uri(path): edits for path, edits in by_file.items()})
    changes = []
    for path, text_edits in by_file.items():
        version = ls.documents[path].version if path in ls.documents else None
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(ls.uri(path), version)
        changes.append(lsp.TextDocumentEdit(identifier, text_edits))
    return lsp.WorkspaceEdit(document_changes=changes)
