"""Comments that say a finding is known: ``# jit: ignore[first-nan]`` on its line, or for a file.

x = np.log(p)  # jit: ignore[first-nan]
y = a.T        # jit: ignore
# jit: ignore-file[silent-upcast]
"""

from __future__ import annotations

import io
import itertools
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ..doc.source import Source, Span
from .model import Edit, Finding, Fix, Severity
from .rules import all_rules

UNUSED = "unused-suppression"
_COMMENT = re.compile(r"#\s*jit:\s*ignore(?P<file>-file)?(?:\[(?P<rules>[^\]]*)\])?")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. ``rules`` empty: every rule."""

    span: Span
    rules: frozenset[str]
    whole_file: bool

    def covers(self, finding: Finding) -> bool:
        """Whether it says that ``finding`` is known."""
        if self.rules and finding.code not in self.rules:
            return False
        if finding.span.path != self.span.path:
            return False
        return self.whole_file or finding.span.line <= self.span.line <= finding.span.end_line


def suppressions(source: Source) -> list[Suppression]:
    """The comments of a file, in order; those inside strings are none."""
    if "jit:" not in source.text:
        return []
    return [found for token in _comments(source.text) for found in _read(source.path, token)]


def without_suppressed(findings: Iterable[Finding], known: list[Suppression]) -> list[Finding]:
    """The findings that no comment covers."""
    return [f for f in findings if not any(one.covers(f) for one in known)]


def unused(
    findings: Iterable[Finding], known: list[Suppression], source: Source
) -> Iterator[Finding]:
    """A hint for each comment that covers nothing."""
    for one in known:
        if any(one.covers(f) for f in findings):
            continue
        misspelt = next((rule for rule in sorted(one.rules) if rule not in all_rules()), None)
        yield _unused(one, source) if misspelt is None else _misspelt(one, source, misspelt)


def suppressing(source: Source, span: Span, rule: str) -> Edit:
    """What to write so that findings of ``rule`` at ``span`` are known from then on.

    A comment behind one of its lines, beside those that are there; where no line can take one, as
    within a string, a comment above everything.
    """
    tokens = list(_tokens(source.text))
    beside = {one.span.line: one for one in suppressions(source) if one.rules}
    for line in range(span.line, span.end_line + 1):
        if line in beside and not beside[line].whole_file:
            return _named_too(beside[line], rule)
        if not source.line(line).endswith("\\") and not _goes_on(tokens, line):
            end = len(source.line(line).rstrip())
            to_end = Span(source.path, line, end, line, len(source.line(line)))
            return Edit(to_end, f"  # jit: ignore[{rule}]")
    head = itertools.takewhile(lambda line: source.line(line).startswith("#"), (1, 2))
    first = len(list(head)) + 1  # below what tells the interpreter and the encoding
    return Edit(Span(source.path, first, 0, first, 0), f"# jit: ignore-file[{rule}]\n")


def _unused(one: Suppression, source: Source) -> Finding:
    line = source.line(one.span.line)
    start = len(line[: one.span.column].rstrip())
    rest = Span(one.span.path, one.span.line, start, one.span.line, one.span.end_column)
    what = "no " + ", ".join(sorted(one.rules)) if one.rules else "nothing"
    return Finding(
        code=UNUSED,
        severity=Severity.HINT,
        headline=f"there is {what} here to ignore",
        span=one.span,
        fixes=(Fix("remove the comment", (Edit(rest, ""),), safe=True),),
    )


def _misspelt(one: Suppression, source: Source, rule: str) -> Finding:
    close = get_close_matches(rule, all_rules(), 1)
    at = source.line(one.span.line).index(rule, one.span.column)
    edit = Span(one.span.path, one.span.line, at, one.span.line, at + len(rule))
    return Finding(
        code=UNUSED,
        severity=Severity.HINT,
        headline=f"there is no rule {rule!r}" + (f"; did you mean {close[0]}?" if close else ""),
        span=one.span,
        fixes=tuple(Fix(name, (Edit(edit, name),)) for name in close),
    )


def _named_too(one: Suppression, rule: str) -> Edit:
    names = ", ".join(sorted({*one.rules, rule}))
    return Edit(one.span, f"# jit: ignore[{names}]")


def _goes_on(tokens: Iterable[tokenize.TokenInfo], line: int) -> bool:
    """Whether some token, such as a string, has begun by the end of ``line`` and not ended."""
    return any(token.start[0] <= line < token.end[0] for token in tokens)


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    return (token for token in _tokens(text) if token.type == tokenize.COMMENT)


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):  # what doesn't compile has one finding, and keeps it
        return


def _read(path: str, token: tokenize.TokenInfo) -> Iterator[Suppression]:
    for match in _COMMENT.finditer(token.string):
        line, column = token.start
        span = Span(path, line, column + match.start(), line, column + match.end())
        rules = frozenset(filter(None, map(str.strip, (match["rules"] or "").split(","))))
        yield Suppression(span, rules, bool(match["file"]))
