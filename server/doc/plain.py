"""Plain text: annotations show nothing."""

from __future__ import annotations

from .layout import Layout
from .nodes import Doc
from .runs import laid_out


def render_plain(document: Layout | Doc, width: int = 80) -> str:
    """``document`` as text; laid out for ``width`` columns first, unless it has been.

    >>> render_plain(group("one", line, "two"), width=6)
    'one\\ntwo'
    """
    return laid_out(document, width).text
