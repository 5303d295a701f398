"""Takes adjacent calls into code that wasn't traced together into one node."""

from __future__ import annotations

from collections.abc import Sequence

from .. import registry
from ..graph import Node, Region, append_copy
from ..module import Module
from ..symbol import Symbol
from ..values import Operand, Value
from .manager import Pass

OPAQUE = Symbol("ir", "opaque")
EVAL = Symbol("ir", "eval")


def run(module: Module) -> None:
    """Stitch every run of two or more opaque calls, in every region."""
    for graph in module.graphs.values():
        regions = [graph.body]
        for region in regions:
            regions.extend(inner for node in region for inner in node.regions)
            for calls in _runs(region):
                _stitch(calls)


def _runs(region: Region) -> list[list[Node]]:
    runs: list[list[Node]] = [[]]
    for node in region:
        if _opaque(node):
            runs[-1].append(node)
        elif runs[-1]:
            runs.append([])
    return [calls for calls in runs if len(calls) > 1]


def _opaque(node: Node) -> bool:
    return (registry.get(node.op) is None or node.op is EVAL) and not node.regions


def _stitch(calls: Sequence[Node]) -> None:
    members = set(calls)
    made = [value for node in calls for value in node.results]
    taken = dict.fromkeys(value for node in calls for value in node.values())
    inputs = [value for value in taken if value.node not in members]
    results = [value for value in made if any(user not in members for user in value.uses)]
    first, last = calls[0], calls[-1]
    stitched = first.region.append_with_regions(
        [[(value.type, value.hint) for value in inputs]],
        OPAQUE,
        inputs,
        [value.type for value in results],
        [value.hint for value in results],
        span=first.span,
        call_path=first.call_path,
        note=f"{len(calls)} calls",
        before=last.next,
    )
    stitched.under = ()  # each call has its own
    (body,) = stitched.regions
    new: dict[Value, Operand] = dict(zip(inputs, body.parameters, strict=True))
    for node in calls:
        append_copy(body, node, new)
    body.set_yield([new[value] for value in results])
    for old, value in zip(results, stitched.results, strict=True):
        old.replace_uses(value)
    for node in reversed(calls):
        node.erase()


PASS = Pass("stitch", "Adjacent opaque calls become one.", run, level=2, order=40)
