"""Calls of the Linux kernel that Python has no function for. Elsewhere there are none: ``LIBC`` is
None and every call fails with ``ENOSYS``."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
if LIBC is not None:
    LIBC.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 4, 24, 36
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, _PR_SET_NAME = 38, 47, 15
_CAP_AMBIENT_CLEAR_ALL = 4
_CLONE_PARENT = 0x8000
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522


def machine() -> str:
    """The architecture whose system calls a 64-bit process makes here; empty for all others."""
    known = LIBC is not None and struct.calcsize("P") == 8 and os.uname().machine in _CAPSET
    return os.uname().machine if known else ""


def release() -> tuple[int, ...]:
    """The first two numbers of the kernel's version."""
    return tuple(int(part) for part in os.uname().release.split(".")[:2] if part.isdigit())


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """Any system call; bytes are passed by address.

    Raises:
        OSError: as the kernel says.
    """
    if LIBC is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return int(_checked(LIBC.syscall(ctypes.c_long(number), *wide)))


def prctl(option: int, value: int) -> bool:
    """Whether the kernel did it."""
    return LIBC is not None and LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0) == 0


def name(name: str) -> None:
    """What this process is called in a list of processes, in 15 bytes."""
    if LIBC is not None:
        LIBC.prctl(_PR_SET_NAME, name.encode()[:15], 0, 0, 0)


def fork() -> int:
    """``fork(2)`` without what Python and the program's libraries do at forks: the child goes on as
    if nothing had happened. Only where no other thread runs."""
    assert sys.platform == "linux"
    return int(_checked(ctypes.PyDLL(None).fork()))


def fork_beside() -> int:
    """The same, but the child is one of our parent's. Only where there is no thread at all beside
    the one that calls: nothing that the C library does at forks is done.

    Raises:
        OSError: it can't be done so here.
    """
    number = {"x86_64": 56, "aarch64": 220}.get(machine())
    if number is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    arguments = [ctypes.c_long(n) for n in (number, _CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)]
    return int(_checked(ctypes.PyDLL(None, use_errno=True).syscall(*arguments)))


def unshare(flags: int) -> None:
    """``unshare(2)``, with its errors."""
    assert LIBC is not None
    _checked(LIBC.unshare(flags))


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """``mount(2)``, with its errors."""
    assert LIBC is not None
    texts = [None if t is None else os.fsencode(t) for t in (source, target, kind, data or None)]
    source_, target_, kind_, data_ = texts
    _checked(LIBC.mount(source_, target_, kind_, ctypes.c_ulong(flags), data_), target)


def detach(target: str) -> None:
    """Unmount a tree of mounts, as soon as nobody uses it."""
    assert LIBC is not None
    _checked(LIBC.umount2(os.fsencode(target), 2), target)


def write(path: str, text: str) -> None:
    """Write to a file of the kernel, which wants all of it at once."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def drop_capabilities() -> None:
    """Be without any privilege of root, now and after every exec."""
    capability = 0
    while prctl(PR_CAPBSET_DROP, capability):
        capability += 1
    if LIBC is not None:
        LIBC.prctl(PR_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    system_call(_CAPSET[machine()], header, bytes(24))


def _checked(result: int, name: str | None = None) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    return result
