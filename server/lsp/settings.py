"""The settings of a connection: for each folder of the workspace, asked for and changed live."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ..config import DEFAULTS, SECTION, Settings, read_settings, section
from ..project import ProjectError, TraceOn, project_of
from ..trust import confinable
from ..uris import path_of

if TYPE_CHECKING:
    from .server import Server

ON_SAVE, BY_COMMAND = "Run when saved", "Only by command"
QUESTION = (
    "Nothing on this system confines programs: one that is run can do whatever you can. "
    "Shall jit-lsp run files when they are saved?"
)

_UNASKED = (TraceOn.SAVE, TraceOn.OPEN)


class Configuration:
    """What the client has said so far, and what that means for a file."""

    def __init__(self, ls: Server) -> None:
        self._ls = ls
        self._initial: dict[str, object] = {}
        """What came with ``initialize``; everything that comes later goes before it."""
        self._everywhere = DEFAULTS
        self._folders: dict[str, Settings] = {}
        self._asked = self._may_run_unasked = False

    def of(self, path: str) -> Settings:
        """The settings for a file: those of the innermost folder that holds it."""
        above = [folder for folder in self._folders if Path(path).is_relative_to(folder)]
        return self._folders[max(above, key=len)] if above else self._everywhere

    def trace_on(self, path: str) -> TraceOn:
        """When the file is run: as the client says, else the project, else on save. Where nothing
        would confine it, saving runs it only if the client or the user said so."""
        said, wanted = self.of(path).trace_on, self._wanted(path)
        if said is not None:
            return said
        if confinable() or wanted not in _UNASKED:
            return wanted
        return wanted if self._may_run_unasked else TraceOn.COMMAND

    def is_open_question(self, path: str) -> bool:
        """Whether saving would run the file, nothing would confine it, and nobody was asked yet."""
        said = self.of(path).trace_on
        unconfined = not confinable() and self._wanted(path) in _UNASKED
        return said is None and unconfined and not self._asked

    def _wanted(self, path: str) -> TraceOn:
        """What the project says, which a stranger may have written."""
        try:
            return project_of(path).trace_on or TraceOn.SAVE
        except ProjectError:  # the result says so
            return TraceOn.SAVE

    def ask(self, then: Callable[[], None]) -> None:
        """Ask the user, once, whether saving may run programs; and do it then."""
        self._asked = True
        actions = [lsp.MessageActionItem(ON_SAVE), lsp.MessageActionItem(BY_COMMAND)]
        params = lsp.ShowMessageRequestParams(lsp.MessageType.Info, QUESTION, actions)

        def take(answer: Future[Any]) -> None:
            chosen = answer.result() if succeeded(answer) else None
            self._may_run_unasked = chosen is not None and chosen.title == ON_SAVE
            if self._may_run_unasked:
                then()

        self._ls.window_show_message_request(params).add_done_callback(take)

    def start(self, raw: dict[str, object]) -> None:
        """Take the settings that come with ``initialize``."""
        self._initial = raw
        self._everywhere = self._read({})

    def take(self, raw: dict[str, object]) -> None:
        """Take settings for every folder that has none of its own."""
        self._everywhere = self._read(raw)
        self._ls.settings_changed()

    def fetch(self) -> None:
        """Ask the client for what it has: in general, and for each folder."""
        ls = self._ls
        if not ls.can("workspace.configuration"):
            return
        folders = [folder.uri for folder in ls.workspace.folders.values()]
        items = [lsp.ConfigurationItem(section=SECTION)]
        items += [lsp.ConfigurationItem(uri, SECTION) for uri in folders]

        def take(answer: Future[Any]) -> None:
            if not succeeded(answer) or not answer.result():
                return
            general, *own = [section({SECTION: raw}) for raw in answer.result()]
            paths = map(path_of, folders)
            self._folders = {
                path: self._read({**general, **raw})
                for path, raw in zip(paths, own, strict=False)
                if path is not None
            }
            self.take(general)

        ls.workspace_configuration(lsp.ConfigurationParams(items)).add_done_callback(take)

    def watch(self) -> None:
        """Be told when settings change, or the configuration of a project."""
        ls = self._ls
        wanted: list[tuple[str, object]] = []
        if ls.can("workspace.did_change_configuration.dynamic_registration"):
            options = lsp.DidChangeConfigurationRegistrationOptions(section=SECTION)
            wanted.append((lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, options))
        if ls.can("workspace.did_change_watched_files.dynamic_registration"):
            watchers = [lsp.FileSystemWatcher("**/pyproject.toml")]
            files = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted.append((lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, files))
        if wanted:
            registrations = [
                lsp.Registration(str(uuid.uuid4()), method, options) for method, options in wanted
            ]
            ls.client_register_capability(lsp.RegistrationParams(registrations))

    def _read(self, raw: dict[str, object]) -> Settings:
        settings, problems = read_settings({**self._initial, **raw})
        for problem in problems:
            self._ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, problem))
        return settings


def succeeded(answer: Future[Any]) -> bool:
    """Whether the client gave a result."""
    return not answer.cancelled() and answer.exception() is None
