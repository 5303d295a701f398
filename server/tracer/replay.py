"""Whether a trace is what the program did: each operation again, on what the graph has.

The arrays of a run are held here as they were there, views as views of one memory. What the
registry knows as a plain computation the interpreter does again on them, and the run told what its
operands and results held (``Trace.held``). Whatever else ran is taken at its word. So what differs
was written by nobody that the trace knows of: by another thread in the middle of an operation, or
by code that keeps an array and writes into it later.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..ir import ArrayType, Graph, Symbol, registry
from ..ir.interpreter import Interpreter, dtype_of, function_of
from ..ir.values import Constant, Keyword, Operand, Pack, values_of
from . import trace as recorded
from .kept import MOST_BYTES
from .lift import alone
from .operations import symbol_of, written_by
from .sequences import parts_of
from .trace import Array, Event, Scalar, Trace

__all__ = ["Difference", "differences"]

RELATIVE: Final = 1e-3
"""Of a number: far more than another version of NumPy, or of what it is built with, rounds."""
ABSOLUTE: Final = 1e-6
"""Of the largest number around."""
MOST_PRODUCTS: Final = 1 << 27
"""Of the elements of all operands of an ``einsum``, which may visit each with each."""
_UNSTABLE: Final = frozenset({"argsort", "argpartition", "partition", "resize"})
"""What may order equal elements as it likes, or leaves memory as it was."""
_SETTLED_BY_LIBRARY: Final = "linalg."
"""Signs and order of what these give are the library's choice."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An array that an event found, or made, unlike what the graph has for it.

    ``before`` is the last event that had it as the graph has it, ``after`` the next one that
    writes into its memory.
    """

    event: Event
    array: Array | Scalar
    found: bool
    """Whether the event took it; else it gave it, or wrote it."""
    place: tuple[int, ...]
    """Of the first element that differs."""
    expected: object
    value: object
    before: Event | None
    after: Event | None


def differences(trace: Trace) -> Iterator[Difference]:
    """What differs, in order. Goes on from what the run had, so that each has a cause of its
    own."""
    replay = _Replay(trace)
    for event in trace.events[: trace.told]:
        yield from replay.step(event)


class _Replay:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.told: dict[int, bytes] = {}
        """By number of an array, what it held when it was named last."""
        self.arrays: dict[int, Any] = {}
        self.members: dict[int, list[int]] = {}
        """By number of a memory's owner, the arrays held that show it."""
        self.escaped: set[int] = set()
        """Owners of memory that code took which isn't computed here."""
        self.foreign = False
        """Whether there are arrays of memory that no array owns: it may be that of any escaped."""
        self.loose: set[int] = set()
        """Owners of memory that isn't held as one here: nothing is said of it."""
        self.named: dict[int, Event] = {}
        """By owner, the last event that named an array of its memory."""
        self.graphs: dict[object, Graph | None] = {}
        """By site and types: what is computed there; None for what isn't."""

    def step(self, event: Event) -> Iterator[Difference]:
        taken = list(dict.fromkeys(_arrays(event.operands)))
        graph = self.graph(event, taken)
        written = {*written_by(event), *(() if graph is None else _mutated(graph, taken))}
        memories = {array.memory for array in written}
        for array in written:
            self.forget(array.memory)
        self.told.update(self.trace.held.get(event.index, {}))
        same = [array for array in taken if array.memory not in memories]
        for array in same:
            self.admit(array)
        differ: list[Difference] = []
        if graph is not None and all(array.number in self.arrays for array in taken):
            for array in same:
                differ += self.compared(event, array, found=True)
            self.agree(same)
            done, wrong = self.computed(event, taken, graph)
            differ += wrong
            if done and self.is_complete(event, memories):
                for array in written:
                    differ += self.compared(event, array, found=False)
        else:
            done = False
        if not done:
            self.escape(array.memory for array in taken)
            self.loose.update(a.memory.number for a in written if a.number not in self.told)
        results = [r for r in parts_of(event.result) if isinstance(r, Array)]
        self.agree([*taken, *written, *results])
        for array in (*taken, *results):
            self.named[array.memory.number] = event
        yield from differ[:1]  # what an operand held explains what came of it

    def is_complete(self, event: Event, memories: set[Array]) -> bool:
        """Whether what is told of written memory tells of this event alone, and not of another
        target of the same assignment."""
        following = self.trace.events[event.index + 1 : event.index + 2]
        return event.kind != "store" or not any(
            later.kind == "store" and later.site.span.line == event.site.span.line
            and any(array.memory in memories for array in later.written)
            for later in following
        )  # fmt: skip

    # ------------------------------------------------------------------ what is held

    def forget(self, memory: Array) -> None:
        """What was told of memory that is being written holds no longer. Where it isn't known which
        memory that is, nothing that is held here does."""
        if memory.type is None:
            self.arrays.clear()
            self.members.clear()
        for number in self.members.get(memory.number, ()):
            self.told.pop(number, None)

    def escape(self, memories: Iterable[Array]) -> None:
        """Code took these that isn't computed here."""
        numbers = {memory.number for memory in memories}
        self.escaped |= numbers
        if self.foreign:
            self.loose |= numbers

    def admit(self, array: Array) -> None:
        """Hold an array as the run told of it, in memory of its own."""
        kind, data = array.type, self.told.get(array.number)
        if array.number in self.arrays or kind is None or data is None or kind.kind != "array":
            return
        self.keep(array, _laid_out(kind, data))
        if array.foreign or array.memory is not array:
            self.loose.add(array.memory.number)
        if array.foreign:
            self.foreign = True
            self.loose |= self.escaped

    def keep(self, array: Array, elements: Any) -> None:
        """Hold an array; its memory is loose where it isn't shared here as it was there."""
        root = array.memory.number
        others = self.members.setdefault(root, [])
        if others and not np.may_share_memory(self.arrays[others[0]], elements):
            self.loose.add(root)
        others.append(array.number)
        self.arrays[array.number] = elements

    def agree(self, arrays: Iterable[Array]) -> None:
        """Let arrays hold what they held in the run."""
        for array in arrays:
            self.admit(array)
            data, mine = self.told.get(array.number), self.arrays.get(array.number)
            if data is None or mine is None or mine.tobytes() == data:
                continue
            if not mine.flags.writeable or mine.nbytes != len(data):
                self.loose.add(array.memory.number)
                continue
            mine[...] = np.frombuffer(data, mine.dtype).reshape(mine.shape)

    # ------------------------------------------------------------------ what is computed

    def graph(self, event: Event, taken: Sequence[Array]) -> Graph | None:
        """An event as a computation; None where it is none that can be done again."""
        given: list[Array | Scalar] = [*taken, *_scalars(event)]
        places = {value.number: (i, value.type) for i, value in enumerate(given)}
        key = event.site.number, _form(event.operands, places), _form((event.result,), places)
        if key not in self.graphs:
            graph = alone(self.trace, event, given) if self.is_known(event, taken) else None
            nodes = [] if graph is None else list(graph.body)[:-1]
            self.graphs[key] = graph if nodes and all(map(_is_small, nodes)) else None
        return self.graphs[key]

    def is_known(self, event: Event, taken: Iterable[Array]) -> bool:
        """Whether an event is a computation that can be done again."""
        info = registry.get(symbol_of(event))
        if event.entered or event.updated or event.site.kind == "leaf" or info is None:
            return False
        name = info.symbol.name.removeprefix("ndarray.")
        writes = info.mutates_when is not None and any(
            operand.role == info.mutates_when[0] for operand in event.site.operands
        )
        plain = info.symbol.namespace == "np" and not info.effects and name not in _UNSTABLE
        if not plain or writes or name.startswith(_SETTLED_BY_LIBRARY):
            return False
        if name != "einsum":
            return True
        sizes = [a.type.size if a.type is not None else None for a in taken]
        return math.prod(size or 0 for size in sizes) <= MOST_PRODUCTS

    def computed(
        self, event: Event, taken: Sequence[Array], graph: Graph
    ) -> tuple[bool, list[Difference]]:
        """Do an event again; its results are held from then on. Gives whether it could be done."""
        inputs = [*(self.arrays[a.number] for a in taken), *map(_number, _scalars(event))]
        try:
            with np.errstate(all="ignore"):
                given = Interpreter(graph.module).call(graph, inputs)
        except Exception:  # what it took isn't all known, or it isn't what it seemed to be
            return False, []
        differ: list[Difference] = []
        results = [r for r in parts_of(event.result) if isinstance(r, Array | Scalar)]
        if len(results) == len(given):
            for result, value in zip(results, given, strict=True):
                differ += self.given(event, result, value)
        return True, differ

    def given(self, event: Event, result: Array | Scalar, value: Any) -> list[Difference]:
        """Hold a result, if it is of the type that the run had, and compare it."""
        if isinstance(result, Scalar):
            mine, theirs = np.asarray(value), np.asarray(result.value)
            fits = mine.ndim == 0 and theirs.dtype.kind in "biufc" and result.value is not None
            place = _differs(mine, theirs, self.scale(event)) if fits else None
            return [] if place is None else [self.difference(event, result, False, place, mine,
                                                             theirs)]  # fmt: skip
        kind = result.type
        if kind is None or not isinstance(value, np.ndarray) or result.number in self.arrays:
            return []
        if value.shape != kind.sizes or value.dtype != dtype_of(kind.element):
            return []
        self.keep(result, value)
        return self.compared(event, result, found=False)

    # ------------------------------------------------------------------ what differs

    def compared(self, event: Event, array: Array, *, found: bool) -> list[Difference]:
        """Whether an array is held as it was in the run."""
        mine, data = self.arrays.get(array.number), self.told.get(array.number)
        if mine is None or data is None or mine.tobytes() == data or len(data) != mine.nbytes:
            return []
        if array.memory.number in self.loose:
            return []
        theirs = np.frombuffer(data, mine.dtype).reshape(mine.shape)
        place = _differs(mine, theirs, 0.0 if found else self.scale(event))
        return [] if place is None else [self.difference(event, array, found, place, mine, theirs)]

    def scale(self, event: Event) -> float:
        """The largest number that an event takes."""
        held = (self.arrays.get(a.number) for a in _arrays(event.operands))
        return max(map(_largest, (array for array in held if array is not None)), default=0.0)

    def difference(
        self, event: Event, array: Array | Scalar, found: bool, place: tuple[int, ...],
        mine: Any, theirs: Any,
    ) -> Difference:  # fmt: skip
        if isinstance(array, Scalar):
            memories = {a.memory for a in _arrays(event.operands)}
            return Difference(event, array, found, place, mine[()], theirs[()], None,
                              self.next_write(event, memories))  # fmt: skip
        after = self.next_write(event, {array.memory})
        before = self.named.get(array.memory.number)
        return Difference(event, array, found, place, mine[place], theirs[place], before, after)

    def next_write(self, event: Event, memories: set[Array]) -> Event | None:
        """The next event of another function call that writes into one of these."""
        return next(
            (
                later for later in self.trace.after(event)
                if later.frame is not event.frame
                and any(a.memory in memories for a in written_by(later))
            ),
            None,
        )  # fmt: skip


