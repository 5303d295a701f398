"""Writes the bodies of called graphs out in the places of the calls."""

from __future__ import annotations

from ..aliasing import Aliasing
from ..graph import CALL, LOOP, STAGE, Node, copy_into
from ..module import Graph, Module
from ..values import Operand, Value, substitute
from .manager import Pass


def run(module: Module) -> None:
    """Inline every call of a graph that doesn't call itself, even by a detour, and has no stages.

    A graph that gives back its argument makes a second value of it, which inlining would lose; that
    matters where one of both is changed in place.
    Graphs that nothing calls any more are taken out of the module.
    """
    kept = _recursive(module) | _giving_back(module)
    called: set[str] = set()
    for graph in module.graphs.values():
        calls = [node for node in graph.body.walk() if node.op is CALL]
        while calls:
            node = calls.pop()
            callee = module.graphs[node.attributes["callee"]]
            if callee.name not in kept and not _staged(callee):
                called.add(callee.name)
                calls.extend(_inline(node, callee))
    still = {node.attributes["callee"] for node in module.walk() if node.op is CALL}
    for name in called - still - {"main"}:
        del module.graphs[name]


def _inline(call: Node, callee: Graph) -> list[Node]:
    """Replace one call; returns the calls that came in with the body."""
    new: dict[Value, Operand] = dict(zip(callee.parameters, call.operands, strict=True))
    end = callee.body.terminator
    assert end is not None  # the graph was verified
    before = call.prev
    copy_into(callee.body, call.region, new, before=call)
    copied = call.region.first if before is None else before.next
    calls: list[Node] = []
    while copied is not None and copied is not call:
        following = copied.next
        if copied.op is end.op:
            copied.erase()
        else:
            calls.extend(_placed(copied, call))
        copied = following
    versions = [substitute(_last_version(callee.parameters[i]), new) for i in call.mutated]
    returned = [substitute(operand, new) for operand in end.operands]
    for result, operand in zip(call.results, [*versions, *returned], strict=True):
        result.replace_uses(operand)
    call.erase()
    return calls


def _placed(node: Node, call: Node) -> list[Node]:
    """Record the call on the path of a copied node and those inside it; returns calls there."""
    calls: list[Node] = []
    inside = [inner for region in node.regions for inner in region.walk()]
    for each in (node, *inside):
        if call.span is not None:
            each.call_path = (*each.call_path, call.span, *call.call_path)
        if each.op is CALL:
            calls.append(each)
    return calls


def _last_version(value: Value) -> Value:
    """What became of a parameter after every change in place."""
    while True:
        successor = next((s for user in value.uses for s in _successors(user, value)), None)
        if successor is None:
            return value
        value = successor


def _successors(node: Node, value: Value) -> list[Value]:
    """The new version of a value that a node, or a loop that carries it, changes."""
    if node.mutated:
        return [new for old, new in zip(node.consumed, node.results, strict=False) if old is value]
    if node.op is not LOOP:
        return []
    (region,) = node.regions
    return [
        result
        for operand, parameter, result in zip(
            node.operands, region.parameters[1:], node.results, strict=True
        )
        if operand is value and _last_version(parameter) is not parameter
    ]


def _recursive(module: Module) -> set[str]:
    """Names of graphs from which a chain of calls leads back to them."""
    calls = {
        name: {node.attributes["callee"] for node in graph.body.walk() if node.op is CALL}
        for name, graph in module.graphs.items()
    }
    found: set[str] = set()
    for name in calls:
        reached: set[str] = set()
        stack = [name]
        while stack:
            for callee in calls[stack.pop()] - reached:
                reached.add(callee)
                stack.append(callee)
        if name in reached:
            found.add(name)
    return found


def _giving_back(module: Module) -> set[str]:
    """Names of graphs that return a parameter, or a value twice, that is changed somewhere."""
    aliasing = Aliasing(module)
    found: set[str] = set()
    for name, graph in module.graphs.items():
        known = set(graph.parameters)
        end = graph.body.terminator
        for value in () if end is None else end.values():
            if value in known and aliasing.changed(value):
                found.add(name)
            known.add(value)
    return found


def _staged(graph: Graph) -> bool:
    return any(node.op is STAGE for node in graph.body)


PASS = Pass("inline", "Writes called graphs out in place.", run, level=2, order=10)
