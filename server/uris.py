"""File URIs and paths, and the ``jit-lsp:`` addresses of what a run left.

Untitled documents, notebook cells and the like have no path.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, unquote_to_bytes, urlsplit
from urllib.request import url2pathname

SCHEME = "jit-lsp"


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


LANGUAGES = {
    "ir": "jit-ir",
    "json": "json",
    "dot": "dot",
    "svg": "xml",
    "output": "plaintext",
    "status": "markdown",
}
"""What there is to see of a program, by the suffix of its address, and the language it is in."""


@dataclass(frozen=True, slots=True)
class Address:
    """What a ``jit-lsp:`` URI asks for: one of ``LANGUAGES`` of the program ``subject``, or the
    page (``rule``) of the rule ``subject``."""

    kind: str
    subject: str
    function: str = ""
    level: int = 0
    by: str = ""
    """A variable: what is wanted is the gradient by it, of ``loss`` if that is said."""
    loss: str = ""

    @property
    def language(self) -> str:
        """The language id of the document."""
        return LANGUAGES.get(self.kind, "markdown")


def address_of(uri: str) -> Address | None:
    """What a ``jit-lsp:`` URI asks for; None for any other, and for what there isn't.

    >>> address_of("jit-lsp:///home/me/a%20b.py.ir?function%3Df&level=1")
    Address(kind='ir', subject='/home/me/a b.py', function='f', level=1, by='', loss='')
    >>> address_of("jit-lsp:///rules/first-nan.md")
    Address(kind='rule', subject='first-nan', function='', level=0, by='', loss='')
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != SCHEME:
        return None
    path, _, kind = parts.path.rpartition(".")
    if kind == "md" and path.startswith("/rules/"):
        return Address("rule", path.removeprefix("/rules/"))
    program = path_of(f"file://{parts.netloc}{path}")
    asked = dict(parse_qsl(unquote(parts.query)))
    level = asked.get("level", "0")
    if kind not in LANGUAGES or program is None or level not in ("0", "1", "2"):
        return None
    function, by, loss = (asked.get(name, "") for name in ("function", "by", "loss"))
    return Address(kind, program, function, int(level), by, loss)


def address_uri(file_uri: str, kind: str, function: str = "", by: str = "") -> str:
    """The address of one of ``LANGUAGES`` of the program that the client has at ``file_uri``.

    >>> address_uri("file:///home/me/a%20b.py", "svg", "f")
    'jit-lsp:///home/me/a%20b.py.svg?function=f'
    """
    asked = {"function": function, "by": by}
    query = "&".join(f"{name}={quote(value)}" for name, value in asked.items() if value)
    return f"{SCHEME}{file_uri.removeprefix('file')}.{kind}" + (f"?{query}" if query else "")


def rule_uri(rule: str) -> str:
    """The address of a rule's page."""
    return f"{SCHEME}:///rules/{rule}.md"
