"""The documents that an editor has open: their text, and where a place of an older text is now."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from .doc.source import Span
from .positions import Change, Place, split_lines, without_end

_REMEMBERED_CHANGES = 10_000  # beyond, places of older texts are lost rather than followed


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A text that a document once had."""

    text: str
    revision: int


class Document:
    """One open file. ``revision`` counts its changes since then; ``version`` is the client's count.

    ``saved`` is what the file holds: the text when it was opened or last saved.
    """

    def __init__(self, path: str, uri: str, version: int, text: str) -> None:
        self.path = path
        self.uri = uri
        self.version = version
        self.revision = 0
        self._lines = split_lines(text)
        self._changes: deque[Change] = deque(maxlen=_REMEMBERED_CHANGES)
        self.saved = Snapshot(text, 0)

    @property
    def text(self) -> str:
        """All of it, with its own line ends."""
        return "".join(self._lines)

    @property
    def snapshot(self) -> Snapshot:
        """The present text."""
        return Snapshot(self.text, self.revision)

    def line(self, number: int) -> str:
        """Line ``number`` (from 1) without its end, or an empty one where there are fewer."""
        return without_end(self._lines[number - 1]) if 0 < number <= len(self._lines) else ""

    def save(self) -> None:
        """The file now holds the present text."""
        self.saved = self.snapshot

    def revision_of(self, text: str) -> int | None:
        """The revision, saved or present, that had ``text``; line ends don't count."""
        for known in (self.saved, self.snapshot):
            if _plain(known.text) == _plain(text):
                return known.revision
        return None

    def change(self, start: Place, end: Place, text: str) -> None:
        """Replace what lies from ``start`` to ``end``; places outside of the text mean its end."""
        start = self._inside(start)
        end = max(start, self._inside(end))
        # One line more on each side, for the pieces of a CRLF may meet, or part, at the seams.
        first, last = max(start.line - 1, 1), min(end.line + 1, len(self._lines))
        head = "".join(self._lines[first - 1 : start.line - 1])
        head += self._lines[start.line - 1][: start.column]
        tail = self._lines[end.line - 1][end.column :]
        tail += "".join(self._lines[end.line : last])
        pieces = split_lines(head + text + tail)
        if last < len(self._lines):
            pieces.pop()  # the empty piece behind the last line's end: the text goes on there
        change = Change(start, end, _end_of(text, start))
        if len(pieces) - (last - first + 1) != change.new_end.line - end.line:  # ends met or parted
            change = Change(Place(first, 0), Place(last + 1, 0), Place(first + len(pieces), 0))
        self._lines[first - 1 : last] = pieces
        self._record(change)

    def replace(self, text: str) -> None:
        """Take a whole new text. Lines shared with the old one, at both ends, keep their places."""
        old, new = self._lines, split_lines(text)
        same = _shared(old, new)
        same_below = _shared(old[same:][::-1], new[same:][::-1])
        self._lines = new
        end, new_end = len(old) - same_below + 1, len(new) - same_below + 1
        self._record(Change(Place(same + 1, 0), Place(end, 0), Place(new_end, 0)))

    def now(self, span: Span, revision: int) -> Span | None:
        """Where ``span`` of an older text is; None when it was changed, or is too old to follow."""
        changes = self._since(revision)
        found = span if changes is not None else None
        for change in changes or ():
            found = change.span(found) if found is not None else None
        return found

    def then(self, place: Place, revision: int) -> Place | None:
        """Where ``place`` was in an older text; None when it was not there."""
        changes = self._since(revision)
        found = place if changes is not None else None
        for change in reversed(changes or []):
            found = change.undone.place(found) if found is not None else None
        return found

    def _since(self, revision: int) -> list[Change] | None:
        count = self.revision - revision
        if not 0 <= count <= len(self._changes):
            return None
        return list(self._changes)[len(self._changes) - count :]

    def _record(self, change: Change) -> None:
        self._changes.append(change)
        self.revision += 1

    def _inside(self, place: Place) -> Place:
        if place.line > len(self._lines):
            return Place(len(self._lines), len(self._lines[-1]))
        return Place(place.line, min(place.column, len(self.line(place.line))))


def _end_of(text: str, start: Place) -> Place:
    added = split_lines(text)
    column = len(added[-1]) + (start.column if len(added) == 1 else 0)
    return Place(start.line + len(added) - 1, column)


def _shared(left: list[str], right: list[str]) -> int:
    """How many items they have in common at their start."""
    pairs = zip(left, right, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
