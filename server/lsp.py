"""The language server. The only module that knows pygls and lsprotocol.

Inside, everything is plain data: documents, runs, results, settings. Here it is converted by hand
to what the Language Server Protocol 3.17 says, and back.

One thread owns it all. It takes calls from one queue: messages, which a thread of its own reads,
and what running programs have to say, which their threads post. So no request waits for a program,
the reader waits for no request, and nothing here needs a lock.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from cattrs import transform_error
from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.exceptions import (
    FeatureRequestError,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from . import __version__
from .config import DEFAULTS, SECTION, TraceOn, read_settings, section
from .diagnostics.model import Finding, Severity
from .diagnostics.report import details, one_line, page
from .doc import render_plain
from .documents import Document
from .hover import Index
from .positions import Encoding, Place, columns_to_units, units_to_columns
from .results import Located, Results, Traced, edits_now
from .runs import Run, Runs
from .transport import accept_one, read_messages, take_stdio, watch_process
from .uris import path_of, uri_of

SOURCE = "jit-lsp"
TRACE_COMMAND = "jit-lsp.trace"
CANCEL_COMMAND = "jit-lsp.cancel"

_MESSAGES_AHEAD = 256  # read but not handled; then the client has to wait
_WIDTH = 80
_CALLS_AT_EACH_END = 3  # of a path, however deep the recursion
_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}

_log = logging.getLogger(__name__)


def serve_stdio() -> None:
    """Serve one client over standard input and output. Ends the process when the client goes."""
    _serve(*take_stdio(), watch_client=True)


def serve_tcp(host: str, port: int) -> None:
    """Serve the first client that connects, which may be on another machine."""
    _serve(*accept_one(host, port), watch_client=False)


class Protocol(LanguageServerProtocol):
    """What pygls makes of messages, except that each request gets exactly one answer.

    pygls by itself leaves requests unanswered whose parameters don't fit, that come before
    ``initialize`` or after ``shutdown``, or whose header is in lower case.
    """

    def receive(self, body: bytes) -> None:
        """Handle one message, whatever it is."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, JsonRpcParseError())
            return
        if not isinstance(data, dict):
            self._refuse(None, JsonRpcInvalidRequest())
            return
        try:
            message = self._message(data)
        except JsonRpcException as error:
            _log.warning("%s: %s", data.get("method", "a response"), error.message)
            if "id" in data and "method" in data:
                self._refuse(data["id"], error)
            return
        self.handle_message(message)

    @property
    def is_shut_down(self) -> bool:
        """Whether only ``exit`` is left to come."""
        return self._shutdown

    def _message(self, data: dict[str, Any]) -> Any:
        if data.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest("jsonrpc must be 2.0")
        if "method" not in data:
            if "id" not in data or not data.keys() & {"result", "error"}:
                raise JsonRpcInvalidRequest("neither a request nor a response")
            return self._structured(data)
        method = data["method"]
        if not isinstance(method, str) or not _is_id(data.get("id", 0)):
            raise JsonRpcInvalidRequest("method must be a string, id a string or a number")
        if method != lsp.EXIT:
            if self._workspace is None and method != lsp.INITIALIZE:
                raise JsonRpcServerNotInitialized()
            if self._shutdown or (self._workspace is not None and method == lsp.INITIALIZE):
                raise JsonRpcInvalidRequest("not in this state")
        if method not in self.fm.builtin_features and method not in self.fm.features:
            raise JsonRpcMethodNotFound.of(method)
        if "id" in data and lsp.METHOD_TO_TYPES[method][1] is None:
            raise JsonRpcInvalidRequest(f"{method} is a notification")
        return self._structured(data)

    def _structured(self, data: dict[str, Any]) -> Any:
        try:
            if "method" not in data:
                return self.structure_message(data)
            return self._converter.structure(data, lsp.METHOD_TO_TYPES[data["method"]][0])
        except Exception as error:
            reasons = "; ".join(transform_error(error))
            raise JsonRpcInvalidParams(f"{JsonRpcInvalidParams.MESSAGE}: {reasons}") from error

    def _refuse(self, message_id: Any, error: JsonRpcException) -> None:
        known = message_id if _is_id(message_id) else None
        answer = {"jsonrpc": self.VERSION, "id": known, "error": error.to_response_error()}
        self._send_data(answer)


