"""The zygote: an interpreter that has imported what a program imports first, and has run nothing
of it.

It is confined like the program, since what it imports is anybody's. For each run it forks a runner,
which finds everything as a fresh interpreter would, but for the time that it takes.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.machinery import PathFinder
from os import _exit, getppid, listdir, sched_yield, waitpid
from signal import SIGKILL
from typing import Any, NamedTuple

from . import passing
from .importer import belongs
from .kernel import PR_SET_PDEATHSIG, fork, fork_beside, name, prctl
from .sandbox import Sandbox


class Runner(NamedTuple):
    """What a runner finds: its ends of the run, how it is confined, and its pod."""

    events: int
    faults: int
    output: int
    sandbox: Sandbox
    confined: list[str]
    harbour: socket.socket
    launcher: int


def serve(end: socket.socket, harbour: socket.socket, launcher: int, wanted: Mapping[str, Any],
          sandbox: Sandbox, confined: list[str]) -> Runner:  # fmt: skip
    """Import, then fork a runner for each request; returns in these."""
    directory, folder = os.getcwd(), os.path.dirname(wanted["path"])
    sys.path.insert(0, folder)
    said = _quietly(lambda: preload(wanted["imports"], (folder, wanted["project"])))
    del sys.path[0]
    name("jit-lsp zygote")
    gc.collect()
    gc.freeze()  # no collection of the program's looks at it, or copies its pages
    while True:
        run, ends, _ = passing.receive(end, 64)
        if not ends:
            _exit(0)
        if detach(launcher):
            break
        passing.close(ends)
    end.close()
    events, faults, output = take_ends(ends)
    if said:
        os.write(1, said)
    harbour.send(b"w" + run)
    os.chdir(directory)  # as it is seen now
    _reseed()
    return Runner(events, faults, output, sandbox, confined, harbour, launcher)


def preload(names: Sequence[str], own: Sequence[str]) -> None:
    """Import modules, up to the first that may be the project's own or can't be imported."""
    for module in names:
        try:
            spec = PathFinder.find_spec(module.partition(".")[0])
            if spec is not None:
                origin = spec.origin
                if origin is None or any(belongs(origin, folder) for folder in own):
                    return
            import_module(module)
        except BaseException:  # the program is to meet it
            return


def detach(launcher: int) -> bool:
    """Fork, as a child of the launcher's. True in the fork."""
    try:
        alone = len(listdir("/proc/self/task")) == 1
        child = fork_beside() if alone else -1
    except OSError:
        child = -1
    if child > 0:
        return False
    if child < 0 and not _fork_away(launcher):
        return False
    prctl(PR_SET_PDEATHSIG, SIGKILL)
    return True


def _fork_away(launcher: int) -> bool:
    """The same where there are threads that a library mends at forks: by way of a child that
    ends."""
    helper = fork()
    if helper:
        waitpid(helper, 0)
        return False
    if fork():
        _exit(0)
    while getppid() != launcher:  # only then it is known who the parent is
        sched_yield()
    return True


def take_ends(ends: Sequence[int]) -> tuple[int, int, int]:
    """Go by our name, and write to the ends of a run: events, faults, and output."""
    name(os.path.basename(sys.executable))
    events, faults, output = ends
    os.dup2(output, 1)
    os.dup2(output, 2)
    return events, faults, output


def _quietly(action: Any) -> bytes:
    """What is written to the two output streams meanwhile, for each runner to write again."""
    noise, into = os.pipe()
    os.set_blocking(into, False)
    for descriptor in (1, 2):
        os.dup2(into, descriptor)
    os.close(into)
    action()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.set_blocking(noise, False)
    try:
        said = os.read(noise, 1 << 16)
    except BlockingIOError:
        said = b""
    os.close(noise)
    return said


def _reseed() -> None:
    """Generators that were seeded by chance when they were imported are seeded anew."""
    if "random" in sys.modules:
        sys.modules["random"].seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
