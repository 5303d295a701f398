"""What the program asks not to be looked into: ``# jit: opaque`` behind the head of a ``def``, a
``class`` or a ``with``, or above it.

Nothing inside is recorded. To the graph a call of such a function is one operation, with what it
takes and what it gives.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_MARK = re.compile(r"#\s*jit:\s*opaque\b")


class Opaque:
    """The comments of one file."""

    def __init__(self, source: str) -> None:
        self._lines: frozenset[int] = frozenset()
        if _MARK.search(source):
            self._lines = frozenset(_comments(source))

    def __contains__(self, node: object) -> bool:
        """Whether a statement with a body is meant."""
        if not self._lines or not isinstance(node, ast.stmt):
            return False
        body = getattr(node, "body", None)
        decorators = getattr(node, "decorator_list", [])
        if not body:
            return False
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        end = max(body[0].lineno - 1, node.lineno)
        return not self._lines.isdisjoint(range(start - 1, end + 1))

    def beside(self, body: list[ast.stmt]) -> Iterator[str]:
        """The names of the functions and classes below that are looked into."""
        todo: list[ast.AST] = [*body]
        while todo:
            node = todo.pop()
            if node not in self:
                for block in _BLOCKS:
                    todo += getattr(node, block, ())
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    yield node.name


def _comments(source: str) -> list[int]:
    """The lines of the comments, those inside strings left out; of one that stands alone, too."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and _MARK.match(token.string):
                found.append(token.start[0])
    except (tokenize.TokenError, SyntaxError):  # the compiler says it better
        pass
    return found
