"""Modules and graphs: a module holds the graphs of a program, and a graph is a named region."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..doc.source import Span
from .bulk import collector_paused
from .graph import Node, Region, copy_into
from .types import Type
from .values import GraphError, Value, type_of

__all__ = ["Graph", "Module"]


class Module:
    """Graphs by name. ``main`` is the one of the program, the others are its functions."""

    __slots__ = ("_last_number", "graphs")

    def __init__(self) -> None:
        self.graphs: Final[dict[str, Graph]] = {}
        self._last_number = -1

    @property
    def main(self) -> Graph:
        """The graph of the program itself."""
        if "main" not in self.graphs:
            raise GraphError('this module has no main graph; make it with add_graph("main")')
        return self.graphs["main"]

    @property
    def functions(self) -> Mapping[str, Graph]:
        """Every graph but ``main``, by name."""
        return {name: graph for name, graph in self.graphs.items() if name != "main"}

    def add_graph(self, name: str, span: Span | None = None, note: str | None = None) -> Graph:
        """A new, empty graph; a name that is taken gets ``.1``, ``.2`` ... behind it."""
        taken, base, count = self.graphs, name, 0
        while name in taken:
            count += 1
            name = f"{base}.{count}"
        graph = taken[name] = Graph(self, name, span, note)
        return graph

    def specialisation(self, name: str, types: Sequence[Type]) -> Graph | None:
        """The graph of function ``name`` that takes exactly these types, if it was made before."""
        for known, graph in self.graphs.items():
            base = known == name or re.fullmatch(re.escape(name) + r"\.\d+", known)
            if base and [p.type for p in graph.body.parameters] == list(types):
                return graph
        return None

    def walk(self) -> Iterator[Node]:
        """Every node, outer before inner, in the order of the text."""
        for graph in self.graphs.values():
            yield from graph.body.walk()

    def renumber(self) -> None:
        """Number all values anew, from 0 in the order of the text."""
        self._last_number = -1
        for graph in self.graphs.values():
            for value in graph.body.values():
                value.number = self.next_number()

    def next_number(self) -> int:
        """A number that no value of this module has."""
        self._last_number += 1
        return self._last_number

    def reserve(self, number: int) -> None:
        """Never give out ``number`` or a smaller one from now on."""
        self._last_number = max(self._last_number, number)

    def only(self, name: str) -> Module:
        """A module with one graph of this one, which both then hold."""
        kept = Module()
        kept.graphs[name] = self.graphs[name]
        return kept

    def keep_reached(self, name: str) -> None:
        """Take out the graphs that the one of this name doesn't call, not even by a detour."""
        reached, todo = {name}, [name]
        while todo:
            body = self.graphs[todo.pop()].body
            called = {node.callee for node in body.walk() if node.callee is not None}
            todo.extend(called - reached)
            reached |= called
        for other in set(self.graphs) - reached:
            del self.graphs[other]

    def copy(self) -> Module:
        """An equal module that shares no graph, node or value with this one."""
        new = Module()
        with collector_paused():
            for graph in self.graphs.values():
                copy = new.add_graph(graph.name, graph.span, graph.note)
                copy_into(graph.body, copy.body, {}, keep_numbers=True)
        new._last_number = self._last_number
        return new

    def __str__(self) -> str:
        from .printer import print_module  # the printer knows graphs, not the other way round

        return print_module(self)


class Graph:
    """A function of the program, or the program itself: a named region."""

    __slots__ = ("body", "module", "name", "note", "span")

    def __init__(self, module: Module, name: str, span: Span | None, note: str | None) -> None:
        if not _GRAPH_NAME.fullmatch(name):
            raise GraphError(f"not a name for a graph: {name!r}")
        self.module: Final = module
        self.name: Final = name
        self.span = span
        self.note = note
        self.body: Final = Region(module, self)

    @property
    def parameters(self) -> Sequence[Value]:
        """What the graph takes."""
        return self.body.parameters

    @property
    def result_types(self) -> tuple[Type, ...]:
        """Types of the returned values; nothing for a graph that doesn't return."""
        end = self.body.terminator
        return () if end is None else tuple(map(type_of, end.operands))


_GRAPH_NAME = re.compile(r"[\w<>]+(\.[\w<>]+)*")
