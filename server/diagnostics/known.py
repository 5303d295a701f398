"""What was known of an expression when the program failed."""

from __future__ import annotations

from ..doc.source import Span
from ..tracer.trace import Array, Failure, Trace, Value


def value_at(trace: Trace, failure: Failure, span: Span) -> Value:
    """The latest value of an expression of the failing function, as far as it was recorded."""
    for _, where, value in failure.operands:
        if where == span and isinstance(value, Array):
            return value
    text = trace.text(span)
    scope = next((s.scope for s in trace.sites if s.span == span), None)
    for event in reversed(trace.events):
        if event.site.span == span and event.kind == "op":
            return event.result
        for place, known in zip(event.site.operands, event.operands, strict=True):
            named = place.name == text and scope in (None, event.site.scope)
            if known is not None and (place.span == span or named):
                return known
        if any(name == text for name, _ in event.site.targets):
            return event.result
    return _argument(trace, failure, text)


def _argument(trace: Trace, failure: Failure, name: str) -> Value:
    """A parameter's value by what the caller passed, for one that no operation read."""
    known = [call for call in failure.calls if call.known]
    function = known[-1].function.rpartition(".")[2]
    scope = next((s for s in trace.scopes if s.name == function and name in s.parameters), None)
    site = next((s for s in trace.sites if s.is_call and len(known) > 1
                 and s.span == known[-2].span), None)  # fmt: skip
    if scope is None or site is None:
        return None
    method = scope.parameters[:1] == ("self",)
    role = str(scope.parameters.index(name) - method)
    where = next((o for o in site.operands if o.role in (role, name)), None)
    if where is None:
        return None
    for event in reversed(trace.events):
        if where.site is not None and event.site.number == where.site:
            return event.result
        if where.name and any(target == where.name for target, _ in event.site.targets):
            return event.result
    return None
