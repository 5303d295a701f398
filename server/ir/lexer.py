"""Tokens of the text form, and the errors that say what would have been right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from .values import GraphError

__all__ = ["Lexer", "ParseError"]


T = TypeVar("T")


class ParseError(ValueError):
    """The text isn't a graph: where, what would have been right there, and what stood there.

    ``line`` counts from 1, ``column`` from 0.
    """

    def __init__(self, expected: str, found: str, text: str, offset: int) -> None:
        self.expected = expected
        self.found = found
        self.line = text.count("\n", 0, offset) + 1
        start = text.rfind("\n", 0, offset) + 1
        self.column = offset - start
        self.source_line = text[start:].split("\n", 1)[0]
        super().__init__(str(self))

    def __str__(self) -> str:
        margin = f"{self.line} | "
        caret = " " * (len(margin) + self.column) + "^" * max(1, len(self.found))
        return (
            f"{self.line}:{self.column + 1}: expected {self.expected}, found "
            f"{repr(self.found) if self.found else 'the end'}\n{margin}{self.source_line}\n{caret}"
        )


class Lexer:
    """One token of look-ahead: ``token`` of ``kind`` at ``start``; ``comment`` stood before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.kind: str = ""
        self.token: str = ""
        self.comment: str | None = None
        self.start = self.end = 0
        self.advance()

    def read(self, rule: Callable[[], T]) -> T:
        """What ``rule`` reads; what can't be made of right tokens is a ``ParseError`` as well."""
        try:
            return rule()
        except ParseError:
            raise
        except (ValueError, TypeError, SyntaxError, GraphError) as error:
            raise self.error(f"something else ({error})") from error

    def advance(self) -> None:
        """Go to the next token."""
        match = _TOKEN.match(self.text, self.end)
        assert match is not None  # the pattern matches nothing too
        kind = match.lastgroup
        self.comment = match["comment"]
        if kind is None or kind == "comment":
            self.start = self.end = match.end()
            if self.end < len(self.text):
                self.fail("a token", self.text[self.end])
            self.kind, self.token = "end", ""
            return
        self.kind, self.token = kind, match[kind]
        self.start, self.end = match.span(kind)

    def accept(self, token: str) -> bool:
        """Take ``token`` if it is next."""
        if self.token != token:
            return False
        self.advance()
        return True

    def accept_word(self, word: str) -> bool:
        """Take ``word``, unless it begins a dotted name."""
        return not self.text.startswith(".", self.end) and self.accept(word)

    def expect(self, token: str) -> None:
        """Take ``token``, which must be next."""
        if self.token != token:
            self.fail(repr(token))
        self.advance()

    def comma_or(self, end: str) -> None:
        """A comma, unless the list ends here."""
        if self.token != end and not self.accept(","):
            self.fail(f"',' or {end!r}")

    def take(self, kind: str, expected: str) -> str:
        """Take a token of a kind, which must be next."""
        if self.kind != kind:
            self.fail(expected)
        token = self.token
        self.advance()
        return token

    def integer(self, expected: str) -> int:
        """Take a whole number that is not negative."""
        place, token = self.start, self.take("number", expected)
        if not token.isdigit():
            self.fail(expected, token, place)
        return int(token)

    def string(self) -> str:
        """Take a quoted text."""
        return str(json.loads(self.take("string", "a string")))

    def dotted(self, expected: str, pattern: re.Pattern[str] | None = None) -> str:
        """Words with dots between; ``<`` and ``>`` count as letters, unless ``pattern`` differs."""
        match = (pattern or _DOTTED).match(self.text, self.start)
        if match is None:
            self.fail(expected)
        self.end = match.end()
        self.advance()
        return match[0]

    def fail(self, expected: str, found: str | None = None, place: int | None = None) -> NoReturn:
        """Raise a ``ParseError``: about the next token, unless told otherwise."""
        raise self.error(expected, found, place)

    def error(
        self, expected: str, found: str | None = None, place: int | None = None
    ) -> ParseError:
        """The error that ``fail`` raises."""
        return ParseError(
            expected,
            self.token if found is None else found,
            self.text,
            self.start if place is None else place,
        )


_TOKEN = re.compile(
    r"""[ \t]*(?:\#[ ]?(?P<comment>[^\n]*))?\s*(?:\#[^\n]*\s*)*  # what stands before it
    (?:(?P<value>%(?:\w+\.)*[0-9]+(?![\w.]))
    |(?P<bytes>b'(?:[^'\\\n]|\\.)*'|b"(?:[^"\\\n]|\\.)*")
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<number>-?(?:inf|nan)\b|-?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<mark>\.\.\.|---|[@(){}\[\]<>:=,!?]))?""",
    re.VERBOSE,
)
_DOTTED = re.compile(r"[\w<>]+(?:\.[\w<>]+)*")
