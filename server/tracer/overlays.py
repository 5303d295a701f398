"""What programs write into a view, in layers that can be taken away again, kept, and stacked.

A folder of the view is an overlay: what is there, below any number of kept layers, below one that
is written to. A layer is a file system in memory of its own, so that it goes at once. All of it
lies where only the process that made it gets to: under the mount of ``/proc``, through a descriptor
from before.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence

from .kernel import detach, mount

READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, REMOUNT = 1, 2, 4, 8, 32
BIND, MOVE, RECURSIVE, PRIVATE = 1 << 12, 1 << 13, 1 << 14, 1 << 18

Stack = tuple[int, ...]
"""Layers by number, the uppermost first."""


class Layers:
    """The layers of one view. The process that renews them has to stay in the folder they are
    in."""

    def __init__(self) -> None:
        self.usable = False
        """Whether all that may be written to is in layers."""
        self._room = -1
        self._overlaid: Sequence[str] = ()
        self._hidden: Sequence[str] = ()
        self._size = 0
        self._stack: Stack = ()
        self._number = 0
        self._mounted = 0

    def open(self, place: str, old: str) -> None:
        """Make room below ``place``, before something else is mounted there; ``old`` is what the
        overlays are made of."""
        mount("tmpfs", place, "tmpfs", NO_SUID | NO_DEVICES, "size=64k,mode=755")
        for folder in ("old", "layers", "mask"):
            os.mkdir(f"{place}/{folder}")
        mount(old, f"{place}/old", None, BIND | RECURSIVE)
        make_masks(f"{place}/mask")
        self._room = os.open(place, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def take_over(
        self, overlaid: Sequence[str], hidden: Sequence[str], folders: Iterable[str], size: int
    ) -> None:
        """The view is made: ``overlaid`` are its folders of files, ``hidden`` its secrets,
        ``folders`` those that matter."""
        self._overlaid, self._hidden, self._size = overlaid, hidden, size
        covered = tuple(path + "/" for path in overlaid)
        self.usable = all((folder + "/").startswith(covered) for folder in folders)
        if self.usable:
            mount(None, "/", None, REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES)

    def stay(self) -> None:
        """For the process that renews them: go where they are."""
        os.fchdir(self._room)

    def close(self) -> None:
        """For a fork that is not to renew them."""
        os.close(self._room)

    def renew(self, stack: Stack = (), keep: Iterable[Stack] = ()) -> None:
        """Show the view as it was when ``stack`` was kept, and remove the layers that are in none
        of ``keep``. Whoever is in a folder or has a file open stays where it was."""
        for _ in range(self._mounted):
            self._uncover()
        self._mounted = 0
        kept = {n for kept in keep for n in kept} | {*stack}
        for name in os.listdir("layers"):
            if int(name) not in kept:
                with contextlib.suppress(OSError):
                    detach(f"layers/{name}")
                    os.rmdir(f"layers/{name}")
        self._cover(stack)

    def freeze(self) -> Stack | None:
        """Keep what was written until now, if anything was; what is written from now on is apart
        from it. None where it can't be kept."""
        layer = f"layers/{self._number}"
        if os.listdir(f"{layer}/shm"):
            return None
        if any(os.listdir(f"{layer}/{i}") for i in range(len(self._overlaid))):
            self._cover((self._number, *self._stack))
        return self._stack

    def _cover(self, stack: Stack) -> None:
        mask = os.umask(0)
        self._number += 1
        self._stack = stack
        layer = f"layers/{self._number}"
        os.mkdir(layer)
        mount("tmpfs", layer, "tmpfs", NO_SUID | NO_DEVICES,
              f"size={self._size},nr_inodes=64k,mode=755")  # fmt: skip
        places: dict[str, str] = {}
        for i, path in enumerate(self._overlaid):
            kept = [f"layers/{n}/{i}" for n in stack]
            lower = ":".join([*filter(os.listdir, kept), escaped("old" + path)])
            place = _inside(path, places)
            if place is None:
                place = places[path] = f"stage/{i}"
                os.makedirs(place, exist_ok=True)
            make_overlay(lower, f"{layer}/{i}", place, mode_of("old" + path))
        for path in self._hidden:  # before anybody sees what is new
            place = _inside(path, places)
            if place is not None:
                hide((place,), "mask")
        for path, place in places.items():
            mount(place, path, None, MOVE)
        os.mkdir(f"{layer}/shm")
        os.chmod(f"{layer}/shm", 0o1777)
        mount(f"{layer}/shm", "/dev/shm", None, BIND)
        self._mounted += 1
        os.umask(mask)

    def _uncover(self) -> None:
        for path in ("/dev/shm", *reversed(self._overlaid)):
            with contextlib.suppress(OSError):  # it went with the one that it lay in
                detach(path)


def _inside(path: str, places: Mapping[str, str]) -> str | None:
    """Where ``path`` is, below one of ``places``."""
    for outer, place in places.items():
        if path.startswith(outer + "/"):
            return place + path[len(outer) :]
    return None


def make_overlay(lower: str, upper: str, target: str, mode: int) -> None:
    """Overlay ``target``, with ``upper`` for what is written, which is made.

    Raises:
        OSError: the kernel can't, such as for a file system that can't be the lower of two.
    """
    os.mkdir(upper)
    os.chmod(upper, mode)
    os.mkdir(upper + "w")
    options = f"lowerdir={lower},upperdir={upper},workdir={upper}w,userxattr"
    mount("overlay", target, "overlay", NO_SUID | NO_DEVICES, options)


def make_masks(place: str) -> None:
    """In the folder ``place``: a folder and a file that nobody may read."""
    mount("tmpfs", place, "tmpfs", NO_SUID | NO_DEVICES, "size=4k,nr_inodes=4")
    os.mkdir(place + "/folder", 0)
    os.mknod(place + "/file", stat.S_IFREG)
    mount(None, place, None, REMOUNT | READ_ONLY | NO_SUID | NO_DEVICES)


def hide(paths: Iterable[str], masks: str, root: str = "") -> None:
    """Put a mask over each path that exists below ``root``."""
    for path in paths:
        if os.path.lexists(root + path):
            kind = "folder" if os.path.isdir(root + path) else "file"
            mount(f"{masks}/{kind}", root + path, None, BIND)


def mode_of(path: str) -> int:
    """The mode of a folder that we come to own, and may write to only if we could before."""
    status = os.stat(path)
    mode = stat.S_IMODE(status.st_mode)
    if status.st_uid == os.getuid():
        return mode
    if os.getuid() == 0:  # whose privileges are gone already
        return mode | 0o700
    return mode | 0o200 if os.access(path, os.W_OK) else mode & ~0o222


def escaped(path: str) -> str:
    """A path among the options of an overlay."""
    for separator in "\\,:":
        path = path.replace(separator, "\\" + separator)
    return path
