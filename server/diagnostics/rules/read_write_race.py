"""An array that one thread reads or updates while another one writes it.

## What it does
Finds updates in place (``total += part``, ``np.add(total, part, out=total)``, ``hist[k] += 1``) of
one and the same array, or of one element of it, by a function that runs in several threads at once,
with no lock held by ``with`` or ``acquire``. And reads of an array that a thread updates, between
the thread's ``start`` and the ``join`` that waits for it. Shows both lines.

``jit-lsp check --replay`` also computes each operation of the run again, from what the trace has
of small arrays, and tells where that gives something else: a race that did happen, or a buffer that
is written by code that nobody sees.

## Why it is bad
An update reads, computes and writes. NumPy lets other threads run during an operation on more than
500 elements, and Python does between the reading and the writing of one. What another thread wrote
in between is overwritten, so the sum is too small now and then: in no two runs by the same amount.

## Example
```python
import threading
import numpy as np

total = np.zeros(10_000)

def work(seed):
    global total
    total += np.random.default_rng(seed).random(10_000)

threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total.mean())
```

## Use instead
```python
import threading
import numpy as np

total = np.zeros(10_000)
lock = threading.Lock()

def work(seed):
    global total
    part = np.random.default_rng(seed).random(10_000)
    with lock:
        total += part

threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total.mean())
```

## When to ignore
When the threads take turns in a way that the text of the file doesn't show.

## References
- NumPy, Thread Safety: https://numpy.org/doc/stable/reference/thread_safety.html
- Python, Lock objects: https://docs.python.org/3/library/threading.html#lock-objects
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from ...doc.source import Source, Span
from ...tracer.replay import Difference, differences
from ...tracer.trace import Array, Constant, Event, Frame, Scalar, Trace
from .. import ops
from ..describe import fitting, name_at, origin
from ..model import Finding, Fix, Label, Severity
from ..syntax import enclosing, span_of, tree

SEVERITY = Severity.WARNING

_THREADS = re.compile(r"\bThread\(|\bThreadPoolExecutor\(")
_LETS_OTHERS_RUN = 500
"""Elements up to which NumPy keeps the interpreter's lock during an operation."""


@dataclass(frozen=True, slots=True)
class _Launch:
    """Where a function is handed to threads."""

    function: str
    span: Span
    several: bool
    """Whether more than one thread runs it at a time."""


@dataclass(frozen=True, slots=True)
class _Update:
    """What an event reads and writes: all of an array, or what an index selects."""

    array: Array
    place: str


def check(trace: Trace) -> Iterator[Finding]:
    """Each place once: at the first update by a second thread, at the first read that is too
    early."""
    launches = {
        launch.function: launch
        for source in trace.sources.values()
        if _THREADS.search(source.text)
        for launch in _launches(source)
    }
    threads: dict[tuple[int, int, str], set[int]] = {}
    written: dict[Array, Event] = {}
    seen: set[int] = set()
    for event in trace.events if launches else ():
        root = _thread(event.frame, launches)
        update = _update(trace, event) if root is not None else None
        if root is None or update is None or _locked(trace, event, root):
            continue
        if _is_long(update.array):
            written.setdefault(update.array, event)
        if event.site.number in seen or not launches[root.scope.name].several:
            continue
        key = (event.site.number, update.array.number, update.place)
        threads.setdefault(key, set()).add(root.number)
        if len(threads[key]) > 1:
            seen.add(event.site.number)
            yield _finding(trace, event, update, launches[root.scope.name])
    for event in trace.events if written else ():
        early = next((v for v in event.operands if isinstance(v, Array) and v in written), None)
        if early is None or event.site.number in seen or _thread(event.frame, launches) is not None:
            continue
        start = _started(trace, event)
        if start is not None:
            seen.add(event.site.number)
            yield _too_early(trace, event, early, written[early], start)
    yield from _replayed(trace, launches.values(), seen)


def _replayed(trace: Trace, launches: Iterable[_Launch], seen: set[int]) -> Iterator[Finding]:
    """What isn't as it is when it is computed again, each memory once; of runs that tell of it."""
    memories: set[Array | Scalar] = set()
    for difference in differences(trace) if trace.held else ():
        array, site = difference.array, difference.event.site
        memory = array.memory if isinstance(array, Array) else array
        if memory not in memories and site.number not in seen:
            memories.add(memory)
            seen.add(site.number)
            threads = [
                Label(launch.span, f"{launch.function} runs in a thread from here")
                for launch in launches
            ]
            say = _changed if difference.found else _disturbed
            yield say(trace, difference, tuple(threads[:2]))


