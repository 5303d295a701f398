"""A view that the order of the elements in memory doesn't allow.

## What it does
Explains exceptions about arrays whose elements don't lie in memory one behind the other, in the
order of the axes. Of PyTorch: ``view``. Of NumPy: a new ``x.shape``, a ``reshape`` that may not
copy, a ``view`` of another element type, and functions that take the bytes of an array as they lie,
such as those of ``hashlib``. It names the line that left the order: ``.T``, ``permute``, a slice.

## Why it is bad
The script ended there. A view never copies, so it can join axes only where one follows the other
in memory.

## Example
```python
import hashlib
import numpy as np

table = np.arange(12.0).reshape(3, 4)
columns = table.T
key = hashlib.sha256(columns).hexdigest()
```

## Use instead
```python
import hashlib
import numpy as np

table = np.arange(12.0).reshape(3, 4)
columns = table.T
key = hashlib.sha256(np.ascontiguousarray(columns)).hexdigest()
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- NumPy, numpy.ascontiguousarray:
  https://numpy.org/doc/stable/reference/generated/numpy.ascontiguousarray.html
- PyTorch, torch.Tensor.view: https://pytorch.org/docs/stable/generated/torch.Tensor.view.html
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...doc.source import Span
from ...ir import ArrayType
from ...tracer.trace import Array, Failure, Trace
from ..describe import calls_to, fitting, name_at, row
from ..model import Edit, Finding, Fix, Label, Severity
from ..shape_fixes import title
from ..syntax import covers, enclosing, numpy_name, span_of, tree, without_keyword

SEVERITY = Severity.ERROR

_ORDER = "{} doesn't lie in the order of its axes"
_GAPS = "{} has gaps between its elements"
_VIEW = "view size is not compatible with input tensor's size"
_SHAPE = "Incompatible shape for in-place modification"
_ELEMENTS = "the last axis must be contiguous"
_NO_COPY = "Unable to avoid creating a copy while reshaping"
_BYTES = (
    "ndarray is not C-contiguous",
    "casts are restricted to C-contiguous views",
    "underlying buffer is not C contiguous",
)
_SAID = re.compile("|".join(map(re.escape, (_VIEW, _SHAPE, _ELEMENTS, _NO_COPY, *_BYTES))))


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Whose order it is, and since when."""
    said = _SAID.search(failure.message)
    found = _refused(trace, failure, said[0]) if said is not None else None
    if said is None or found is None:
        return None
    whole, at, array = found
    kind = array.type
    if kind is None or kind.contiguous is not False:
        return None
    name = name_at(trace, at)
    fact = (_GAPS if _has_gaps(kind) else _ORDER).format(name)
    says = (f"{name_at(trace, whole, 40)}: {fact}", fact, _ORDER.format("this array"))
    shown = row(name, array, note=f"steps of {', '.join(map(str, kind.strides or ()))} bytes")
    return Finding(
        code="noncontiguous-view",
        severity=SEVERITY,
        headline=fitting("error", "noncontiguous-view", says),
        span=whole,
        labels=tuple(_left(trace, array, whole)),
        operands=() if shown is None else (shown,),
        fixes=tuple(_fixes(trace, whole, at, said[0])),
        call_path=calls_to(failure),
    )


def _refused(trace: Trace, failure: Failure, said: str) -> tuple[Span, Span, Array] | None:
    """The operation, and the array that it could not take as it lies."""
    if said == _SHAPE:
        return _new_shape(trace, failure)
    if failure.site is None:
        return None
    arrays = ((span, v) for _, span, v in failure.operands if isinstance(v, Array))
    return next(((failure.site.span, span, array) for span, array in arrays), None)


def _new_shape(trace: Trace, failure: Failure) -> tuple[Span, Span, Array] | None:
    """``x.shape = ..``, which is no operation that is recorded."""
    if failure.span is None:
        return None
    source = trace.sources[failure.span.path]
    for node in enclosing(source, failure.span):
        match node:
            case ast.Assign([ast.Attribute(ast.Name(name) as target, "shape")]):
                for event in reversed(trace.events):
                    array = dict(event.site.bound(event.result)).get(name)
                    if isinstance(array, Array) and event.site.span.path == source.path:
                        return span_of(source, node), span_of(source, target), array
    return None


def _has_gaps(kind: ArrayType) -> bool:
    """Whether no order of the axes has the elements one behind the other."""
    axes = sorted(zip(kind.strides or (), kind.sizes, strict=False), reverse=True)
    strides, sizes = zip(*axes, strict=True)
    return kind.with_(sizes=sizes, strides=strides).contiguous is False


def _left(trace: Trace, array: Array, whole: Span) -> Iterator[Label]:
    """The line that gave the array an order that is not that of its axes."""
    value: Array | None = array
    while value is not None and value.made is not None:
        made = value.made
        shown = (v for v in made.operands if isinstance(v, Array) and v is not value)
        before = next((v for v in shown if v.memory is array.memory), None)
        if before is None or before.type is None or before.type.contiguous:
            if not covers(whole, made.site.span):
                turned = name_at(trace, made.site.span, 24)
                yield Label(made.site.span, f"{turned} left the elements where they were")
            return
        value = before


def _fixes(trace: Trace, whole: Span, at: Span, said: str) -> Iterator[Fix]:
    text = trace.text(whole)
    if said == _VIEW:
        head, sign, rest = text.rpartition(".view(")
        if sign:
            yield _instead(whole, f"{head}.reshape({rest}", safe=True)
    elif said == _NO_COPY:
        yield _instead(whole, without_keyword(text, "copy") or text, safe=True)
    elif said == _SHAPE:
        node = tree(text)
        sizes = (
            node.body[0].value
            if node is not None and isinstance(node.body[0], ast.Assign)
            else None
        )
        if sizes is not None:
            name = trace.text(at)
            yield _instead(whole, f"{name} = {name}.reshape({ast.unparse(sizes)})")
    else:
        new = f"{numpy_name(trace)}.ascontiguousarray({trace.text(at)})"
        yield Fix(title(trace, whole, at, new), (Edit(at, new),), safe=True)


def _instead(whole: Span, new: str, *, safe: bool = False) -> Fix:
    return Fix(" ".join(new.split()), (Edit(whole, new),), safe=safe)
