"""Integers that don't fit and wrap around.

## What it does
Reports ``+``, ``-``, ``*`` and their in-place forms on arrays of integers, and on NumPy's own
integers, whose result is not the exact one: 10 - 12 as ``uint8`` is 254.

## Why it is bad
An array keeps its element type, whatever the numbers are. The difference of two images, or the sum
of two counts, is wrong where it leaves the range of the type, and nothing says so.

## Example
```python
import numpy as np

frame0 = np.array([[10, 200], [30, 40]], dtype=np.uint8)
frame1 = np.array([[12, 200], [30, 10]], dtype=np.uint8)
diff = frame0 - frame1
```

## Use instead
```python
import numpy as np

frame0 = np.array([[10, 200], [30, 40]], dtype=np.uint8)
frame1 = np.array([[12, 200], [30, 10]], dtype=np.uint8)
diff = frame0.astype(np.int16) - frame1
```

## When to ignore
Where arithmetic modulo 2**n is meant. Unsigned integers of 32 and 64 bits, functions that work on
bits or speak of a hash or a checksum, and results that are masked, taken modulo or chosen from by
``np.where`` are never reported.

## References
- NumPy, Overflow errors: https://numpy.org/doc/stable/user/basics.types.html#overflow-errors
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tracer.trace import Array, Constant, Event, Scalar, Trace, Value
from .. import ops
from ..describe import fitting, name_at, origin, row, type_of
from ..model import Edit, Finding, Fix, Severity
from ..syntax import enclosing, joined, numpy_name, primary

SEVERITY = Severity.WARNING

_BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "i64": 64}
"""Element types with a range that is easily left by mistake."""
_SIGNS = {"Add": "+", "Sub": "-", "Mult": "*", "USub": "-"}
_MODULAR = re.compile(
    r"hash|crc|checksum|adler|fnv|lcg|prng|seed|rotl|rotr|wrap|modul|overflow|cipher|crypt",
    re.I,
)
_BITWISE = (ast.BitXor, ast.BitAnd, ast.LShift, ast.RShift, ast.Mod)
_CHOOSES = frozenset({"where", "select", "choose", "view", "astype"})


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once: arrays by what was seen as it happened, numbers by their values."""
    seen = set()
    for remark in trace.remarks:
        if remark.kind == "wrapped" and remark.event.site.number not in seen:
            count, a, b, _, given = remark.details
            if _reportable(trace, remark.event):
                seen.add(remark.event.site.number)
                yield _finding(trace, remark.event, (a, b, given), count)
    watched = not any("seterr(" in s.text for s in trace.sources.values())  # it is about numbers
    for event in trace.events if watched else ():
        numbers = _of_scalars(event)
        if numbers is not None and event.site.number not in seen and _reportable(trace, event):
            seen.add(event.site.number)
            yield _finding(trace, event, numbers, 1)


def _of_scalars(event: Event) -> tuple[object, object, object] | None:
    """The operands and the result of an operator on numbers that wrapped."""
    sign = ops.operator(event.site)
    if sign not in ("Add", "Sub", "Mult") or not isinstance(event.result, Scalar):
        return None
    values = [_whole(v) for v in event.operands]
    given = event.result.value
    if len(values) != 2 or None in values or type(given) is not int:
        return None
    a, b = values
    exact = _exact(sign, a, b)
    return (a, b, given) if exact is not None and exact != given else None


def _whole(value: Value) -> int | None:
    number = value.value if isinstance(value, Constant | Scalar) else None
    return number if type(number) is int else None


def _exact(sign: str, a: object, b: object) -> int | None:
    if type(a) is not int or type(b) is not int:
        return None
    return a + b if sign == "Add" else a * b if sign == "Mult" else a - b


def _reportable(trace: Trace, event: Event) -> bool:
    """Whether arithmetic modulo 2**n is not what is meant."""
    kind = type_of(event.result)
    if kind is None or kind.element not in _BITS:
        return False
    span = event.site.span
    if _MODULAR.search(event.frame.scope.name):
        return False
    for node in enclosing(trace.sources[span.path], span):
        if isinstance(node, ast.BinOp) and isinstance(node.op, _BITWISE):
            return False
        if isinstance(node, ast.AugAssign) and isinstance(node.op, _BITWISE):
            return False
        if isinstance(node, ast.Call) and _called(node) in _CHOOSES:
            return False
        if isinstance(node, ast.With) and "errstate" in ast.unparse(node.items[0].context_expr):
            return False
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            return not any(isinstance(n, ast.BitXor | ast.LShift | ast.RShift)
                           for n in ast.walk(node))  # fmt: skip
    return not any(_MODULAR.search(name) for name, _ in event.site.targets)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _finding(
    trace: Trace, event: Event, numbers: tuple[object, object, object], count: object
) -> Finding:
    site, span = event.site, event.site.span
    kind = type_of(event.result)
    element = kind.element if kind is not None else ""
    a, b, given = numbers
    sign = _SIGNS[ops.operator(site)]
    exact = _exact("Sub" if sign == "-" else ops.operator(site), a, b)
    sum_ = f"{a} {sign} {b}" if type(a) is int and type(b) is int else ""
    sum_ = f"-{b}" if site.kind.startswith("unary") and type(b) is int else sum_
    fact = f"{sum_} is {given} in {element}"
    text = name_at(trace, span, 32)
    says = (
        f"{text} wraps around: {fact}",
        f"{text}: {fact}",
        fact,
        f"{text} wraps around in {element}",
    )
    total = kind.size if kind is not None else None
    share = f", {count:,} of {total:,} elements" if type(count) is int and total else ""
    note = f"exact would be {exact:,}{share if total != 1 else ''}" if exact is not None else ""
    sides = {name_at(trace, o.span): v for o, v in zip(site.operands, event.operands, strict=True)}
    rows = [row(name, value) for name, value in sides.items()]
    first = next((p for p in zip(site.operands, event.operands, strict=True)
                  if isinstance(p[1], Array)), None)  # fmt: skip
    made = (
        origin(trace, name_at(trace, first[0].span), first[1], other_than=span) if first else None
    )
    return Finding(
        code="integer-wraparound",
        severity=SEVERITY,
        headline=fitting("warning", "integer-wraparound", says),
        span=span,
        labels=() if made is None else (made,),
        operands=tuple(r for r in rows if r is not None),
        notes=(note,) if note else (),
        fixes=tuple(_fixes(trace, event, element, exact)),
    )


def _fixes(trace: Trace, event: Event, element: str, exact: int | None) -> Iterator[Fix]:
    """The first array in a type that has room."""
    site, np = event.site, numpy_name(trace)
    if element == "i64" or not site.kind.startswith("binary:"):
        return
    wide = f"{np}.int{min(2 * _BITS[element], 64)}"
    if exact is not None and not -(2 ** (2 * _BITS[element] - 1)) <= exact:
        wide = f"{np}.int64"
    left, right = site.operands
    array = next((o for o, v in ((left, event.operands[0]), (right, event.operands[1]))
                  if isinstance(v, Array | Scalar)), None)  # fmt: skip
    if array is None:
        return
    text = f"{primary(trace.text(array.span))}.astype({wide})"
    sign = ops.SIGNS[ops.operator(site)]
    sides = (text, trace.text(right.span)) if array is left else (trace.text(left.span), text)
    new = joined(sides[0], sign, sides[1])
    yield Fix(" ".join(new.split()), (Edit(array.span, text),))
