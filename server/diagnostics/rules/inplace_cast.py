"""Results that the array they are written into can't hold.

## What it does
Explains the exception of an in-place operator or of ``out=`` whose result is of another kind than
the array it should go into: floats into whole numbers, complex into real, signed into unsigned.

## Why it is bad
The script ended there. ``x += y`` keeps the element type that ``x`` has, however it got it; a list
of whole numbers, ``np.arange(5)`` and ``np.bincount`` all give integers.

## Example
```python
import numpy as np

counts = np.array([3, 5, 8])
noise = np.array([0.1, -0.2, 0.0])
counts += noise
```

## Use instead
```python
import numpy as np

counts = np.array([3, 5, 8])
noise = np.array([0.1, -0.2, 0.0])
counts = counts + noise
```

## When to ignore
When the exception is the point of the script. Where rounding towards zero is meant, say so:
``np.add(counts, noise, out=counts, casting="unsafe")``.

## References
- NumPy, Casting rules: https://numpy.org/doc/stable/reference/generated/numpy.can_cast.html
- NumPy, ufuncs, output type: https://numpy.org/doc/stable/user/basics.ufuncs.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...doc.source import Span
from ...ir import ArrayType
from ...tracer.trace import Array, Failure, Site, Trace, Value
from .. import ops
from ..describe import calls_to, fitting, name_at, origin, row, sizes, type_of
from ..model import Edit, Finding, Fix, Operand, Severity
from ..syntax import joined, line_start, target_span, without_keyword

SEVERITY = Severity.ERROR

_MESSAGE = re.compile(
    r"Cannot cast (?:ufunc '\w+' output|array data|scalar)"
    r" from dtype\('(.+?)'\) to dtype\('(.+?)'\)"
)
_KINDS = {"float": "f", "int": "i", "uint": "u", "complex": "c"}


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """What should have gone into what."""
    said, site = _MESSAGE.search(failure.message), failure.site
    if said is None or site is None:
        return None
    target = _target(site, failure)
    if target is None:
        return None
    span, value = target
    if site.kind.endswith(":item") and not isinstance(value, Array):  # an array in a dict or list
        span, value = target_span(trace, site), None
    name = name_at(trace, span)
    given, room = map(_element, said.groups())
    fact = f"the result is {given}, {name} holds {room}"
    sign = ops.SIGNS.get(ops.operator(site))
    short = f"{name} {sign}= …" if sign else f"{trace.text(site.span).partition('(')[0]}()"
    says = (f"{name_at(trace, site.span, 40)}: {fact}", f"{short}: {fact}", fact)
    made = origin(trace, name, value, other_than=site.span, verb=f"is {room} from here on")
    return Finding(
        code="inplace-cast",
        severity=SEVERITY,
        headline=fitting("error", "inplace-cast", says),
        span=site.span,
        labels=() if made is None else (made,),
        operands=tuple(_rows(trace, failure, value, given, room)),
        fixes=tuple(_fixes(trace, site, span)),
        call_path=calls_to(failure),
    )


def _target(site: Site, failure: Failure) -> tuple[Span, Value] | None:
    """What should have been written to."""
    wanted = "0" if site.kind.startswith("inplace:") else "out"
    if site.is_call and not any(o.role == "out" for o in site.operands):
        wanted = "0"  # np.copyto and its like
    for role, span, value in failure.operands:
        if role == wanted:
            return span, value
    return None


def _rows(
    trace: Trace, failure: Failure, target: Value, given: str, room: str
) -> Iterator[Operand]:
    for role, span, value in failure.operands:
        found = row(name_at(trace, span), value) if role not in ("index", "out") else None
        if found is not None:
            yield found
    kind = type_of(target)
    shape = sizes(kind) if isinstance(kind, ArrayType) else ()
    if isinstance(target, Array) and failure.site and not failure.site.kind.endswith(":item"):
        yield Operand("⇒", given, shape, note=f"does not go into {room}")


def _fixes(trace: Trace, site: Site, target: Span) -> Iterator[Fix]:
    name = trace.text(target)
    sign = ops.SIGNS.get(ops.operator(site))
    if site.kind.endswith(":item") and target != target_span(trace, site):
        yield from _wider(trace, site, target)
    elif sign:
        value = next(o.span for o in reversed(site.operands))
        new = f"{name} = {joined(name, sign, _value_text(trace, site, value))}"
        parameter = name in trace.scopes[site.scope].parameters
        yield Fix(" ".join(new.split()), (Edit(site.span, new),), safe=not parameter)
    elif site.discarded:
        call = without_keyword(trace.text(site.span), "out")
        if call is not None:
            yield Fix(f"{name} = {call}", (Edit(site.span, f"{name} = {call}"),))


def _value_text(trace: Trace, site: Site, last: Span) -> str:
    """The right side of an augmented assignment, whatever it is made of."""
    at, end = target_span(trace, site), site.span
    behind = trace.text(Span(at.path, at.end_line, at.end_column, end.end_line, end.end_column))
    return behind.partition("=")[2].strip() or trace.text(last)


def _wider(trace: Trace, site: Site, target: Span) -> Iterator[Fix]:
    """For ``x[i] /= y``: a wider ``x``, ahead of the line."""
    name = trace.text(target)
    if not name.isidentifier():
        return
    at = line_start(trace, site.span)
    before = trace.sources[at.path].line(at.line)[: site.span.column]
    edits: tuple[Edit, ...] = ()
    if site.loop is None and not before.strip():  # no other statement begins the line
        edits = (Edit(at, f"{before}{name} = {name}.astype(float)\n"),)
    yield Fix(f"{name} = {name}.astype(float), ahead of this line", edits)


def _element(dtype: str) -> str:
    """``f64`` for ``float64``."""
    named = re.fullmatch(r"([a-z]+?)(\d+)", dtype)
    return _KINDS[named[1]] + named[2] if named and named[1] in _KINDS else dtype
