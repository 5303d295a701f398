"""How the worker is confined: by as many independent means as the machine has.

========== =================================================== =========================
namespaces files seen copy-on-write, processes and network of  Linux, where users may
           its own, IPC of its own                             make them
landlock   files outside a scratch folder are read-only        Linux 5.13
seccomp    no call that reaches beyond the rest                Linux, x86_64 and aarch64
audit      Python's own functions refuse to write or connect;  everywhere, where neither
           no boundary, it only keeps accidents away           of the first two is there
========== =================================================== =========================

The launcher enters the first before it starts the worker; the worker takes the others upon itself
before it runs the program. ``docs/security.md`` says what holds and what doesn't.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import audit, landlock, namespaces, seccomp, view
from .kernel import PR_SET_NO_NEW_PRIVS, drop_capabilities, machine, prctl, write
from .overlays import Layers

SECRETS = (
    "~/.ssh", "~/.aws", "~/.azure", "~/.gnupg", "~/.kube", "~/.docker", "~/.oci", "~/.vault-token",
    "~/.config/gcloud", "~/.config/gh", "~/.config/git/credentials", "~/.config/op",
    "~/.config/pip", "~/.config/rclone", "~/.config/containers/auth.json", "~/.git-credentials",
    "~/.netrc", "~/.pypirc", "~/.npmrc", "~/.pgpass", "~/.my.cnf", "~/.kaggle",
    "~/.cargo/credentials", "~/.cargo/credentials.toml", "~/.huggingface/token",
    "~/.cache/huggingface/token",
    "~/.password-store", "~/.local/share/keyrings", "~/.local/share/kwalletd", "~/.mozilla",
    "~/.config/google-chrome", "~/.config/chromium", "~/.config/BraveSoftware",
    "~/.config/microsoft-edge", "~/.thunderbird", "~/snap/firefox", "~/snap/chromium",
    "~/.bash_history", "~/.zsh_history", "~/.python_history", "/etc/shadow", "/etc/gshadow",
    "/etc/sudoers", "/etc/sudoers.d", "/etc/ssl/private", "/root/.ssh",
)  # fmt: skip
"""What a program of arrays has no reason to read; a request can name more."""


@dataclass
class Sandbox:
    """The confinement of one run."""

    wanted: bool = False
    """Whether there is to be any; else it runs as under plain Python."""
    hidden: tuple[str, ...] = ()
    """Real paths that aren't to be read."""
    writable: tuple[str, ...] = ()
    """Real paths that are really written to."""
    unchangeable: list[str] | None = None
    """Where namespaces hold: folders that are read-only all the same."""
    scratch: str = ""
    """Where they don't: the folder that may be written to."""
    means: list[str] = field(default_factory=list)
    """The means that hold."""
    without: Sequence[str] = ()
    """The means that aren't to be used, though the machine may have them."""

    @property
    def copies(self) -> bool:
        """Whether all that is written goes into a copy that nobody else sees."""
        return self.unchangeable is not None

    def take(self, name: str, action: Callable[[], object]) -> None:
        """Use one means more, if the kernel has it."""
        if name not in self.without:
            with contextlib.suppress(OSError):
                action()
                self.means.append(name)


def enter(request: Mapping[str, Any], descriptors: Sequence[int],
          layers: Layers | None = None) -> Sandbox:  # fmt: skip
    """For the launcher: go on confined as ``request`` has it, as far as others than the worker are
    concerned. ``descriptors`` are not kept open outside. ``layers`` are for what is written in
    several runs, one after the other."""
    if not request.get("sandbox"):
        return Sandbox()
    names = (*SECRETS, *request.get("secrets", ()))
    there = [path for name in names if os.path.lexists(path := os.path.expanduser(name))]
    hidden = tuple({os.path.realpath(path) for path in there})
    writable = tuple(request.get("writable", ()))
    sandbox = Sandbox(True, hidden, writable, without=request.get("without", ()))
    with contextlib.suppress(OSError):  # whoever takes all memory is the first to go
        write("/proc/self/oom_score_adj", "1000")
    if machine() and "namespaces" not in sandbox.without:
        used = (os.path.dirname(request["path"]), "~", os.environ.get("TMPDIR", "/tmp"), "/var/tmp")
        real = [os.path.realpath(os.path.expanduser(name)) for name in used]
        folders = [path for path in real if os.path.isdir(path)]
        size = int(request["limits"]["scratch"])
        sandbox.unchangeable = namespaces.enter(
            lambda: view.make(hidden, folders, size, layers, writable), descriptors
        )
    if sandbox.copies:
        sandbox.means.append("namespaces")
    else:
        sandbox.scratch = _scratch()
    return sandbox


def seal(sandbox: Sandbox) -> None:
    """For the worker: give up, for good, what the program is not to have."""
    if not sandbox.wanted:
        return
    if machine():
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        drop_capabilities()
    if sandbox.scratch:
        os.environ["TMPDIR"] = sandbox.scratch
    scoped = landlock.has_scopes() and "scopes" not in sandbox.without
    hidden, writable = (
        ((), ("/",))
        if sandbox.copies
        else (
            sandbox.hidden,
            (sandbox.scratch, *sandbox.writable),
        )
    )
    sandbox.take("landlock", lambda: landlock.restrict(hidden, writable, scoped=scoped))
    files = sandbox.copies or "landlock" in sandbox.means
    reach = seccomp.Reach(
        processes=sandbox.copies,
        signals=scoped and "landlock" in sandbox.means,
        network=sandbox.copies,
        sockets=sandbox.unchangeable == [],
        files=sandbox.copies,
        programs=files,
    )
    sandbox.take("seccomp", lambda: seccomp.install(reach))
    if not files or not {"namespaces", "seccomp"} & {*sandbox.means}:
        sandbox.take(
            "audit", lambda: audit.install(sandbox.hidden, (sandbox.scratch, *sandbox.writable))
        )


def remove(sandbox: Sandbox) -> None:
    """For the launcher, when all that could write is gone: leave nothing behind."""
    empty(sandbox)
    if sandbox.scratch:
        with contextlib.suppress(OSError):
            os.rmdir(sandbox.scratch)


def empty(sandbox: Sandbox) -> None:
    """Remove all files that runs have left in the scratch folder."""
    if not sandbox.scratch or not os.listdir(sandbox.scratch):
        return
    import shutil

    for folder, _, _ in os.walk(sandbox.scratch):  # one may have been made that can't be entered
        with contextlib.suppress(OSError):
            os.chmod(folder, 0o700)
    for entry in os.scandir(sandbox.scratch):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def _scratch() -> str:
    """A new folder for temporary files; empty where there can be none."""
    for place in (os.environ.get("TMPDIR", "/tmp"), "/var/tmp"):
        path = f"{os.path.realpath(place)}/jit-lsp-{os.urandom(8).hex()}"
        with contextlib.suppress(OSError):
            os.mkdir(path, 0o700)
            return path
    return ""
