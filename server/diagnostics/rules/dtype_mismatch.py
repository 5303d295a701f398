"""Element types that an operation can't work with.

## What it does
Explains exceptions about element types. Of NumPy: floats as an index or a size, ``&`` and ``~`` of
floats, a minus between truth values, arithmetic with text or dates, half precision in linear
algebra. Of PyTorch: a product of ``float32`` with ``float64``, a layer that gets numbers of another
type than its parameters, classes that aren't whole numbers, a mean of integers, a fraction that
would be written into integers. It names the operand that is of the wrong type, and the line that
made it.

## Why it is bad
The script ended there. A division always gives floats, ``|`` comes before ``>``, and columns that
were read from a file are text until they are converted. PyTorch converts in arithmetic between
tensors, but not in products, layers and losses; there, the usual source is a NumPy array, which is
``float64`` unless told otherwise.

## Example
```python
import numpy as np

x = np.arange(10.0)
middle = x[len(x) / 2]
```

## Use instead
```python
import numpy as np

x = np.arange(10.0)
middle = x[len(x) // 2]
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- NumPy, Data types: https://numpy.org/doc/stable/user/basics.types.html
- PyTorch, torch.dtype: https://pytorch.org/docs/stable/tensor_attributes.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...doc.source import Span
from ...tracer.trace import Array, Failure, Trace
from ..describe import calls_to, fitting, name_at, origin, row
from ..element_types import Mismatch, mismatch
from ..gradients import tensors_in
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import primary

SEVERITY = Severity.ERROR

_SAID = re.compile(
    r"same dtype|(input|Input) (type|dtype)|expected scalar type|expected target dtype"
    r"|scalar types?:|could not infer output dtype|Found dtype|can't be cast to the desired"
    r"|tensors used as indices must be|floating point and complex dtype can require"
    r"|not implemented for '\w+'"
)
_METHODS = {
    "f32": "float", "f64": "double", "i64": "long", "f16": "half", "bf16": "bfloat16",
    "i32": "int", "bool": "bool",
}  # fmt: skip
_WANTED = {"Long": "i64", "Float": "f32", "Double": "f64", "Half": "f16", "BFloat16": "bf16"}


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    span: Span | None
    array: Array

    @property
    def element(self) -> str:
        return self.array.type.element if self.array.type is not None else ""


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which types met."""
    found = mismatch(trace, failure)
    if found is not None:
        return _of_numpy(trace, failure, found)
    if failure.site is None or not _SAID.search(failure.message):
        return None
    sides = list(_sides(trace, failure))
    if not sides:
        return None
    wanted, odd = _odd(failure, sides)
    text = name_at(trace, failure.site.span, 30)
    says = [f"{text}: {failure.message.partition(chr(10))[0].rstrip('.')}"]
    if wanted and odd is not None:
        says = [
            f"{text}: {odd.name} holds {odd.element}, {wanted} is needed",
            f"{odd.name} holds {odd.element}, {wanted} is needed",
        ]
    labels: list[Label] = []
    for side in sorted(sides, key=lambda s: s is not odd):
        label = origin(trace, side.name, side.array, other_than=failure.site.span)
        if label is not None and label.span not in [known.span for known in labels]:
            labels.append(label)
    layer = failure.layers[-1][0] if failure.layers else None
    if layer is not None and layer.made is not None:
        holds = any(s is not odd and s.element == wanted for s in sides)
        what = f"holds {wanted}" if holds else f"takes {wanted}" if wanted else "holds parameters"
        labels.append(Label(layer.made.site.span, f"{layer.name} {what}"))
    rows = [
        row(s.name, s.array, note=f"must be {wanted}" if s is odd and wanted else "") for s in sides
    ]
    return Finding(
        code="dtype-mismatch",
        severity=SEVERITY,
        headline=fitting("error", "dtype-mismatch", says),
        span=failure.site.span,
        labels=tuple(labels[:2]),
        operands=tuple(r for r in rows if r is not None),
        fixes=tuple(_fixes(trace, odd, wanted, not failure.site.kind.startswith("inplace"))),
        call_path=calls_to(failure),
    )


def _of_numpy(trace: Trace, failure: Failure, found: Mismatch) -> Finding:
    assert failure.site is not None  # else there were no account of it
    span = found.whole or failure.site.span
    says = (f"{name_at(trace, span, 40)}: {found.fact}", found.fact)
    made = [origin(trace, s.name, s.value, other_than=span) for s in found.sides if s is found.odd]
    rows = [
        row(s.name, s.value, note=found.note if s is found.odd else "")
        for s in found.sides
        if s.element not in ("float", "complex")
    ]
    return Finding(
        code="dtype-mismatch",
        severity=SEVERITY,
        headline=fitting("error", "dtype-mismatch", says),
        span=span,
        labels=tuple(label for label in made if label is not None),
        operands=tuple(r for r in rows if r is not None),
        fixes=found.fixes,
        call_path=calls_to(failure),
    )


def _sides(trace: Trace, failure: Failure) -> Iterator[_Side]:
    """The tensors that met: operands, and parameters of the layer that ran."""
    for _, span, value in failure.operands:
        for array in tensors_in(value):
            yield _Side(name_at(trace, span), span, array)
    if failure.layers:
        layer, given = failure.layers[-1]
        known = {t for _, _, v in failure.operands for t in tensors_in(v)}
        for value in given:
            for array in tensors_in(value):
                if array not in known:
                    yield _Side(f"input of {layer.path or layer.name}", None, array)
        for name, value in layer.parameters.items():
            if isinstance(value, Array) and name.startswith("weight"):
                yield _Side(value.parameter or name, None, value)
                break


def _odd(failure: Failure, sides: list[_Side]) -> tuple[str, _Side | None]:
    """The element type that is needed, and who hasn't it."""
    said = re.search(r"(?:to be|but expected|expected scalar type) (\w+)", failure.message)
    wanted = _WANTED.get(said[1], "") if said else ""
    if "used as indices" in failure.message or "indices" in failure.message:
        wanted = "i64"
        return wanted, next((s for s in sides if s.element[:1] not in "iu"), None)
    if "target dtype" in failure.message:
        return "i64", next((s for s in reversed(sides) if s.element != "i64"), None)
    if "could not infer" in failure.message:
        return "f32", sides[0]
    if "desired output type" in failure.message:
        return "f32", next((s for s in sides if not s.element.startswith(("f", "b", "c"))), None)
    elements = [s.element for s in sides]
    layer = failure.layers[-1][0] if failure.layers else None
    held = [v for v in layer.parameters.values() if isinstance(v, Array)] if layer else []
    if not wanted and held and held[0].type is not None:
        wanted = held[0].type.element
    if not wanted and len(set(elements)) > 1:
        ranked = sorted(set(elements), key=lambda e: (e != "f32", e[0] != "f", e))
        wanted = ranked[0]
    return wanted, next((s for s in sides if s.element != wanted), None)


def _fixes(trace: Trace, odd: _Side | None, wanted: str, change: bool) -> Iterator[Fix]:
    method = _METHODS.get(wanted)
    if odd is None or odd.span is None or method is None or not change:
        return
    text = trace.text(odd.span)
    new = f"{primary(text)}.{method}()"
    yield Fix(f"{new} in place of {' '.join(text.split())}", (Edit(odd.span, new),))
