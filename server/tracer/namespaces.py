"""Processes, network and mounts of one's own, where an ordinary user may have them.

What is in there sees the machine's files through a view of its own (``view``), no network but its
own loopback, and no processes but its own.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from collections.abc import Callable, Sequence

from .kernel import unshare, write

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PIDS = 0x20000, 0x08000000, 0x10000000, 0x20000000
_NEW_NETWORK = 0x40000000


def enter(make_view: Callable[[], list[str]], descriptors: Sequence[int]) -> list[str] | None:
    """Go on in new namespaces, as the first process there, once ``make_view`` has made the files
    there; gives what it gives. None where that isn't possible, and then nothing has changed.

    The process that called stays outside, without ``descriptors``, and ends when the one inside
    does.
    """
    answer, report = os.pipe()
    door = os.fork()
    if door == 0:
        os.close(answer)
        return _inside(report, make_view, descriptors)
    os.close(report)
    entered = os.read(answer, 1)
    os.close(answer)
    if entered:
        _wait(door, descriptors)
    os.waitpid(door, 0)
    return None


def _inside(report: int, make_view: Callable[[], list[str]],
            descriptors: Sequence[int]) -> list[str]:  # fmt: skip
    """In the fork: enter, fork into the namespace of processes, and make the view there."""
    user, group = os.getuid(), os.getgid()
    try:
        unshare(_NEW_USER | _NEW_MOUNTS | _NEW_PIDS | _NEW_NETWORK | _NEW_IPC)
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{user} {user} 1")
        write("/proc/self/gid_map", f"{group} {group} 1")
        first = os.fork()
        if first:
            os.close(report)
            _wait(first, descriptors)
        seen = make_view()
        _raise_loopback()
    except (OSError, ValueError):
        os._exit(0)  # nothing was reported, so the caller goes on without
    os.write(report, b"!")
    os.close(report)
    return seen


def _wait(child: int, descriptors: Sequence[int]) -> None:
    for descriptor in (0, 1, 2, *descriptors):
        with contextlib.suppress(OSError):
            os.close(descriptor)
    os.waitpid(child, 0)
    os._exit(0)


def _raise_loopback() -> None:
    import fcntl  # not everywhere that this module is loaded

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", 1)  # IFF_UP
        fcntl.ioctl(any_socket, 0x8914, request)  # SIOCSIFFLAGS
