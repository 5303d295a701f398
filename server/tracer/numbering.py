"""Numbers for the nodes of the graph of gradients.

PyTorch numbers nodes in the order in which they are made, in each thread for itself. Here those of
different threads have different numbers, and within one thread the order stays. A graph that a
backward pass went through may have nodes of several; which thread made one is told by the tensors
that are known to have come out of it, and otherwise by the node that it handed a result to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from .trace import Event, Node

BITS = 40
_WORKERS = (1 << 32) - 1
"""What of a number is PyTorch's; a worker makes the numbers of one graph different by the rest."""


def first_of(thread: int) -> int:
    """What the numbers of a thread's nodes begin at."""
    return thread << BITS


def thread_of(number: int) -> int:
    """The thread in which a node was made."""
    return max(number, 0) >> BITS


def is_same(one: int, other: int) -> bool:
    """Whether two numbers may be of one node that different threads met."""
    return one & _WORKERS == other & _WORKERS


class Named:
    """The nodes that tensors are known to have come out of, by number."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._next = 0

    def renumbered(
        self, nodes: Sequence[Node], roots: Sequence[int], thread: int, threads: int,
        events: Sequence[Event],
    ) -> dict[int, int]:  # fmt: skip
        """The numbers for the nodes of a graph whose gradients ``thread`` computes, by those that
        they have."""
        if not threads:
            return {}
        self._learn(events)
        known = {node.number: node for node in nodes}
        found: dict[int, int] = {}
        todo = [(number, thread, _WORKERS) for number in reversed(roots)]
        while todo:
            number, after, above = todo.pop()
            node = known.get(number)
            if node is None or number in found:
                continue
            if number < 0:  # of a leaf
                found[number] = number
                continue
            own = number & _WORKERS
            taken = set(found.values())
            there = [t for t in range(threads + 1)
                     if self._names.get(first_of(t) + own) == node.name
                     and first_of(t) + own not in taken]  # fmt: skip
            if own < above and (after in there or not there):
                made_by = after
            else:
                made_by = there[0] if len(there) == 1 else after
            new = first_of(made_by) + own
            while new in taken:  # which of two it is can't be told
                new += _WORKERS + 1
            found[number] = new
            todo += [(e[0], made_by, own) for e in reversed(node.inputs) if e is not None]
        return found

    def _learn(self, events: Sequence[Event]) -> None:
        for event in events[self._next :]:
            for gradient in event.gradients.values():
                if gradient.node is not None:
                    self._names[gradient.node] = gradient.name
        self._next = len(events)


def running_order(nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes as a pass goes through them: when all that hand gradients to one have run, and those
    that were made last first. Those of leaves come last."""
    known = {node.number: node for node in nodes}
    waits = dict.fromkeys(known, 0)
    for node in nodes:
        for number in _next(node, known):
            waits[number] += 1
    ready = [(-(n & _WORKERS), n) for n, count in waits.items() if not count and n >= 0]
    heapify(ready)
    while ready:
        _, number = heappop(ready)
        yield known[number]
        for following in _next(known[number], known):
            waits[following] -= 1
            if not waits[following] and following >= 0:
                heappush(ready, (-(following & _WORKERS), following))
    yield from (node for node in nodes if node.number < 0)


def _next(node: Node, known: Mapping[int, Node]) -> list[int]:
    return [e[0] for e in node.inputs if e is not None and e[0] in known]
