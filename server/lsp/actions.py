"""Code actions: what can be done about what was found."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..results import edits_now
from .convert import range_of, workspace_edit
from .server import SERVER, Server


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
def _code_actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    document = ls.document(params.text_document.uri)
    if document is None or not _wants_quick_fixes(params.context):
        return []
    actions = []
    for traced, finding, located in ls.results.findings(document.path):
        place = range_of(ls, located)
        if place.end < params.range.start or params.range.end < place.start:
            continue
        solved = [
            shown
            for shown in params.context.diagnostics
            if (shown.code, shown.range) == (finding.code, place)
        ]
        for fix in finding.fixes:
            if (edits := edits_now(traced, fix)) is not None:
                action = lsp.CodeAction(fix.title, lsp.CodeActionKind.QuickFix, solved)
                action.edit = workspace_edit(ls, edits)
                action.is_preferred = fix.safe or None
                actions.append(action)
    return actions


def _wants_quick_fixes(context: lsp.CodeActionContext) -> bool:
    """Kinds are a hierarchy: all of them are asked for by an empty one or by none."""
    wanted = (lsp.CodeActionKind.Empty, lsp.CodeActionKind.QuickFix)
    return context.only is None or any(kind in wanted for kind in context.only)
