"""Graphs in the language of Graphviz (graphviz.org, "The DOT Language")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from .diagram import Box, Diagram, diagram
from .module import Module

__all__ = ["print_dot"]

_SHAPES = {"input": "ellipse", "op": "box", "loop": "box", "end": "plaintext"}


def print_dot(module: Module) -> str:
    """Every graph of a module as a cluster of one drawing, loops as clusters inside."""
    lines = [
        "digraph {",
        "  compound=true",
        '  node [shape=box, style=rounded, fontname="monospace", fontsize=10]',
        '  edge [fontname="monospace", fontsize=9, color=gray40]',
    ]
    for number, graph in enumerate(module.graphs.values()):
        drawn = diagram(graph.body, folded=False)
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f"    label={_quoted(graph.name)}")
        lines += [f"    {line}" for line in _boxes(drawn, number, None)]
        lines += [
            f"    n{number}_{a.start} -> n{number}_{a.end}"
            + (f" [label={_quoted(a.text)}]" if a.text else "")
            for a in drawn.arrows
        ]
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _boxes(drawn: Diagram, graph: int, within: int | None) -> Iterator[str]:
    inside = [box for box in drawn.boxes if box.within == within]
    inside.sort(key=lambda box: box.kind != "input")  # so that none parts what runs under the same
    for under, boxes in groupby(inside, lambda box: box.under):
        known = list(boxes)
        lines = [line for box in known for line in _with_inner(drawn, box, graph)]
        if under:
            name = f"{graph}_under_{known[0].number}"
            lines = _cluster(name, f"under {under}", "dashed", lines)
        yield from lines


def _with_inner(drawn: Diagram, box: Box, graph: int) -> Iterator[str]:
    yield _box(box, graph)
    if box.kind == "loop":
        inner = _boxes(drawn, graph, box.number)
        yield from _cluster(f"{graph}_{box.number}", box.title, "solid", inner)


def _cluster(name: str, label: str, style: str, lines: Iterable[str]) -> list[str]:
    head = [f"subgraph cluster_{name} {{", f"  label={_quoted(label)}, style={style}"]
    return [*head, *(f"  {line}" for line in lines), "}"]


def _box(box: Box, graph: int) -> str:
    text = "\n".join([box.title, *box.lines])
    place = f", tooltip={_quoted(str(box.span))}" if box.span is not None else ""
    return f"n{graph}_{box.number} [label={_quoted(text)}, shape={_SHAPES[box.kind]}{place}]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
