"""Names of dimensions, in a lifted graph: from the variables that a program makes arrays with
(``np.ones((batch, 784))``) and takes shapes apart into (``batch, width = x.shape``).

A type rule takes most sizes over from its operands, and with them their names: no rule had to be
written for that. In a function the function's own names count, behind a call those of the caller.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from .. import ir
from ..doc.parsing import parse
from ..doc.source import Source, Span
from ..ir import registry
from ..ir.graph import CALL, LOOP
from ..ir.module import Graph, Module
from ..ir.shapes import Dimension
from ..ir.types import ArrayType
from ..ir.values import Attribute, Operand

Names = tuple[str | None, ...]


def name_dimensions(module: Module, sources: Mapping[str, Source]) -> None:
    """Name the dimensions of all arrays of ``module``, whose spans are in ``sources``."""
    namer = _Namer(module, {path: _Text(source) for path, source in sources.items()})
    for graph in module.graphs.values():  # callers stand before what they call
        namer.graph(graph)


@dataclass(frozen=True, slots=True)
class _TakenApart:
    """Sizes of the array ``array`` that get a name on a line: by axis, negative from the end."""

    line: int
    array: str
    names: Mapping[int, str]
    ndim: int | None = None


@dataclass
class _Text:
    """What a file's text says of sizes."""

    source: Source
    calls: dict[tuple[int, int, int, int], ast.Call] = field(default_factory=dict)
    """Calls that have an argument that may be a size, by their places."""
    apart: dict[int, list[_TakenApart]] = field(default_factory=dict)
    """By the first line of the function; 0 for the module."""

    def __post_init__(self) -> None:
        try:
            tree = parse(self.source.text)
        except (SyntaxError, ValueError, RecursionError, SystemError):
            return
        self._walk(tree, 0)

    def _walk(self, tree: ast.AST, function: int) -> None:
        todo: list[tuple[ast.AST, int]] = [(tree, function)]
        while todo:
            node, function = todo.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                function = node.lineno
            elif isinstance(node, ast.Call) and any(map(_is_named, _arguments(node))):
                self.calls[self._place(node)] = node
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                found = _taken_apart(node.targets[0], node.value)
                if found is not None:
                    self.apart.setdefault(function, []).append(found)
            todo.extend((child, function) for child in ast.iter_child_nodes(node))

    def _place(self, node: ast.expr) -> tuple[int, int, int, int]:
        end_line, end = node.end_lineno or 0, node.end_col_offset or 0
        return (
            node.lineno, self._column(node.lineno, node.col_offset),
            end_line, self._column(end_line, end),
        )  # fmt: skip

    def _column(self, line: int, column: int) -> int:
        text = self.source.line(line)
        return column if text.isascii() else len(text.encode()[:column].decode(errors="replace"))


class _Namer:
    def __init__(self, module: Module, texts: Mapping[str, _Text]) -> None:
        self.module = module
        self.texts = texts
        self.done: set[str] = set()

    def graph(self, graph: Graph) -> None:
        """Name what is in a graph whose parameters are named already; once."""
        if graph.name in self.done:
            return
        self.done.add(graph.name)
        text = self.texts.get(graph.span.path) if graph.span else None
        apart: Sequence[_TakenApart] = ()
        if text is not None and graph.span is not None:
            whole = graph.span.line == graph.span.end_line and not graph.span.end_column
            apart = text.apart.get(0 if whole else graph.span.line, ())
        for parameter in graph.parameters:
            _take_apart(parameter, apart, 0, own=True)
        self.region(graph.body, apart)

    def region(self, region: ir.Region, apart: Sequence[_TakenApart]) -> None:
        for node in region:
            if node.op is CALL:
                self.call(node)
            elif node.op is LOOP:
                self.loop(node, apart)
            else:
                for inner in node.regions:
                    self.region(inner, apart)
                self.plain(node)
            for value in node.results:
                _take_apart(value, apart, node.span.line if node.span else 0)

    def plain(self, node: ir.Node) -> None:
        operands, attributes = self.with_names(node)
        types = None
        if any(map(_has_names, operands)) or attributes is not node.attributes:
            try:
                types = registry.infer(node.op, operands, attributes, node.mutated)
            except ValueError:  # it is about to fail
                types = None
        for value, type_ in zip(node.results, types or (), strict=False):
            match type_, value.type:
                case ArrayType(sizes=sizes, names=names), ArrayType(sizes=seen) if sizes == seen:
                    value.name_dimensions(names)

    def call(self, node: ir.Node) -> None:
        callee = self.module.graphs.get(node.attributes["callee"])
        if callee is None:
            return
        if callee.name not in self.done:
            for parameter, operand in zip(callee.parameters, node.operands, strict=False):
                parameter.name_dimensions(_fitting(parameter, _names_of(operand)))
            self.graph(callee)
        outer: dict[str, str | None] = {}
        for parameter, operand in zip(callee.parameters, node.operands, strict=False):
            there, here = _names_of(parameter), _fitting(parameter, _names_of(operand))
            for inside, outside in zip(there, here or (None,) * len(there), strict=True):
                if inside is not None and outer.get(inside) is None:
                    outer[inside] = outside
        returned = callee.body.terminator
        given = node.results[len(node.mutated) :]
        for value, result in zip(given, returned.operands if returned else (), strict=False):
            names = tuple(None if n is None else outer.get(n, n) for n in _names_of(result))
            value.name_dimensions(_fitting(value, names))
        for position, value in zip(node.mutated, node.results, strict=False):
            value.name_dimensions(_fitting(value, _names_of(node.operands[position])))

    def loop(self, node: ir.Node, apart: Sequence[_TakenApart]) -> None:
        (region,) = node.regions
        carried = region.parameters[1:]
        for parameter, operand in zip(carried, node.operands, strict=False):
            parameter.name_dimensions(_fitting(parameter, _names_of(operand)))
        self.region(region, apart)
        end = region.terminator
        for parameter, last in zip(carried, end.operands if end else (), strict=False):
            parameter.name_dimensions(_common(_names_of(parameter), _names_of(last)))
        self.region(region, apart)  # with the names that stay
        for value, parameter in zip(node.results, carried, strict=False):
            value.name_dimensions(_fitting(value, _names_of(parameter)))

    def with_names(self, node: ir.Node) -> tuple[Sequence[Operand], Mapping[str, Attribute]]:
        """The operands and attributes, with the names that the text has for numbers in them."""
        call = self.call_at(node.span)
        if call is None:
            return node.operands, node.attributes
        texts = list(call.args)
        if node.op.name.startswith(("ndarray.", "Tensor.")) and isinstance(
            call.func, ast.Attribute
        ):
            texts.insert(0, call.func.value)
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        operands = [
            ir.Keyword(operand.name, _named_operand(operand.item, named.get(operand.name)))
            if isinstance(operand, ir.Keyword)
            else _named_operand(operand, text)
            for operand, text in zip_longest(node.operands, texts[: len(node.operands)])
        ]
        attributes = {n: _named(v, named.get(n)) for n, v in node.attributes.items()}
        return operands, attributes

    def call_at(self, span: Span | None) -> ast.Call | None:
        text = self.texts.get(span.path) if span is not None else None
        if span is None or text is None:
            return None
        return text.calls.get((span.line, span.column, span.end_line, span.end_column))


