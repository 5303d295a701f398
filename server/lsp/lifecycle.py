"""How a connection begins and ends, and its settings."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..config import section
from ..transport import watch_process
from .server import SERVER, Server


@SERVER.feature(lsp.INITIALIZE)
def _initialize(ls: Server, params: lsp.InitializeParams) -> None:
    ls.configuration.start(section(params.initialization_options))
    if ls.watch_client and params.process_id is not None:
        watch_process(params.process_id, ls.quit)


@SERVER.feature(lsp.INITIALIZED)
def _initialized(ls: Server, params: lsp.InitializedParams) -> None:
    ls.configuration.watch()
    ls.configuration.fetch()


@SERVER.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _did_change_configuration(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    if raw := section(params.settings):
        ls.configuration.take(raw)
    else:
        ls.configuration.fetch()


@SERVER.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
def _did_change_folders(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    ls.configuration.fetch()


@SERVER.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def _did_change_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    if any(change.uri.endswith("/pyproject.toml") for change in params.changes):
        ls.publish(ls.results.judge_anew())


@SERVER.feature(lsp.SHUTDOWN)
def _shutdown(ls: Server, params: None) -> None:
    ls.runs.stop()
    ls.protocol.cancel_all()


@SERVER.feature(lsp.EXIT)
def _exit(ls: Server, params: None) -> None:
    ls.quit(0 if ls.protocol.is_shut_down else 1)


@SERVER.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
def _cancel_progress(ls: Server, params: lsp.WorkDoneProgressCancelParams) -> None:
    ls.cancel_progress(params.token)
