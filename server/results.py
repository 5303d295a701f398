"""What the last run of every open program said, and where in the present texts that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from .diagnostics.model import Finding, Fix
from .diagnostics.report import one_line
from .doc.source import Span
from .documents import Document
from .hover import Hover, Index, hover
from .positions import Place


@dataclass(frozen=True, slots=True)
class Located:
    """A span of a present text, and that text's lines (by number, from 1)."""

    span: Span
    line: Callable[[int], str]


class Traced:
    """The result of one run. Spans into files that are not open stay as they are.

    ``revisions`` says of open files which of their revisions the run saw. A file whose text is
    neither the one the run saw nor follows from it by known changes has no places.
    """

    def __init__(self, index: Index, documents: Mapping[str, Document]) -> None:
        self.result = index.result
        self._index = index
        self._documents = documents
        self.revisions: dict[str, int | None] = {}
        for path in self.result.sources.keys() & documents.keys():
            self.opened(path)

    def opened(self, path: str) -> None:
        """File ``path`` is open now, with the text that the run saw or with another."""
        source = self.result.sources.get(path)
        if source is not None:
            self.revisions[path] = self._documents[path].revision_of(source.text)

    def now(self, span: Span) -> Located | None:
        """Where ``span``, which is from the run, is now; None when its text has changed since."""
        document = self._documents.get(span.path)
        if document is None:
            source = self.result.sources.get(span.path)
            return Located(span, source.line) if source is not None else None
        revision = self.revisions.get(span.path)
        moved = document.now(span, revision) if revision is not None else None
        return Located(moved, document.line) if moved is not None else None

    def hover(self, path: str, place: Place) -> Hover | None:
        """What there is to say about a place of the open file ``path``."""
        document, revision = self._documents[path], self.revisions.get(path)
        then = document.then(place, revision) if revision is not None else None
        if then is None:
            return None
        return hover(self.result, path, then.line, then.column, self._index)


class Results:
    """The last result of every program that is open, by the path of its file."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._traced: dict[str, Traced] = {}

    def put(self, path: str, revision: int, result: Index) -> set[str]:
        """Take the result of running ``revision`` of file ``path``, in place of the older one.

        Returns the files whose findings may differ.
        """
        changed = self.drop(path) | {path}
        self._traced[path] = traced = Traced(result, self._documents)
        traced.revisions[path] = revision
        return changed | _files(traced)

    def drop(self, path: str) -> set[str]:
        """Forget the result of ``path``. Returns the files whose findings may differ."""
        traced = self._traced.pop(path, None)
        return _files(traced) if traced is not None else set()

    def opened(self, path: str) -> None:
        """File ``path`` is open now."""
        for traced in self._traced.values():
            traced.opened(path)

    def programs_with(self, path: str) -> list[str]:
        """The programs whose last run read ``path``; itself when there is none."""
        readers = [entry for entry, traced in self._traced.items() if path in traced.result.sources]
        return readers or [path]

    def findings(self, path: str) -> Iterator[tuple[Traced, Finding, Located]]:
        """What there is to say in file ``path``; once, if several programs come to say it."""
        seen: set[tuple[object, ...]] = set()
        for traced in self._about(path):
            for finding in traced.result.findings:
                located = traced.now(finding.span) if finding.span.path == path else None
                if located is None:
                    continue
                key = (finding.code, located.span, one_line(finding))
                if key not in seen:
                    seen.add(key)
                    yield traced, finding, located

    def hover(self, path: str, place: Place) -> tuple[Hover, Located | None] | None:
        """What the run of ``path`` itself, or else of a program that reads it, knows of a place."""
        for traced in self._about(path):
            if (found := traced.hover(path, place)) is not None:
                return found, traced.now(found.span)
        return None

    def _about(self, path: str) -> Iterator[Traced]:
        """Its own result first, then the newest."""
        own = self._traced.get(path)
        if own is not None:
            yield own
        yield from (t for t in reversed(self._traced.values()) if t is not own)


def edits_now(traced: Traced, fix: Fix) -> list[tuple[Located, str]] | None:
    """Where the edits of ``fix`` go now; None when the text of any has changed."""
    located = [(traced.now(edit.span), edit.new_text) for edit in fix.edits]
    places = [(place, text) for place, text in located if place is not None]
    return places if places and len(places) == len(located) else None


def _files(traced: Traced) -> set[str]:
    return {finding.span.path for finding in traced.result.findings}
