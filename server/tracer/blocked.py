"""Whether an exception came from the sandbox, and what it was that the sandbox refused.

The program sees ordinary errors of the operating system. Here they are told apart from those that
it would have got anyway, as far as that can be known from inside.
"""

from __future__ import annotations

import errno
import os
import types
from collections.abc import Iterator

from .sandbox import Sandbox

Effect = tuple[str, str]
"""What was refused, ``read``, ``write``, ``move``, ``connect``, ``start`` (a process or thread),
``space``, ``size`` or ``call`` (anything else), and the path that it was about, if one."""


def effect(error: BaseException, sandbox: Sandbox) -> Effect | None:
    """What the sandbox refused, where that is what led to ``error``."""
    if not sandbox.means:
        return None
    return next((found for e in _causes(error) if (found := _one(e, sandbox))), None)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it stands for. What happened in a handler is an error of its own, unless
    it tells of trouble with the system too."""
    found: BaseException | None = error
    for _ in range(20):
        if found is None:
            return
        yield found
        context = found.__context__ if isinstance(error, OSError) else None
        found = found.__cause__ or context


def _one(error: BaseException, sandbox: Sandbox) -> Effect | None:
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return "start", ""
    if not isinstance(error, OSError):
        return None
    if type(error).__name__ == "gaierror":
        return "connect", ""
    names = [
        os.fsdecode(n) for n in (error.filename, error.filename2) if isinstance(n, str | bytes)
    ]
    name = names[0] if names else ""
    match error.errno:
        case errno.ENETUNREACH | errno.EHOSTUNREACH | errno.EADDRNOTAVAIL:
            return "connect", ""
        case errno.ECONNREFUSED if sandbox.copies:  # services of this machine aren't there either
            return "connect", ""
        case errno.EROFS | errno.EOVERFLOW if sandbox.copies:
            return "write", name
        case errno.EXDEV if sandbox.copies:
            return "move", name
        case errno.ENOSPC if sandbox.copies:
            return "space", name
        case errno.EFBIG:
            return "size", name
        case errno.EAGAIN if _names(error) & {"fork", "_fork_exec", "fork_exec"}:
            return "start", ""
        case errno.EACCES | errno.EPERM:
            return _denied(error, names, sandbox)
    return None


def _denied(error: OSError, names: list[str], sandbox: Sandbox) -> Effect | None:
    if not names:
        network = {"socket", "_socket"} & _names(error)
        return ("connect" if network else "call"), ""
    for name in names:
        real = os.path.realpath(name)
        if any((real + "/").startswith(secret + "/") for secret in sandbox.hidden):
            return "read", name
        if sandbox.copies:  # refused to the user outside as well; but not to root
            return ("call", name) if os.getuid() == 0 else None
        if os.access(name, os.W_OK) or os.access(os.path.dirname(real), os.W_OK):
            return "write", name
    return None


def _names(error: BaseException) -> set[str]:
    """What the code calls in which it was raised; code of ours doesn't count."""
    tb: types.TracebackType | None = error.__traceback__
    names: tuple[str, ...] = ()
    while tb is not None:
        code = tb.tb_frame.f_code
        names = names if code.co_filename.startswith(_FOLDER) else code.co_names
        tb = tb.tb_next
    return set(names)


_FOLDER = os.path.dirname(__file__)
