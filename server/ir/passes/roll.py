"""Finds straight-line segments that repeat, and makes loops of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..graph import LOOP, STAGE, TERMINATORS, Node, Region, append_copy
from ..module import Module
from ..values import Constant, Operand, Value
from .manager import Pass

LONGEST: Final = 64
"""Nodes in a segment, at most; the search is linear in the graph for each length."""

FEWEST: Final = 3
"""How often a segment must repeat."""


def run(module: Module) -> None:
    """Roll the repeats of every region that isn't the body of a loop already rolled here.

    Turns are repeats of one place in the program: a node has one place, and lines that look alike
    would lose theirs.
    """
    for graph in module.graphs.values():
        _roll(graph.body)


@dataclass(slots=True)
class _Segment:
    """``count`` repeats of ``length`` nodes; ``carried`` maps first operands to results inside."""

    nodes: Sequence[Node]
    length: int
    count: int
    carried: dict[Value, tuple[int, int]]


def _roll(region: Region) -> None:
    nodes = list(region)
    keys = [_key(node) for node in nodes]
    at = 0
    while at < len(nodes):
        segment = _longest_at(nodes, keys, at)
        if segment is None:
            at += 1
            continue
        _replace(segment)
        at += segment.length * segment.count


def _key(node: Node) -> tuple[object, ...] | None:
    """Equal for nodes that may be the same statement in two turns; None for what isn't rolled."""
    if node.regions or node.op in TERMINATORS or node.op is STAGE or node.op is LOOP:
        return None
    types = tuple(value.type for value in node.results)
    attributes = repr(sorted(node.attributes.items())) if node.attributes else ""
    place = (node.span, node.call_path, node.under, node.call)
    return (node.op, types, attributes, node.mutated, *place, len(node.operands))


def _longest_at(
    nodes: Sequence[Node], keys: Sequence[tuple[object, ...] | None], at: int
) -> _Segment | None:
    """The repeats that start here and take up most nodes."""
    key, best = keys[at], None
    if key is None or nodes[at].span is None:
        return None
    for length in range(1, min(LONGEST, (len(nodes) - at) // FEWEST) + 1):
        if keys[at + length] != key or keys[at + 2 * length] != key:
            continue
        same = at
        while same + length < len(nodes) and keys[same] == keys[same + length] is not None:
            same += 1
        count = (same - at) // length + 1
        if count < FEWEST or (best and best.length * best.count >= length * count):
            continue
        segment = _fitted(nodes[at : at + length * count], length, count)
        if segment is not None and (
            best is None or segment.length * segment.count > best.length * best.count
        ):
            best = segment
    return best


def _fitted(nodes: Sequence[Node], length: int, count: int) -> _Segment | None:
    """As many repeats from the start as take their operands alike, if results allow a loop."""
    carried: dict[Value, tuple[int, int]] = {}
    where = {v: (i, j) for i, node in enumerate(nodes) for j, v in enumerate(node.results)}
    turns = 1
    while turns < count and _alike(nodes, length, turns, where, carried, learn=turns == 1):
        turns += 1
    while turns >= FEWEST:
        segment = _Segment(nodes[: length * turns], length, turns, carried)
        if _closed(segment):
            return segment
        turns -= 1
    return None


def _alike(
    nodes: Sequence[Node],
    length: int,
    turn: int,
    where: dict[Value, tuple[int, int]],
    carried: dict[Value, tuple[int, int]],
    *,
    learn: bool,
) -> bool:
    """Whether this turn takes the operands of the first, or what the turn before gave for them."""
    base = turn * length
    for place in range(length):
        first, now = nodes[place], nodes[base + place]
        for a, b in zip(first.operands, now.operands, strict=True):
            if not (isinstance(a, Value) and isinstance(b, Value)):
                if a != b or not isinstance(a, Constant):
                    return False
                continue
            inside = where.get(a)
            if inside is not None and inside[0] < length:  # made earlier in the same turn
                if where.get(b) != (inside[0] + base, inside[1]):
                    return False
                continue
            made = where.get(b)
            if made is None or made[0] < base - length:
                if a is not b or a in carried:
                    return False
                continue
            source = (made[0] - (base - length), made[1])
            if made[0] >= base or a.type is not b.type:
                return False
            if learn and a not in carried:
                carried[a] = source
            if carried.get(a) != source:
                return False
    return not (learn and _mixed(nodes[:length], nodes[base : base + length], carried))


def _mixed(
    first: Sequence[Node], second: Sequence[Node], carried: dict[Value, tuple[int, int]]
) -> bool:
    """Whether a carried value is also taken unchanged somewhere."""
    return any(
        a in carried and a is b
        for one, two in zip(first, second, strict=True)
        for a, b in zip(one.operands, two.operands, strict=True)
        if isinstance(a, Value)
    )


def _closed(segment: _Segment) -> bool:
    """Whether only carried results of the last turn are used outside, and nothing else changes."""
    length, count = segment.length, segment.count
    members = set(segment.nodes)
    carried = set(segment.carried.values())
    for index, node in enumerate(segment.nodes):
        last = index >= length * (count - 1)
        for j, value in enumerate(node.results):
            used = any(user not in members for user in value.uses)
            if used and not (last and (index - length * (count - 1), j) in carried):
                return False
        for value in node.consumed:
            if value.node not in members and value not in segment.carried:
                return False
    first = set(segment.nodes[:length])
    return all(  # what enters the loop is dead outside if the loop changes it
        user in first or not _changes(segment, value)
        for value in segment.carried
        for user in value.uses
    )


def _changes(segment: _Segment, value: Value) -> bool:
    return any(value in node.consumed for node in segment.nodes)


def _replace(segment: _Segment) -> None:
    first = segment.nodes[0]
    starts = list(segment.carried)
    loop = first.region.append_loop(
        segment.count,
        [(value.hint, value) for value in starts],
        None,
        first.span,
        call_path=first.call_path,
        note="rolled",
        before=first,
    )
    loop.under = ()  # each node has its own
    (body,) = loop.regions
    new: dict[Value, Operand] = dict(zip(starts, body.parameters[1:], strict=True))
    for node in segment.nodes[: segment.length]:
        append_copy(body, node, new)
    places = list(segment.carried.values())
    body.set_next([new[segment.nodes[i].results[j]] for i, j in places])
    final = segment.length * (segment.count - 1)
    for (i, j), result in zip(places, loop.results, strict=True):
        segment.nodes[final + i].results[j].replace_uses(result)
    for node in reversed(segment.nodes):
        node.erase()


PASS = Pass("roll", "Segments that repeat become loops.", run, level=2, order=15)
