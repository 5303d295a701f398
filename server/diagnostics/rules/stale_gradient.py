"""Gradients that are never set back to zero.

## What it does
Finds training loops in which the same parameters get gradients again and again and are updated with
them, and nothing sets the gradients back: neither ``zero_grad``, nor ``.grad = None``, nor
``.grad.zero_()`` anywhere in the program.

## Why it is bad
``backward()`` adds to the gradients that are there. Without zeroing, each step goes in the
direction of the sum of all gradients so far, as with a momentum of 1: training gets unsteady, or
diverges.

## Example
```python
import torch

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(10):
    loss = ((w - 2) ** 2).sum()
    loss.backward()
    optimizer.step()
```

## Use instead
```python
import torch

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(10):
    optimizer.zero_grad()
    loss = ((w - 2) ** 2).sum()
    loss.backward()
    optimizer.step()
```

## When to ignore
When the sum of all gradients is what you want.

## References
- PyTorch, torch.optim.Optimizer.zero_grad:
  https://pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ...tracer.operations import written_by
from ...tracer.trace import Array, Event, Thing, Trace
from ..describe import fitting, name_at
from ..gradients import is_call_of
from ..model import Edit, Finding, Fix, Label, Severity
from ..syntax import line_start

SEVERITY = Severity.WARNING

_RESET = re.compile(
    r"zero_grad|\.grad\s*=[^=]|\.grad(\.data)?\.zero_|\.grad\[|del .*\.grad|set_to_none"
    r"|_foreach_zero_|\.grad(\.data)?\.(fill_|copy_|mul_)"
)
_COMMENT = re.compile(r"#.*")


def check(trace: Trace) -> Iterator[Finding]:
    """The second backward pass that adds to the gradients of the first, after an update."""
    if any(_RESET.search(_COMMENT.sub("", source.text)) for source in trace.sources.values()):
        return
    passes = [done for done in trace.backwards if done.accumulates]
    for earlier, later in pairwise(passes):
        shared = {n.leaf for n in earlier.nodes} & {n.leaf for n in later.nodes} - {None}
        update = _update(trace, earlier.event, later.event, shared)
        if update is None:
            continue
        text = name_at(trace, later.event.site.span, 30)
        says = (
            f"{text} adds to the gradients of the step before: nothing sets them to 0",
            f"{text} adds to gradients that nothing sets to 0",
            "nothing sets the gradients back to 0",
        )
        yield Finding(
            code="stale-gradient",
            severity=SEVERITY,
            headline=fitting("warning", "stale-gradient", says),
            span=later.event.site.span,
            at="adds to what is there",
            labels=(Label(update.site.span, "uses the sum of all so far"),),
            fixes=tuple(_fixes(trace, later.event, update)),
        )
        return


def _update(trace: Trace, after: Event, before: Event, leaves: set[Array | None]) -> Event | None:
    """The event between two passes that wrote to one of the leaves."""
    for event in trace.events[after.index + 1 : before.index]:
        optimizer = event.operand("self")
        if is_call_of(event, "step") and isinstance(optimizer, Thing):
            if leaves.intersection(optimizer.parameters.values()):
                return event
        elif any(array.memory in leaves for array in written_by(event)):
            return event
    return None


def _fixes(trace: Trace, backward: Event, update: Event) -> Iterator[Fix]:
    """Zeros ahead of the pass, where the optimizer's name says whose."""
    optimizer = update.operand("self")
    if not isinstance(optimizer, Thing) or not update.site.operands:
        yield Fix("set .grad to None after the update")
        return
    name = trace.text(update.site.operands[0].span)
    span = backward.site.span
    line = trace.sources[span.path].line(span.line)
    indent = line[: len(line) - len(line.lstrip())]
    if line[: span.column].strip():
        yield Fix(f"{name}.zero_grad(), ahead of it")
        return
    new = f"{indent}{name}.zero_grad()\n"
    yield Fix(f"{name}.zero_grad(), ahead of it", (Edit(line_start(trace, span), new),))