def _changed(trace: Trace, difference: Difference, threads: tuple[Label, ...]) -> Finding:
    """An operation found an array otherwise than the trace left it."""
    event, before, array = difference.event, difference.before, difference.array
    pairs = zip(event.site.operands, event.operands, strict=True)
    name = name_at(trace, next((o.span for o, v in pairs if v is array), event.site.span))
    element = f"{name}{_place_of(difference)}"
    was, now = _number(difference.expected), _number(difference.value)
    at, labels = f"{element} is {now}, it was {was} the time before", threads
    if before is not None and before.site.span != event.site.span:
        at = f"{element} is {now}"
        labels = (Label(before.site.span, f"{element} was {was} here"), *threads)
    why = "a thread writes it meanwhile" if threads else "what keeps it writes into it later"
    says = (
        f"{name} changed, and nothing that is recorded wrote it",
        "this changed, and nothing that is recorded wrote it",
    )
    return _race(
        says,
        span=event.site.span,
        at=at,
        labels=(*labels, *_written_after(difference)),
        note=why,
        fix="a lock around what threads read and write" if threads else f"{name}.copy()",
    )


def _disturbed(trace: Trace, difference: Difference, threads: tuple[Label, ...]) -> Finding:
    """An operation gave what its operands don't explain."""
    event, where = difference.event, _place_of(difference)
    says = (
        f"{name_at(trace, event.site.span, 30)} was disturbed while it ran",
        "this was disturbed while it ran",
    )
    gave = f"gave {_number(difference.value)}{f' at {where}' if where else ''}"
    between = difference.before
    labels, fix = threads, "a lock around what threads read and write"
    if between is not None and between.frame.call is not None and between.frame is not event.frame:
        labels = (Label(between.site.span, "written here, while that had begun"),)
        fix = "compute the right-hand side first, on a line of its own"
    return _race(
        says,
        span=event.site.span,
        at=f"{gave}; computed again, it is {_number(difference.expected)}",
        labels=(*labels, *_written_after(difference)),
        note="something wrote into what it reads, or what it gave",
        fix=fix,
    )


def _race(
    says: tuple[str, ...], *, span: Span, note: str, fix: str, labels: tuple[Label, ...],
    at: str = "",
) -> Finding:  # fmt: skip
    return Finding(
        code="read-write-race",
        severity=SEVERITY,
        headline=fitting("warning", "read-write-race", says),
        span=span,
        at=at,
        labels=labels,
        notes=(note,),
        fixes=(Fix(fix),),
    )


def _written_after(difference: Difference) -> tuple[Label, ...]:
    after = difference.after
    if after is None or after.site is difference.event.site:
        return ()
    return (Label(after.site.span, "written here, by another call"),)


def _place_of(difference: Difference) -> str:
    return f"[{', '.join(map(str, difference.place))}]" if difference.place else ""


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _thread(frame: Frame, launches: dict[str, _Launch]) -> Frame | None:
    """The frame that a thread began with, if it is one that more than one thread runs."""
    here: Frame | None = frame
    while here is not None:
        if here.scope.kind == "function" and here.scope.name in launches:
            called = here.call is not None and here.call.site.callee == here.scope.name
            return None if called else here
        here = here.parent
    return None


def _update(trace: Trace, event: Event) -> _Update | None:
    """What an event updates so that another thread can come between."""
    site = event.site
    if event.kind == "store" and site.kind.startswith("inplace:"):
        array, place = event.operands[0], _place(trace, event)
        if not isinstance(array, Array) or place is None:
            return None
        return _Update(array, place) if place != ":" or _is_long(array) else None
    for _, array in ops.written(event):
        reads = event.in_place or event.operands.count(array) > 1
        if reads and ops.elementwise(event) and _is_long(array):
            return _Update(array, ":")
    return None


def _is_long(array: Array) -> bool:
    size = array.type.size if array.type is not None else None
    return size is not None and size > _LETS_OTHERS_RUN


def _place(trace: Trace, event: Event) -> str | None:
    """What an index selects, where that is known: alike in two threads means the same element."""
    parts = []
    for where, value in zip(event.site.operands, event.operands, strict=True):
        if where.role != "index":
            continue
        if isinstance(value, Constant) and isinstance(value.value, int):
            parts.append(str(value.value))
        elif where.form == "literal" or trace.text(where.span) in (":", "..."):
            parts.append(trace.text(where.span))
        else:
            return None
    return ":" if set(parts) <= {":", "..."} else ", ".join(parts)


# ---------------------------------------------------------------------- what keeps threads apart


def _locked(trace: Trace, event: Event, root: Frame) -> bool:
    """Whether a lock may be held: a ``with`` around the update or a call that led to it, or
    ``acquire``; where it isn't sure which call led to it, one may be."""
    frame, span = event.frame, event.site.span
    while True:
        for node in enclosing(trace.sources[span.path], span):
            if isinstance(node, ast.With | ast.AsyncWith):
                return True
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if "acquire(" in ast.unparse(node):
                    return True
                break
        if frame is root:
            return False
        call = frame.call
        if call is None or frame.parent is None:
            return True
        if call.site.callee.rpartition(".")[2] != frame.scope.name:
            return True  # what another thread called meanwhile: who called this one isn't known
        frame, span = frame.parent, call.site.span


