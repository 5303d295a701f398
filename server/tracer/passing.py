"""Messages with descriptors over a socket pair that keeps messages apart, and who sent them."""

from __future__ import annotations

import array
import os
import socket
import struct
from collections.abc import Sequence

_FDS, _CREDENTIALS = getattr(socket, "SCM_RIGHTS", 1), getattr(socket, "SCM_CREDENTIALS", 2)
_MOST = 8
"""Descriptors that are taken from one message; more are never sent."""


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def name_senders(end: socket.socket) -> None:
    """From now on the kernel says which process sent what is received at ``end``."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)


def send(end: socket.socket, data: bytes, descriptors: Sequence[int] = ()) -> None:
    """Send one message, never waiting.

    Raises:
        OSError: the other end is closed, isn't read from, or ``end`` is no socket.
    """
    attached = [(socket.SOL_SOCKET, _FDS, array.array("i", descriptors))] if descriptors else []
    end.sendmsg([data], attached, socket.MSG_DONTWAIT)


def receive(
    end: socket.socket, size: int = 1 << 16, *, wait: bool = True
) -> tuple[bytes, list[int], int]:
    """One message, its descriptors, and its sender where that is known, else 0. No data: the other
    end was closed.

    Raises:
        BlockingIOError: there is no message, and it isn't to be waited for.
    """
    room = socket.CMSG_SPACE(4 * _MOST) + socket.CMSG_SPACE(12)
    flags = socket.MSG_CMSG_CLOEXEC | (0 if wait else socket.MSG_DONTWAIT)
    data, attached, _, _ = end.recvmsg(size, room, flags)
    descriptors, sender = array.array("i"), 0
    for level, kind, content in attached:
        if level == socket.SOL_SOCKET and kind == _FDS:
            descriptors.frombytes(content[: len(content) // 4 * 4])
        elif level == socket.SOL_SOCKET and kind == _CREDENTIALS:
            (sender,) = struct.unpack_from("i", content)
    return data, list(descriptors), sender


def close(descriptors: Sequence[int]) -> None:
    """Close what was received and isn't wanted."""
    for descriptor in descriptors:
        os.close(descriptor)
