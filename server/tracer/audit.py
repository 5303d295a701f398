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


def install(
    hidden: tuple[str, ...],
    writable: tuple[str, ...],
    told: Callable[[str], None] = lambda event: None,
    wanted: Callable[[], bool] = lambda: True,
) -> None:
    """Refuse from now on, while that is ``wanted``; what is refused raises ``PermissionError``, and
    ``told`` gets the name of the event."""
    guard = _Guard(hidden, writable)
    busy = False  # while we ask for a path ourselves

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or event not in _WATCHED or not wanted():
            return
        busy = True
        try:
            guard.check(event, arguments)
        except PermissionError:
            told(event)
            raise
        finally:
            busy = False

    sys.addaudithook(hook)


class _Guard:
    def __init__(self, hidden: tuple[str, ...], writable: tuple[str, ...]) -> None:
        self.hidden = hidden
        self.writable = tuple(filter(None, writable))

    def check(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if flags & _WRITING:
                self.write(path)
            else:
                self.read(path)
        elif event == "os.kill":
            if arguments[0] != os.getpid():
                _refuse(None)
        elif event in _NEVER:
            _refuse(None)
        else:
            for path, folder in WRITERS[event]:
                self.write(arguments[path], -1 if folder is None else arguments[folder])

    def read(self, path: object) -> None:
        if not isinstance(path, int) and any(_within(_place(path), s) for s in self.hidden):
            _refuse(path)

    def write(self, path: object, folder: int = -1) -> None:
        if isinstance(path, int) and path <= 2:
            return
        where = _place(path, folder)
        allowed = any(_within(where, place) for place in self.writable)
        if not allowed and where not in _DEVICES:
            _refuse(path)


def _refuse(path: object) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _within(path: str, folder: str) -> bool:
    return (path + os.sep).startswith(folder + os.sep)


def _place(path: Any, folder: int = -1) -> str:
    """The real path of a path, one that starts at an open folder, or an open file."""
    if isinstance(path, int):
        return os.path.realpath(f"/proc/self/fd/{path}")
    start = "" if folder < 0 else os.path.realpath(f"/proc/self/fd/{folder}")
    return os.path.realpath(os.path.join(start, os.fsdecode(path)))


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = frozenset((os.path.realpath(os.devnull), "/dev/zero", "/dev/full"))
WRITERS: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.chflags": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.link": ((0, 2), (1, 3)),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.removexattr": ((0, None),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.setxattr": ((0, None),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.utime": ((0, 3),),
}
"""Where in an event the paths stand that are written to, and the open folders they start at."""
_NEVER = frozenset((
    "os.exec", "os.killpg", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "pty.spawn",
    "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
    "socket.sendmsg", "socket.sendto", "subprocess.Popen",
))  # fmt: skip
_WATCHED = _NEVER | WRITERS.keys() | {"open", "os.kill"}
