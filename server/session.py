"""One traced run of one program: from a text to a result that every front end shows in its own
way."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from .diagnostics.describe import line_span
from .diagnostics.model import Finding, Severity
from .diagnostics.rules import all_rules, judge
from .diagnostics.suppress import UNUSED, suppressions, unused, without_suppressed
from .doc.source import Source, Span
from .ir import registry
from .launch import Limits, NotText, Request, Worker, refuse_nul, start, text_of
from .project import Project, ProjectError, project_of
from .supervisor import Cancel, Cancelled, Exchange, Progress, attend
from .tape import Tape
from .tracer.trace import Outcome, Trace

__all__ = [
    "Cancel",
    "Cancelled",
    "Limits",
    "Progress",
    "Request",
    "Result",
    "judged",
    "read",
    "trace",
]


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave: the findings, the trace they were read from, and the texts they point
    into."""

    request: Request
    findings: tuple[Finding, ...]
    sources: Mapping[str, Source]
    trace: Trace
    seconds: float


def trace(
    request: Request,
    cancel: Cancel,
    progress: Progress | None = None,
    worker: Worker | None = None,
    tape: Tape | None = None,
    use: Callable[[Result, Exchange], None] | None = None,
) -> Result:
    """Run the program and judge what it did. Blocks; at most ``limits.wall`` and a little more.

    ``worker`` is one that was started for the request already; what it sends is kept on ``tape``.
    One that waits when its program has ended is put to ``use``.

    Raises:
        Cancelled: when ``cancel`` says so.
    """
    began = time.monotonic() if worker is None else worker.ends.started
    try:
        refuse_nul(request.text)
        running = worker or start(request)
        all_rules(), registry.all_ops()  # loaded, once, while the program runs

        def put_to_use(recorded: Trace, exchange: Exchange) -> None:
            if use is not None:
                use(result_of(request, recorded, time.monotonic() - began), exchange)

        recorded = attend(running, cancel, progress, tape, put_to_use)
    except NotText as error:
        recorded = _not_run(request, str(error), error.line)
    except OSError as error:
        recorded = _not_run(request)
        detail = f"{request.interpreter}: {error.strerror}"
        recorded.outcome = Outcome("unavailable", detail=detail)
    return result_of(request, recorded, time.monotonic() - began)


def read(request: Request) -> Request | Result:
    """The request with the text of its file; or, where that is no text, the result that says so.

    Raises:
        OSError: the file can't be read.
    """
    try:
        return replace(request, text=text_of(request.path))
    except NotText as error:
        request = replace(request, text=error.readable)
        recorded = _not_run(request, str(error), error.line)
        return result_of(request, recorded, 0.0)


def judged_anew(result: Result) -> Result:
    """The same run by the project's configuration as it is now."""
    return result_of(result.request, result.trace, result.seconds)


def result_of(request: Request, recorded: Trace, seconds: float) -> Result:
    """A run that took ``seconds``, judged."""
    found, sources = judged(recorded), dict(recorded.sources)
    if request.entry is not None and request.entry.kind != "script":
        found = tuple(_beside_driver(finding, request) for finding in found)
    if request.file not in sources:  # it was not even imported
        with suppress(OSError, NotText):
            sources[request.file] = Source(request.file, text_of(request.file))
    return Result(request, found, sources, recorded, seconds)


def _beside_driver(finding: Finding, request: Request) -> Finding:
    """The same without the lines that stand in for a program, which no user has ever seen."""
    assert request.entry is not None
    driver, notes, span = request.path, finding.notes, finding.span
    if span.path == driver:
        span = Span(request.file, 1, 0, 1, 0)
        notes = (*notes, f"it was run by the entry {request.entry.text!r}")
    return replace(
        finding,
        span=span,
        notes=notes,
        at="" if finding.span.path == driver else finding.at,
        labels=tuple(label for label in finding.labels if label.span.path != driver),
        call_path=tuple(call for call in finding.call_path if call[0].path != driver),
    )


def judged(recorded: Trace) -> tuple[Finding, ...]:
    """The findings of a run that neither the project nor a comment in the text has ruled out."""
    found: list[Finding] = []
    try:
        project = project_of(recorded.path)
    except ProjectError as error:
        project = Project()
        headline = f"the configuration is not used: {error}"
        where = line_span(recorded, 1)
        found.append(Finding("script-error", Severity.INFORMATION, headline, where))
    found += [
        replace(f, severity=Severity(project.severity.get(f.code, f.severity)))
        for f in judge(recorded, project.options)
        if project.wants(f.code, f.span.path)
    ]
    comments = {path: suppressions(source) for path, source in recorded.sources.items()}
    known = [one for of_file in comments.values() for one in of_file]
    left = without_suppressed(found, known)
    if recorded.outcome.status == "finished" and project.wants(UNUSED, recorded.path):
        for path, of_file in comments.items():
            left += unused(found, of_file, recorded.sources[path])
    return tuple(sorted(left, key=lambda f: f.span))


def _not_run(request: Request, reason: str = "", line: int = 1) -> Trace:
    recorded = Trace(request.path, {request.path: Source(request.path, request.text)})
    recorded.interpreter = request.interpreter
    if reason:
        width = len(recorded.sources[request.path].line(line))
        recorded.syntax = (reason, Span(request.path, line, 0, line, width))
        recorded.outcome = Outcome("syntax")
    return recorded