def _take_apart(
    value: ir.Value, apart: Sequence[_TakenApart], line: int, *, own: bool = False
) -> None:
    """Give a value the names that the text takes its shape apart into, further down: where it has
    none yet, or in place of those that are not a function's ``own``."""
    if not isinstance(value.type, ArrayType) or value.hint is None:
        return
    ndim = value.type.ndim
    names = list(value.type.names or (None,) * ndim)
    for found in apart:
        if found.array == value.hint and line <= found.line and found.ndim in (None, ndim):
            for axis, name in found.names.items():
                if -ndim <= axis < ndim and (own or names[axis] is None):
                    names[axis] = name
    value.name_dimensions(tuple(names))


def _taken_apart(target: ast.expr, value: ast.expr) -> _TakenApart | None:
    match target, value:
        case ast.Tuple(elements), ast.Attribute(array, "shape"):
            if any(isinstance(e, ast.Starred) for e in elements):
                return None
            names = {i: e.id for i, e in enumerate(elements) if isinstance(e, ast.Name)}
            named = {i: name for i, name in names.items() if name.strip("_")}
            return _TakenApart(value.lineno, _last(array), named, len(elements))
        case ast.Name(name), ast.Subscript(ast.Attribute(array, "shape"), index):
            axis = _axis(index)
            return None if axis is None else _TakenApart(value.lineno, _last(array), {axis: name})
        case ast.Name(name), ast.Call(ast.Name("len"), [array], []):
            return _TakenApart(value.lineno, _last(array), {0: name})
    return None


def _axis(index: ast.expr) -> int | None:
    match index:
        case ast.Constant(int(axis)):
            return axis
        case ast.UnaryOp(ast.USub(), ast.Constant(int(axis))):
            return -axis
    return None


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
    return ""


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _is_named(node: ast.expr) -> bool:
    """Whether an argument is a name, or a tuple of some: it may be a size or a shape."""
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return any(isinstance(item, ast.Name | ast.Attribute) for item in items)


def _named_operand(operand: Operand, text: ast.expr | None) -> Operand:
    match operand, text:
        case ir.Constant(value=value), _:
            return ir.Constant(_named(value, text))
        case ir.Pack(kind=kind, items=items), ast.Tuple(texts) | ast.List(texts):
            if len(texts) == len(items):
                pairs = zip(items, texts, strict=True)
                return ir.Pack(kind, [_named_operand(*pair) for pair in pairs])
    return operand


def _named(value: Attribute, text: ast.expr | None) -> Attribute:
    """A number, or a tuple of some, with the names that stand there in the text."""
    match value, text:
        case bool(), _:
            return value
        case int(), ast.Name(name) | ast.Attribute(_, name):
            return Dimension(value, name)
        case tuple(), ast.Tuple(texts) | ast.List(texts) if len(texts) == len(value):
            return tuple(map(_named, value, texts))
    return value


def _has_names(operand: Operand) -> bool:
    match operand:
        case ir.Value(type=ArrayType(names=names)):
            return bool(names)
        case ir.Constant(value=value):
            items = value if isinstance(value, tuple) else (value,)
            return any(isinstance(item, Dimension) for item in items)
        case ir.Pack(items=items):
            return any(map(_has_names, items))
        case ir.Keyword(item=item):
            return _has_names(item)
    return False


def _names_of(operand: Operand) -> Names:
    if isinstance(operand, ir.Value) and isinstance(operand.type, ArrayType):
        return operand.type.names
    return ()


def _fitting(value: ir.Value, names: Names) -> Names:
    """``names``, where there are as many as ``value`` has dimensions."""
    return names if isinstance(value.type, ArrayType) and len(names) == value.type.ndim else ()


def _common(one: Names, other: Names) -> Names:
    if len(one) != len(other):
        return ()
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))
