"""Exceptions that end the script.

## What it does
Reports an exception that nothing caught and that no other rule explains, at the innermost line of
the program, with the calls that led there. Also a file that does not compile, and a script that
ended early with a status of its own (as information, since that may be meant).

## Why it is bad
What stands below the line never ran, so nothing is known of it.

## Example
```python
settings = {"rate": 0.1}
step = settings["learning_rate"]
```

## Use instead
```python
settings = {"rate": 0.1}
step = settings["rate"]
```

## When to ignore
When the exception is the point: a script that shows an error, or one that checks its arguments and
exits.

## References
- The Python Tutorial, Errors and Exceptions: https://docs.python.org/3/tutorial/errors.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.trace import Failure, Outcome, Trace
from ..describe import calls_to, line_span, printed_most, signal_name, size
from ..model import Finding, Severity

SEVERITY = Severity.ERROR
LAST = True


def explain(trace: Trace, failure: Failure) -> Finding:
    """The exception as it is, where no rule knows better."""
    span = failure.span or Span(trace.path, 1, 0, 1, 0)
    headline = failure.type
    if failure.message:
        headline += ": " + failure.message.strip().partition("\n")[0]
    notes = [text for text in failure.notes if text]
    rest = failure.message.strip().partition("\n")[2].strip()
    if rest:
        notes.insert(0, rest)
    if failure.type == "ModuleNotFoundError":
        notes.append("the interpreter was " + (trace.interpreter or "not known"))
    return Finding(
        code="script-error",
        severity=SEVERITY,
        headline=headline,
        span=span,
        call_path=calls_to(failure),
        notes=tuple(notes),
    )


def check(trace: Trace) -> Iterator[Finding]:
    """Runs that ended in another way than by their last line, a caught limit, or an exception."""
    if trace.syntax is not None:
        message, span = trace.syntax
        yield Finding("script-error", SEVERITY, f"this does not compile: {message}", span)
    yield from _outcome(trace, trace.outcome)
    if trace.output_bytes > len(trace.output.encode()):
        kept = size(len(trace.output.encode()))
        yield Finding(
            code="script-error",
            severity=Severity.INFORMATION,
            headline=f"the script printed {size(trace.output_bytes)}; the first {kept} were kept",
            span=printed_most(trace) or line_span(trace, 1),
        )
    if trace.dropped:
        yield Finding(
            code="script-error",
            severity=Severity.INFORMATION,
            headline=f"the last {trace.dropped:,} operations of the run were not recorded",
            span=line_span(trace, 1),
        )


def _outcome(trace: Trace, outcome: Outcome) -> Iterator[Finding]:
    running = next((line for path, line, _ in outcome.stack if path == trace.path), None)
    where = line_span(trace, outcome.line or running or 1)
    information = Severity.INFORMATION
    match outcome.status:
        case "exit" if outcome.code:
            text = f"the script ended here with exit status {outcome.code}"
            yield Finding("script-error", information, text, where)
        case "left" if outcome.line is not None:
            text = f"the process ended itself here, without cleaning up, with status {outcome.code}"
            yield Finding("script-error", information, text, where)
        case "left" if outcome.detail:
            text = f"the script ran to its end; its clean-up ended with status {outcome.code}"
            yield Finding("script-error", information, text, line_span(trace, 1))
        case "left":
            text = f"the recording was cut off; the process ended with exit status {outcome.code}"
            yield Finding("script-error", information, text, where)
        case "killed":
            text = f"the process was ended by {signal_name(outcome.code)} while this ran"
            yield Finding("script-error", SEVERITY, text, where)
        case "protocol":
            text = "the script disturbed its own recording; what was seen before is shown"
            yield Finding("script-error", SEVERITY, text, where, notes=(outcome.detail,))
        case "unavailable":
            text = "the interpreter could not be started"
            yield Finding("script-error", SEVERITY, text, where, notes=(outcome.detail,))