def _parts(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, recorded.Pack):
            yield from _parts(value.items)
        else:
            yield value


def _mutated(graph: Graph, taken: Sequence[Array]) -> Iterator[Array]:
    """Which of the arrays that a graph takes it writes into."""
    owner = dict(zip(graph.parameters, taken, strict=False))
    for node in graph.body:
        for place in node.mutated:
            yield from (owner[v] for v in values_of(node.operands[place]) if v in owner)


def _scalars(event: Event) -> list[Scalar]:
    return list(dict.fromkeys(s for s in _parts(event.operands) if isinstance(s, Scalar)))


def _form(values: Iterable[object], places: Mapping[int, object]) -> tuple[object, ...]:
    """What values are but for the numbers of arrays and scalars."""
    return tuple(
        (value.listed, _form(value.items, places)) if isinstance(value, recorded.Pack)
        else places.get(value.number, value.type) if isinstance(value, Array | Scalar)
        else (type(value.value), value) if isinstance(value, recorded.Constant)
        else value
        for value in values
    )  # fmt: skip


def _arrays(values: Iterable[object]) -> Iterator[Array]:
    return (value for value in _parts(values) if isinstance(value, Array))


def _laid_out(kind: ArrayType, data: bytes) -> Any:
    """An array with elements as given in C order, and its axes in memory as those of its type."""
    elements = np.frombuffer(data, dtype_of(kind.element)).reshape(kind.sizes)  # type: ignore[arg-type]
    if kind.strides is None:
        return elements.copy()
    order = sorted(range(elements.ndim), key=lambda axis: -abs((kind.strides or ())[axis] or 0))
    back = np.argsort(order, kind="stable")
    return elements.transpose(order).copy().transpose(back)


