"""What runs left, as data for the client: the texts of ``jit-lsp:`` documents, and the status."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pygls.exceptions import JsonRpcInvalidParams

from ..contents import Content, content
from ..results import Traced
from ..uris import Address, address_of, address_uri

if TYPE_CHECKING:
    from .server import Server

A = TypeVar("A")
B = TypeVar("B")


def content_of(ls: Server, uri: str) -> Future[Content]:
    """The document at a ``jit-lsp:`` URI, once it is made.

    Raises:
        JsonRpcInvalidParams: there is no such document.
    """
    address = address_of(uri)
    if address is None:
        raise JsonRpcInvalidParams(f"no document of jit-lsp: {uri}")
    ls.read.add(uri)
    return ls.later(partial(_made, address, ls.results.of(address.subject)))


def described(ls: Server, uri: str) -> Future[dict[str, Any]]:
    """The document with its language, for clients that don't know of such documents."""

    def describe(made: Content) -> dict[str, Any]:
        address = address_of(uri)
        assert address is not None  # else there were no content
        return {"uri": uri, "languageId": address.language, "text": made.text}

    return chained(content_of(ls, uri), describe)


def chained(first: Future[A], then: Callable[[A], B]) -> Future[B]:
    """What ``then`` makes of an answer, once it is there."""
    last: Future[B] = Future()

    def go_on(done: Future[A]) -> None:
        if done.cancelled() or not last.set_running_or_notify_cancel():
            return
        try:
            last.set_result(then(done.result()))
        except Exception as error:
            last.set_exception(error)

    first.add_done_callback(go_on)
    return last


def status_data(ls: Server, path: str) -> dict[str, Any]:
    """A program's status as docs/protocol.md has it."""
    status = ls.status(path)
    activity = status.activity
    data: dict[str, Any] = {
        "uri": ls.uri(path),
        "state": activity.state.value,
        "findings": status.findings,
        "stale": status.stale,
        "confined": list(status.confined),
    }
    optional = {
        "line": activity.line - 1 if activity.line is not None else None,
        "seconds": activity.seconds,
        "outcome": status.outcome or None,
        "interpreter": status.interpreter or None,
        "python": status.python or None,
    }
    return data | {name: value for name, value in optional.items() if value is not None}


def graph_uri(ls: Server, program: str, function: str) -> str:
    """The address of a graph, as a picture for clients that show those."""
    kind = "svg" if ls.says("pictures") else "ir"
    return address_uri(ls.uri(program), kind, function)


def as_file(uri: str, text: str) -> str:
    """A file with the text of a document, for clients that can't ask for it. Gives its URI."""
    address = address_of(uri)
    assert address is not None  # it has been read
    suffix = "md" if address.kind in ("rule", "status") else address.kind
    path = Path(_folder()) / f"{Path(address.subject).name}.{suffix}"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


@lru_cache(maxsize=1)
def _folder() -> str:
    return tempfile.mkdtemp(prefix="jit-lsp-")


def _made(address: Address, traced: Traced | None) -> Content:
    if traced is not None and address in traced.contents:
        return traced.contents[address]
    made = content(address, traced.index if traced is not None else None)
    if made is None:
        raise JsonRpcInvalidParams(f"there is no rule {address.subject!r}")
    if traced is not None:
        traced.contents[address] = made
    return made
