"""Whether programs can be confined here, which decides if saving may run them unasked."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from .tracer import landlock

_NEW_USER = 0x10000000
_PROBE = f"import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare({_NEW_USER}) != 0)"


@cache
def confinable() -> bool:
    """Whether the kernel keeps a program from the user's files: by Landlock, or by namespaces.

    What a run was confined by in the end, its result says; see docs/security.md.
    """
    if sys.platform != "linux":
        return False
    return landlock.version() > 0 or _has_namespaces()


def _has_namespaces() -> bool:
    try:
        return subprocess.run([sys.executable, "-S", "-c", _PROBE], check=False).returncode == 0
    except OSError:
        return False
