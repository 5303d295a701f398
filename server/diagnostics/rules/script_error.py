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

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches

from ...doc.source import Span
from ...ir import registry
from ...tracer.trace import Constant, Failure, Outcome, Scalar, Trace, Value
from ..describe import calls_to, line_span, name_at, printed_most, row, shortened, size
from ..model import Edit, Finding, Fix, Operand, Severity
from ..syntax import tree

SEVERITY = Severity.ERROR
LAST = True

MOST_TEXT = 400
"""Characters of an exception's text that are shown."""
_MISSING = re.compile(
    r"name '(?P<name>\w+)' is not defined"
    r"|(?:module )?'(?P<owner>[\w.]+)'(?: object)? has no attribute '(?P<attribute>\w+)'"
)


def explain(trace: Trace, failure: Failure) -> Finding:
    """The exception as it is, where no rule knows better."""
    span = failure.span or Span(trace.path, 1, 0, 1, 0)
    first, _, rest = failure.message.strip().partition("\n")
    headline = f"{failure.type}: {first}" if first else failure.type
    notes = [rest.strip(), *failure.notes]
    if failure.type == "ModuleNotFoundError":
        notes.append("the interpreter was " + (trace.interpreter or "not known"))
    return Finding(
        code="script-error",
        severity=SEVERITY,
        headline=shortened(headline, MOST_TEXT),
        span=span,
        operands=tuple(_operands(trace, failure)),
        call_path=calls_to(failure),
        notes=tuple(shortened(text, MOST_TEXT) for text in notes if text),
        fixes=tuple(_spelling(trace, failure, span)),
    )


def _operands(trace: Trace, failure: Failure) -> Iterator[Operand]:
    """The arrays that met, and the numbers that they were indexed with."""
    if failure.site is None or failure.truth:
        return
    for where, (_, span, value) in zip(failure.site.operands, failure.operands, strict=False):
        name = name_at(trace, span)
        found = row(name, value, note=_single(value))
        if found is not None:
            yield found
        elif isinstance(value, Constant) and where.role == "index" and value.value is not None:
            yield Operand(name, type(value.value).__name__, (), note=str(value.value))


def _single(value: Value) -> str:
    return str(value.value) if isinstance(value, Scalar) and value.value is not None else ""


def _spelling(trace: Trace, failure: Failure, span: Span) -> Iterator[Fix]:
    """A name that is known and looks like the one that isn't."""
    missing = _MISSING.search(failure.message)
    if missing is None or failure.type not in ("NameError", "AttributeError"):
        return
    owner, name = missing["owner"] or "", missing["attribute"] or missing["name"]
    close = get_close_matches(name, _known_names(trace, owner, name), 1, 0.75)
    text = trace.text(span)
    if close and text.endswith(name) and "\n" not in text:
        new = text[: len(text) - len(name)] + close[0]
        yield Fix(new, (Edit(span, new),))


def _known_names(trace: Trace, owner: str, missing: str) -> set[str]:
    """Names that could have been meant: the program's own, or those of NumPy."""
    if owner.startswith("numpy"):
        prefix = "ndarray." if owner == "numpy.ndarray" else owner[len("numpy.") :]
        prefix = f"{prefix.rstrip('.')}." if prefix else ""
        symbols = [s.name for s in registry.all_ops() if s.namespace == "np"]
        return {n[len(prefix) :] for n in symbols if n.startswith(prefix)} - {missing}
    source = trace.sources.get(trace.path)
    module = tree(source.text) if source is not None and not owner else None
    names = (
        {node.id for node in ast.walk(module) if isinstance(node, ast.Name)} if module else set()
    )
    return names - {missing}


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
    if trace.unrecorded:
        yield Finding(
            code="script-error",
            severity=Severity.INFORMATION,
            headline="this ran without being recorded, by a fault of jit-lsp: please report it",
            span=line_span(trace, 1),
            notes=(trace.unrecorded,),
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
            if outcome.detail == "stopped":
                limit = trace.limit_seconds or 0
                text = f"the script ran to its end, but not its clean-up: stopped after {limit:g} s"
            yield Finding("script-error", information, text, line_span(trace, 1))
        case "left":
            text = f"the recording was cut off; the process ended with exit status {outcome.code}"
            yield Finding("script-error", information, text, where)
        case "protocol":
            text = "the script disturbed its own recording; what was seen before is shown"
            yield Finding("script-error", SEVERITY, text, where, notes=(outcome.detail,))
        case "unavailable":
            text = "the interpreter could not run it"
            yield Finding("script-error", SEVERITY, text, where, notes=(outcome.detail,))
