"""What rules say of values and places: names as the program has them, types, origins, sizes."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ..doc.source import Span
from ..ir import ArrayType
from ..tracer.trace import Array, Constant, Event, Failure, Frame, Pack, Scalar, Trace, Value
from .model import Label, Operand

MAX_NAME = 24
LINE = 80
"""Columns that a headline should fit in, severity and code included."""


def name_at(trace: Trace, span: Span, most: int = MAX_NAME) -> str:
    """The program's text at ``span``, on one line and not longer than ``most``."""
    return shortened(" ".join(trace.text(span).split()), most)


def shortened(text: str, most: int = MAX_NAME) -> str:
    """``text`` without its middle where it is longer than ``most``."""
    if len(text) <= most:
        return text
    tail = most // 3
    return text[: most - tail - 1] + "…" + text[-tail:]


def fitting(severity: str, code: str, says: Sequence[str]) -> str:
    """The fullest of several headlines that fits in a line; the shortest where none does."""
    room = LINE - len(f"{severity}[{code}]: ")
    return next((text for text in says if len(text) <= room), min(says, key=len))


def target_of(failure: Failure) -> tuple[Span, Array] | None:
    """The array that the operation which failed was to write into, and where it stands."""
    for wanted in ("out", "self", "0"):
        for role, span, value in failure.operands:
            if role == wanted and isinstance(value, Array):
                return span, value
    return None


def type_of(value: Value) -> ArrayType | None:
    """The type of an array or array scalar."""
    return value.type if isinstance(value, Array | Scalar) else None


def shape_of(value: Value) -> str:
    """``[50, 1]``, or ``one number``."""
    kind = type_of(value)
    if kind is None or not kind.sizes:
        return "one number"
    return f"[{', '.join(sizes(kind))}]"


def row(name: str, value: Value, *, marked: frozenset[int] = frozenset(), note: str = "",
        origin: str = "") -> Operand | None:  # fmt: skip
    """A line of the comparison of operands; None where nothing is known of the value."""
    kind = type_of(value)
    if kind is None:
        return None
    return Operand(name, kind.element, sizes(kind), marked, note, origin)


def sizes(kind: ArrayType) -> tuple[str, ...]:
    """The sizes as they are shown, with the names of dimensions where there are any."""
    names = kind.names or (None,) * kind.ndim
    return tuple(
        ("?" if size is None else str(size)) if name is None else f"{name}={size}"
        for size, name in zip(kind.sizes, names, strict=True)
    )


def made_at(value: Value, *, other_than: Span) -> Event | None:
    """The event that made a value, where that is another line than ``other_than``."""
    if not isinstance(value, Array | Scalar) or value.made is None:
        return None
    span = value.made.site.span
    here = span.path == other_than.path and other_than.line <= span.line <= other_than.end_line
    return None if here else value.made


def origin(trace: Trace, name: str, value: Value, *, other_than: Span,
           verb: str = "") -> Label | None:  # fmt: skip
    """The place where a value was made, as a label: ``W1 was made here``."""
    made = made_at(value, other_than=other_than)
    if made is None:
        return None
    reshaped = made.site.callee in ("numpy.reshape", ".reshape")
    verb = verb or ("got its shape here" if reshaped else "was made here")
    return Label(made.site.span, f"{name} {verb}")


def origin_text(trace: Trace, value: Value, *, other_than: Span) -> str:
    """The same in words, to stand beside a shape: ``from X @ w, line 30``."""
    made = made_at(value, other_than=other_than)
    if made is None:
        return ""
    return f"from {name_at(trace, made.site.span)}, line {made.site.span.line}"


def repetition(trace: Trace, event: Event) -> str:
    """``the same in 312 more iterations``, for what happened in a loop; else nothing."""
    loop = event.site.loop
    runs = [run for run in trace.loop_runs if run.loop.number == loop and run.frame is event.frame]
    more = sum(run.iterations for run in runs) - 1
    if loop is None or more < 1:
        return ""
    return f"the same in {more:,} more iteration{'s' if more > 1 else ''}"


def calls_of(frame: Frame) -> tuple[tuple[Span, str], ...]:
    """The calls of the program that led to a frame, outermost first, as far as they had ended."""
    calls: list[tuple[Span, str]] = []
    here: Frame | None = frame
    while here is not None:
        if here.call is not None:
            calls.append((here.call.site.span, here.scope.name))
        here = here.parent
    return tuple(reversed(calls))


def calls_to(failure: Failure) -> tuple[tuple[Span, str], ...]:
    """The calls of the program that led to its innermost line, outermost first."""
    known = [call for call in failure.calls if call.known]
    return tuple(
        (outer.span, inner.function.rpartition("<locals>.")[2])
        for outer, inner in pairwise(known)
        if not inner.function.endswith("comp>")
    )


def line_span(trace: Trace, line: int) -> Span:
    """The text of a whole line, without its indentation."""
    text = trace.sources[trace.path].line(line)
    start = len(text) - len(text.lstrip())
    return Span(trace.path, line, start, line, max(len(text.rstrip()), start))


def printed_most(trace: Trace) -> Span | None:
    """The ``print`` that ran most often."""
    counts = Counter(e.site.span for e in trace.events if e.site.callee == "builtins.print")
    if counts:
        return counts.most_common(1)[0][0]
    site = next((s for s in trace.sites if s.callee == "builtins.print"), None)
    return site.span if site else None


def only_printed(trace: Trace, event: Event) -> bool:
    """Whether a result goes to the ``print`` around it and nowhere else: it is there to be seen."""
    after = next(iter(trace.events[event.index + 1 : event.index + 2]), None)
    return (
        after is not None
        and after.site.callee == "builtins.print"
        and any(operand.site == event.site.number for operand in after.site.operands)
    )


def size(count: int) -> str:
    """A number of bytes for people: ``80 kB``."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count = count / 1000  # type: ignore[assignment]
    return f"{count:.3g} GB"


def signal_name(number: int | None) -> str:
    """``SIGSEGV (segmentation fault)`` and its like."""
    try:
        known = signal.Signals(number or 0)
    except ValueError:
        return f"signal {number}"
    return f"{known.name} ({(signal.strsignal(known) or '').lower()})"


def arrays_in(value: Value) -> tuple[Array, ...]:
    """The arrays of a value: itself, or the items of a tuple or list."""
    if isinstance(value, Array):
        return (value,)
    if isinstance(value, Pack):
        return tuple(a for item in value.items for a in arrays_in(item))
    return ()


def number(value: Value) -> object:
    """The number that a constant or an array scalar is; None for anything else."""
    return value.value if isinstance(value, Constant | Scalar) else None
