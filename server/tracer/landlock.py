"""Landlock: the kernel's own word on which files a process and its children may touch.

A rule allows; what no rule allows is denied. There is no rule 'all but', so a folder with secrets
is allowed entry by entry, without them.

See https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterable, Iterator

from .kernel import system_call

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on all architectures
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_WRITE_DEVICE = _READ_FILE | _WRITE_FILE | _TRUNCATE
_SCOPE_ABSTRACT_UNIX_SOCKET, _SCOPE_SIGNAL = 1, 2
_SCOPES_SINCE = 6

DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
"""What anybody may write to."""


def version() -> int:
    """The version of Landlock that the kernel has; 0 where it has none."""
    try:
        return system_call(_CREATE, 0, 0, 1)
    except OSError:
        return 0


def has_scopes() -> bool:
    """Whether it can keep signals within the confined processes."""
    return version() >= _SCOPES_SINCE


def restrict(hidden: Iterable[str], writable: Iterable[str], *, scoped: bool) -> None:
    """Allow reading but what is ``hidden`` (real paths), and writing below ``writable`` alone.
    ``scoped``: and signals to one's own processes alone.

    Raises:
        OSError: the kernel has no Landlock, or doesn't let us.
    """
    number = version()
    handled = (1 << 13) - 1
    handled |= _REFER if number >= 2 else 0
    handled |= _TRUNCATE if number >= 3 else 0
    scopes = _SCOPE_SIGNAL | _SCOPE_ABSTRACT_UNIX_SOCKET if scoped else 0
    attributes = struct.pack("QQQ", handled, 0, scopes)[: 24 if scopes else 8]
    rules = system_call(_CREATE, attributes, len(attributes), 0)
    try:
        _allow(rules, "/", _READ_DIR)  # names are no secrets
        for path in _all_but(frozenset(hidden)):
            _allow(rules, path, _EXECUTE | _READ_FILE)
        for path in writable:
            _allow(rules, path, handled & ~(_MAKE_CHAR | _MAKE_BLOCK))
        for path in DEVICES:
            _allow(rules, path, _WRITE_DEVICE & handled)
        system_call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, access: int) -> None:
    with contextlib.suppress(OSError):  # it is gone, or not ours to enter
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not os.path.isdir(path):
                access &= _OF_FILES
            system_call(_ADD, rules, 1, struct.pack("=Qi", access, descriptor), 0)
        finally:
            os.close(descriptor)


def _all_but(hidden: frozenset[str]) -> Iterator[str]:
    """Paths that cover everything but ``hidden``."""
    opened = set()
    for path in hidden:
        while path != "/":
            path = os.path.dirname(path)
            opened.add(path)
    if not opened:
        yield "/"
    for folder in opened:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:  # a link would allow what it leads to
                if entry.path not in opened | hidden and not entry.is_symlink():
                    yield entry.path
