"""What the program asks not to be looked into: ``# jit: opaque`` behind the head of a ``def``, a
``class`` or a ``with``, or above it.

Nothing inside is recorded. To the graph a call of such a function is one operation, with what it
takes and what it gives. ``# jit: opaque backward=f`` names the function that gives the gradients of
its arguments.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_MARK = re.compile(r"#\s*jit:\s*opaque\b(?:\s+backward=([\w.]+))?")


class Opaque:
    """The comments of one file."""

    def __init__(self, source: str) -> None:
        self._lines: dict[int, str | None] = {}
        if _MARK.search(source):
            self._lines = dict(_comments(source))

    def __contains__(self, node: object) -> bool:
        """Whether a statement with a body is meant."""
        return any(True for _ in self._marks(node))

    def backward(self, node: object) -> str | None:
        """The function that is named to give the gradients, if the statement is meant."""
        return next(filter(None, self._marks(node)), None)

    def _marks(self, node: object) -> Iterator[str | None]:
        """What the comments at the head of a statement name."""
        if not self._lines or not isinstance(node, ast.stmt):
            return
        body = getattr(node, "body", None)
        if not body:
            return
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        end = max(body[0].lineno - 1, node.lineno)
        for line in range(start - 1, end + 1):
            if line in self._lines:
                yield self._lines[line]

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


def _comments(source: str) -> list[tuple[int, str | None]]:
    """The lines of the comments and what they name, those inside strings left out; of one that
    stands alone, too."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            mark = _MARK.match(token.string) if token.type == tokenize.COMMENT else None
            if mark is not None:
                found.append((token.start[0], mark[1]))
    except (tokenize.TokenError, SyntaxError):  # the compiler says it better
        pass
    return found
