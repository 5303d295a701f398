"""The machine's files, seen so that whatever is written stays in memory and is gone at the end.

Each folder below ``/`` is an overlay: what is there, under what the program writes. All that is
written shares one file system in memory of limited size. A folder with mounts below it can't be
overlaid as one (the kernel would show what they cover), so it is made anew, entry by entry. What
can't be overlaid at all is seen read-only.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from collections.abc import Iterable, Mapping

from .kernel import detach, machine, mount, release, system_call, write
from .overlays import (
    BIND,
    NO_DEVICES,
    NO_EXEC,
    NO_SUID,
    PRIVATE,
    READ_ONLY,
    RECURSIVE,
    REMOUNT,
    Layers,
    escaped,
    hide,
    make_masks,
    make_overlay,
    mode_of,
)  # fmt: skip


def make(hidden: Iterable[str], folders: Iterable[str], size: int,
         layers: Layers | None = None, writable: Iterable[str] = ()) -> list[str]:  # fmt: skip
    """Make the view the root of the calling process, whose mount namespace must be its own. Gives
    the folders of files that can't be written to, not even in the view.

    ``hidden`` are paths that nobody can read there, and ``folders`` those, besides the current one,
    that matter most for writing; all of them real. ``size`` is in bytes. With ``layers``, what is
    written can be taken away again. ``writable`` are real paths, below none of the hidden ones,
    that are really written to.

    Raises:
        OSError: the kernel doesn't let us; the namespace is then of no more use.
    """
    here, mask = os.getcwd(), os.umask(0)
    hidden, folders = tuple(hidden), (here, *folders)
    builder = _Builder(_mount_points(), folders, layers)
    mount(None, "/", None, PRIVATE | RECURSIVE)
    mount("tmpfs", _BASE, "tmpfs", NO_SUID | NO_DEVICES, f"size={size},nr_inodes=64k,mode=755")
    os.chdir(_BASE)
    for folder in ("old", "new", "layers", "mask"):
        os.mkdir(folder)
    mount("new", "new", None, BIND)
    _pivot_root(".", "old")
    builder.build()
    builder.reach()
    builder.show_real(writable)
    builder.hide(hidden)
    os.chdir("/new")
    _pivot_root(".", ".")  # the old root, and with it the base, comes to lie upon the new one
    detach(".")
    if layers is not None:
        layers.take_over(builder.overlaid, hidden, folders, size)
    os.umask(mask)
    os.chdir(here)
    return builder.read_only


class _Builder:
    """Fills ``/new`` from ``/old``."""

    def __init__(self, mounts: Mapping[str, str], folders: Iterable[str],
                 layers: Layers | None) -> None:  # fmt: skip
        self.read_only: list[str] = []
        self.overlaid: list[str] = []
        self._mounts = mounts
        self._folders = tuple(folders)
        self._layers = layers

    def build(self) -> None:
        os.chmod("/new", mode_of("/old"))
        for name in os.listdir("/old"):
            if name == "proc":
                os.mkdir("/new/proc")
                if self._layers is not None:
                    self._layers.open("/new/proc", "/old")  # nobody sees what lies below a mount
                _show_processes()
            elif name == "dev":
                self._devices()
            elif name == "sys":
                self._bind("/sys")
            else:
                self._show("/" + name)

    def reach(self) -> None:
        """Overlay the folders that matter once more where a folder on the way to them, or one of
        them, belongs to somebody else: the kernel copies nothing of others into a layer, so nothing
        below could be written."""
        for path in sorted(self._folders, key=len):  # none comes to lie upon one that it contains
            place, below = "", path
            while path not in ("/", *self.overlaid):
                status = os.stat("/old" + path)
                if not place and (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
                    place = below
                path, below = os.path.dirname(path), path
            if place and path != "/" and not self._has_mounts(place):
                self._overlay(place)

    def show_real(self, paths: Iterable[str]) -> None:
        """Let what is written to these be written outside, too."""
        for path in paths:
            mount("/old" + path, "/new" + path, None, BIND)

    def hide(self, paths: Iterable[str]) -> None:
        """Put something that nobody may read over each path that exists."""
        make_masks("/mask")
        hide(paths, "/mask", "/new")

    def _show(self, path: str) -> None:
        try:
            mode = os.lstat("/old" + path).st_mode
        except (FileNotFoundError, PermissionError):  # gone since, or a mount that isn't ours
            return
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink("/old" + path), "/new" + path)
        elif stat.S_ISDIR(mode):
            self._show_folder(path)
        elif stat.S_ISREG(mode) and self._mounts.get(path) not in _OF_THE_KERNEL:
            self._bind(path)

    def _show_folder(self, path: str) -> None:
        os.mkdir("/new" + path)
        os.chmod("/new" + path, mode_of("/old" + path))
        if self._has_mounts(path):
            entries = self._entries(path)
            leads = any((folder + "/").startswith(path + "/") for folder in self._folders)
            if leads or len(entries) <= _MOST_ENTRIES:
                for name in entries:
                    self._show(f"{path}/{name}")
                return
        elif self._mounts.get(path) in _OF_THE_KERNEL or self._overlay(path):
            return
        self._bind(path)
        self.read_only.append(path)

    def _entries(self, path: str) -> list[str]:
        """What is in a folder; what is known of it, where it can only be passed through."""
        try:
            return os.listdir("/old" + path)
        except PermissionError:
            known = (*self._folders, *self._mounts)
            below = [p[len(path) + 1 :] for p in known if p.startswith(path + "/")]
            return sorted({p.partition("/")[0] for p in below})

    def _has_mounts(self, path: str) -> bool:
        return any(point.startswith(path + "/") for point in self._mounts)

    def _overlay(self, path: str) -> bool:
        upper = f"/layers/{len(os.listdir('/layers'))}"
        try:
            make_overlay(escaped("/old" + path), upper, "/new" + path, mode_of("/old" + path))
        except OSError:  # a file system that can't be the lower of two
            return False
        self.overlaid.append(path)
        return True

    def _bind(self, path: str) -> None:
        """Show a file or a folder with all that is mounted below, read-only; or nothing there."""
        new = "/new" + path
        if os.path.isdir("/old" + path):
            os.makedirs(new, exist_ok=True)
        else:
            os.mknod(new, stat.S_IFREG)
        try:
            mount("/old" + path, new, None, BIND | RECURSIVE)
        except OSError:  # it isn't ours to enter, or may not be seen twice
            return
        flags = READ_ONLY | NO_SUID | NO_DEVICES
        attributes = struct.pack("QQQQ", flags, 0, 0, 0)
        system_call(
            _MOUNT_SETATTR, _AT_FDCWD, os.fsencode(new), _AT_RECURSIVE, attributes, len(attributes)
        )

    def _devices(self) -> None:
        os.mkdir("/new/dev")
        for name in os.listdir("/old/dev"):
            if name in _DEVICES or name.startswith("nvidia"):
                if os.path.isdir("/old/dev/" + name):
                    os.mkdir("/new/dev/" + name)
                else:
                    os.mknod("/new/dev/" + name, stat.S_IFREG)
                mount("/old/dev/" + name, "/new/dev/" + name, None, BIND | RECURSIVE)
        for name, target in _DEVICE_LINKS.items():
            os.symlink(target, "/new/dev/" + name)
        os.mkdir("/new/dev/shm")
        os.chmod("/new/dev/shm", 0o1777)
        os.mkdir("/new/dev/pts")
        with contextlib.suppress(OSError):
            options = "newinstance,ptmxmode=0666,mode=620"
            mount("devpts", "/new/dev/pts", "devpts", NO_SUID | NO_EXEC, options)


def _show_processes() -> None:
    """``/proc`` of the namespace of processes that we are the first in. Where the old one can't be
    seen any more, the kernel wouldn't let us; and nobody needs to write there."""
    flags = NO_SUID | NO_DEVICES | NO_EXEC
    mount("proc", "/new/proc", "proc", flags)
    if release() >= (6, 14):  # before it is one for the whole machine
        with contextlib.suppress(OSError):
            write("/new/proc/sys/kernel/pid_max", str(_MOST_TASKS))
    mount(None, "/new/proc", None, REMOUNT | BIND | READ_ONLY | flags)


def _mount_points() -> dict[str, str]:
    """The file system that is seen at each mount point."""
    points = {}
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            place, _, kind = line.partition(" - ")
            point = place.split(" ")[4]
            for escape, character in _ESCAPES.items():
                point = point.replace(escape, character)
            points[point] = kind.partition(" ")[0]
    return points


def _pivot_root(new: str, old: str) -> None:
    number = {"x86_64": 155, "aarch64": 41}[machine()]
    system_call(number, os.fsencode(new), os.fsencode(old))


_BASE = "/tmp"
"""Where the view is made, unseen by anybody else: any folder will do."""
_MOST_TASKS = 400
"""Processes and threads of all users in the view; the kernel takes no less than 301."""
_MOST_ENTRIES = 200
"""Of a folder that is made anew; a larger one is read-only, unless it leads to the program."""
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000
_ESCAPES = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\043": "#", "\\134": "\\"}
"""Of ``/proc/self/mountinfo``; the last must be undone last."""
_OF_THE_KERNEL = frozenset((
    "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore",
    "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
))  # fmt: skip
"""Ways to talk to the kernel rather than files."""
_DEVICES = frozenset(("null", "zero", "full", "random", "urandom", "dri", "kfd"))
"""And the GPUs of one maker more."""
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
}
