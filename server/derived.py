"""``jit-lsp trace --grad``: a graph with the derivatives that the command line asks for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from .doc.parsing import parse
from .doc.source import Source
from .ir import Graph, GraphError, Module, Region, Symbol, Value, registry
from .ir.outline import keep_used_parameters, outline
from .ir.passes.differentiate import differentiate
from .launch import Unusable
from .tracer.opaque import Opaque

__all__ = ["derived", "named"]


def derived(
    module: Module,
    function: str | None,
    loss: str,
    wrt: str | None,
    num_derivatives: int,
    sources: Iterable[Source] = (),
) -> tuple[Module, str]:
    """A module with the derivatives of ``loss`` by the names in ``wrt`` as stages of one graph, and
    the name of that graph.

    ``loss`` is a value of the graph of ``function``; without one, of the program, or else of the
    only function that has it; or it is a function, which stands for what it returns. A value within
    a loop is differentiated in one turn of it. ``sources`` are the program's files, whose comments
    may name functions for what isn't recorded.

    Raises:
        Unusable: a name that there isn't, or that isn't a real number.
        NotDifferentiable: an op on the way has no derivative.
    """
    if not wrt or not any(name.strip() for name in wrt.split(",")):
        raise Unusable("--grad needs --wrt: the names to differentiate by")
    module = module.copy()
    graph, target = _loss(module, function, loss)
    names = [name.strip() for name in wrt.split(",") if name.strip()]
    target.hint = target.hint or graph.name
    region = target.region
    if region.outer is not None:
        graph, target = outline(region, target)
    by = [_variable(graph, name, target) for name in names]
    try:
        made = differentiate(
            module,
            target,
            by,
            num_derivatives=num_derivatives,
            backward=_backward(module, sources),
        )
    except GraphError as error:
        raise Unusable(str(error).replace("%", "")) from None
    if region.outer is not None:
        numbers = {value.number for value in by}
        new_graph = made.graphs[graph.name]
        keep_used_parameters(new_graph, [p for p in new_graph.parameters if p.number in numbers])
    return made, graph.name


def _backward(module: Module, sources: Iterable[Source]) -> dict[Symbol, Symbol]:
    """For calls of functions that aren't recorded, those that the program names beside them."""
    found: dict[str, str] = {}
    for source in sources:
        opaque, tree = Opaque(source.text), _parsed(source.text)
        known = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for node in ast.walk(tree):
            by = opaque.backward(node)
            if by is None or not isinstance(node, ast.FunctionDef):
                continue
            if "." not in by and by not in known:
                raise Unusable(
                    f"{source.path}:{node.lineno}: there is no function {by!r} to be the backward "
                    f"of {node.name}{_close(by, known)}"
                )
            found[node.name] = by
    calls = {n.op for n in module.walk() if n.op.namespace == "py" and registry.get(n.op) is None}
    calls |= {Symbol("py", by) for by in found.values()}  # for derivatives of derivatives
    names = {op: op.name.rpartition(".")[2] for op in calls}
    return {op: Symbol("py", found[name]) for op, name in names.items() if name in found}


def _parsed(text: str) -> ast.AST:
    try:
        return parse(text)
    except SyntaxError:  # it didn't run either
        return ast.Module([], [])


def named(values: Iterable[Value], name: str) -> list[Value]:
    """The values that a name stands for: ``w``, ``w.7`` or ``7``, as the graph prints them."""
    name = name.removeprefix("%")
    found = [value for value in values if value.hint == name]
    if found:
        return found
    return [v for v in values if str(v.number) == name or f"{v.hint}.{v.number}" == name]


def _loss(module: Module, function: str | None, name: str) -> tuple[Graph, Value]:
    """The number to differentiate, and its graph."""
    if function is not None and function not in module.graphs:
        raise Unusable(f"no function {function!r} was recorded; there are: {_list(module.graphs)}")
    graph = module.graphs[function or "main"]
    found = _last(graph, name)
    if found is not None:
        return graph, found
    if function is None and name in module.graphs:
        return module.graphs[name], _returned(module.graphs[name])
    message = f"there is no value {name!r} in @{graph.name}"
    others = {g: last for g in module.graphs.values() if (last := _last(g, name)) is not None}
    if function is None and len(others) == 1:
        return next(iter(others.items()))
    if others:
        names = " and ".join(f"@{other.name}" for other in others)
        raise Unusable(f"{message}; there is one in {names}: choose by --function")
    graphs = [graph] if function is not None else module.graphs.values()
    known = {value.hint for each in graphs for value in each.body.values() if value.hint}
    known |= set(module.graphs)
    raise Unusable(f"{message}{_close(name, known)}")


def _last(graph: Graph, name: str) -> Value | None:
    """The last value of a name in a graph; one that isn't within a loop before all others."""
    found = named(graph.body.values(), name)
    return next(reversed([v for v in found if v.region is graph.body] or found), None)


def _returned(graph: Graph) -> Value:
    end = graph.body.terminator
    first = end.operands[0] if end is not None and end.operands else None
    if not isinstance(first, Value):
        raise Unusable(f"{graph.name} returns nothing that can be differentiated")
    return first


def _variable(graph: Graph, name: str, loss: Value) -> Value:
    """What a name of ``--wrt`` is: a parameter, else the last such value before the loss."""
    parameters = named(graph.parameters, name)
    if parameters:
        return parameters[0]
    before = list(_until(graph.body, loss))
    found = named(before, name)
    if found:
        return found[-1]
    known = {value.hint for value in (*graph.parameters, *before) if value.hint}
    raise Unusable(f"there is no value {name!r} before the loss{_close(name, known)}")


def _until(region: Region, last: Value) -> Iterator[Value]:
    """What a region computes up to a value."""
    for node in region:
        yield from node.results
        if last in node.results:
            return


def _close(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = get_close_matches(name, names, 1)
    return f"; did you mean {close[0]}?" if close else f"; there are: {_list(names)}"


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
