"""How a connection begins and ends, and its settings."""

from __future__ import annotations

import uuid
from concurrent.futures import Future
from typing import Any

from lsprotocol import types as lsp

from ..config import SECTION, section
from ..transport import watch_process
from .server import SERVER, Server, succeeded


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
    ask_for_settings(ls)


@SERVER.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _did_change_configuration(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    if raw := section(params.settings):
        ls.configure(raw)
    else:
        ask_for_settings(ls)


@SERVER.feature(lsp.SHUTDOWN)
def _shutdown(ls: Server, params: None) -> None:
    ls.runs.stop()


@SERVER.feature(lsp.EXIT)
def _exit(ls: Server, params: None) -> None:
    ls.quit(0 if ls.protocol.is_shut_down else 1)


@SERVER.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
def _cancel_progress(ls: Server, params: lsp.WorkDoneProgressCancelParams) -> None:
    ls.cancel_progress(params.token)


def ask_for_settings(ls: Server) -> None:
    """Ask the client for its settings, where it has any."""
    if not ls.can("workspace.configuration"):
        return
    items = [lsp.ConfigurationItem(section=SECTION)]
    answer = ls.workspace_configuration(lsp.ConfigurationParams(items))

    def take(answer: Future[Any]) -> None:
        if succeeded(answer) and answer.result():
            ls.configure(section({SECTION: answer.result()[0]}))

    answer.add_done_callback(take)
