"""What the sandbox did not let the script do.

## What it does
Reports the line where a script ended because it wanted something that a confined run has not: to
reach the network, to read a file of secrets, to write more than a run may keep, to start more
processes. The script saw an ordinary ``OSError`` and did not catch it.

## Why it is bad
It need not be: the script may be right, and the sandbox in its way. But what stands below that line
never ran, so nothing is known of it.

## Example
```python
from urllib.request import urlopen

table = urlopen("https://example.org/table.csv").read()
```

## Use instead
```python
from urllib.error import URLError
from urllib.request import urlopen

try:
    table = urlopen("https://example.org/table.csv").read()
except URLError:
    table = b"1,2\\n3,4\\n"
```

## When to ignore
When the script is one that you trust: ``jit-lsp check --no-sandbox FILE`` runs it unconfined, and
so does ``jit-lsp run FILE``. The project's ``[tool.jit-lsp.sandbox]`` can let its runs write to
some of its folders, and raise limits. A script that keeps what it downloads in a file needs that
only once.

## References
- ``docs/security.md``: what the sandbox keeps apart, and what it can't
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from ...doc.source import Span
from ...tracer.trace import Failure, Trace
from ..describe import calls_to, fitting, shortened
from ..model import Finding, Severity

SEVERITY = Severity.WARNING

_OF_PATHS = ("read", "write", "move", "space")
_BLOCKED = {
    "read": ("reading {} was blocked in the sandbox", "the sandbox keeps this file secret"),
    "write": ("writing {} was blocked in the sandbox", "the sandbox blocked this write"),
    "move": ("the sandbox can't move {} that far", "the sandbox can't move a file that far"),
    "connect": ("{} was blocked: the sandbox has no network", "the sandbox has no network"),
    "space": ("{} was blocked: the sandbox is full", "the files of the sandbox are full"),
    "size": ("{} was blocked: the file is too large", "too large a file for the sandbox"),
    "start": ("{} was blocked: too many processes", "too many processes for the sandbox"),
}
_SETTINGS = {
    "size": 'file-size = "1 GB"',
    "space": 'scratch = "1 GB"',
    "start": "processes = 1000",
}
_ELSE = ("{} was blocked in the sandbox", "the sandbox blocked this call")
"""Headlines with what was blocked, and without where that is too long to name."""


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """A failure that the sandbox led to, as the worker found."""
    if failure.blocked is None:
        return None
    effect, path = failure.blocked
    span = failure.span or Span(trace.path, 1, 0, 1, 0)
    code = " ".join(trace.text(span).split())
    says = _BLOCKED.get(effect, _ELSE)
    names = (code, code.partition("(")[0])
    if path and effect in _OF_PATHS:
        names = (path, PurePath(path).name)
    headlines = [says[0].format(name) for name in names if name] + [says[1]]
    if code.startswith("raise "):
        headlines = ["the sandbox blocked what led to this"]
    return Finding(
        code="blocked-effect",
        severity=SEVERITY,
        headline=fitting("warning", "blocked-effect", headlines),
        span=span,
        call_path=calls_to(failure),
        notes=(
            shortened(f"the script saw {failure.type}: {failure.message}", 200),
            *_allowed(effect, path),
            "--no-sandbox lets a script that you trust do all that you may",
        ),
    )


def _allowed(effect: str, path: str) -> Iterator[str]:
    """What to set in pyproject.toml, where that allows it."""
    if effect in ("write", "move") and path and not path.startswith(("/", "..")):
        first, *_ = (*PurePath(path).parts, ".")
        place = first if effect == "write" else str(PurePath(path).parent)
        yield f'[tool.jit-lsp.sandbox] write = ["{place}"] allows it, where that exists'
    elif effect in _SETTINGS:
        yield f"[tool.jit-lsp.sandbox] {_SETTINGS[effect]} allows more"
