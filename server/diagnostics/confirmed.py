"""What a program itself checks and finds as it should be: nobody needs to be warned of that."""

from __future__ import annotations

import ast

from ..tracer.trace import Trace
from .model import Finding, Severity
from .syntax import covers, enclosing, span_of

_EXPECTS = frozenset({
    "raises", "warns", "assert_raises", "assert_warns", "assertRaises", "assertWarns",
    "deprecated_call", "assert_no_warnings",
})  # fmt: skip
"""What ``with`` is used with where something is bound to go wrong."""


def confirmed(trace: Trace, finding: Finding) -> bool:
    """Whether a warning is about a value that an assertion takes right there, and that it held."""
    source = trace.sources.get(finding.span.path)
    if finding.severity is not Severity.WARNING or source is None:
        return False
    failed = trace.failure.span if trace.failure is not None else None
    return any(
        _is_assertion(node) and not (failed is not None and covers(span_of(source, node), failed))
        for node in enclosing(source, finding.span)
    )


def _is_assertion(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            return name.startswith("assert")
        case ast.With(items) | ast.AsyncWith(items):
            return any(_expects(item.context_expr) for item in items)
    return False


def _expects(node: ast.expr) -> bool:
    match node:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            return name in _EXPECTS
    return False
