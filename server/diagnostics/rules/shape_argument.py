"""Sizes given one by one to a function that takes one shape.

## What it does
Explains the exception of ``np.zeros(rows, cols)`` and its like: the shape is one argument, and the
second size was taken for the next parameter, the element type. Also the reverse: ``np.random.rand``
and ``np.eye`` take sizes one by one, and get a tuple.

## Why it is bad
The script ended there, with words about data types.

## Example
```python
import numpy as np

rows, cols = 4, 3
grid = np.zeros(rows, cols)
```

## Use instead
```python
import numpy as np

rows, cols = 4, 3
grid = np.zeros((rows, cols))
```

## When to ignore
When the exception is the point of the script.

## References
- NumPy, numpy.zeros: https://numpy.org/doc/stable/reference/generated/numpy.zeros.html
- NumPy, random.rand: https://numpy.org/doc/stable/reference/random/generated/numpy.random.rand.html
"""

from __future__ import annotations

import ast

from ...ir import ArrayType
from ...tracer.trace import Constant, Event, Failure, Pack, Scalar, Trace, Value
from .. import ops
from ..describe import calls_to, fitting, shortened
from ..model import Edit, Finding, Fix, Severity
from ..syntax import call_at, literal

SEVERITY = Severity.ERROR

_ONE_SHAPE = {
    "zeros": 0, "ones": 0, "empty": 0, "full": 0, "ndarray": 0, "reshape": 1, "broadcast_to": 1,
    "random.random": 0, "random.random_sample": 0, "random.standard_normal": 0,
    "random.Generator.random": 0, "random.Generator.standard_normal": 0,
    "random.Generator.standard_exponential": 0,
}  # fmt: skip
"""Where each function takes its shape."""
_ONE_BY_ONE = frozenset({"random.rand", "random.randn", "eye", "identity", "tri"})
_SECOND = {"full": "fill_value", "reshape": "order", "broadcast_to": "subok"}
"""What stands behind the shape, if not the element type."""


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which arguments should have been one, or one that should have been several."""
    site = failure.site
    call = call_at(trace, site) if site is not None else None
    if site is None or call is None or failure.type not in ("TypeError", "ValueError"):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    values = tuple(value for _, _, value in failure.operands)
    name = ops.name(Event(0, "op", site, trace.frames[0], None, values))
    called = ast.unparse(call.func)
    if name in _ONE_BY_ONE and failure.type == "TypeError":
        said = _takes_sizes(call, values)
    elif name in _ONE_SHAPE and (failure.type == "TypeError" or name == "reshape"):
        said = _takes_a_shape(call, failure, name)
    else:
        return None
    if said is None:
        return None
    facts, new = said
    return Finding(
        code="shape-argument",
        severity=SEVERITY,
        headline=fitting("error", "shape-argument", [f"{called}() {fact}" for fact in facts]),
        span=site.span,
        fixes=(Fix(new, (Edit(site.span, new),), safe=True),),
        call_path=calls_to(failure),
    )


def _takes_a_shape(
    call: ast.Call, failure: Failure, name: str
) -> tuple[tuple[str, ...], str] | None:
    first = _ONE_SHAPE[name]
    known = {role: value for role, _, value in failure.operands}
    sizes = []
    for position, node in enumerate(call.args[first:], first):
        if not _is_size(node, known.get(str(position))):
            break
        sizes.append(node)
    if name == "full" and len(sizes) == len(call.args) and len(sizes) > 1:
        sizes.pop()  # the last is what it is filled with
    if len(sizes) < 2:
        return None
    after = call.args[first + len(sizes) :]
    shape = ast.Tuple(list(sizes), ast.Load())
    new = ast.Call(call.func, [*call.args[:first], shape, *after], call.keywords)
    second = _SECOND.get(name, "the element type")
    taken = f"takes {shortened(ast.unparse(sizes[1]))} as {second}"
    return (f"{taken}, not as a size", taken), ast.unparse(new)


def _takes_sizes(call: ast.Call, values: tuple[Value, ...]) -> tuple[tuple[str, ...], str] | None:
    if len(call.args) != 1:
        return None
    (node,) = call.args
    tuple_given = isinstance(node, ast.Tuple | ast.List) or any(
        isinstance(v, Pack) or (isinstance(v, Constant) and v.kind in ("tuple", "list"))
        for v in values
    )
    if not tuple_given and not ast.unparse(node).endswith("shape"):
        return None
    parts: list[ast.expr] = [ast.Starred(node, ast.Load())]
    if isinstance(node, ast.Tuple | ast.List):
        parts = list(node.elts)
    new = ast.unparse(ast.Call(call.func, parts, call.keywords))
    return ("takes its sizes one by one, not as a tuple",), new


def _is_size(node: ast.expr, value: Value) -> bool:
    """Whether an argument is a whole number, as far as can be told."""
    if isinstance(node, ast.BinOp):
        return True
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("len", "int", "round", "max", "min")
    if isinstance(node, ast.Subscript) and value is None:
        return ast.unparse(node.value).endswith(".shape")
    written = literal(node)
    if isinstance(written, int) and not isinstance(written, bool):
        return True
    if isinstance(value, Constant):
        return type(value.value) is int
    return isinstance(value, Scalar) and isinstance(value.type, ArrayType) and (
        value.type.element[0] in "iu"
    )  # fmt: skip
