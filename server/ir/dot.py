"""Graphs in the language of Graphviz (graphviz.org, "The DOT Language")."""

from __future__ import annotations

from collections.abc import Iterator

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
    for box in drawn.boxes:
        if box.within != within:
            continue
        yield _box(box, graph)
        if box.kind == "loop":
            yield f"subgraph cluster_{graph}_{box.number} {{"
            yield f"  label={_quoted(box.title)}"
            yield from (f"  {line}" for line in _boxes(drawn, graph, box.number))
            yield "}"


def _box(box: Box, graph: int) -> str:
    text = "\n".join([box.title, *box.lines])
    place = f", tooltip={_quoted(str(box.span))}" if box.span is not None else ""
    return f"n{graph}_{box.number} [label={_quoted(text)}, shape={_SHAPES[box.kind]}{place}]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
