"""Rows of different lengths where an array was to be made.

## What it does
Explains the exception of ``np.array`` and its like on a list whose items differ in length, and says
which item is the odd one.

## Why it is bad
The script ended there. An array has as many columns in each row; NumPy no longer makes an array of
lists on its own account.

## Example
```python
import numpy as np

sizes = [2, 3, 2]
rows = [np.arange(n) for n in sizes]
table = np.array(rows)
```

## Use instead
```python
import numpy as np

sizes = [2, 3, 2]
rows = [np.arange(n) for n in sizes]
table = np.zeros((len(rows), max(sizes)), dtype=int)
for row, values in zip(table, rows):
    row[: len(values)] = values
```

## When to ignore
When the exception is the point of the script. Where an array of arrays is meant, say so with
``dtype=object``.

## References
- NumPy, NEP 34, ragged sequences:
  https://numpy.org/neps/nep-0034-infer-dtype-is-object.html
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from ...doc.source import Span
from ...tracer.trace import Array, Failure, Pack, Site, Trace, Value
from ..describe import calls_to, fitting, made_at, name_at
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import call_at, expression, literal, tree

SEVERITY = Severity.ERROR

_MOST_SHOWN = 6


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which items differ, as far as they can still be seen."""
    site = failure.site
    if site is None or "inhomogeneous shape" not in failure.message or not site.is_call:
        return None
    call = call_at(trace, site)
    if call is None:
        return None
    name, lengths, items = _items(trace, failure, call)
    called = ast.unparse(call.func)
    label, said = None, "its items differ in length"
    if lengths:
        said = _said(name, lengths)
        odd = _odd_one(lengths)
        made = made_at(items[odd], other_than=site.span) if odd < len(items) else None
        if made is not None and made.site.loop is None:
            label = Label(made.site.span, f"item {odd} was made here")
    span = site.span
    says = (f"{name_at(trace, span, 36)}: {said}", f"{called}(): {said}", said)
    return Finding(
        code="ragged-array",
        severity=SEVERITY,
        headline=fitting("error", "ragged-array", says),
        span=span,
        at="one length for all rows" if lengths else "",
        labels=() if label is None else (label,),
        notes=("pad the shorter ones to make a table of them",),
        fixes=tuple(_fixes(trace, site, call, items)),
        call_path=calls_to(failure),
    )


def _items(
    trace: Trace, failure: Failure, call: ast.Call
) -> tuple[str, list[int], Sequence[Value]]:
    """What the list is called, the lengths of its items, and the items that are arrays."""
    node = call.args[0] if call.args else None
    name = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else "the list"
    given = [v for role, _, v in failure.operands if role == "0"]
    items = given[0].items if len(given) == 1 and isinstance(given[0], Pack) else tuple(given)
    kinds = [v.type for v in items if isinstance(v, Array)]
    if len(kinds) == len(items) > 1 and all(k is not None and k.sizes for k in kinds):
        return name, [k.sizes[0] or 0 for k in kinds if k is not None], items
    value = literal(node)
    if value is None and isinstance(node, ast.Name) and failure.site is not None:
        value = _assigned(trace, failure.site.span, node.id)
    if isinstance(value, list | tuple) and all(isinstance(row, list | tuple) for row in value):
        return name, [len(row) for row in value], ()
    return name, [], ()


def _assigned(trace: Trace, before: Span, name: str) -> object:
    """The literal that a name was given, where the text gives it a value but once."""
    module = tree(trace.sources[before.path].text)
    given = [
        node
        for node in ast.walk(module or ast.Module([], []))
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]
    for node in ast.walk(module or ast.Module([], [])):
        if isinstance(node, ast.Assign) and node.targets == given:
            return literal(node.value)
    return None


def _said(name: str, lengths: list[int]) -> str:
    """``rows has items of 2, 3 and 2 elements``."""
    if len(set(lengths)) == 1:
        return f"the items of {name} differ in their later axes"
    if len(lengths) <= _MOST_SHOWN:
        *head, last = map(str, lengths)
        return f"{name} has items of {', '.join(head)} and {last} elements"
    odd = _odd_one(lengths)
    usual = Counter(lengths).most_common(1)[0][0]
    return f"{name}[{odd}] has {lengths[odd]} elements, most others have {usual}"


def _odd_one(lengths: list[int]) -> int:
    """The first that isn't as most are."""
    usual = Counter(lengths).most_common(1)[0][0]
    return next((i for i, n in enumerate(lengths) if n != usual), 0)


def _fixes(trace: Trace, site: Site, call: ast.Call, items: Sequence[Value]) -> list[Fix]:
    if any(k.arg == "dtype" for k in call.keywords) or len(call.args) != 1:
        return []
    text = trace.text(site.span)
    new = text.rstrip()[:-1].rstrip().rstrip(",") + ", dtype=object)"
    whole = expression(new)
    return [Fix(" ".join(new.split()), (Edit(site.span, new),))] if whole is not None else []
