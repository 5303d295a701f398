"""Graphs as pictures: boxes in layers from top to bottom, placed by grandalf after Sugiyama.

A picture does not know where it is shown: it has colours for light and for dark ground, and the
class of its root says which hold. Who shows it on dark ground says ``dark`` there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

from .diagram import Box, Diagram

__all__ = ["MOST_BOXES", "draw_svg", "draw_words"]

MOST_BOXES = 400
"""Beyond that a picture shows nothing any more, and takes seconds to place."""

_EM, _LINE, _PAD, _GAP = 7.0, 15.0, 8.0, 26.0
_LONGEST = 44
_COLOURS = {
    "text": ("#1c2128", "#d6dae0"),
    ".faint": ("#5a6270", "#9aa2ae"),
    ".input": ("#e8f1fb", "#22344a"),
    ".op": ("#f7f7f4", "#2b2e33"),
    ".loop": ("#fdf3dc", "#43381f"),
    ".end": ("#eef6ea", "#253a28"),
}
"""Fills, on light ground and on dark."""
_LINES = "#8a8f98"
"""The colour of lines, which stand on both."""


@dataclass(slots=True)
class _Placed:
    """A box as the layout wants it: its size, and, afterwards, its centre."""

    box: Box
    w: float
    h: float
    lines: list[str]
    xy: tuple[float, float] = (0.0, 0.0)


def draw_svg(diagram: Diagram, *, title: str = "") -> str:
    """The picture as SVG 1.1. One that has too many boxes says so instead."""
    if len(diagram.boxes) > MOST_BOXES:
        return draw_words(f"{len(diagram.boxes):,} operations are too many for a picture")
    boxes = [_placed(box) for box in diagram.boxes]
    routes = _lay_out(diagram, boxes)
    left = min((b.xy[0] - b.w / 2 for b in boxes), default=0) - _PAD
    top = min((b.xy[1] - b.h / 2 for b in boxes), default=0) - _PAD
    right = max((b.xy[0] + b.w / 2 for b in boxes), default=0) + _PAD
    bottom = max((b.xy[1] + b.h / 2 for b in boxes), default=0) + _PAD
    for route in routes:
        left = min(left, *(x - _PAD for x, _ in route))
        right = max(right, *(x + _PAD for x, _ in route))
    parts = [_route([(x - left, y - top) for x, y in route]) for route in routes]
    parts += [_drawn(box, box.xy[0] - left, box.xy[1] - top) for box in boxes]
    return _document(right - left, bottom - top, parts, title)


def draw_words(text: str) -> str:
    """A picture of a sentence, where there is nothing to draw."""
    return _document(_EM * len(text) + 2 * _PAD, 40, [_text(text, _PAD, 24)], "")


def _placed(box: Box) -> _Placed:
    under = [f"under {box.under}"] if box.under else []
    lines = [_short(line) for line in (box.title, *box.lines, *under)]
    width = max(len(line) for line in lines) * _EM + 2 * _PAD
    return _Placed(box, width, len(lines) * _LINE + _PAD, lines)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _lay_out(diagram: Diagram, boxes: list[_Placed]) -> list[list[tuple[float, float]]]:
    """Give every box its place, parts without arrows between them side by side. Returns the
    way of each arrow."""
    from grandalf.graphs import Edge, Graph, Vertex  # takes as long to load as a short run
    from grandalf.layouts import SugiyamaLayout

    vertices = [Vertex(box) for box in boxes]
    for vertex, box in zip(vertices, boxes, strict=True):
        vertex.view = box
    pairs = dict.fromkeys((a.start, a.end) for a in diagram.arrows)
    edges = [Edge(vertices[start], vertices[end], data=_Way()) for start, end in pairs]
    for edge in edges:
        edge.view = edge.data
    shift = 0.0
    for part in Graph(vertices, edges).C:
        layout = SugiyamaLayout(part)
        layout.xspace, layout.yspace = _GAP, _GAP
        layout.init_all(roots=[v for v in part.sV if not v.e_in()], optimize=True)
        layout.route_edge = lambda edge, points: edge.view.setpath(points)
        layout.draw(3)
        placed: list[_Placed] = [vertex.view for vertex in part.sV]
        left = min(p.xy[0] - p.w / 2 for p in placed)
        width = max(p.xy[0] + p.w / 2 for p in placed) - left
        for one in placed:
            one.xy = (one.xy[0] - left + shift, one.xy[1])
        for edge in part.sE:
            edge.data.points = [(x - left + shift, y) for x, y in edge.data.points]
        shift += width + _GAP
    return [_way(edge, vertices) for edge in edges]


@dataclass(slots=True)
class _Way:
    """What grandalf writes the corners of an arrow's way to."""

    points: list[tuple[float, float]] = field(default_factory=list)

    def setpath(self, points: list[tuple[float, float]]) -> None:
        self.points = list(points)


def _way(edge: Any, vertices: list[Any]) -> list[tuple[float, float]]:
    """From the lower edge of one box, by the corners between, to the upper edge of the other."""
    start, end = edge.v[0].view, edge.v[1].view
    return [
        (start.xy[0], start.xy[1] + start.h / 2),
        *edge.data.points[1:-1],
        (end.xy[0], end.xy[1] - end.h / 2),
    ]


def _route(points: list[tuple[float, float]]) -> str:
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        path += f" C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}"
    return f'<path d="{path}" fill="none" stroke="{_LINES}" marker-end="url(#to)"/>'


def _drawn(placed: _Placed, x: float, y: float) -> str:
    left, top = x - placed.w / 2, y - placed.h / 2
    place = f"<title>{escape(str(placed.box.span))}</title>" if placed.box.span else ""
    dashes = ' stroke-dasharray="4 3"' if placed.box.under else ""
    rectangle = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{placed.w:.1f}" height="{placed.h:.1f}" '
        f'rx="5" class="{placed.box.kind}" stroke="{_LINES}"{dashes}/>'
    )
    texts = [
        _text(line, left + _PAD, top + _LINE * (n + 1) - 1, faint=n > 0)
        for n, line in enumerate(placed.lines)
    ]
    return f"<g>{place}{rectangle}{''.join(texts)}</g>"


def _text(text: str, x: float, y: float, *, faint: bool = False) -> str:
    faintly = ' class="faint"' if faint else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{faintly}>{escape(text)}</text>'


def _document(width: float, height: float, parts: list[str], title: str) -> str:
    named = f"<title>{escape(title)}</title>" if title else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="ui-monospace, monospace" '
        f'font-size="11.5" class="light">'
    )
    style = "".join(
        f".{ground} {what}{{fill:{colours[i]}}}"
        for i, ground in enumerate(("light", "dark"))
        for what, colours in _COLOURS.items()
    )
    arrow = (
        '<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{_LINES}"/></marker>'
        "</defs>"
    )
    return "\n".join([head, f"{named}<style>{style}</style>", arrow, *parts, "</svg>", ""])
