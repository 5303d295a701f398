"""Python literals as the graph text writes them: exact, on one line, printable."""

from __future__ import annotations

import json
import math
import re

__all__ = ["PLAIN_NAME", "Atom", "atom_text", "is_atom", "name_text", "quote", "same_atom"]

Atom = None | bool | int | float | complex | str | bytes | slice
"""Python values that are written out in full: scalars, text, and slices of them.

``Ellipsis`` belongs to them too; its type can't be spelt in a union.
"""


def atom_text(value: object) -> str:
    """The text of a literal; reading it gives the same value of the same type.

    >>> atom_text(1.0), atom_text(slice(1, None)), atom_text(...), atom_text("a\\n")
    ('1.0', '1:', '...', '"a\\\\n"')
    """
    match value:
        case str():
            return quote(value)
        case float():
            return repr(float(value))
        case complex():
            return f"complex({float(value.real)!r}, {float(value.imag)!r})"
        case slice(start=start, stop=stop, step=step):
            parts = ["" if part is None else atom_text(part) for part in (start, stop)]
            return ":".join(parts if step is None else [*parts, atom_text(step)])
        case None | bool() | int() | bytes():
            return repr(value)
    if value is Ellipsis:
        return "..."
    raise TypeError(f"not a literal: {value!r}")


def is_atom(value: object) -> bool:
    """Whether a value is written out as a literal."""
    plain = value is None or value is Ellipsis
    return plain or type(value) in (bool, int, float, complex, str, bytes, slice)


def same_atom(a: object, b: object) -> bool:
    """Whether two literals are alike in type too: 1 isn't 1.0, 0.0 isn't -0.0, nan is nan."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        assert isinstance(b, float)
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)
    if isinstance(a, complex | slice):
        return atom_text(a) == atom_text(b)
    return a == b


def quote(text: str) -> str:
    """``text`` between double quotes, everything that doesn't print escaped."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


PLAIN_NAME = re.compile(r"[^\W\d]\w*(\.\w+)*")


def name_text(name: str) -> str:
    """A dotted name as it is, anything else quoted."""
    return name if PLAIN_NAME.fullmatch(name) else quote(name)
