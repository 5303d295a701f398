"""Writes the bodies of called graphs out in the places of the calls."""

from __future__ import annotations

from ..aliasing import Aliasing
from ..context import within
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
    versions = [substitute(_version(callee.parameters[i]), new) for i in call.mutated]
    returned = [substitute(operand, new) for operand in end.operands]
    for result, operand in zip(call.results, [*versions, *returned], strict=True):
        result.replace_uses(operand)
    call.erase()
    return calls


def _version(parameter: Value) -> Value:
    last = _last_version(parameter)
    assert last is not None  # graphs where it isn't are kept
    return last


def _placed(node: Node, call: Node) -> list[Node]:
    """Record the call on the path of a copied node and those inside it; returns calls there."""
    calls: list[Node] = []
    inside = [inner for region in node.regions for inner in region.walk()]
    for each in (node, *inside):
        if each is node:
            each.under = within(call.under, each.under)
        if call.span is not None:
            each.call_path = (*each.call_path, call.span, *call.call_path)
        if each.op is CALL:
            calls.append(each)
    return calls


def _last_version(value: Value) -> Value | None:
    """What became of a value after every change in place; None if no value stands for that."""
    while True:
        consumer = next((user for user in value.uses if _consumes(user, value)), None)
        if consumer is None:
            return value
        if consumer.mutated:
            value = consumer.results[list(consumer.consumed).index(value)]
            continue
        successor = _after_loop(consumer, value)
        if successor is None:
            return None
        value = successor


def _after_loop(loop: Node, value: Value) -> Value | None:
    """The result of a loop that is what it made of ``value``, and not another in its name."""
    (region,) = loop.regions
    place = list(loop.operands).index(value)
    last, end = _last_version(region.parameters[place + 1]), region.terminator
    same = last is not None and end is not None and end.operands[place] is last
    return loop.results[place] if same else None


def _consumes(node: Node, value: Value) -> bool:
    """Whether a node changes a value in place, or a loop does that carries it."""
    if node.mutated:
        return value in node.consumed
    if node.op is not LOOP or value not in node.operands:
        return False
    place = list(node.operands).index(value)
    parameter = node.regions[0].parameters[place + 1]
    return any(_consumes(user, parameter) for user in parameter.uses)


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
    """Names of graphs that return a parameter, or a value twice, that is changed somewhere.

    Those that change a parameter for which no value is left to stand are among them.
    """
    aliasing = Aliasing(module)
    found: set[str] = set()
    for name, graph in module.graphs.items():
        versions = [_last_version(parameter) for parameter in graph.parameters]
        if None in versions:
            found.add(name)
        known = {*graph.parameters, *versions}
        end = graph.body.terminator
        for value in () if end is None else end.values():
            if value in known and aliasing.changed(value):
                found.add(name)
            known.add(value)
    return found


def _staged(graph: Graph) -> bool:
    return any(node.op is STAGE for node in graph.body)


PASS = Pass("inline", "Writes called graphs out in place.", run, level=2, order=10)
