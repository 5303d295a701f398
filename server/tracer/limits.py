"""What a confined worker may use, set from inside before the program runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .kernel import release
from .sandbox import Sandbox

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]


def apply(limits: Mapping[str, Any] | None, sandbox: Sandbox) -> list[str]:
    """Set the limits; gives the names of those that hold. None: unlimited, as under plain
    Python."""
    if limits is None or resource is None:
        return []
    cpu = int(limits["cpu"]) + 1
    wanted = {
        "memory": (resource.RLIMIT_AS, int(limits["memory"]), None),
        "cpu": (resource.RLIMIT_CPU, cpu, cpu + 2),
        "file_size": (resource.RLIMIT_FSIZE, int(limits["file_size"]), None),
        "core": (resource.RLIMIT_CORE, 0, None),
    }
    if sandbox.wanted:
        wanted["files"] = (resource.RLIMIT_NOFILE, int(limits["files"]), None)
        others = _others(sandbox)
        if others is not None:
            wanted["processes"] = (resource.RLIMIT_NPROC, others + int(limits["processes"]), None)
    held = []
    for name, (which, soft, hard) in wanted.items():
        _, most = resource.getrlimit(which)
        ceiling = hard or soft
        if most != resource.RLIM_INFINITY:
            soft, ceiling = min(soft, most), min(ceiling, most)
        resource.setrlimit(which, (soft, ceiling))
        held.append(name)
    return held


def _others(sandbox: Sandbox) -> int | None:
    """Processes and threads that the kernel counts with ours; None where it counts none, as for
    root."""
    if os.getuid() == 0 or not os.path.isdir("/proc/self"):
        return None
    if sandbox.copies and release() >= (5, 14):  # since then for each namespace of users
        return 0
    count = 0
    for entry in os.scandir("/proc"):
        try:
            if entry.name.isdigit() and entry.stat().st_uid == os.getuid():
                count += len(os.listdir(entry.path + "/task"))
        except OSError:  # it has ended
            continue
    return count
