"""How many columns a text takes on a terminal, and which characters must never reach one.

ASCII is measured by its length. Everything else goes to ``wcwidth``, which knows combining marks,
East Asian wide characters and emoji sequences.
"""

from __future__ import annotations

from functools import lru_cache

import wcwidth


def display_width(text: str) -> int:
    """The number of terminal columns that ``text`` (one line) takes.

    >>> [display_width(s) for s in ("shape", "形状", "e\\u0301", "👩‍🔬")]
    [5, 4, 1, 2]
    """
    if text.isascii():
        return len(text)
    return _wide(text) if len(text) <= 200 else wcwidth.width(visible(text))


def visible(text: str) -> str:
    """``text`` with each character that would steer a terminal replaced by a visible one.

    One for one, so that offsets stay: control characters become their Unicode pictures, direction
    overrides and lone surrogates the replacement character. Line feeds stay.

    >>> visible("\\x1b[2J")
    '␛[2J'
    """
    return text if text.isprintable() else text.translate(_PICTURES)


_PICTURES: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code != 0x0A},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    **dict.fromkeys((0x85, 0x2028, 0x2029), "\u2424"),
    **dict.fromkeys((0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F)), "\ufffd"),
    **dict.fromkeys(range(0x2066, 0x206A), "\ufffd"),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}


@lru_cache(maxsize=4096)
def _wide(text: str) -> int:
    return wcwidth.width(visible(text))
