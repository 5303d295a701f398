"""File URIs and paths. Untitled documents, notebook cells and the like have no path."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname


def path_of(uri: str) -> str | None:
    """The path of a file URI; None for any other. Clients differ in what they escape.

    >>> path_of("file:///home/me/a%20b%23.py"), path_of("untitled:Untitled-1")
    ('/home/me/a b#.py', None)
    """
    try:
        parts = urlsplit(uri.replace("#", "%23").replace("?", "%3F"))
    except ValueError:
        return None
    if parts.scheme != "file" or not parts.path:
        return None
    if sys.platform == "win32":
        return url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path)
    return os.fsdecode(unquote_to_bytes(parts.path))


def uri_of(path: str) -> str:
    """The URI of a file.

    >>> uri_of("/home/me/a b#.py")
    'file:///home/me/a%20b%23.py'
    """
    return Path(path).absolute().as_uri()
