"""A tensor is changed that backward still needs.

## What it does
Explains the exception of a backward pass that finds a tensor changed which an operation had kept
for its gradient: it names the line that changed it, the one that kept it, and the call that failed.
Also finds the changes that PyTorch can't see, through ``.data`` or a NumPy array that shares the
memory, where an operation had kept the tensor and its gradient was computed afterwards.

## Why it is bad
The gradient of a product needs the factors, that of a sigmoid its result. If they have changed, the
gradient would be wrong. PyTorch notices by a counter of writes, but says neither which line wrote
nor which operation needs the value; through ``.data`` the counter doesn't see it, and the gradient
is silently wrong.

## Example
```python
import torch

x = torch.randn(5, requires_grad=True)
gate = torch.sigmoid(x)
out = (gate * x).sum()
gate += 0.1
out.backward()
```

## Use instead
```python
import torch

x = torch.randn(5, requires_grad=True)
gate = torch.sigmoid(x)
out = (gate * x).sum()
gate = gate + 0.1
out.backward()
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- PyTorch, In-place operations with autograd: https://pytorch.org/docs/stable/notes/autograd.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ...doc.source import Span
from ...ir import Symbol, registry
from ...tracer.tensors import is_tensor
from ...tracer.trace import Array, Backward, Event, Failure, Stale, Trace
from ..describe import calls_to, fitting, name_at, row
from ..gradients import (
    in_layers,
    kept,
    nodes_of,
    operands_of,
    results_of,
    writes,
    written_name,
)
from ..model import Edit, Finding, Fix, Label, Severity
from ..ops import SIGNS

SEVERITY = Severity.ERROR


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which line changed what backward needs, and which operation needs it."""
    if not failure.stale or failure.span is None:
        return None
    stale = failure.stale[0]
    saver = nodes_of(trace).event(stale.node)
    if saver is None:
        return None
    here = Label(failure.span, "fails here")
    found = _writer(trace, saver, stale)
    path = calls_to(failure)
    if found is None:
        what = f"[{', '.join(map(str, stale.sizes))}]"
        says = f"a tensor {what} was changed that {_op(stale.name)} had kept for its gradient"
        label = Label(saver.site.span, f"{_op(stale.name)} kept it here")
        return Finding("modified-saved-tensor", SEVERITY, says, failure.span, labels=(label,),
                       call_path=path)  # fmt: skip
    writer, layer, array = found
    name = array.names[-1] if array.names else array.parameter or _output(saver, array)
    op = _op(stale.name)
    kept_here = f"{op} kept {name} (version {stale.expected}) for its gradient"
    labels = [here]
    if saver.site.span != writer.site.span:
        labels.insert(0, Label(saver.site.span, kept_here))
    text = written_name(trace, writer)
    ways = [
        f"{text} changes a value that backward still needs",
        f"{text} changes what {op} kept for backward",
        f"this changes what {op} kept for backward",
    ]
    if layer:
        ways = [f"{layer} changes a value that {op} kept for its gradient",
                f"{layer} changes what {op} kept"]  # fmt: skip
    shown = row(name, array)
    return Finding(
        code="modified-saved-tensor",
        severity=SEVERITY,
        headline=fitting("error", "modified-saved-tensor", ways),
        span=writer.site.span,
        at=f"now version {stale.version}" if not layer else f"inside {layer}",
        labels=tuple(labels),
        operands=() if shown is None else (shown,),
        fixes=tuple(_fixes(trace, writer, layer, array)),
        call_path=path if writer.frame.scope.kind != "module" else (),
    )


def _writer(trace: Trace, saver: Event, stale: Stale) -> tuple[Event, str, Array] | None:
    """The first event that changed what ``saver`` kept, with the layer that did it, and the
    tensor."""
    inside = tuple(dict.fromkeys(in_layers(saver)))
    known = dict.fromkeys((*kept(saver, stale.kept), *operands_of(saver), *results_of(saver)))
    for array in (*known, *inside):
        if array.type is None or array.type.sizes != stale.sizes:
            continue
        for event, layer in writes(trace, array, saver.index, len(trace.events)):
            return event, layer, array
    for array in (*known, *inside):  # a view of it has other sizes
        for event, layer in writes(trace, array, saver.index, len(trace.events)):
            return event, layer, array
    return None