def _launches(source: Source) -> Iterator[_Launch]:
    """The functions that a file hands to threads of which more than one runs at a time."""
    module = tree(source.text)
    calls = [node for node in ast.walk(module or ast.Module([], [])) if isinstance(node, ast.Call)]
    pools = [call for call in calls if _called(call) == "ThreadPoolExecutor"]
    several = any(not _has_one_worker(call) for call in pools)
    waited = {id(n.value) for n in ast.walk(module or ast.Module([], []))
              if isinstance(n, ast.Attribute) and n.attr == "result"}  # fmt: skip
    in_turn = _one_after_another(module) if module is not None else True
    for call in calls:
        target: ast.expr | None = None
        several_run = several
        if _called(call) == "Thread":
            several_run = not in_turn
            target = next((k.value for k in call.keywords if k.arg == "target"), None)
        elif several and isinstance(call.func, ast.Attribute) and call.args:
            handed = call.func.attr == "map" or (
                call.func.attr == "submit" and id(call) not in waited
            )
            target = call.args[0] if handed else None
        if isinstance(target, ast.Name | ast.Attribute):
            name = target.id if isinstance(target, ast.Name) else target.attr
            yield _Launch(name, span_of(source, call), several_run)


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _has_one_worker(call: ast.Call) -> bool:
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "max_workers")]
    return any(isinstance(n, ast.Constant) and n.value == 1 for n in given)


def _one_after_another(module: ast.Module) -> bool:
    """Whether each thread is waited for before the next one starts, as far as the text shows: no
    loop only starts them, and no two starts follow each other."""
    steps = _steps(module)
    loops = [node for node in ast.walk(module) if isinstance(node, ast.For | ast.While)]
    for loop in loops:
        inside = {how for line, _, how in steps if loop.lineno <= line <= (loop.end_lineno or line)}
        if inside == {"start"}:
            return False
    return not any(one[2] == following[2] == "start" for one, following in pairwise(steps))


def _steps(tree: ast.AST) -> list[tuple[int, int, str]]:
    """Lines and columns of the calls of ``start`` and ``join``, in the order of the text."""
    return sorted(
        (node.lineno, node.col_offset, node.func.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("start", "join") and not node.args
    )  # fmt: skip


def _started(trace: Trace, event: Event) -> int | None:
    """The line of the ``start`` since which threads run that are waited for behind an event; None
    where there is none, or where the event is in a loop or under a lock."""
    around = enclosing(trace.sources[event.site.span.path], event.site.span)
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
    here = next((i for i, node in enumerate(around) if isinstance(node, scopes)), None)
    if here is None or any(isinstance(n, ast.For | ast.While | ast.With) for n in around[:here]):
        return None
    line = event.site.span.line
    steps = _steps(around[here])
    before = [step for step in steps if step[0] < line]
    waited = any(how == "join" for at, _, how in steps if at > line)
    return before[-1][0] if before and before[-1][2] == "start" and waited else None


def _too_early(trace: Trace, event: Event, array: Array, write: Event, start: int) -> Finding:
    pairs = zip(event.site.operands, event.operands, strict=True)
    name = name_at(trace, next(o.span for o, v in pairs if v is array))
    says = (
        f"{name} is read here while a thread still writes it",
        "this is read while a thread still writes it",
    )
    return _race(
        says,
        span=event.site.span,
        labels=(Label(write.site.span, "written here, in a thread"),),
        note=f"the thread runs since line {start}, and is waited for later on",
        fix="join() ahead of this line",
    )


def _finding(trace: Trace, event: Event, update: _Update, launch: _Launch) -> Finding:
    site = event.site
    name = name_at(trace, next(o.span for o in site.operands if o.role not in ("index", "value")))
    says = (
        f"{name_at(trace, site.span, 30)} in several threads: updates get lost",
        f"threads update {name} at once: updates get lost",
        "several threads update this at once: updates get lost",
    )
    outside = next(reversed(update.array.names), name)
    made = origin(trace, outside, update.array, other_than=site.span)
    why = "NumPy lets other threads run while it computes"
    if update.place != ":":
        why = "other threads run between its reading and its writing"
    return _race(
        says,
        span=site.span,
        at="read here, and written",
        labels=(
            Label(launch.span, f"{launch.function} runs in threads from here"),
            *((made,) if made is not None else ()),
        ),
        note=why,
        fix="with lock: around it, and lock = threading.Lock() outside",
    )
