"""Arrays unpacked into another number of names than they have rows."""

from __future__ import annotations

import ast

from ..doc.source import Source, Span
from ..tracer.trace import Array, Failure, Trace
from .describe import name_at
from .known import value_at
from .model import Edit, Fix
from .shape_case import Conflict, Mark, Side, counted
from .syntax import covers, enclosing, primary, span_of


def unpacking(trace: Trace, failure: Failure) -> tuple[Conflict, tuple[Fix, ...]] | None:
    """Why ``x, y, z = a`` failed, where ``a`` is an array; and the way out, if there is one."""
    at = failure.span
    source = trace.sources.get(at.path) if at is not None else None
    if failure.type != "ValueError" or "values to unpack" not in failure.message:
        return None
    found = _unpacked(source, at) if source is not None and at is not None else None
    if found is None or source is None or at is None:
        return None
    names, values, axis = found
    span = span_of(source, values)
    value = value_at(trace, failure, span)
    kind = value.type if isinstance(value, Array) else None
    if kind is None or kind.ndim <= axis or None in kind.sizes:
        return None
    side = Side(name_at(trace, span), span, value, kind)
    has, whole = side.sizes[axis], "a row of " * axis + side.name
    what = "element" if kind.ndim == axis + 1 else "row"
    fact = f"{whole} has {counted(has, what)} for {counted(names, 'name')}"
    says = (f"{name_at(trace, at, 40)} = …: {fact}", fact) if not axis else (fact,)
    marks = {0: Mark(frozenset({axis}), f"must be {names}")}
    turned = kind.ndim == 2 and side.sizes[1 - axis] == names
    return Conflict(says, (side,), marks), (_turned(trace, span),) if turned else ()


def _unpacked(source: Source, at: Span) -> tuple[int, ast.expr, int] | None:
    """How many names there are, what is unpacked, and the axis of it that the names stand for."""
    for node in enclosing(source, at):
        pairs: list[tuple[ast.expr, ast.expr, int]] = []
        match node:
            case ast.Assign([target], values):
                pairs = [(target, values, 0)]
            case ast.For(target, values):
                pairs = [(target, values, 1)]
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                pairs = [(each.target, each.iter, 1) for each in node.generators]
        for target, values, axis in pairs:
            names = target.elts if isinstance(target, ast.Tuple | ast.List) else []
            plain = all(isinstance(name, ast.Name | ast.Attribute) for name in names)
            if names and plain and covers(span_of(source, target), at):
                return len(names), values, axis
    return None


def _turned(trace: Trace, span: Span) -> Fix:
    new = f"{primary(trace.text(span))}.T"
    return Fix(new, (Edit(span, new),))
