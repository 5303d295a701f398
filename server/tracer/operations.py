"""Which registered operation a site applies: from syntax and qualified names to symbols of the
IR."""

from __future__ import annotations

import ast
import math
import re
from typing import Final

from ..doc.parsing import parse
from ..ir import Symbol, registry
from . import tensors
from .trace import Array, Constant, Event, Scalar, Site, Value

_BINARY = {
    "Add": "add", "Sub": "subtract", "Mult": "multiply", "MatMult": "matmul",
    "Div": "divide", "FloorDiv": "floor_divide", "Mod": "remainder", "Pow": "power",
    "BitAnd": "bitwise_and", "BitOr": "bitwise_or", "BitXor": "bitwise_xor",
    "LShift": "left_shift", "RShift": "right_shift",
}  # fmt: skip
_UNARY = {"USub": "negative", "UAdd": "positive", "Invert": "invert"}
_COMPARE = {
    "Lt": "less", "LtE": "less_equal", "Gt": "greater", "GtE": "greater_equal", "Eq": "equal",
    "NotEq": "not_equal",
}  # fmt: skip
_GENERATOR = "numpy.random._generator.Generator"
_TABLES = {"binary": _BINARY, "inplace": _BINARY, "unary": _UNARY, "compare": _COMPARE}
_LIBRARY_NAME = re.compile(r"(np|numpy|torch)\.([A-Za-z_]\w*)")
_NUMPY_CONSTANTS: dict[str, object] = {
    "pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None,
}  # fmt: skip


def symbol_of(event: Event) -> Symbol:
    """The operation of an event; its namespace is ``np`` where it is certainly NumPy's own, and
    ``torch`` where it is PyTorch's."""
    if event.symbol is None:
        event.symbol = _symbol_of(event)
    return event.symbol


def _symbol_of(event: Event) -> Symbol:
    site = event.site
    if tensors.on_tensors(event):
        return tensors.symbol_of(event) or _of_program(site.callee.rpartition(".")[2] or "call")
    kind, _, detail = site.kind.partition(":")
    if kind in _TABLES:
        name = _TABLES[kind][detail.partition(":")[0]]
        return Symbol("np", name)
    if kind == "attribute":
        return Symbol("np", f"ndarray.{detail}")
    if kind in ("getitem", "setitem"):
        return Symbol("np", kind)
    if kind == "setattr":
        return Symbol("py", kind)
    return _callee(site, event.operand("self"))


def written_by(event: Event) -> tuple[Array, ...]:
    """The arrays whose elements an event wrote: by its syntax, or by what the registry says of
    it."""
    if event.written or not event.site.is_call:
        return event.written
    if tensors.on_tensors(event):
        return tuple(dict.fromkeys((*_by_registry(event), *tensors.written_by(event))))
    return _by_registry(event)


def _by_registry(event: Event) -> tuple[Array, ...]:
    info = registry.get(symbol_of(event))
    out = event.operand("out")
    written = [out] if isinstance(out, Array) else []
    if info is not None and info.mutates:
        receiver = event.operand("self") is not None
        for position in info.mutates:
            role = "self" if receiver and position == 0 else str(position - receiver)
            value = event.operand(role)
            written += [value] if isinstance(value, Array) else []
    return tuple(written)


def _callee(site: Site, receiver: Value) -> Symbol:
    name = site.callee
    library, _, rest = name.partition(".")
    if site.certain and library == "numpy":
        return _symbol("np", rest)
    if site.certain and library == "builtins":
        return _symbol("py", rest)
    if name.startswith("."):
        if isinstance(receiver, Array | Scalar):
            return _symbol("np", "ndarray" + name)
        if isinstance(receiver, Constant) and receiver.kind == _GENERATOR:
            return _symbol("np", "random.Generator" + name)
        return _of_program(name[1:])
    return _of_program(name or "call")


def _of_program(name: str) -> Symbol:
    """A function or method that isn't known; where it has the name of an operation of Python's, it
    is none of those."""
    symbol = _symbol("py", name)
    return symbol if registry.get(symbol) is None else _symbol("py", f"program.{name}")


def _symbol(namespace: str, name: str) -> Symbol:
    try:
        return Symbol(namespace, name)
    except ValueError:
        return Symbol(namespace, "call")


UNKNOWN: Final = object()
"""What ``literal_of`` gives for a text that is no literal."""
_BUILTIN_TYPES = frozenset({"int", "float", "bool", "complex", "str", "object"})


def literal_of(text: str) -> object:
    """What a text stands for that was not recorded: a literal, a slice of literals, a symbol or a
    constant of NumPy or PyTorch, the name of a built-in type; else ``UNKNOWN``."""
    if text in _BUILTIN_TYPES:
        return text
    try:
        node = parse(f"_[{text}]", mode="eval").body
    except (SyntaxError, ValueError):
        return UNKNOWN
    if isinstance(node, ast.Subscript):
        value = _evaluated(node.slice)
        if value is not UNKNOWN:
            return value
    match = _LIBRARY_NAME.fullmatch(text)
    if match is None:
        return UNKNOWN
    library, name = match.groups()
    if name in _NUMPY_CONSTANTS:
        return _NUMPY_CONSTANTS[name]
    return _symbol("torch" if library == "torch" else "np", name)


def bounds_of(text: str) -> list[str] | None:
    """The texts of start, stop and step of a slice, empty where there is none; None: no slice."""
    try:
        node = parse(f"_[{text}]", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
        return None
    parts = (node.slice.lower, node.slice.upper, node.slice.step)
    return [ast.unparse(part) if part is not None else "" for part in parts]


def returned_names(text: str) -> list[str]:
    """What a function returns in its only ``return``: names, and "" for anything else."""
    try:
        function = parse(text).body[0]
    except (SyntaxError, ValueError, IndexError):
        return []
    ends = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    if len(ends) != 1:  # of functions inside, too: then it isn't said which is which
        return []
    value = ends[0].value
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    return [item.id if isinstance(item, ast.Name) else "" for item in items]


def _evaluated(node: ast.expr) -> object:
    if isinstance(node, ast.Slice):
        parts = [p and _evaluated(p) for p in (node.lower, node.upper, node.step)]
        return UNKNOWN if UNKNOWN in parts else slice(*parts)
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        return UNKNOWN
    return value if _is_constant(value) else UNKNOWN


def _is_constant(value: object) -> bool:
    """Whether a graph can have it as a constant: no dictionary, and no set."""
    if isinstance(value, list | tuple):
        return all(map(_is_constant, value))
    return not isinstance(value, dict | set)
