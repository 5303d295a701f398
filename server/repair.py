"""``--fix``: texts with fixes made, each proven by running what they give.

They are those of a program and of the modules of its project that it imported. A fix is kept when
the finding that it is for is gone afterwards and nothing else came instead. A file is written once,
at the end, and only if it is still the one that was read. Whatever is in doubt stays as it was.
"""

from __future__ import annotations

import difflib
import tokenize
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from .diagnostics.model import Edit, Finding, Fix
from .files import write_whole
from .launch import NotText, decode
from .positions import split_lines, without_end
from .session import Result

MOST_RUNS = 12
"""Of one program, while its fixes are tried."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """What became of a program: the last run, the texts, what was mended, and what could not be."""

    result: Result
    texts: Mapping[str, str]
    mended: tuple[Finding, ...] = ()
    refused: int = 0
    """Fixes that were tried and left out, since the run was not better with them."""


def repair(
    result: Result,
    texts: Mapping[str, str],
    choose: Callable[[Finding], Fix | None],
    run: Callable[[Mapping[str, str]], Result],
) -> Repaired:
    """Mend a program until nothing changes any more.

    ``texts`` are those that may change, by path. ``choose`` gives the fix to make for a finding, if
    any; ``run`` runs other texts. All fixes that don't touch each other are tried at once; where
    that does no good, one by one.
    """
    mended: list[Finding] = []
    refused: set[tuple[str, str, str]] = set()
    together = True
    for _ in range(MOST_RUNS):
        open_ones = ((f, x) for f in result.findings if (x := choose(f)) is not None)
        group = list(_apart((f, x) for f, x in open_ones if _key(f, x) not in refused))
        if not group:
            break
        group = group if together else group[:1]
        changed = all_edited(texts, [e for _, fix in group for e in fix.edits])
        after = run(changed)
        if _is_better(result, after, [finding for finding, _ in group]):
            mended += [finding for finding, _ in group]
            result, texts = after, changed
        elif len(group) > 1:
            together = False
        else:
            refused.add(_key(*group[0]))
    return Repaired(result, texts, tuple(mended), len(refused))


def first_fix(finding: Finding, paths: Collection[str], *, unsafe: bool) -> Fix | None:
    """The first fix that can be made in the files ``paths``; only a safe one unless ``unsafe``."""
    return next(
        (
            fix for fix in finding.fixes
            if (fix.safe or unsafe) and fix.edits and all(e.span.path in paths for e in fix.edits)
            and not _touching(fix.edits)
        ),
        None,
    )  # fmt: skip


def all_edited(texts: Mapping[str, str], edits: Sequence[Edit]) -> Mapping[str, str]:
    """The texts with edits made, each in the one of its path."""
    return {
        path: edited(text, (e for e in edits if e.span.path == path))
        for path, text in texts.items()
    }


def edited(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with edits made that don't touch each other. New lines end as those around do."""
    lines = split_lines(text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda e: e.span, reverse=True):
        span = edit.span
        start = starts[span.line - 1] + span.column
        end = starts[span.end_line - 1] + span.end_column
        line = lines[span.line - 1]
        ending = line[len(without_end(line)) :] or "\n"
        text = text[:start] + edit.new_text.replace("\n", ending) + text[end:]
    return text


def save(path: str, before: str, after: str) -> str:
    """Write a file anew in its own encoding; gives why not, or nothing where it was written."""
    file = Path(path).resolve()
    try:
        old = file.read_bytes()
        new = _encoded(old, after)
        if new == old:  # another program that imports it was mended first
            return ""
        if decode(old) != before:
            return "it has changed meanwhile"
        if decode(new) != after:
            return "its encoding can't hold the fix"
        write_whole(file, new)
    except (NotText, UnicodeEncodeError, SyntaxError):
        return "its encoding can't hold the fix"
    except OSError as error:
        return f"it can't be written: {error.strerror}"
    return ""


def diff(name: str, before: str, after: str) -> str:
    """What ``save`` would change, as a unified diff."""
    old, new = ([line for line in split_lines(text) if line] for text in (before, after))
    return "".join(
        line if line.endswith(("\n", "\r")) else line + "\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(old, new, name, name)
    )


def _is_better(before: Result, after: Result, mended: Sequence[Finding]) -> bool:
    """Whether the findings ``mended`` are gone, and no other came.

    A program that failed goes further once mended: what is found there is not the fix's fault.
    """
    ended, ends = before.trace.outcome, after.trace.outcome
    if ends.status != "finished" and (ended.status == "finished" or ends.status != ended.status):
        return False
    if ended.status == "finished":
        gone = Counter(f.code for f in before.findings) - Counter(f.code for f in mended)
        return not Counter(f.code for f in after.findings) - gone
    said = Counter((f.code, f.headline) for f in before.findings)
    gone_said = said - Counter((f.code, f.headline) for f in mended)
    left = Counter((f.code, f.headline) for f in after.findings)
    return all(left[key] <= gone_said[key] for key in ((f.code, f.headline) for f in mended))


def _apart(pairs: Iterable[tuple[Finding, Fix]]) -> Iterator[tuple[Finding, Fix]]:
    """Those fixes that don't touch an earlier one."""
    taken: list[Edit] = []
    for finding, fix in pairs:
        if not _touching([*taken, *fix.edits]):
            taken += fix.edits
            yield finding, fix


def _touching(edits: Sequence[Edit]) -> bool:
    spans = sorted(edit.span for edit in edits)
    return any(
        (one.end_line, one.end_column) >= (next_.line, next_.column)
        for one, next_ in pairwise(spans)
    )


def _key(finding: Finding, fix: Fix) -> tuple[str, str, str]:
    return finding.code, str(finding.headline), fix.title


def _encoded(old: bytes, text: str) -> bytes:
    lines = iter(old.splitlines(keepends=True))
    encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    return text.encode(encoding)
