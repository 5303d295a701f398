"""Which processes a server has started, and whether they are gone."""

import os
import subprocess
import time

from raw_client import PATIENCE

PAUSE = 0.02


def wait_for_children(pid):
    """The processes below ``pid``, once there are any."""
    for _ in range(int(PATIENCE / PAUSE)):
        if children := children_of(pid):
            return children
        time.sleep(PAUSE)
    raise AssertionError("nothing runs")


def wait_until_gone(pids):
    for _ in range(int(PATIENCE / PAUSE)):
        if not any(map(_lives, pids)):
            return
        time.sleep(PAUSE)
    raise AssertionError("something runs on")


def children_of(pid):
    """All processes below ``pid``, at any depth."""
    listing = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    parents = {int(pid): int(parent) for pid, parent in map(str.split, listing.stdout.splitlines())}
    found, new = set(), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def _lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return not state.stdout.startswith("Z")
