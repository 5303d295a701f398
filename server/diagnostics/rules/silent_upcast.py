"""float64 arrays that nobody asked for, met by float32 ones.

## What it does
Reports an operator on a float32 array, which the program made so on purpose, and a float64 array
whose constructor was not told an element type: ``np.zeros(n)``, ``np.linspace``, ``rng.normal``.
Numbers, also those of NumPy, don't widen an array and are never reported.

## Why it is bad
The result is float64, and so is all that is computed from it: twice the memory and about half the
speed. What wants float32 later, such as a file or a network, converts or complains.

## Example
```python
import numpy as np

audio = np.ones(1000, dtype=np.float32)
bias = np.zeros(1000)
out = audio + bias
```

## Use instead
```python
import numpy as np

audio = np.ones(1000, dtype=np.float32)
bias = np.zeros(1000, dtype=np.float32)
out = audio + bias
```

## When to ignore
Where the wider result is wanted; ``dtype=float`` in the constructor says so, and then nothing is
reported.

## References
- NumPy, Data type promotion: https://numpy.org/doc/stable/reference/arrays.promotion.html
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...tracer.trace import Array, Event, SiteOperand, Trace, Value
from .. import ops
from ..describe import fitting, name_at, row, size
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import call_at, numpy_name

SEVERITY = Severity.INFORMATION

_CONSTRUCTORS = frozenset({"zeros", "ones", "empty", "full", "linspace", "eye", "identity"})
_TAKE_A_TYPE = frozenset({"random.Generator.random", "random.Generator.standard_normal",
                          "random.Generator.standard_exponential"})  # fmt: skip
_SAYS_FLOAT32 = re.compile(r"float32|single|['\"]<?f4?['\"]")
_WIDE, _NARROW = ("f64", "c128"), ("f32", "c64")
_DEPTH = 60


def check(trace: Trace) -> Iterator[Finding]:
    """The first meeting of each wide array."""
    seen: set[int] = set()
    for event in trace.events:
        found = _meeting(trace, event)
        if found is None:
            continue
        narrow, wide, made = found
        if made.site.number not in seen and _kept(trace, event, wide[0]):
            seen.add(made.site.number)
            yield _finding(trace, event, narrow, wide, made)


_Side = tuple[SiteOperand, Array]


def _meeting(trace: Trace, event: Event) -> tuple[_Side, _Side, Event] | None:
    """The narrow array, the wide one, and its constructor."""
    if not event.site.kind.startswith("binary:") or _element(event.result) not in _WIDE:
        return None
    pairs = zip(event.site.operands, event.operands, strict=True)
    arrays = [(o, v) for o, v in pairs if isinstance(v, Array) and v.type and v.type.sizes]
    if len(arrays) != 2:
        return None
    narrow = next((p for p in arrays if _element(p[1]) in _NARROW), None)
    wide = next((p for p in arrays if _element(p[1]) in _WIDE), None)
    made = wide[1].made if wide is not None else None
    if narrow is None or wide is None or made is None or not _defaulting(trace, made):
        return None
    return (narrow, wide, made) if _on_purpose(trace, narrow[1], _DEPTH) else None


def _element(value: Value) -> str:
    return value.type.element if isinstance(value, Array) and value.type is not None else ""


def _defaulting(trace: Trace, made: Event) -> bool:
    """Whether a constructor was left to choose the element type, and has no array to go by."""
    call, name = call_at(trace, made.site), ops.name(made)
    if call is None or not (name in _CONSTRUCTORS or name.startswith("random.")):
        return False
    text = ast.unparse(call)
    if re.search(r"dtype|float|double|f8", text) or any(k.arg is None for k in call.keywords):
        return False
    return not any(isinstance(v, Array) for v in made.operands)


def _on_purpose(trace: Trace, value: Value, depth: int) -> bool:
    """Whether the program said somewhere that it wants float32."""
    made = value.made if isinstance(value, Array) else None
    if made is None or depth < 0:
        return False
    if _SAYS_FLOAT32.search(trace.text(made.site.span)):
        return True
    return any(_on_purpose(trace, v, depth - 10) for v in made.operands if _element(v) in _NARROW)


def _kept(trace: Trace, event: Event, wide: SiteOperand) -> bool:
    """Whether the wide result stays: it gets a name, and that isn't the wide array's own.

    What is cast or stored at once is float64 for a moment only; ``total = total + x`` sums in
    float64 on purpose.
    """
    value, names = event.result, {name for name, _ in event.site.targets}
    for later in trace.events[event.index + 1 : event.index + 6]:
        if names or later.frame is not event.frame:
            break
        if not any(v is value for v in later.operands):
            continue
        if not ops.elementwise(later) or _element(later.result) not in _WIDE:
            return False
        value, names = later.result, {name for name, _ in later.site.targets}
    later_casts = any(
        ops.name(e) == "astype" and e.operand("self") is value
        for e in trace.events[event.index + 1 : event.index + 40]
    )
    return bool(names) and wide.name not in names and not later_casts


def _finding(trace: Trace, event: Event, narrow: _Side, wide: _Side, made: Event) -> Finding:
    span = event.site.span
    thin, thick = name_at(trace, narrow[0].span), name_at(trace, wide[0].span)
    result = next((name for name, _ in event.site.targets if name), "the result")
    says = (
        f"{result} is {_element(event.result)}: {thin} is {_element(narrow[1])}, {thick} is not",
        f"{result} is {_element(event.result)} by {thick}",
    )
    rows = (row(thin, narrow[1]), row(thick, wide[1]), row("⇒", event.result, note=_sizes(event)))
    return Finding(
        code="silent-upcast",
        severity=SEVERITY,
        headline=fitting("information", "silent-upcast", says),
        span=span,
        labels=(Label(made.site.span, f"{thick} is float64 by default"),),
        operands=tuple(r for r in rows if r is not None),
        fixes=_fixes(trace, made, thick, _element(narrow[1])),
    )


def _sizes(event: Event) -> str:
    """How much memory it takes, and would."""
    kind = event.result.type if isinstance(event.result, Array) else None
    if kind is None or kind.nbytes is None:
        return ""
    return f"{size(kind.nbytes)} instead of {size(kind.nbytes // 2)}"


def _fixes(trace: Trace, made: Event, name: str, element: str) -> tuple[Fix, ...]:
    dtype = f"{numpy_name(trace)}.{'float32' if element == 'f32' else 'complex64'}"
    text, span = trace.text(made.site.span), made.site.span
    op = ops.name(made)
    takes = op in _CONSTRUCTORS or op in _TAKE_A_TYPE
    if takes and element == "f32" and text.endswith(")"):
        new = f"{text[:-1].rstrip().rstrip(',')}, dtype={dtype})"
    else:
        new = f"{text}.astype({dtype})"
    return (Fix(" ".join(new.split()), (Edit(span, new),)),)