class Server(LanguageServer):
    """All the state of one connection, and the thread that owns it."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("jit-lsp", __version__, protocol_cls=Protocol)
        for method in _OURS_ALONE:
            del self.protocol.fm.builtin_features[method]
        self.inbox: queue.Queue[Callable[[], object]] = queue.Queue(_MESSAGES_AHEAD)
        self.documents: dict[str, Document] = {}
        self.results = Results(self.documents)
        self.runs = Runs(self.inbox.put, self)
        self.settings = DEFAULTS
        self.initial_settings: dict[str, object] = {}
        self.last_used: Document | None = None
        self.watch_client = False
        self._published: dict[str, str] = {}  # where each file that has diagnostics has them
        self._tokens: dict[Run, str] = {}  # of the runs whose progress the client shows

    def serve(self, reader: BinaryIO, writer: BinaryIO) -> None:
        """Handle what comes until the client goes. Does not return."""
        self.protocol.set_writer(_Writer(writer, self.quit))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: self.quit(128 + number))
        threading.Thread(target=self._read, args=(reader,), name="reader", daemon=True).start()
        while True:
            call = self.inbox.get()
            try:
                call()
            except Exception:
                _log.exception("a call failed")

    def quit(self, code: int = 0) -> None:
        """End now, from any thread; running programs are killed, not waited for."""
        self.runs.stop()
        sys.stderr.flush()
        os._exit(code)

    def report_server_error(self, error: Exception, source: type) -> None:
        """Log it; pygls would open a message box. It has logged the errors of requests itself."""
        if source is not FeatureRequestError:
            _log.error("%s: %s", source.__name__, error, exc_info=sys.exc_info()[1])

    # What the client can do

    @property
    def encoding(self) -> Encoding:
        """The units in which this client counts columns."""
        return Encoding(lsp.PositionEncodingKind(self.workspace.position_encoding).value)

    def can(self, capability: str) -> bool:
        """Whether the client said that it supports something, such as ``window.show_document``."""
        return bool(get_capability(self.client_capabilities, capability))

    # Documents, runs and what is shown of them

    def document(self, uri: str) -> Document | None:
        """The open Python file at ``uri``; None for untitled ones, notebook cells and the rest."""
        path = path_of(uri)
        document = self.documents.get(path) if path is not None else None
        self.last_used = document or self.last_used
        return document

    def uri(self, path: str) -> str:
        """Where the client has ``path``, in its own spelling if it is open."""
        document = self.documents.get(path)
        return document.uri if document is not None else uri_of(path)

    def trace(self, path: str, *, unsaved: bool = False) -> None:
        """Run the open program ``path``, as it is saved or as it is on the screen."""
        document = self.documents.get(path)
        if document is not None:
            text = document.snapshot if unsaved else document.saved
            self.runs.submit(Run(path, text, not unsaved, self._directory(path), self.settings))

    def configure(self, raw: dict[str, object]) -> None:
        """Take new settings over those given at the start."""
        before = self.settings
        self.settings, problems = read_settings({**self.initial_settings, **raw})
        for problem in problems:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, problem))
        if self.settings.trace_on is TraceOn.OPEN and before.trace_on is not TraceOn.OPEN:
            for path in list(self.documents):
                self.trace(path)

    def publish(self, paths: Iterable[str]) -> None:
        """Show what there is to say in these files now, which may be nothing."""
        for path in sorted(paths):
            document = self.documents.get(path)
            uri = self.uri(path)
            shown_at = self._published.pop(path, uri)
            if shown_at != uri:
                self._publish(shown_at, [], None)
            diagnostics = [_diagnostic(self, *found) for found in self.results.findings(path)]
            self._publish(uri, diagnostics, document)
            if diagnostics:
                self._published[path] = uri

    def republish(self, path: str) -> None:
        """As :meth:`publish`, for a file that was opened or closed: only if it shows anything."""
        if path in self._published:
            self.publish([path])

    def run_started(self, run: Run) -> None:
        """Show that it runs, where the client can."""
        if not self.can("window.work_done_progress"):
            return
        token = str(uuid.uuid4())

        def begin(created: Future[None]) -> None:
            if _succeeded(created) and self.runs.is_running(run):
                self._tokens[run] = token
                title = f"running {Path(run.path).name}"
                self._progress(run, lsp.WorkDoneProgressBegin(title, cancellable=True))

        params = lsp.WorkDoneProgressCreateParams(token)
        self.window_work_done_progress_create(params).add_done_callback(begin)

    def run_progressed(self, run: Run, line: int | None, seconds: float) -> None:
        """Show how far it is."""
        place = f"line {line} · " if line is not None else ""
        self._progress(run, lsp.WorkDoneProgressReport(message=f"{place}{seconds:.1f} s"))

    def run_ended(self, run: Run, result: Index | None) -> None:
        """Show what it found in place of what an older run found."""
        self._progress(run, lsp.WorkDoneProgressEnd())
        self._tokens.pop(run, None)
        if result is not None:
            self.publish(self.results.put(run.path, run.snapshot.revision, result))

    def cancel_progress(self, token: str | int) -> None:
        """Give up the run whose progress the client shows under ``token``."""
        for run, known in self._tokens.items():
            if known == token:
                self.runs.give_up(run.path)

    def _progress(self, run: Run, value: object) -> None:
        if run in self._tokens:
            self.progress(lsp.ProgressParams(self._tokens[run], value))

    def _directory(self, path: str) -> str:
        """Where ``path`` is run: in the folder of the workspace that holds it, else in its own."""
        uris = [folder.uri for folder in self.workspace.folders.values()]
        uris += [self.workspace.root_uri] if self.workspace.root_uri else []
        folders = [folder for uri in uris if (folder := path_of(uri)) and Path(folder).is_dir()]
        above = [folder for folder in folders if Path(path).is_relative_to(folder)]
        return max(above, key=len, default=str(Path(path).parent))

    def _publish(
        self, uri: str, diagnostics: list[lsp.Diagnostic], document: Document | None
    ) -> None:
        versioned = self.can("text_document.publish_diagnostics.version_support")
        version = document.version if document is not None and versioned else None
        params = lsp.PublishDiagnosticsParams(uri, diagnostics, version)
        self.text_document_publish_diagnostics(params)

    def _read(self, reader: BinaryIO) -> None:
        for body in read_messages(reader):
            self.inbox.put(partial(self.protocol.receive, body))
        self.quit()


# pygls's own documents split lines at form feeds too, its ``exit`` waits for threads, and its
# progress knows no tokens but its own.
_OURS_ALONE = (
    lsp.TEXT_DOCUMENT_DID_OPEN,
    lsp.TEXT_DOCUMENT_DID_CHANGE,
    lsp.TEXT_DOCUMENT_DID_CLOSE,
    lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL,
    lsp.EXIT,
)

SERVER = Server()


@SERVER.feature(lsp.INITIALIZE)
def _initialize(ls: Server, params: lsp.InitializeParams) -> None:
    ls.initial_settings = section(params.initialization_options)
    ls.configure({})
    if ls.watch_client and params.process_id is not None:
        watch_process(params.process_id, ls.quit)


@SERVER.feature(lsp.INITIALIZED)
def _initialized(ls: Server, params: lsp.InitializedParams) -> None:
    if ls.can("workspace.did_change_configuration.dynamic_registration"):
        options = lsp.DidChangeConfigurationRegistrationOptions(section=SECTION)
        method = lsp.WORKSPACE_DID_CHANGE_CONFIGURATION
        registration = lsp.Registration(str(uuid.uuid4()), method, options)
        ls.client_register_capability(lsp.RegistrationParams([registration]))
    _ask_for_settings(ls)


@SERVER.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _did_change_configuration(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    if raw := section(params.settings):
        ls.configure(raw)
    else:
        _ask_for_settings(ls)


@SERVER.feature(lsp.SHUTDOWN)
def _shutdown(ls: Server, params: None) -> None:
    ls.runs.stop()


@SERVER.feature(lsp.EXIT)
def _exit(ls: Server, params: None) -> None:
    ls.quit(0 if ls.protocol.is_shut_down else 1)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def _did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    path = path_of(item.uri)
    if path is None or not (item.language_id == "python" or path.endswith((".py", ".pyw"))):
        return
    ls.runs.give_up(path)  # of a document that was never closed
    ls.documents[path] = ls.last_used = Document(path, item.uri, item.version, item.text)
    ls.results.opened(path)
    ls.republish(path)
    if ls.settings.trace_on is TraceOn.OPEN:
        ls.trace(path)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def _did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return
    for change in params.content_changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            start, end = (_place(ls, document, at) for at in (change.range.start, change.range.end))
            document.change(start, end, change.text)
        else:
            document.replace(change.text)
    document.version = params.text_document.version


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def _did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return
    document.save()
    if ls.settings.trace_on in (TraceOn.SAVE, TraceOn.OPEN):
        for path in ls.results.programs_with(document.path):
            ls.trace(path)


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def _did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return
    ls.last_used = None
    ls.runs.give_up(document.path)
    changed = ls.results.drop(document.path)
    del ls.documents[document.path]
    for path in {document.path} | changed:
        ls.republish(path)


@SERVER.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
def _cancel_progress(ls: Server, params: lsp.WorkDoneProgressCancelParams) -> None:
    ls.cancel_progress(params.token)


@SERVER.command(TRACE_COMMAND)
def _trace_now(ls: Server, *arguments: object) -> None:
    """Run the document whose URI is given, or the one used last, as it is on the screen."""
    ls.trace(_named_document(ls, arguments).path, unsaved=True)


@SERVER.command(CANCEL_COMMAND)
def _cancel(ls: Server, *arguments: object) -> None:
    """Stop the run of the document whose URI is given, or every run."""
    paths = [_named_document(ls, arguments).path] if arguments else list(ls.documents)
    for path in paths:
        ls.runs.give_up(path)


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    document = ls.document(params.text_document.uri)
    if document is None:
        return None
    found = ls.results.hover(document.path, _place(ls, document, params.position))
    if found is None:
        return None
    hover, located = found
    formats = get_capability(ls.client_capabilities, "text_document.hover.content_format") or ()
    markdown = list(formats)[:1] == [lsp.MarkupKind.Markdown]
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    content = lsp.MarkupContent(
        kind, hover.markdown if markdown else render_plain(hover.doc, _WIDTH)
    )
    return lsp.Hover(content, _range(ls, located) if located is not None else None)


@SERVER.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
def _code_actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    document = ls.document(params.text_document.uri)
    if document is None or not _wants_quick_fixes(params.context):
        return []
    actions = []
    for traced, finding, located in ls.results.findings(document.path):
        place = _range(ls, located)
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
                action.edit = _workspace_edit(ls, edits)
                action.is_preferred = fix.safe or None
                actions.append(action)
    return actions


def _diagnostic(ls: Server, traced: Traced, finding: Finding, located: Located) -> lsp.Diagnostic:
    can_relate = ls.can("text_document.publish_diagnostics.related_information")
    related = _related(traced, finding)
    message = [one_line(finding)]
    if (more := details(finding)) is not None:
        message.append(render_plain(more, _WIDTH))
    if not can_relate:
        message += [f"{place.span}: {text}" for place, text in related]
    diagnostic = lsp.Diagnostic(_range(ls, located), "\n".join(message))
    diagnostic.severity = _SEVERITY[finding.severity]
    diagnostic.source = SOURCE
    diagnostic.code = finding.code
    if ls.can("text_document.publish_diagnostics.code_description_support"):
        diagnostic.code_description = lsp.CodeDescription(page(finding.code))
    if can_relate:
        diagnostic.related_information = [
            lsp.DiagnosticRelatedInformation(_location(ls, place), text) for place, text in related
        ]
    if ls.can("text_document.publish_diagnostics.data_support"):
        diagnostic.data = {"fixes": _fixes(ls, traced, finding)}
    return diagnostic


def _related(traced: Traced, finding: Finding) -> list[tuple[Located, str]]:
    """Its labels, and the calls that led to it."""
    labels = [label for label in finding.labels if label.text]
    places = [(label.span, render_plain(label.text, _WIDTH)) for label in labels]
    calls = finding.call_path
    if len(calls) > 2 * _CALLS_AT_EACH_END:
        calls = calls[:_CALLS_AT_EACH_END] + calls[-_CALLS_AT_EACH_END:]
    places += [(span, f"{name} is called here") for span, name in calls]
    found = [(traced.now(span), text) for span, text in places]
    return [(located, text) for located, text in found if located is not None]


def _fixes(ls: Server, traced: Traced, finding: Finding) -> list[dict[str, object]]:
    return [
        {"title": fix.title, "edits": [_data(ls, located, text) for located, text in edits]}
        for fix in finding.fixes
        if (edits := edits_now(traced, fix)) is not None
    ]


def _data(ls: Server, located: Located, text: str) -> dict[str, object]:
    at = _range(ls, located)
    start, end = ({"line": p.line, "character": p.character} for p in (at.start, at.end))
    return {
        "uri": ls.uri(located.span.path),
        "range": {"start": start, "end": end},
        "newText": text,
    }


def _workspace_edit(ls: Server, edits: list[tuple[Located, str]]) -> lsp.WorkspaceEdit:
    by_file: dict[str, list[lsp.TextEdit]] = {}
    for located, text in edits:
        by_file.setdefault(located.span.path, []).append(lsp.TextEdit(_range(ls, located), text))
    if not ls.can("workspace.workspace_edit.document_changes"):
        return lsp.WorkspaceEdit({ls.uri(path): edits for path, edits in by_file.items()})
    changes = []
    for path, text_edits in by_file.items():
        version = ls.documents[path].version if path in ls.documents else None
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(ls.uri(path), version)
        changes.append(lsp.TextDocumentEdit(identifier, text_edits))
    return lsp.WorkspaceEdit(document_changes=changes)


def _location(ls: Server, located: Located) -> lsp.Location:
    return lsp.Location(ls.uri(located.span.path), _range(ls, located))


def _range(ls: Server, located: Located) -> lsp.Range:
    span, line = located.span, located.line
    start = columns_to_units(line(span.line), span.column, ls.encoding)
    end = columns_to_units(line(span.end_line), span.end_column, ls.encoding)
    return lsp.Range(lsp.Position(span.line - 1, start), lsp.Position(span.end_line - 1, end))


def _place(ls: Server, document: Document, position: lsp.Position) -> Place:
    number = position.line + 1
    column = units_to_columns(document.line(number), position.character, ls.encoding)
    return Place(number, column)


def _wants_quick_fixes(context: lsp.CodeActionContext) -> bool:
    """Kinds are a hierarchy: all of them are asked for by an empty one or by none."""
    wanted = (lsp.CodeActionKind.Empty, lsp.CodeActionKind.QuickFix)
    return context.only is None or any(kind in wanted for kind in context.only)


def _ask_for_settings(ls: Server) -> None:
    if not ls.can("workspace.configuration"):
        return
    items = [lsp.ConfigurationItem(section=SECTION)]
    answer = ls.workspace_configuration(lsp.ConfigurationParams(items))

    def take(answer: Future[Any]) -> None:
        if _succeeded(answer) and answer.result():
            ls.configure(section({SECTION: answer.result()[0]}))

    answer.add_done_callback(take)


def _named_document(ls: Server, arguments: tuple[object, ...]) -> Document:
    uri = arguments[0] if arguments else None
    document = ls.document(uri) if isinstance(uri, str) else ls.last_used
    if document is None or len(arguments) > 1 or not isinstance(uri, str | None):
        raise JsonRpcInvalidParams("expected the URI of an open Python file")
    return document


def _succeeded(answer: Future[Any]) -> bool:
    return not answer.cancelled() and answer.exception() is None


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


class _Writer:
    """Standard output or a socket; a client that no longer reads has gone."""

    def __init__(self, stream: BinaryIO, gone: Callable[[], None]) -> None:
        self._stream = stream
        self._gone = gone

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except OSError:
            self._gone()

    def close(self) -> None:
        """The end of the process closes it."""


def _serve(reader: BinaryIO, writer: BinaryIO, *, watch_client: bool) -> None:
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    SERVER.watch_client = watch_client
    SERVER.serve(reader, writer)
