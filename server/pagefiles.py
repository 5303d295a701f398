"""Where the code of a finding leads: to the rule's page, as a file that anything can open.

There is no need of a network for it, nor of a client that reads our documents.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from . import __version__
from .diagnostics.pages import page
from .diagnostics.rules import all_rules


@cache
def address(code: str) -> str:
    """Where anything that opens files finds the page of a rule: in the user's cache, where it is
    put when it is first asked for. Nothing where that can't be written."""
    file = _cache() / "jit-lsp" / __version__ / "rules" / f"{code}.md"
    text = page(all_rules()[code])
    try:
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            whole = file.with_suffix(f".{os.getpid()}")  # nobody reads half a page
            whole.write_text(text, encoding="utf-8")
            whole.replace(file)
    except (OSError, ValueError):
        return ""
    return file.as_uri()


def _cache() -> Path:
    """The folder that the system has for what can be made anew."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return chosen if chosen.is_absolute() else Path.home() / ".cache"
