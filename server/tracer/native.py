"""The recorders in C, where there are any that fit the interpreter: see ``native.c``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._native import State

try:
    from . import _native

    make_state: Callable[..., State] | None = _native.state
    any_nan: Callable[[int, int, str], bool] | None = _native.any_nan
except ImportError:  # not built, or for another system or interpreter
    make_state = any_nan = None

Key = tuple[object, ...]
_LEAF, _CHILD, _CALL, _OPERATOR, _WATCHED = 1, 2, 4, 8, 16
_PLAIN, _SITE, _LOOSE, _PATH, _STARRED = range(5)
_MOST_OPERANDS = 64


def recorder(
    state: State, key: Key, in_python: Callable[[Key], Callable[..., Any]]
) -> Callable[..., Any]:
    """The recorder for an instrumenter's key; that in Python where there is none in C."""
    match key:
        case ("op", "leaf", _, _):
            return state.recorder(in_python(key), None, _LEAF, b"", ())
        case ("op", str(how), bool(child), tuple(forms)) if len(forms) <= _MOST_OPERANDS:
            kind = _CHILD * child
            if how.startswith("operator"):
                kind |= _OPERATOR
            elif how.startswith("call"):
                kind |= _CALL | _WATCHED * (how == "call:watched")
            check = in_python(("check", how)) if kind & (_OPERATOR | _CALL) else None
            codes = bytes(_form(path, starred) for path, starred in forms)
            return state.recorder(in_python(key), check, kind, codes, tuple(p for p, _ in forms))
    return in_python(key)


def _form(path: object, starred: bool) -> int:
    """How an operand's token is found, as ``generated`` has it."""
    if path == "site":
        return _SITE
    if path == "loose" and not starred:
        return _LOOSE
    if path and path != "loose":
        return _PATH
    return _STARRED if starred else _PLAIN
