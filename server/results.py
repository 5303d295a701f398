"""What the last run of every open program said, and where in the present texts that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from .contents import Content
from .diagnostics.model import Finding, Fix
from .diagnostics.report import one_line
from .doc.source import Span
from .documents import Document
from .hover import Hover, hover
from .index import Index
from .ir import ArrayType, Value
from .ir.elements import FLOATS
from .positions import Place
from .session import Result, judged_anew
from .uris import Address

Wants: TypeAlias = Callable[[str, str], bool]
"""Whether the findings of a rule in a file are shown."""


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

    def __init__(self, index: Index, documents: Mapping[str, Document], wants: Wants) -> None:
        self.index = index
        self._documents = documents
        self._wants = wants
        self.revisions: dict[str, int | None] = {}
        self.contents: dict[Address, Content] = {}
        """The documents that were made of it."""
        for path in self.result.sources.keys() & documents.keys():
            self.opened(path)

    def opened(self, path: str) -> None:
        """File ``path`` is open now, with the text that the run saw or with another."""
        source = self.result.sources.get(path)
        if source is not None:
            self.revisions[path] = self._documents[path].revision_of(source.text)

    @property
    def result(self) -> Result:
        """What the run gave."""
        return self.index.result

    @property
    def findings(self) -> Iterator[Finding]:
        """Those of the findings that are wanted."""
        return (f for f in self.result.findings if self._wants(f.code, f.span.path))

    @property
    def stale(self) -> bool:
        """Whether the text of any of its files that are open has changed since."""
        return any(
            self._documents[path].revision != revision
            for path, revision in self.revisions.items()
            if path in self._documents
        )

    def now(self, span: Span) -> Located | None:
        """Where ``span``, which is from the run, is now; None when its text has changed since."""
        document = self._documents.get(span.path)
        if document is None:
            source = self.result.sources.get(span.path)
            return Located(span, source.line) if source is not None else None
        revision = self.revisions.get(span.path)
        moved = document.now(span, revision) if revision is not None else None
        return Located(moved, document.line) if moved is not None else None

    def now_or_then(self, span: Span) -> Located | None:
        """As :meth:`now`, or where it was if its text has changed; it may be close."""
        source = self.result.sources.get(span.path)
        then = Located(span, source.line) if source is not None else None
        return self.now(span) or then

    def then(self, path: str, place: Place) -> Place | None:
        """Where a place of the open file ``path`` was in the text that ran."""
        document, revision = self._documents[path], self.revisions.get(path)
        return document.then(place, revision) if revision is not None else None

    def graph_value(self, path: str, place: Place) -> Value | None:
        """What the graph has for a place of the open file ``path``."""
        then = self.then(path, place)
        seen = self.index.at(path, then.line, then.column) if then is not None else None
        return self.index.graph_value(seen) if seen is not None else None

    def is_smooth(self, path: str, place: Place) -> bool:
        """Whether an array of floats was seen at a place of the open file ``path``: there may be a
        gradient by it."""
        then = self.then(path, place)
        seen = self.index.at(path, then.line, then.column) if then is not None else None
        types = [getattr(value, "type", None) for value in seen.values] if seen is not None else []
        return any(isinstance(type_, ArrayType) and type_.element in FLOATS for type_ in types)

    def hover(self, path: str, place: Place) -> Hover | None:
        """What there is to say about a place of the open file ``path``."""
        then = self.then(path, place)
        if then is None:
            return None
        shown = replace(self.result, findings=tuple(self.findings))
        return hover(shown, path, then.line, then.column, self.index)


class Results:
    """The last result of every program that is open, by the path of its file."""

    def __init__(self, documents: Mapping[str, Document], wants: Wants = lambda *_: True) -> None:
        self._documents = documents
        self._wants = wants
        self._traced: dict[str, Traced] = {}

    def put(self, path: str, revision: int, result: Index) -> set[str]:
        """Take the result of running ``revision`` of file ``path``, in place of the older one.

        Returns the files whose findings may differ.
        """
        changed = self.drop(path) | {path}
        self._traced[path] = traced = Traced(result, self._documents, self._wants)
        traced.revisions[path] = revision
        return changed | _files(traced)

    def of(self, path: str) -> Traced | None:
        """The last result of the program ``path`` itself."""
        return self._traced.get(path)

    def judge_anew(self) -> set[str]:
        """Take every project's configuration as it is now. Returns the files with findings."""
        before = self.files()
        for traced in self._traced.values():
            traced.index.result = judged_anew(traced.index.result)
        return before | self.files()

    def files(self) -> set[str]:
        """Every file in which a result has something to say."""
        return {path for traced in self._traced.values() for path in _files(traced)}

    def programs(self) -> list[str]:
        """Every program that has a result."""
        return list(self._traced)

    def files_of(self, path: str) -> set[str]:
        """The files in which the last run of a program found something."""
        traced = self._traced.get(path)
        return _files(traced) if traced is not None else set()

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

    def fresh_with(self, path: str) -> list[str]:
        """The programs whose last run read ``path``, and every other file, as they are now."""
        return [
            entry
            for entry, traced in self._traced.items()
            if path in traced.result.sources and not traced.stale
        ]

    def reading(self, path: str) -> Traced | None:
        """The result to show in file ``path``: its own, or else of the newest program that reads
        it."""
        return next((t for t in self.about(path) if path in t.result.sources), None)

    def about(self, path: str) -> Iterator[Traced]:
        """Every result: that of ``path`` itself first, then the newest."""
        own = self._traced.get(path)
        if own is not None:
            yield own
        yield from (t for t in reversed(self._traced.values()) if t is not own)

    def findings(self, path: str) -> Iterator[tuple[Traced, Finding, Located]]:
        """What there is to say in file ``path``; once, if several programs come to say it."""
        seen: set[tuple[object, ...]] = set()
        for traced in self.about(path):
            for finding in traced.findings:
                located = traced.now(finding.span) if finding.span.path == path else None
                if located is None:
                    continue
                key = (finding.code, located.span, one_line(finding))
                if key not in seen:
                    seen.add(key)
                    yield traced, finding, located

    def hover(self, path: str, place: Place) -> tuple[Hover, Traced] | None:
        """What the run of ``path`` itself, or else of a program that reads it, knows of a place."""
        for traced in self.about(path):
            if (found := traced.hover(path, place)) is not None:
                return found, traced
        return None


def edits_now(traced: Traced, fix: Fix) -> list[tuple[Located, str]] | None:
    """Where the edits of ``fix`` go now; None when the text of any has changed."""
    located = [(traced.now(edit.span), edit.new_text) for edit in fix.edits]
    places = [(place, text) for place, text in located if place is not None]
    return places if places and len(places) == len(located) else None


def _files(traced: Traced) -> set[str]:
    return {finding.span.path for finding in traced.result.findings}
