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

Stack = tuple[tuple[int, ...], ...]
"""Layers that are kept, for each folder of the view by number, the uppermost first. Empty: none."""


class _Folder:
    """A folder of the view that is overlaid, with those in it that are once more."""

    def __init__(self, path: str, *, matters: bool) -> None:
        self.paths = [path]
        self.matters = matters
        """Whether what is in there may have changed since it was overlaid: it is the user's."""
        self.kept: tuple[int, ...] = ()
        self.upper = 0
        """The layer that is written to; 0 where it is none of ours."""
        self.depth = 0
        """How many overlays lie upon the first."""

    @property
    def is_written(self) -> bool:
        return any(os.listdir(self.layer(i)) for i in range(len(self.paths)))

    def layer(self, number: int, layer: int | None = None) -> str:
        """Where what is written to one of its paths is."""
        name = self.paths[0].replace("/", "%")
        return f"layers/{self.upper if layer is None else layer}/{number}{name}"


class Layers:
    """The layers of one view. The process that renews them has to stay in the folder they are
    in."""

    def __init__(self) -> None:
        self.usable = False
        """Whether all that may be written to is in layers."""
        self._room = -1
        self._folders: list[_Folder] = []
        self._hidden: Sequence[str] = ()
        self._size = 0
        self._number = 0

    def open(self, place: str, old: str) -> None:
        """Make room below ``place``, before something else is mounted there; ``old`` is what the
        overlays are made of."""
        mount("tmpfs", place, "tmpfs", NO_SUID | NO_DEVICES, "size=64k,mode=755")
        for folder in ("old", "layers", "mask", "stage"):
            os.mkdir(f"{place}/{folder}")
        mount(old, f"{place}/old", None, BIND | RECURSIVE)
        make_masks(f"{place}/mask")
        self._room = os.open(place, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def take_over(
        self, overlaid: Sequence[str], hidden: Sequence[str], folders: Iterable[str], size: int
    ) -> None:
        """The view is made: ``overlaid`` are its folders of files, ``hidden`` its secrets,
        ``folders`` those that matter."""
        self._hidden, self._size = hidden, size
        places = tuple(folder + "/" for folder in folders)
        for path in overlaid:
            outer = next((f for f in self._folders if path.startswith(f.paths[0] + "/")), None)
            if outer is not None:
                outer.paths.append(path)
            else:
                matters = any(place.startswith(path + "/") for place in places)
                self._folders.append(_Folder(path, matters=matters))
        covered = tuple(path + "/" for path in overlaid)
        self.usable = all(place.startswith(covered) for place in places)
        if self.usable:
            mount(None, "/", None, REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES)
            self._renew_memory()

    def stay(self) -> None:
        """For the process that renews them: go where they are."""
        os.fchdir(self._room)

    def close(self) -> None:
        """For a fork that is not to renew them."""
        os.close(self._room)

    def renew(self, stack: Stack = (), keep: Iterable[Stack] = ()) -> None:
        """Show the view as it was when ``stack`` was kept, and remove the layers that are in none
        of ``keep``. Whoever is in a folder or has a file open stays where it was."""
        kept = stack or ((),) * len(self._folders)
        cover = {
            folder: layers
            for folder, layers in zip(self._folders, kept, strict=True)
            if folder.matters or not folder.upper or folder.kept != layers or folder.is_written
        }
        for folder in cover:
            for _ in range(folder.depth):
                detach(folder.paths[0])
            folder.depth = folder.upper = 0
        used = {n for stack in (*keep, kept) for layers in stack for n in layers}
        used |= {folder.upper for folder in self._folders}
        for name in os.listdir("layers"):
            if int(name) not in used:
                with contextlib.suppress(OSError):
                    detach(f"layers/{name}")
                    os.rmdir(f"layers/{name}")
        if os.listdir("/dev/shm"):
            detach("/dev/shm")
            self._renew_memory()
        self._cover(cover)

    def freeze(self) -> Stack | None:
        """Keep what was written until now, if anything was; what is written from now on is apart
        from it. None where it can't be kept."""
        if os.listdir("/dev/shm"):
            return None
        written = [folder for folder in self._folders if folder.is_written]
        if written:
            self._cover({folder: (folder.upper, *folder.kept) for folder in written})
        stack = tuple(folder.kept for folder in self._folders)
        return stack if any(stack) else ()

    def _cover(self, cover: Mapping[_Folder, tuple[int, ...]]) -> None:
        mask = os.umask(0)
        self._number += 1
        layer = f"layers/{self._number}"
        os.mkdir(layer)
        mount("tmpfs", layer, "tmpfs", NO_SUID | NO_DEVICES,
              f"size={self._size},nr_inodes=64k,mode=755")  # fmt: skip
        for folder, kept in cover.items():
            self._cover_one(folder, kept)
        os.umask(mask)

    def _cover_one(self, folder: _Folder, kept: tuple[int, ...]) -> None:
        first = folder.paths[0]
        for i, path in enumerate(folder.paths):
            below = [folder.layer(i, n) for n in kept]
            lower = ":".join([*filter(os.listdir, below), escaped("old" + path)])
            place = "stage" + path[len(first) :]
            make_overlay(lower, folder.layer(i, self._number), place, mode_of("old" + path))
        for path in self._hidden:  # before anybody sees what is new
            if path.startswith(first + "/"):
                hide(("stage" + path[len(first) :],), "mask")
        mount("stage", first, None, MOVE)
        folder.kept, folder.upper = kept, self._number
        folder.depth += 1

    def _renew_memory(self) -> None:
        options = f"size={self._size},nr_inodes=64k,mode=1777"
        mount("tmpfs", "/dev/shm", "tmpfs", NO_SUID | NO_DEVICES, options)


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
