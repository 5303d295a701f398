"""Python's own parser, for callers in several threads."""

from __future__ import annotations

import ast
from typing import Literal, overload

_ATTEMPTS = 5


@overload
def parse(text: str | bytes) -> ast.Module: ...
@overload
def parse(text: str | bytes, mode: Literal["eval"]) -> ast.Expression: ...
def parse(text: str | bytes, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """As ``ast.parse``. Python counts how deep it is in a tree for all threads together, and takes
    trees that two of them make at once for a fault of its own: then it is done again.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse`` does.
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return ast.parse(text, mode=mode)
        except SystemError:
            continue
    return ast.parse(text, mode=mode)
