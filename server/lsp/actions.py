"""Code actions: what can be done about what was found, and the twins of the code lenses."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from ..diagnostics.model import Finding
from ..diagnostics.suppress import UNUSED, suppressing
from ..doc.source import Source, Span
from ..documents import Document
from ..gradient import variable_at
from ..results import Located, Traced, edits_now
from ..uris import address_uri
from .convert import place_of, range_of, workspace_edit
from .handshake import EXPLAIN_COMMAND, FIX_ALL, SHOW_COMMAND
from .hints import lenses_now
from .server import SERVER, Server

QUICK_FIX = lsp.CodeActionKind.QuickFix.value


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
def _code_actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    document = ls.document(params.text_document.uri)
    if document is None:
        return []
    context = params.context
    actions: list[lsp.CodeAction] = []
    if _wants(context, QUICK_FIX):
        here = list(_here(ls, document, params))
        for found in here:
            actions += _fixes(ls, *found)
        for found in here:
            actions += _ways_round(ls, document, *found)
    if _wants(context, FIX_ALL):
        actions += _all_fixes(ls, document, fewest=1 if context.only else 2)
    if not context.only:
        actions += _twins(ls, document, params.range)
        actions += _gradients(ls, document, params.range.start)
    return actions


def _here(
    ls: Server, document: Document, params: lsp.CodeActionParams
) -> Iterator[tuple[Traced, Finding, Located, list[lsp.Diagnostic]]]:
    """The findings that are meant, and the client's diagnostics that show them: those within the
    range, and those that the client names, for some count columns of the range in bytes."""
    for traced, finding, located in ls.results.findings(document.path):
        solved = _solved(ls, finding, located, params.context)
        if solved or _meet(range_of(ls, located), params.range):
            yield traced, finding, located, solved


def _fixes(
    ls: Server,
    traced: Traced,
    finding: Finding,
    located: Located,
    solved: list[lsp.Diagnostic],
) -> Iterator[lsp.CodeAction]:
    for fix in finding.fixes:
        if (edits := edits_now(traced, fix)) is not None:
            action = lsp.CodeAction(fix.title, QUICK_FIX, solved)
            action.edit = workspace_edit(ls, edits)
            action.is_preferred = fix.safe or None
            yield action


def _ways_round(
    ls: Server,
    document: Document,
    traced: Traced,
    finding: Finding,
    located: Located,
    solved: list[lsp.Diagnostic],
) -> Iterator[lsp.CodeAction]:
    """A comment that ignores the finding, and what its rule says."""
    if finding.code != UNUSED:
        edit = suppressing(Source(document.path, document.text), located.span, finding.code)
        action = lsp.CodeAction(f"ignore {finding.code} here", QUICK_FIX, solved)
        action.edit = workspace_edit(ls, [(Located(edit.span, document.line), edit.new_text)])
        yield action
    explain = f"explain {finding.code}"
    action = lsp.CodeAction(explain, QUICK_FIX, solved)
    action.command = lsp.Command(explain, EXPLAIN_COMMAND, arguments=[finding.code])
    yield action


def _all_fixes(ls: Server, document: Document, *, fewest: int) -> Iterator[lsp.CodeAction]:
    """The safe fixes of a file at once; of those that touch the same text, the first."""
    chosen: list[tuple[Located, str]] = []
    count = 0
    for traced, finding, _ in ls.results.findings(document.path):
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        edits = edits_now(traced, fix) if fix is not None else None
        if edits is None or any(
            _overlap(new.span, old.span) for new, _ in edits for old, _ in chosen
        ):
            continue
        chosen += edits
        count += 1
    if count >= fewest:
        title = "fix what can be fixed without thought"
        yield lsp.CodeAction(title, FIX_ALL, edit=workspace_edit(ls, chosen))


def _twins(ls: Server, document: Document, place: lsp.Range) -> Iterator[lsp.CodeAction]:
    """What the code lenses of these lines do, for editors that have no lenses."""
    for _, at, command in lenses_now(ls, document.path):
        if command is not None and place.start.line <= at.start.line <= place.end.line:
            yield lsp.CodeAction(command.title, command=command)


def _gradients(ls: Server, document: Document, position: lsp.Position) -> Iterator[lsp.CodeAction]:
    """The graph of the gradient by the variable there. Which loss is meant is told when it is
    made."""
    place, traced = place_of(ls, document, position), ls.results.reading(document.path)
    if traced is None or not traced.is_smooth(document.path, place):
        return
    found = variable_at(document.text, place.line, place.column)
    if found is not None:
        name, function = found
        title = f"show the gradient by {name}"
        uri = address_uri(ls.uri(traced.result.request.file), "ir", function or "", by=name)
        command = lsp.Command(title, SHOW_COMMAND, arguments=[uri])
        yield lsp.CodeAction(title, command=command)


def _solved(
    ls: Server, finding: Finding, located: Located, context: lsp.CodeActionContext
) -> list[lsp.Diagnostic]:
    """The diagnostics of the client that show this finding."""
    place = range_of(ls, located)
    return [d for d in context.diagnostics if (d.code, d.range) == (finding.code, place)]


def _wants(context: lsp.CodeActionContext, kind: str) -> bool:
    """Kinds are a hierarchy: all of them are asked for by an empty one or by none."""
    if context.only is None:
        return True
    names = [getattr(only, "value", only) for only in context.only]
    return any(not name or kind == name or kind.startswith(f"{name}.") for name in names)


def _meet(one: lsp.Range, other: lsp.Range) -> bool:
    return not (one.end < other.start or other.end < one.start)


def _overlap(one: Span, other: Span) -> bool:
    return one.path == other.path and not (
        (one.end_line, one.end_column) <= (other.line, other.column)
        or (other.end_line, other.end_column) <= (one.line, one.column)
    )
