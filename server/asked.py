"""What the arguments of the command line ask for: runs of files, rules, names to call files by."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from .diagnostics.rules import all_rules
from .launch import Request, Unusable, Worker, request_for
from .session import Cancel, Result, read, trace
from .supervisor import Exchange
from .tracer.trace import Trace


def traced(
    file: str,
    options: argparse.Namespace,
    started: Worker | None,
    cancel: Cancel | None = None,
    run: Callable[[Request, Cancel], Result] = trace,
    use: Callable[[Result, Exchange], None] | None = None,
) -> Result:
    """The run of a file; by the worker that was ``started`` for it, where there is one, else by
    ``run``. A worker that waits when its program has ended is put to ``use``.

    Raises:
        Unusable: there is no such file, or no interpreter.
        Cancelled: ``cancel`` asked for it.
    """
    cancel = cancel or Cancel()
    request = started.request if started is not None else _read(file, options)
    if isinstance(request, Result):
        return request
    if started is None and use is None:
        result = run(request, cancel)
    else:
        result = trace(request, cancel, worker=started, use=use)
    if not request.fake or result.trace.outcome.status != "raised":
        return result
    why = _where(result.trace)
    print(f"jit-lsp: {file}: types and sizes are not enough{why}; computing", file=sys.stderr)
    return trace(replace(request, fake=False), cancel)


def _where(trace: Trace) -> str:
    """The place and the name of the exception that ended a run."""
    failure = trace.failure
    if failure is None:
        return ""
    lines = [call.span.line for call in failure.calls if call.span.path == trace.path]
    place = f" in line {lines[-1]}" if lines else ""
    return f"{place} ({failure.type})"


def _read(file: str, options: argparse.Namespace) -> Request | Result:
    """The request for a file; or the result, where its bytes are no program.

    Raises:
        Unusable: there is no such file, or no interpreter.
    """
    if Path(file).is_dir():
        raise Unusable(f"{file} is a folder; name a file")
    try:
        return read(request_for(file, options))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(f"{file}: {reason}" if error.strerror else reason) from None


def as_given(path: str, given: str) -> Callable[[str], str]:
    """Names of files as the user would write them: the one given as given, others from here."""

    def shown(other: str) -> str:
        if other == path:
            return given
        relative = os.path.relpath(other)
        return other if relative.startswith("..") else relative

    return shown


def selection(select: str | None, ignore: str | None) -> Callable[[str], bool]:
    """Whether a rule's findings are wanted.

    Raises:
        Unusable: a rule that there isn't.
    """
    wanted = _rules(select) if select is not None else set(all_rules())
    wanted -= _rules(ignore or "")
    return wanted.__contains__


def _rules(text: str) -> set[str]:
    names = {name.strip() for name in text.split(",") if name.strip()}
    for name in names:
        if name not in all_rules():
            raise Unusable(unknown_rule(name))
    return names


def unknown_rule(name: str) -> str:
    """What to say of a rule that there isn't, with the nearest one that there is."""
    close = get_close_matches(name, all_rules(), 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"there is no rule {name!r}{hint}"
