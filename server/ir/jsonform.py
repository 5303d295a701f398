"""Graphs as plain data, for other programs: ``docs/schema/trace.schema.json`` describes it.

Everything that the full text form says is there. Lines count from 1, columns from 0.
"""

from __future__ import annotations

from typing import Any, Final

from ..doc.source import Span
from .graph import Node, Region
from .literals import atom_text
from .module import Graph, Module
from .symbol import Symbol
from .types import (
    ArrayType,
    DictType,
    ListType,
    ParameterType,
    ScalarType,
    TupleType,
    Type,
)
from .values import Attribute, Constant, Keyword, Operand, Pack, Value

__all__ = ["VERSION", "to_json"]

VERSION: Final = 2

Json = dict[str, Any]


def to_json(module: Module) -> Json:
    """The module as dictionaries, lists, strings and numbers."""
    return {"version": VERSION, "graphs": [_graph(graph) for graph in module.graphs.values()]}


def _graph(graph: Graph) -> Json:
    return {
        "name": graph.name,
        "span": _span(graph.span),
        "note": graph.note,
        **_region(graph.body),
    }


def _region(region: Region) -> Json:
    return {
        "parameters": [_value(value) for value in region.parameters],
        "nodes": [_node(node) for node in region],
    }


def _node(node: Node) -> Json:
    return {
        "op": str(node.op),
        "operands": [_operand(operand) for operand in node.operands],
        "attributes": {name: _attribute(value) for name, value in node.attributes.items()},
        "results": [_value(value) for value in node.results],
        "mutated": list(node.mutated),
        "span": _span(node.span),
        "callPath": [_span(span) for span in node.call_path],
        "note": node.note,
        "under": list(node.under),
        "regions": [_region(region) for region in node.regions],
    }


def _value(value: Value) -> Json:
    return {"number": value.number, "hint": value.hint, "type": _type(value.type)}


def _operand(operand: Operand) -> Json:
    match operand:
        case Value(number=number):
            return {"value": number}
        case Constant(value=value):
            return {"constant": _attribute(value)}
        case Keyword(name=name, item=item):
            return {"keyword": name, "item": _operand(item)}
        case Pack(kind=kind, items=items):
            return {"pack": kind, "items": [_operand(item) for item in items]}


def _attribute(value: Attribute) -> Any:
    """What JSON has is itself; the rest is its text, under the name of what it is."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return value
    if isinstance(value, tuple):
        return [_attribute(item) for item in value]
    if isinstance(value, Type):
        return {"type": _type(value)}
    if isinstance(value, Symbol):
        return {"symbol": str(value)}
    return {"literal": atom_text(value)}


def _type(type_: Type) -> Json:
    match type_:
        case ArrayType(element=element, sizes=sizes, strides=strides, names=names):
            return {
                "kind": type_.kind,
                "element": element,
                "sizes": list(sizes),
                "strides": None if strides is None else list(strides),
                "names": list(names or [None] * len(sizes)),
                "device": type_.device,
            }
        case ScalarType(name=name):
            return {"kind": "scalar", "name": name}
        case TupleType(items=items):
            return {"kind": "tuple", "items": [_type(item) for item in items]}
        case ListType(item=item, length=length):
            return {"kind": "list", "item": _type(item), "length": length}
        case DictType(entries=entries):
            return {"kind": "dict", "entries": {key: _type(item) for key, item in entries}}
        case ParameterType(name=name, array=array):
            return {"kind": "parameter", "name": name, "array": _type(array)}
    return {"kind": type(type_).__name__.removesuffix("Type").lower(), "name": _name(type_)}


def _name(type_: Type) -> str:
    """The class that a module, a handle or an opaque object is of."""
    return str(type_.qualified_name)  # type: ignore[attr-defined]  # all types left have it


def _span(span: Span | None) -> Json | None:
    if span is None:
        return None
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