def _number(scalar: Scalar) -> Any:
    return dtype_of(scalar.type.element).type(scalar.value)


def _is_small(node: Any) -> bool:
    """Whether a node gives what the registry says that it gives, and not much of it; and takes no
    function but a type of elements. The rest isn't computed in this process."""
    info = registry.get(node.op)
    if info is None or not all(map(_is_plain, (*node.operands, *node.attributes.values()))):
        return False
    try:
        types = registry.infer(node.op, node.operands, node.attributes, node.mutated)
    except (ValueError, TypeError):
        return False
    return types is not None and all(
        isinstance(kind, ArrayType) and kind.nbytes is not None and kind.nbytes <= MOST_BYTES
        for kind in types
    )


def _is_plain(operand: Operand | object) -> bool:
    match operand:
        case Keyword(item=item) | Constant(value=item):
            return _is_plain(item)
        case Pack(items=items):
            return all(map(_is_plain, items))
        case tuple():
            return all(map(_is_plain, operand))
        case Symbol():
            try:
                function = function_of(operand)
            except AttributeError:
                return False
            return isinstance(function, type) and issubclass(function, np.generic)
    return True


def _largest(array: Any) -> float:
    if array.dtype.kind not in "iufc" or not array.size:
        return 0.0
    sizes = np.abs(array[np.isfinite(array)].astype(complex))
    return float(sizes.max()) if sizes.size else 0.0


def _differs(mine: Any, theirs: Any, scale: float) -> tuple[int, ...] | None:
    """Where the first elements are that are not the same but for rounding."""
    if mine.dtype.kind in "fc" or theirs.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            most = np.maximum(np.abs(mine), np.abs(theirs))
            near = np.abs(mine - theirs) <= RELATIVE * most + ABSOLUTE * scale
        other = ~(near | (mine == theirs) | ((mine != mine) & (theirs != theirs)))
    else:
        other = mine != theirs
    where = np.flatnonzero(other)
    if not where.size:
        return None
    return tuple(int(i) for i in np.unravel_index(where[0], mine.shape))
