"""Puts elementwise ops whose intermediate results nothing else uses into one node."""

from __future__ import annotations

from .. import registry
from ..aliasing import Aliasing
from ..graph import Node, Region
from ..module import Module
from ..symbol import Symbol
from ..types import ArrayType
from ..values import Value, substitute
from .manager import Pass

FUSED = Symbol("ir", "fused")


def run(module: Module) -> None:
    """Fuse in every region, the last op of a group first."""
    aliasing = Aliasing(module)
    for graph in module.graphs.values():
        regions = [graph.body]
        for region in regions:
            regions.extend(inner for node in region for inner in node.regions)
            _fuse(region, aliasing)


def _fuse(region: Region, aliasing: Aliasing) -> None:
    node = region.last
    while node is not None:
        before = node.prev
        if _elementwise(node, aliasing):
            group = _group(node, aliasing)
            if len(group) > 1:
                before = _together(group, node)
        node = before


def _group(root: Node, aliasing: Aliasing) -> list[Node]:
    """``root`` and the ops that feed only it, in the order of the text."""
    group = {root: None}
    todo = [root]
    while todo:
        for value in todo.pop().values():
            node = value.node
            if (
                node is not None
                and node not in group
                and node.region is root.region
                and node.under == root.under
                and _elementwise(node, aliasing)
                and _sizes(node) == _sizes(root)
                and all(user in group for user in value.uses)
            ):
                group[node] = None
                todo.append(node)
    ordered: list[Node] = []
    current: Node | None = root
    while len(ordered) < len(group) and current is not None:
        if current in group:
            ordered.append(current)
        current = current.prev
    return ordered[::-1]


def _together(group: list[Node], root: Node) -> Node | None:
    """Move a group into the region of a new node; returns the node before it."""
    inside = {node.result for node in group}
    inputs = list(dict.fromkeys(v for node in group for v in node.values() if v not in inside))
    result = root.result
    fused = root.region.append_with_regions(
        [[(value.type, value.hint) for value in inputs]],
        FUSED,
        inputs,
        [result.type],
        [result.hint],
        span=root.span,
        call_path=root.call_path,
        before=root,
    )
    (body,) = fused.regions
    new: dict[Value, Value] = dict(zip(inputs, body.parameters, strict=True))
    for node in group:
        copy = body.append(
            node.op,
            [substitute(operand, new) for operand in node.operands],
            [node.result.type],
            [node.result.hint],
            node.attributes,
            node.span,
            node.call_path,
            note=node.note,
        )
        new[node.result] = copy.result
    body.set_yield([new[result]])
    result.replace_uses(fused.result)
    for node in reversed(group):
        node.erase()
    return fused.prev


def _elementwise(node: Node, aliasing: Aliasing) -> bool:
    info = registry.get(node.op)
    return (
        info is not None
        and info.fusible
        and len(node.results) == 1
        and isinstance(node.result.type, ArrayType)
        and registry.is_pure(node)
        and aliasing.fixed(node)
    )


def _sizes(node: Node) -> object:
    type_ = node.result.type
    assert isinstance(type_, ArrayType)  # _elementwise says so
    return type_.sizes


PASS = Pass("fuse", "Elementwise ops that feed one another become one.", run, level=2, order=80)
