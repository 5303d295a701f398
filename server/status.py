"""How the runs of a program stand: for status items, and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from .diagnostics.describe import signal_name
from .diagnostics.model import Finding, Severity
from .diagnostics.report import one_line
from .session import Result
from .tracer.trace import Trace


class State(StrEnum):
    """What a program does now, or else how its last run was left."""

    NEVER = "never"
    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"  # given up: what an older run found still shows
    UNAVAILABLE = "unavailable"  # it could not begin


@dataclass(slots=True)
class Activity:
    """What is known of a program's present run, or of its last one; lines count from 1."""

    state: State = State.NEVER
    line: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """The activity, and what the last result said."""

    activity: Activity
    stale: bool = False
    outcome: str = ""
    interpreter: str = ""
    python: str = ""
    confined: tuple[str, ...] = ()
    findings: dict[str, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))


def status_of(activity: Activity, result: Result | None, *, stale: bool) -> Status:
    """The status of a program; ``result`` is the last that it had."""
    if result is None:
        return Status(activity, stale)
    trace = result.trace
    counts = Counter(finding.severity for finding in result.findings)
    return Status(
        activity,
        stale,
        outcome(trace),
        trace.interpreter,
        trace.python,
        trace.confined,
        {severity.value: counts[severity] for severity in Severity},
    )


def outcome(trace: Trace) -> str:
    """How a run ended, in a few words.

    >>> from .tracer.trace import Outcome
    >>> outcome(Trace("a.py", {}, outcome=Outcome("exit", 3)))
    'left by sys.exit(3)'
    """
    ended = trace.outcome
    match ended.status:
        case "raised":
            return f"ended by {trace.failure.type}" if trace.failure else "ended by an exception"
        case "syntax":
            return f"no program: {trace.syntax[0]}" if trace.syntax else "no program"
        case "exit":
            return f"left by sys.exit({'' if ended.code is None else ended.code})"
        case "left":
            return f"left with status {ended.code}"
        case "killed":
            return f"ended by {signal_name(ended.code)}"
        case "timeout":
            limit = trace.limit_seconds
            return f"stopped after {limit:g} s" if limit else "stopped for its time"
        case "protocol":
            return f"the recording broke: {ended.detail}"
        case "unavailable":
            return f"could not run: {ended.detail}"
    return ended.status


def is_boundary(confined: Collection[str]) -> bool:
    """Whether these means keep hostile code in.

    >>> is_boundary(("landlock", "seccomp")), is_boundary(("seccomp", "audit"))
    (True, False)
    """
    return "namespaces" in confined or {"landlock", "seccomp"} <= {*confined}


def page(path: str, result: Result | None) -> str:
    """The status of a program's last run in Markdown."""
    return "\n".join(_page(path, result)) + "\n"


def _page(path: str, result: Result | None) -> Iterator[str]:
    yield f"# {Path(path).name}\n"
    if result is None:
        yield "There was no run yet."
        return
    trace, request = result.trace, result.request
    count = len(trace.events) + trace.dropped
    yield f"The last run **{outcome(trace)}** after {result.seconds:.2f} s."
    yield f"{count:,} operations were recorded.\n"
    yield "| | |\n| --- | --- |"
    for name, value in (
        ("file", request.path),
        ("ran in", request.directory or str(Path(request.path).parent)),
        ("arguments", " ".join(request.arguments)),
        ("interpreter", trace.interpreter),
        ("Python", trace.python),
        ("confined by", ", ".join(trace.confined) or "nothing"),
        (
            "",
            ""
            if is_boundary(trace.confined)
            else "which keeps accidents away, but no hostile code",
        ),
        ("time limit", f"{trace.limit_seconds:g} s" if trace.limit_seconds else "none"),
        ("printed", f"{trace.output_bytes:,} bytes"),
        ("not recorded", trace.unrecorded),
        ("not shown", f"{trace.dropped:,} operations" if trace.dropped else ""),
    ):
        if value:
            yield f"| {name} | {_cell(value)} |"
    if trace.began:
        yield "\n## Where it began\n"
        yield from (f"- {_cell(sentence)}" for sentence in trace.began)
    if result.findings:
        yield "\n## Findings\n"
        yield from (_finding(finding) for finding in result.findings)
    yield "\n## Files that it read\n"
    yield from (f"- {_cell(name)}" for name in trace.sources)


def _finding(finding: Finding) -> str:
    where = f"{Path(finding.span.path).name}:{finding.span.line}"
    return f"- {finding.severity.value}[{finding.code}] {where}: {_cell(one_line(finding))}"


def _cell(text: str) -> str:
    """Text that Markdown takes for nothing else."""
    return "".join(f"\\{c}" if c in "\\`*_|<>[]" else " " if c == "\n" else c for c in text)
