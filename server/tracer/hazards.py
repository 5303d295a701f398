"""What a process must not have when it is forked to be gone on with later, perhaps twice.

What a fork can't copy, or shares with its copy, is looked for in ``/proc``; each hazard is told in
words that the user can act on. Files open for reading are no hazard: they are opened anew.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
from collections.abc import Collection, Iterator
from os import listdir, lseek, readlink

OpenFile = tuple[int, str, int, int]
"""Descriptor, path, flags and offset of a file that is open for reading."""


def hazards(known: Collection[int], threads: int) -> Iterator[str]:
    """Why this process can't be forked now. ``known`` descriptors are ours; ``threads`` is how many
    are no hazard, since libraries that mend themselves own them."""
    running = len(listdir("/proc/self/task"))
    if running > threads:
        count = running - 1
        yield f"{count} thread{'s are' if count > 1 else ' is'} running"
    if _read(f"/proc/self/task/{os.getpid()}/children").strip():
        yield "a child process is running"
    yield from _open(known)
    if any(" rw-s " in line or " -w-s " in line for line in _maps()):
        yield "memory is shared with other processes"
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        yield "a timer is running"
    if signal.getsignal(signal.SIGCHLD) not in (signal.SIG_DFL, signal.SIG_IGN, None):
        yield "the program handles the end of child processes"


def open_files(known: Collection[int]) -> list[OpenFile]:
    """The files that are open for reading, and how far they have been read."""
    return [
        (number, path, flags, lseek(number, 0, os.SEEK_CUR))
        for number, path, flags, mode in _descriptors(known)
        if stat.S_ISREG(mode)
    ]


def reopen(files: list[OpenFile]) -> None:
    """Open the files anew, so that no other process moves in them."""
    for number, path, flags, offset in files:
        with contextlib.suppress(OSError):
            fresh = os.open(path, flags & ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC))
            lseek(fresh, offset, os.SEEK_SET)
            os.dup2(fresh, number, os.get_inheritable(number))
            os.close(fresh)


def _open(known: Collection[int]) -> Iterator[str]:
    for _, path, flags, mode in _descriptors(known):
        if stat.S_ISSOCK(mode):
            yield "a socket is open"
        elif stat.S_ISFIFO(mode):
            yield "a pipe is open"
        elif stat.S_ISCHR(mode) and path not in _HARMLESS:
            yield f"the device {path} is open"
        elif not path.startswith("/"):
            yield f"{path.partition(':')[0]} is open"
        elif stat.S_ISREG(mode) and flags & os.O_ACCMODE != os.O_RDONLY:
            yield f"the file {os.path.basename(path)} is open for writing"
        elif stat.S_ISREG(mode) and path.endswith(" (deleted)"):
            yield f"the file {os.path.basename(path)[:-10]} is open and deleted"


def _descriptors(known: Collection[int]) -> Iterator[tuple[int, str, int, int]]:
    """Descriptor, what it leads to, its flags and the mode of the file."""
    for name in listdir("/proc/self/fd"):
        number = int(name)
        if number in known:
            continue
        try:
            path, mode = readlink(f"/proc/self/fd/{name}"), os.fstat(number).st_mode
        except OSError:  # that of the listing itself
            continue
        flags = 0
        for line in _read(f"/proc/self/fdinfo/{name}").splitlines():
            if line.startswith("flags:"):
                flags = int(line.split()[1], 8)
        yield number, path, flags, mode


def _maps() -> list[str]:
    return _read("/proc/self/maps").splitlines()


def _read(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        parts = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
    finally:
        os.close(descriptor)
    return b"".join(parts).decode(errors="replace")


_HARMLESS = frozenset(("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full"))
