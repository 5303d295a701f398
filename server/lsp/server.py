"""All the state of one connection, and the thread that owns it."""

from __future__ import annotations

import logging
import os
import queue
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from .. import __version__
from ..config import Settings
from ..documents import Document
from ..index import Index
from ..positions import Encoding
from ..project import TraceOn
from ..results import Results
from ..runs import Run, Runs
from ..status import Activity, State, Status, status_of
from ..transport import read_messages
from ..uris import address_of, path_of, uri_of
from .contents import status_data
from .diagnostics import diagnostics_of
from .handshake import Greeting, capability
from .protocol import Protocol
from .reports import Pulls
from .settings import Configuration, succeeded

_FADES_AFTER = 0.5
"""Seconds of a run until what an older one found is shown as outdated; sooner it would flicker."""
_MESSAGES_AHEAD = 256  # read but not handled; then the client has to wait

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Server(LanguageServer):
    """All the state of one connection, and the thread that owns it."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("jit-lsp", __version__, protocol_cls=Protocol)
        for method in _OURS_ALONE:
            del self.protocol.fm.builtin_features[method]
        self.inbox: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._ahead = threading.Semaphore(_MESSAGES_AHEAD)
        self.documents: dict[str, Document] = {}
        self.results = Results(
            self.documents, lambda rule, path: self.settings_of(path).wants(rule)
        )
        self.runs = Runs(self.inbox.put, self)
        self.configuration = Configuration(self)
        self.last_used: Document | None = None
        self.watch_client = False
        self.views: dict[str, Document] = {}
        """The open documents of what runs left, by their URI."""
        self.read: set[str] = set()
        """The URIs of what runs left that the client has asked for."""
        self.activities: dict[str, Activity] = {}
        self.pulls = Pulls(self)
        self._background = ThreadPoolExecutor(1, "background")
        self._published: dict[str, str] = {}  # where each file that has diagnostics has them
        self._tokens: dict[Run, str] = {}  # of the runs whose progress the client shows
        self._fading: set[str] = set()

    def serve(self, reader: BinaryIO, writer: BinaryIO, greeting: Greeting) -> None:
        """Handle the first message and what follows until the client goes. Does not return."""
        self.protocol.set_writer(_Writer(writer, self.quit))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: self.quit(128 + number))
        if greeting.result is None:
            self.protocol.receive(greeting.body)
        else:
            self.protocol.receive_answered(greeting.body, greeting.result)
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
        return Encoding(self.protocol.encoding)

    def can(self, capability: str) -> bool:
        """Whether the client said that it supports something, such as ``window.show_document``."""
        return bool(get_capability(self.client_capabilities, capability))

    def says(self, name: str) -> bool:
        """Whether the client said so among what is ours alone; see docs/protocol.md."""
        return capability(self.client_capabilities.experimental, "jit-lsp", name) is True

    @property
    def reads_ours(self) -> bool:
        """Whether the client shows ``jit-lsp:`` documents."""
        return self.can("workspace.text_document_content") or self.says("contentChanged")

    def settings_of(self, path: str) -> Settings:
        """The settings for a file."""
        return self.configuration.of(path)

    def shows_pictures(self, path: str) -> bool:
        """Whether hovers in a file have pictures."""
        wanted = self.settings_of(path).pictures
        return self.says("pictures") if wanted is None else wanted

    def later(self, work: Callable[[], T]) -> Future[T]:
        """Do what takes long, on another thread; its result comes back to this one."""
        answer: Future[T] = Future()

        def settle(done: Future[T]) -> None:
            if not answer.set_running_or_notify_cancel():
                return
            if (error := done.exception()) is not None:
                answer.set_exception(error)
            else:
                answer.set_result(done.result())

        work_done = self._background.submit(work)
        work_done.add_done_callback(lambda done: self.inbox.put(partial(settle, done)))
        return answer

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
            self.set_activity(path, Activity(State.WAITING))
            settings = self.settings_of(path)
            self.runs.submit(Run(path, text, not unsaved, self._directory(path), settings))

    def status(self, path: str) -> Status:
        """How the runs of a program stand."""
        traced = self.results.of(path)
        result = traced.result if traced is not None else None
        activity = self.activities.get(path, Activity())
        busy = activity.state in (State.WAITING, State.RUNNING)
        return status_of(activity, result, stale=traced is not None and (busy or traced.stale))

    def set_activity(self, path: str, activity: Activity) -> None:
        """Take note of what a program does now, and tell clients that want to know."""
        self.activities[path] = activity
        self.tell_status(path)

    def tell_status(self, path: str) -> None:
        """Tell clients that want to know how a program stands."""
        if self.says("status"):
            self.protocol.notify("jit-lsp/status", status_data(self, path))

    def refresh(self) -> None:
        """Have the client ask again for what it shows within and above the text."""
        if self.can("workspace.inlay_hint.refresh_support"):
            self.workspace_inlay_hint_refresh(None)
        if self.can("workspace.code_lens.refresh_support"):
            self.workspace_code_lens_refresh(None)

    def refresh_contents(self, path: str) -> None:
        """Have the client ask again for what the runs of ``path`` left."""
        for uri in {*self.views, *self.read}:
            address = address_of(uri)
            if address is not None and address.subject == path:
                self._content_changed(uri)

    def _content_changed(self, uri: str) -> None:
        if self.can("workspace.text_document_content"):
            self.workspace_text_document_content_refresh(lsp.TextDocumentContentRefreshParams(uri))
        elif self.says("contentChanged"):
            self.protocol.notify("jit-lsp/contentChanged", {"uri": uri})

    def settings_changed(self) -> None:
        """Run what is to be run from now on, and show what is there by the new settings."""
        for path in list(self.documents):
            opened = self.configuration.trace_on(path) is TraceOn.OPEN
            if opened and path not in self.activities:
                self.trace(path)
        self.publish(self.results.files())
        self.refresh()

    def publish(self, paths: Iterable[str]) -> None:
        """Show what there is to say in these files now, which may be nothing."""
        paths = sorted(paths)
        if self.protocol.pulls and paths:
            self.workspace_diagnostic_refresh(None)
            self.pulls.answer()
            return
        for path in paths:
            document = self.documents.get(path)
            uri = self.uri(path)
            shown_at = self._published.pop(path, uri)
            if shown_at != uri:
                self._publish(shown_at, [], None)
            diagnostics = diagnostics_of(self, path)
            self._publish(uri, diagnostics, document)
            if diagnostics:
                self._published[path] = uri

    def republish(self, path: str) -> None:
        """As :meth:`publish`, for a file that was opened or closed: only if it shows anything."""
        if path in self._published:
            self.publish([path])

    def run_started(self, run: Run) -> None:
        """Show that it runs, where the client can."""
        self.set_activity(run.path, Activity(State.RUNNING, seconds=0.0))
        if not self.can("window.work_done_progress"):
            return
        token = str(uuid.uuid4())

        def begin(created: Future[None]) -> None:
            if succeeded(created) and self.runs.is_running(run):
                self._tokens[run] = token
                title = f"running {Path(run.path).name}"
                self._progress(run, lsp.WorkDoneProgressBegin(title, cancellable=True))

        params = lsp.WorkDoneProgressCreateParams(token)
        self.window_work_done_progress_create(params).add_done_callback(begin)

    def run_progressed(self, run: Run, line: int | None, seconds: float) -> None:
        """Show how far it is."""
        self.set_activity(run.path, Activity(State.RUNNING, line, seconds))
        if seconds >= _FADES_AFTER and run.path not in self._fading:
            self._fading.add(run.path)
            self.publish(self.results.files_of(run.path))
        place = f"line {line} · " if line is not None else ""
        self._progress(run, lsp.WorkDoneProgressReport(message=f"{place}{seconds:.1f} s"))

    def run_ended(self, run: Run, result: Index | None) -> None:
        """Show what it found in place of what an older run found."""
        self._progress(run, lsp.WorkDoneProgressEnd())
        self._tokens.pop(run, None)
        faded = run.path in self._fading
        self._fading.discard(run.path)
        if result is None:
            if faded:
                self.publish(self.results.files_of(run.path))
            if not self.runs.is_busy(run.path):
                self.set_activity(run.path, Activity(State.STOPPED))
            return
        changed = self.results.put(run.path, run.snapshot.revision, result)
        trace = result.result.trace
        begun = trace.outcome.status != "unavailable"
        state = State.FINISHED if begun else State.UNAVAILABLE
        self.set_activity(run.path, Activity(state, trace.outcome.line, result.result.seconds))
        self.publish(changed)
        self.refresh()
        self.refresh_contents(run.path)

    def is_fading(self, path: str) -> bool:
        """Whether what is shown of a program is from a run before one that takes its time."""
        return path in self._fading

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

    def _receive(self, body: bytes) -> None:
        self._ahead.release()
        self.protocol.receive(body)

    def _read(self, reader: BinaryIO) -> None:
        for body in read_messages(reader):
            self._ahead.acquire()  # the reader alone may have to wait for the owner
            self.inbox.put(partial(self._receive, body))
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
