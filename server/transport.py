"""How bytes come from the client and go to it, and whether it lives. Standard library only."""

from __future__ import annotations

import logging
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO

_LARGEST_MESSAGE = 64 << 20
_LONGEST_HEADER = 8192
_POLL_SECONDS = 2.0

_log = logging.getLogger(__name__)


def read_messages(stream: BinaryIO) -> Iterator[bytes]:
    """The bodies of the messages on ``stream``, until it ends (LSP 3.17, "Base Protocol").

    Header names may have any case. Headers without a usable length are skipped. A message above
    64 MB is skipped too and gives an empty body, so that it can be answered as unreadable.
    """
    while (length := _read_headers(stream)) is not None:
        if length > _LARGEST_MESSAGE:
            _log.warning("skipped a message of %d bytes", length)
            if not _skip(stream, length):
                return
            yield b""
            continue
        body = stream.read(length)
        if len(body) < length:
            return
        yield body


def frame(body: bytes) -> bytes:
    """A message as it goes over the wire."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def take_stdio() -> tuple[BinaryIO, BinaryIO]:
    """The process's standard input and output, for the protocol alone.

    Whatever prints to standard output later reaches standard error instead of breaking a message,
    and no child inherits the input.
    """
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reader, writer


def accept_one(host: str, port: int) -> tuple[BinaryIO, BinaryIO]:
    """Wait for one client on a socket. Port 0 takes a free one; standard error says which."""
    with socket.create_server((host, port)) as listener:
        address = listener.getsockname()
        print(f"listening on {address[0]}:{address[1]}", file=sys.stderr, flush=True)
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection.makefile("rb"), connection.makefile("wb")


def watch_process(pid: int, gone: Callable[[], None]) -> None:
    """Call ``gone``, from another thread, when process ``pid`` has ended.

    A process that can't be seen now is not watched: it lives on another machine or in another
    container, and the end of the input has to do.
    """
    wait = _waiter(pid)
    if wait is None:
        return

    def watch() -> None:
        wait()
        gone()

    threading.Thread(target=watch, name="client", daemon=True).start()


def _read_headers(stream: BinaryIO) -> int | None:
    length = None
    while line := stream.readline(_LONGEST_HEADER):
        if not line.strip():
            if length is not None:
                return length
            continue
        name, _, value = line.partition(b":")
        value = value.strip()
        if name.strip().lower() == b"content-length" and value.isdigit() and len(value) < 16:
            length = int(value)
    return None


def _skip(stream: BinaryIO, length: int) -> bool:
    while length > 0:
        piece = stream.read(min(length, 1 << 20))
        if not piece:
            return False
        length -= len(piece)
    return True


def _waiter(pid: int) -> Callable[[], object] | None:
    if sys.platform == "win32":
        return None  # os.kill(pid, 0) is no question there
    if not _lives(pid):
        return None
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):  # no Linux, or an old one
        return lambda: _poll(pid)
    return lambda: select.select([descriptor], [], [])


def _poll(pid: int) -> None:
    while _lives(pid):
        time.sleep(_POLL_SECONDS)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
