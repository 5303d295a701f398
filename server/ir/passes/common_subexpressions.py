"""Computes once what is computed twice from the same operands."""

from __future__ import annotations

from collections import ChainMap

from .. import registry
from ..aliasing import Aliasing
from ..context import Under, within
from ..graph import Node, Region
from ..module import Module
from ..values import Value
from .manager import Pass

Key = tuple[object, ...]


def run(module: Module) -> None:
    """Let uses of a repeated result be uses of the first.

    Only nodes whose operands and results nothing ever changes in place take part: two arrays with
    equal elements are two arrays if one of them is written to later.
    """
    aliasing = Aliasing(module)
    for graph in module.graphs.values():
        _join(graph.body, ChainMap(), aliasing, ())


def _join(region: Region, seen: ChainMap[Key, Node], aliasing: Aliasing, around: Under) -> None:
    for node in region:
        under = within(around, node.under)
        for inner in node.regions:
            _join(inner, seen.new_child(), aliasing, under)
        if not registry.is_pure(node) or not aliasing.fixed(node):
            continue
        key = (under, node.call, *_key(node))
        first = seen.get(key)
        if first is None:
            seen[key] = node
            continue
        for old, new in zip(node.results, first.results, strict=True):
            old.replace_uses(new)
        node.erase()


def _key(node: Node) -> Key:
    """Equal for nodes that compute the same. Literals compare with their types: 1 isn't 1.0."""
    operands = tuple(o if o.__class__ is Value else repr(o) for o in node.operands)
    types = tuple(result.type for result in node.results)
    if not node.attributes:
        return (node.op, operands, types)
    return (node.op, operands, types, repr(sorted(node.attributes.items())))


PASS = Pass("common-subexpressions", "Computes once what is computed twice.", run, order=70)
