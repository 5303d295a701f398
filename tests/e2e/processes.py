"""Which processes a server has started, and whether they are gone."""

import os
import subprocess
import time

from raw_client import PATIENCE

PAUSE = 0.02


def wait_for_run(pid):
    """The processes below ``pid`` that run a program, once there are any. Its children only wait,
    and so do those below them that have names of ours."""
    for _ in range(int(PATIENCE / PAUSE)):
        below = _parents()
        deeper = {child for child in children_of(pid, below) if below[child] != pid}
        if running := {child for child in deeper if not _waits(child)}:
            return running
        time.sleep(PAUSE)
    raise AssertionError("nothing runs")


def wait_until_gone(pids):
    for _ in range(int(PATIENCE / PAUSE)):
        if not any(map(_lives, pids)):
            return
        time.sleep(PAUSE)
    raise AssertionError("something runs on")


def children_of(pid, parents=None):
    """All processes below ``pid``, at any depth."""
    parents = parents or _parents()
    found, new = set(), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def _parents():
    listing = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    return {int(pid): int(parent) for pid, parent in map(str.split, listing.stdout.splitlines())}


def _waits(pid):
    try:
        with open(f"/proc/{pid}/comm") as name:  # noqa: PTH123
            return name.read().startswith("jit-lsp")
    except OSError:
        return True


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return not state.stdout.startswith("Z")
