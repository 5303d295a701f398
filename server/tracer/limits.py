"""What a confined worker may use, set from inside before the program runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]


def apply(limits: Mapping[str, Any] | None, sandbox: Any, keep: tuple[int, ...]) -> list[str]:
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
    held = []
    for name, (which, soft, hard) in wanted.items():
        _, most = resource.getrlimit(which)
        ceiling = hard or soft
        if most != resource.RLIM_INFINITY:
            soft, ceiling = min(soft, most), min(ceiling, most)
        resource.setrlimit(which, (soft, ceiling))
        held.append(name)
    return held
