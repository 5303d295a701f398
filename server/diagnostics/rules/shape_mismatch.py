"""Arrays whose shapes don't fit the operation.

## What it does
Explains an exception that NumPy or PyTorch raised because of shapes: a product whose inner sizes
differ, operands that don't broadcast, arrays that can't be joined, a value that has no room where
it is stored, an index or a reshape of the wrong size. It shows the shapes below each other, marks
the axes that differ, and points at the lines that made the arrays. Of a layer it says what it is
made for, what it got, and what gave it that.

## Why it is bad
The script ended there. The library's message has the sizes, but not whose they are or where they
came from.

## Example
```python
import numpy as np

params = np.arange(160.0)
w = params.reshape(10, 16)
batch = np.ones((32, 16))
scores = batch @ w
```

## Use instead
```python
import numpy as np

params = np.arange(160.0)
w = params.reshape(16, 10)
batch = np.ones((32, 16))
scores = batch @ w
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- NumPy, Broadcasting: https://numpy.org/doc/stable/user/basics.broadcasting.html
- NumPy, matmul: https://numpy.org/doc/stable/reference/generated/numpy.matmul.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...doc.source import Span
from ...tracer.tensors import on_tensors
from ...tracer.trace import Failure, Trace
from ..conflicts import conflict
from ..describe import calls_to, fitting, origin
from ..model import Finding, Fix, Label, Operand, Severity
from ..shape_case import Case, Conflict, Mark, shapes_said
from ..shape_fixes import fixes
from ..shape_layers import misfit
from ..shape_unpacking import unpacking

SEVERITY = Severity.ERROR

_ABOUT_SHAPES = re.compile(
    r"broadcast|mismatch in its core dimension|not aligned|shape|dimension|size|square"
    r"|must match exactly|conformable|cannot assign|with a sequence|subscripts",
    re.IGNORECASE,
)
_SAYS_SHAPES = re.compile(
    r"broadcast|mismatch|not aligned|shapes?\b.*\bshapes?\b|must match exactly|same shape"
    r"|dimensions?\b.*\b(match|array|cross product)|must be square|cannot reshape|same length"
    r"|must have same size|equal division|axes don't match|too deep for desired array"
)
_TYPES = ("ValueError", "LinAlgError", "IndexError", "AxisError")
_TORCH_TYPES = ("RuntimeError", "ValueError", "IndexError", "AssertionError")
_SAYS_SIZES = re.compile(
    r"must match the (size|existing size)|shapes cannot be multiplied|equal size|size mismatch"
    r"|is invalid for input of size|batch_size|doesn't match the broadcast shape|Expected size"
    r"|same number of elements|different to the input size|Sizes of tensors must match|subscript"
    r"|expected input|input of size"
)


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """What didn't fit, where the operation that raised is one of NumPy's and shapes are why."""
    unpacked = unpacking(trace, failure)
    if unpacked is not None and failure.span is not None:
        return _finding(trace, failure, failure.span, *unpacked)
    site = failure.site
    if site is None or failure.truth:
        return None
    inside = misfit(trace, failure)
    if inside is not None:
        return Finding(
            code="shape-mismatch",
            severity=SEVERITY,
            headline=fitting("error", "shape-mismatch", inside.says),
            span=site.span,
            labels=inside.labels,
            operands=inside.operands,
            fixes=inside.fixes,
            call_path=calls_to(failure),
        )
    case = Case(trace, failure, site)
    if failure.type not in (_TORCH_TYPES if on_tensors(case.event) else _TYPES):
        return None
    if case.op is None and not site.kind.endswith((":item", ":attribute")):
        return None
    sure = conflict(case) if _ABOUT_SHAPES.search(failure.message) else None
    found = sure or _in_its_words(case)
    if found is None:
        return None
    ways_out = fixes(case, sure) if sure is not None else ()
    return _finding(trace, failure, site.span, found, ways_out)


def _finding(
    trace: Trace, failure: Failure, span: Span, found: Conflict, ways_out: tuple[Fix, ...]
) -> Finding:
    return Finding(
        code="shape-mismatch",
        severity=SEVERITY,
        headline=fitting("error", "shape-mismatch", found.says),
        span=span,
        labels=tuple(_origins(trace, span, found)),
        operands=tuple(_rows(found)),
        fixes=ways_out,
        call_path=calls_to(failure),
    )


def _rows(found: Conflict) -> Iterator[Operand]:
    for position, side in enumerate(found.sides):
        mark = found.marks.get(position, Mark())
        yield Operand(
            side.name, side.type.element, tuple(map(str, side.sizes)), mark.axes, mark.note
        )


def _origins(trace: Trace, span: Span, found: Conflict) -> Iterator[Label]:
    """Where the arrays were made, that of the marked one first."""
    order = sorted(range(len(found.sides)), key=lambda position: position not in found.marks)
    seen = set()
    for side in (found.sides[position] for position in order):
        label = origin(trace, side.name, side.value, other_than=span)
        if label is not None and label.span not in seen:
            seen.add(label.span)
            yield label


def _in_its_words(case: Case) -> Conflict | None:
    """The generic account: what the library said, and the arrays that it was said of."""
    failure = case.failure
    message = failure.message.strip().partition("\n")[0]
    paired = message.startswith("shape mismatch: indexing arrays")
    if (failure.type == "IndexError" and not paired) or "inhomogeneous" in message:
        return None
    says = _SAYS_SIZES if on_tensors(case.event) else _SAYS_SHAPES
    if says.search(message) is None or (not case.sides and not shapes_said(message)):
        return None
    return Conflict(case.ways(message), case.sides)
