"""The last resort: Python's own functions refuse to write outside the scratch folder, to connect,
and to start programs.

This is no boundary. It keeps an honest script from doing harm where the operating system gives us
nothing better; code that means harm gets past it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Any


def install(hidden: tuple[str, ...], scratch: str) -> None:
    """Refuse from now on; what is refused raises ``PermissionError``."""
    within, real = scratch + os.sep, os.path.realpath
    busy = False  # while we ask for a path ourselves

    def refuse(path: object = None) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    def write(path: object) -> None:
        if isinstance(path, str | bytes | os.PathLike):
            where = real(os.fsdecode(path))
            allowed = scratch and (where + os.sep).startswith(within)
            if not allowed and where not in _DEVICES:
                refuse(path)

    def opened(path: object, _: object, flags: int) -> None:
        if flags & _WRITING:
            write(path)
        elif isinstance(path, str | bytes | os.PathLike):
            where = real(os.fsdecode(path))
            if any((where + os.sep).startswith(secret + os.sep) for secret in hidden):
                refuse(path)

    def each(*paths: object) -> None:
        for path in paths:
            write(path)

    watched: dict[str, Callable[..., None]] = {
        "open": opened,
        **dict.fromkeys(_FIRST, lambda path, *_: write(path)),
        **dict.fromkeys(_BOTH, lambda old, new, *_: each(old, new)),
        **dict.fromkeys(_NEVER, lambda *_: refuse()),
    }

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal busy
        check = watched.get(event)
        if check is None or busy:
            return
        busy = True
        try:
            check(*arguments)
        finally:
            busy = False

    sys.addaudithook(hook)


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = frozenset((os.path.realpath(os.devnull), "/dev/zero", "/dev/full"))
_FIRST = (
    "os.chmod", "os.chown", "os.chflags", "os.mkdir", "os.remove", "os.rmdir", "os.removexattr",
    "os.setxattr", "os.truncate", "os.utime",
)  # fmt: skip
_BOTH = ("os.link", "os.rename")
_NEVER = (
    "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn", "os.spawn",
    "os.startfile", "os.system", "pty.spawn", "signal.pthread_kill", "socket.bind",
    "socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendmsg",
    "socket.sendto", "subprocess.Popen",
)  # fmt: skip