def check(trace: Trace) -> Iterator[Finding]:
    """Changes that PyTorch doesn't see, between an operation and its backward pass."""
    seen: set[Span] = set()
    for backward in trace.backwards:
        for saver, name, array in _kept(trace, backward):
            writer = _unseen(trace, array, saver, backward.event)
            if writer is None or writer.site.span in seen:
                continue
            seen.add(writer.site.span)
            text = written_name(trace, writer)
            says = (f"{text} changes what backward uses, and PyTorch can't see it",
                    f"{text} changes what backward uses, unseen")  # fmt: skip
            known = array.names[-1] if array.names else "it"
            shown = row(array.names[-1] if array.names else name, array)
            yield Finding(
                code="modified-saved-tensor",
                severity=Severity.WARNING,
                headline=fitting("warning", "modified-saved-tensor", says),
                span=writer.site.span,
                labels=(
                    Label(saver.site.span, f"{name} kept {known} for its gradient"),
                    Label(backward.event.site.span, "this gradient is wrong"),
                ),
                operands=() if shown is None else (shown,),
            )


def _kept(trace: Trace, backward: Backward) -> Iterator[tuple[Event, str, Array]]:
    """What the nodes of a backward pass certainly used: results that they kept, and factors whose
    partner requires a gradient."""
    for node in backward.nodes:
        event = nodes_of(trace).event(node.number) if node.number >= 0 else None
        if event is None or event.index > backward.event.index or event.entered:
            continue
        if "result" in node.saved:
            for array in results_of(event):
                known = event.gradients.get(array.number)
                if known is not None and known.node == node.number:
                    yield event, _op(node.name), array
        if node.name == "MulBackward0" and len(node.inputs) == 2 and len(operands_of(event)) == 2:
            for array, partner in zip(operands_of(event), reversed(node.inputs), strict=True):
                if partner is not None:
                    yield event, "mul", array


def _unseen(trace: Trace, array: Array, saver: Event, until: Event) -> Event | None:
    """A write between the two through ``.data``, or an array of NumPy."""
    for event, layer in writes(trace, array, saver.index, until.index):
        if layer or not event.site.operands:
            continue
        target = event.operands[0]
        text = trace.text(event.site.operands[0].span)
        by_numpy = isinstance(target, Array) and not is_tensor(target)
        if by_numpy or text.endswith(".data") or ".data[" in text:
            return event
    return None


def _output(event: Event, array: Array) -> str:
    """What to call a tensor without a name: by the layer that gave it."""
    for run in event.layers:
        if run.result is array:
            return f"output of {run.layer.shown}"
    return "a value"


def _op(node: str) -> str:
    """``mul`` of ``MulBackward0``."""
    return node.partition("Backward")[0].lower() or "an operation"


def _fixes(trace: Trace, writer: Event, layer: str, kept: Array) -> Iterator[Fix]:
    site = writer.site
    if layer:
        yield Fix(f"{layer.partition('.')[0]}(), without inplace=True")
        return
    sign = SIGNS.get(site.kind.partition(":")[2].partition(":")[0], "")
    if site.kind.startswith("inplace:") and writer.kind == "op" and len(site.operands) == 2:
        target, value = (trace.text(o.span) for o in site.operands)
        new = f"{target} = {target} {sign} {value}"
        if not value.replace("_", "").replace(".", "").isalnum():
            new = f"{target} = {target} {sign} ({value})"
        yield Fix(new, (Edit(site.span, new),))
    elif site.is_call and site.callee.startswith(".") and site.callee.endswith("_"):
        name = trace.text(site.operands[0].span)
        if not name.isidentifier() or not site.discarded:
            return
        written = writer.operands[0] if writer.operands else None
        method = site.callee[1:-1]
        if written is kept and registry.get(Symbol("torch", f"Tensor.{method}")):
            rest = trace.text(site.span)[len(name) :].replace(site.callee, f".{method}", 1)
            yield Fix(f"{name} = {name}{rest}", (Edit(site.span, f"{name} = {name}{rest}"),))
        else:  # a view of it, or a method that only writes
            yield Fix(f"{name} = {name}.clone(), ahead of this line")
    elif site.kind == "setitem":
        name = name_at(trace, site.operands[0].span)
        yield Fix(f"{name} = {name}.clone(), ahead of this line")
