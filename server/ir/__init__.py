"""The graph of what a program did: types, values, nodes, text form, checks and passes.

``graph`` builds, ``printer`` and ``parser`` are the text form, ``registry`` knows the ops,
``verifier`` checks, ``passes`` change, ``interpreter`` executes. Only what executes imports NumPy.
"""

from . import registry
from .graph import Node, Region
from .module import Graph, Module
from .parser import ParseError, parse, parse_type
from .printer import Mark, PrintOptions, print_module
from .symbol import Symbol
from .types import (
    ArrayType,
    DictType,
    HandleType,
    ListType,
    ModuleType,
    OpaqueType,
    ParameterType,
    ScalarType,
    TupleType,
    Type,
    element_name,
)
from .values import (
    Attribute,
    Constant,
    GraphError,
    Keyword,
    Operand,
    Pack,
    Value,
    as_operand,
)
from .verifier import InvalidGraph, VerifierError, verify

__all__ = [
    "ArrayType",
    "Attribute",
    "Constant",
    "DictType",
    "Graph",
    "GraphError",
    "HandleType",
    "InvalidGraph",
    "Keyword",
    "ListType",
    "Mark",
    "Module",
    "ModuleType",
    "Node",
    "OpaqueType",
    "Operand",
    "Pack",
    "ParameterType",
    "ParseError",
    "PrintOptions",
    "Region",
    "ScalarType",
    "Symbol",
    "TupleType",
    "Type",
    "Value",
    "VerifierError",
    "as_operand",
    "element_name",
    "parse",
    "parse_type",
    "print_module",
    "registry",
    "verify",
]
