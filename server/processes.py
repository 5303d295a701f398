"""Which functions a program hands to other processes, as far as its text shows. Nothing that they
do is recorded, and whoever looks at them is told why."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from .diagnostics.syntax import enclosing, tree
from .doc.source import Source, Span

UNRECORDED = "runs in other processes, which are not recorded"

_STARTS = re.compile(r"\bmultiprocessing\b|\bProcessPoolExecutor\b|\bjoblib\b")
_TAKES_FUNCTION = frozenset({
    "map", "imap", "imap_unordered", "starmap", "apply", "map_async", "starmap_async",
    "apply_async", "submit", "delayed",
})  # fmt: skip
"""What is called with a function first: methods of pools, and joblib's ``delayed``."""


@lru_cache(maxsize=32)
def handed_over(text: str) -> frozenset[str]:
    """The names of the functions that a file's text hands to other processes.

    >>> sorted(handed_over('''
    ... from multiprocessing import Pool, Process
    ... Process(target=work).start()
    ... with Pool() as pool:
    ...     pool.map(step, range(4))
    ... '''))
    ['step', 'work']
    """
    module = tree(text) if _STARTS.search(text) else None
    if module is None:
        return frozenset()
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    return frozenset(filter(None, map(_function, calls)))


def is_elsewhere(source: Source, span: Span) -> bool:
    """Whether a place is in a function that runs in other processes."""
    names = handed_over(source.text)
    return bool(names) and any(
        isinstance(node, ast.FunctionDef) and node.name in names
        for node in enclosing(source, span)
    )  # fmt: skip


def _function(call: ast.Call) -> str:
    called = ast.unparse(call.func).rpartition(".")[2]
    given: ast.expr | None = None
    if called == "Process":
        given = next((k.value for k in call.keywords if k.arg == "target"), None)
    elif called in _TAKES_FUNCTION and call.args:
        given = call.args[0]
    match given:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
