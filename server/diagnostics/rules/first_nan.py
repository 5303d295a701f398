"""The operation that made the first NaN of the run.

## What it does
Reports the first operation whose result has a NaN although none of its operands had one: 0 / 0, inf
- inf, 0 * inf, the logarithm or root of a negative number, the mean of nothing. It shows the
numbers that met there. Reading, creating and selecting data is no operation in this sense, and
where the program says ``np.errstate(invalid="ignore")`` the NaN is expected.

## Why it is bad
A NaN spreads to all that is computed from it, and comparisons with it are false without a word.
What is seen in the end, a loss of nan, tells nothing of where it came from.

## Example
```python
import numpy as np

counts = np.array([[2.0, 3.0], [0.0, 0.0]])
totals = counts.sum(axis=1, keepdims=True)
shares = counts / totals
```

## Use instead
```python
import numpy as np

counts = np.array([[2.0, 3.0], [0.0, 0.0]])
totals = counts.sum(axis=1, keepdims=True)
shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals != 0)
```

## When to ignore
Where NaN stands for a value that isn't there, and what follows knows it. ``np.errstate`` says so.

## References
- NumPy, errstate: https://numpy.org/doc/stable/reference/generated/numpy.errstate.html
- IEEE 754-2019, section 7.2, invalid operation
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...tracer.trace import Array, Event, NotFinite, Scalar, Trace, Value
from .. import ops
from ..describe import calls_of, fitting, name_at, origin, row, shape_of, type_of
from ..model import Finding, Fix, Label, Operand, Severity
from ..syntax import argument, call_at, covers, numpy_name, primary

SEVERITY = Severity.WARNING

_SELECTING = frozenset({"where", "clip", "choose", "select", "copyto", "nan_to_num", "maximum",
                        "minimum", "fmax", "fmin", "heaviside"})  # fmt: skip
"""Elementwise operations that hand on what they are given."""
_PRODUCTS = frozenset({
    "matmul", "dot", "vdot", "inner", "outer", "kron", "tensordot", "einsum", "cross", "convolve",
    "correlate", "cov", "corrcoef", "gradient", "diff", "ediff1d", "trapezoid", "cumsum", "cumprod",
    "trace", "average", "median", "quantile", "percentile", "polyfit", "polyval", "interp",
})  # fmt: skip
_AWARE = frozenset({"isnan", "isfinite", "nan_to_num"})
_CAUSES = {
    "log": "of a negative number", "log2": "of a negative number", "log10": "of a negative number",
    "log1p": "of a number below -1", "sqrt": "of a negative number",
    "arccos": "of a number beyond 1", "arcsin": "of a number beyond 1", "multiply": "0 * inf",
    "subtract": "inf - inf", "add": "inf - inf", "divide": "0 / 0 or inf / inf",
    "matmul": "0 * inf or inf - inf inside", "dot": "0 * inf or inf - inf inside",
    "power": "a negative number to a fraction",
}  # fmt: skip
"""What must have been so, where the numbers themselves are gone."""
_NUMBERS = 6
"""Significant digits that a number is shown with, unless they would hide what is wrong with it."""


def check(trace: Trace) -> Iterator[Finding]:
    """The first, and no other: what follows it may be its doing."""
    data = False
    for found in trace.not_finite:
        event = found.event
        if found.carried:
            finding = _between(trace, event) if not data else None
            if finding is None:
                continue
            yield finding
            return
        makes = _computes(event) or _ran_plain(trace, event)
        if makes and not _asked_for(trace, event) and not _seen_to(trace, event):
            yield _finding(trace, found)
            return
        data = True  # NaNs that were read or made on purpose: what carries them is no news


def _between(trace: Trace, event: Event) -> Finding | None:
    """A name that its loop computes anew each time, and that turned NaN in iterations which ran
    without being recorded."""
    loop, before = event.site.loop, _earlier(trace, event)
    if loop is None or not before or event.iteration[-1] - before[-1].iteration[-1] < 2:
        return None
    last, now = before[-1].iteration[-1], event.iteration[-1]
    names = {o.name for o in event.site.operands if o.form in ("name", "attribute")}
    for site in trace.sites:
        bound = [name for name, _ in site.targets if name in names] if site.loop == loop else []
        if not bound or site.scope != event.site.scope:
            continue
        name = bound[0]
        apart = not covers(site.span, event.site.span)
        where = Label(event.site.span, f"in iteration {now:,} {name} holds NaN")
        labels = (where,) if apart else ()
        says = f"{name} turns NaN between iterations {last:,} and {now:,} of this loop"
        return Finding(
            code="first-nan",
            severity=SEVERITY,
            headline=fitting("warning", "first-nan", (says, f"{name} turns NaN in this loop")),
            span=site.span,
            at="" if labels else f"NaN in iteration {now:,}",
            labels=labels,
            notes=("these iterations ran unrecorded, so the operation that made it is not known",),
        )
    return None


def _computes(event: Event) -> bool:
    """Whether an operation computes numbers, rather than making, reading or selecting them."""
    if ops.operator(event.site):
        return True
    known, name = ops.info(event), ops.name(event)
    if known is None or not event.site.is_call:
        return False
    if known.fusible:
        return name not in _SELECTING
    computes = name in _PRODUCTS or name.startswith(("linalg.", "fft."))
    return computes or "keepdims" in known.parameters


def _ran_plain(trace: Trace, event: Event) -> bool:
    """Whether it is a call of one of the program's functions, whose operations were not recorded
    this time, and gave no NaN when they were."""
    name = event.site.callee.rpartition(".")[2]
    if not event.site.is_call or event.site.certain or event.entered:
        return False
    if not any(scope.name == name for scope in trace.scopes if scope.kind == "function"):
        return False
    before = [e for e in trace.events_of(event.site) if e.entered and e.index < event.index]
    made = {found.event for found in trace.not_finite}
    return bool(before) and made.isdisjoint(before)


def _asked_for(trace: Trace, event: Event) -> bool:
    """Whether a NaN is written in the operation, or it leaves elements out that nothing fills."""
    if any("nan" in trace.text(o.span) for o in event.site.operands if o.form == "text"):
        return True
    call = call_at(trace, event.site)
    names = {k.arg for k in call.keywords} if call is not None else set()
    return "where" in names and "out" not in names


def _seen_to(trace: Trace, event: Event) -> bool:
    """Whether the first thing that is done with the result is to look for NaNs, or to ignore
    them."""
    if not isinstance(event.result, Array):
        return False
    for later in trace.events[event.index + 1 :]:
        if any(value is event.result for value in later.operands):
            name = ops.name(later)
            return name in _AWARE or name.startswith("nan")
    return False


def _finding(trace: Trace, found: NotFinite) -> Finding:
    event, span = found.event, found.event.site.span
    result = event.result if event.kind == "op" else event.operands[0]
    index = _index(result, found.index)
    how, at = _how(trace, found), f" at {index}" if index else ""
    text, short = (name_at(trace, span, most) for most in (44, 28))
    ends = ([f": {how}{at}", f": {how}"] if how else []) + [at]
    says = [f"{name} gives the first NaN{end}" for end in ends for name in (text, short)]
    headline = fitting("warning", "first-nan", says)
    return Finding(
        code="first-nan",
        severity=SEVERITY,
        headline=headline,
        span=span,
        at="" if how in headline else how,
        labels=tuple(_origins(trace, event)),
        operands=tuple(_rows(trace, found, result)),
        notes=tuple(_when(trace, event)),
        fixes=tuple(_fixes(trace, found)),
        call_path=calls_of(event.frame),
    )


def _when(trace: Trace, event: Event) -> Iterator[str]:
    """Which iteration it was, and whether what happened inside is known."""
    if _ran_plain(trace, event):
        yield "it happened inside the call; what the function did this time was not recorded"
    if event.site.loop is None or not event.iteration or event.iteration[-1] < 2:
        return
    line, now = trace.loops[event.site.loop].span.line, event.iteration[-1]
    last = max((e.iteration[-1] for e in _earlier(trace, event)), default=now - 1)
    if last < now - 1:
        yield f"by iteration {now:,} of the loop at line {line}; {last:,} was recorded before it"
    else:
        yield f"in iteration {now:,} of the loop at line {line}"


def _earlier(trace: Trace, event: Event) -> list[Event]:
    """What the same loop recorded at the same site before."""
    return [
        earlier
        for earlier in trace.events_of(event.site)
        if earlier.index < event.index
        and earlier.frame is event.frame
        and earlier.iteration[:-1] == event.iteration[:-1]
    ]


def _how(trace: Trace, found: NotFinite) -> str:
    """The numbers that met: ``0.0 / 0.0``, ``np.log(-0.2)``; or what they must have been like."""
    event = found.event
    name = ops.name(event)
    if not ops.elementwise(event):
        kind = type_of(event.operands[0]) if event.operands else None
        empty = kind is not None and kind.size == 0
        return "there are no values" if empty else _CAUSES.get(name, "")
    values = [
        _shown(value) if value is not None else _literal(trace, event, i)
        for i, value in enumerate(_met(found))
    ]
    sign = ops.SIGNS.get(ops.operator(event.site))
    if sign and len(values) >= 2:
        left, right = _inferred(sign, values[0], values[-1])
        return f"{left} {sign} {right}" if left and right else _CAUSES.get(name, "")
    written_out = any(where.bracket for where in event.site.operands)
    if event.site.is_call and values and all(values) and not written_out:
        called = trace.text(event.site.span).partition("(")[0]
        how = f"{called}({', '.join(values)})"
        return how if how != trace.text(event.site.span) else _CAUSES.get(name, "")
    return _CAUSES.get(name, "")


def _inferred(sign: str, left: str, right: str) -> tuple[str, str]:
    """Two numbers whose combination is a NaN: what one of them is says what the other was."""
    if not (left or right):
        return "", ""
    known = left or right
    zero, infinite = known in ("0", "0.0", "-0.0"), known in ("inf", "-inf")
    other = ""
    if sign == "/":
        other = "0.0" if zero else "±inf" if infinite else ""
    elif sign == "*":
        other = "±inf" if zero else "0.0" if infinite else ""
    elif sign in ("+", "-") and infinite:
        other = "inf" if (sign == "-") == (known == "inf") else "-inf"
    return left or other, right or other


def _met(found: NotFinite) -> tuple[object, ...]:
    """The numbers beside the operands, as far as they are known."""
    return found.values or (None,) * len(found.event.operands)


def _literal(trace: Trace, event: Event, position: int) -> str:
    where = event.site.operands[position]
    return trace.text(where.span) if where.form == "literal" else ""


def _shown(value: object) -> str:
    """A number, short unless that hides what is wrong with it: 1.0000000000000002 is not 1."""
    if not isinstance(value, float) or not math.isfinite(value):
        return str(value)
    short = f"{value:.{_NUMBERS}g}"
    hidden = float(short).is_integer() and float(short) != value
    return repr(value) if hidden or float(short) == value else short


def _index(result: Value, flat: int) -> str:
    """``[1, 0]``, the place of an element in C order; nothing for a single number."""
    kind = type_of(result)
    if kind is None or not kind.sizes:
        return ""
    places: list[int] = []
    for size in reversed(kind.sizes):
        flat, place = divmod(flat, size or 1)
        places.append(place)
    return f"[{', '.join(map(str, reversed(places)))}]"


def _rows(trace: Trace, found: NotFinite, result: Value) -> Iterator[Operand]:
    event = found.event
    names = set()
    elementwise = ops.elementwise(event)
    for where, value, met in zip(event.site.operands, event.operands, _met(found), strict=False):
        note = ""
        if elementwise and met is not None and shape_of(value) != "one number":
            note = f"{_shown(met)} there"
        elif isinstance(value, Scalar) and value.value is not None:
            note = _shown(value.value)
        name = name_at(trace, where.span)
        line = row(name, value, note=note) if name not in names else None
        names.add(name)
        if line is not None:
            yield line
    kind = type_of(result)
    if isinstance(result, Array) and kind is not None and event.kind == "op":
        several = f"{found.count:,} NaN among {kind.size:,}"
        made = row("⇒", result, note=several if found.count > 1 else f"1 NaN among {kind.size:,}")
        if made is not None:
            yield made


def _origins(trace: Trace, event: Event) -> Iterator[Label]:
    """Where the operands were made, that of the last first: it is what divides."""
    seen = set()
    for where, value in reversed(list(zip(event.site.operands, event.operands, strict=True))):
        name = name_at(trace, where.span)
        label = origin(trace, name, value, other_than=event.site.span)
        if label is not None and label.span not in seen and where.form in ("name", "attribute"):
            seen.add(label.span)
            yield label


# ---------------------------------------------------------------------- ways out


def _fixes(trace: Trace, found: NotFinite) -> Iterator[Fix]:
    np, event = numpy_name(trace), found.event
    name, values = ops.name(event), [v for v in _met(found) if v is not None]
    texts = [trace.text(o.span) for o in event.site.operands]
    call = call_at(trace, event.site)
    first = argument(call, 0)
    if first is None and name in ("sqrt", "arccos", "arcsin", "log"):
        return
    value = values[0] if values else None
    small = isinstance(value, float) and -1e-6 < value < 0
    if name == "sqrt" and small:
        yield Fix(f"{np}.sqrt({np}.maximum({texts[0]}, 0.0))")
    elif name in ("arccos", "arcsin"):
        yield Fix(f"{np}.{name}({np}.clip({texts[0]}, -1.0, 1.0))")
    elif name == "divide" and values and all(v == 0 for v in values):
        yield from _divided(trace, found, texts, np)
    elif name == "divide" and values and all(_infinite(v) for v in values):
        yield from _softmax(trace, event, np)
    elif name == "multiply":
        yield from _logarithm(trace, event, np)


def _infinite(value: object) -> bool:
    return isinstance(value, float) and math.isinf(value)


def _divided(trace: Trace, found: NotFinite, texts: list[str], np: str) -> Iterator[Fix]:
    """0 / 0 left out, and 0 in its place."""
    event = found.event
    numbers = all(type_of(v) is None or shape_of(v) == "one number" for v in event.operands)
    a, b = texts[0], texts[-1]
    if event.kind == "store" or event.in_place:
        if numbers or isinstance(event.operands[-1], Scalar):
            return
        yield Fix(f"{np}.divide({a}, {b}, out={a}, where={primary(b)} != 0)")
    elif numbers:
        yield Fix(f"{a} / {b} if {b} else 0.0")
    elif isinstance(event.operands[0], Array) and shape_of(event.operands[0]) == shape_of(
        event.result
    ):
        kind = type_of(event.operands[0])
        like = f"{np}.zeros_like({a})"
        if kind is not None and kind.element[:1] != "f":
            like = f"{np}.zeros_like({a}, dtype=float)"
        yield Fix(f"{np}.divide({a}, {b}, out={like}, where={primary(b)} != 0)")


def _softmax(trace: Trace, event: Event, np: str) -> Iterator[Fix]:
    """inf / inf of exponentials: the same after the largest exponent is taken off."""
    for value in event.operands:
        made = value.made if isinstance(value, Array) else None
        if made is not None and ops.name(made) == "exp" and made.site.operands:
            z = trace.text(made.site.operands[0].span)
            line = made.site.span.line
            yield Fix(f"{np}.exp({z} - {primary(z)}.max()), in line {line}")
            return


def _logarithm(trace: Trace, event: Event, np: str) -> Iterator[Fix]:
    """0 * log(0): the logarithm of the least number in place of 0."""
    for where, value in zip(event.site.operands, event.operands, strict=True):
        made = value.made if isinstance(value, Array) else None
        if made is None or ops.name(made) != "log" or made.site.span != where.span:
            continue
        p = trace.text(made.site.operands[0].span)
        yield Fix(f"{np}.log({np}.maximum({p}, {np}.finfo({primary(p)}.dtype).tiny))")
        return
