"""Executes a graph on NumPy. In-place ops change arrays in place, as they did in the program."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from math import erf
from typing import Any, Final

import numpy as np

from . import registry
from .again import KEPT, Again, CallError, Handle
from .graph import CALL, LOOP, STAGE, Node, Region
from .module import Graph, Module
from .opinfo import OpInfo
from .symbol import Symbol
from .types import ArrayType, Type
from .values import Attribute, Constant, Keyword, Operand, Pack, Value

__all__ = [
    "ExecutionError",
    "Hook",
    "Interpreter",
    "apply",
    "arguments",
    "dtype_of",
    "read",
    "run",
]

Hook = Callable[[Node, Sequence[Any], Sequence[Any]], None]
"""Called after each node with its operands and its results."""


class ExecutionError(Exception):
    """A node couldn't be executed; the cause is chained."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(f"{node!r}: {reason}" + (f" ({node.span})" if node.span else ""))
        self.node = node
        self.reason = reason


def run(module: Module, *inputs: Any, hook: Hook | None = None) -> tuple[Any, ...]:
    """What ``main`` returns for these inputs. Inputs that the graph mutates are changed."""
    return Interpreter(module, hook=hook).call(module.main, inputs)


class Interpreter:
    """Executes graphs of a module.

    ``functions`` are the Python functions behind symbols that aren't NumPy's; among them those that
    ``ir.save`` names, which give the gradient of each argument from arguments and gradients.
    ``calls`` computes the nodes that have the number of a ``call``.
    """

    def __init__(
        self,
        module: Module,
        functions: Mapping[Symbol, Callable[..., Any]] | None = None,
        hook: Hook | None = None,
        calls: Again | None = None,
    ) -> None:
        self.module: Final = module
        self.calls: Final = calls
        self.functions: Final = functions or {}
        self.hook: Final = hook

    def call(self, graph: Graph, inputs: Sequence[Any]) -> tuple[Any, ...]:
        """What a graph returns for these inputs."""
        if len(inputs) != len(graph.parameters):
            raise TypeError(f"@{graph.name} takes {len(graph.parameters)}, {len(inputs)} are given")
        return self.region(graph.body, inputs, {})

    def region(
        self, region: Region, inputs: Sequence[Any], known: dict[Value, Any]
    ) -> tuple[Any, ...]:
        """What the end of a region gives; ``known`` are the values around it, and is added to."""
        known.update(zip(region.parameters, inputs, strict=True))
        end = region.terminator
        for node in region:
            if node is end:
                return tuple(read(operand, known) for operand in node.operands)
            if node.op is STAGE:
                continue
            operands = [read(operand, known) for operand in node.operands]
            results = self.node(node, operands, known)
            if len(results) != len(node.results):
                raise ExecutionError(node, f"{len(results)} results for {len(node.results)}")
            known.update(zip(node.results, results, strict=True))
            if self.hook is not None:
                self.hook(node, operands, results)
        return ()

    def node(self, node: Node, operands: Sequence[Any], known: dict[Value, Any]) -> tuple[Any, ...]:
        """The results of one node."""
        if node.op is LOOP:
            return self.loop(node, operands, known)
        if node.op is CALL:
            changed = tuple(operands[index] for index in node.mutated)
            return changed + self.call(self.module.graphs[node.attributes["callee"]], operands)
        if node.regions:
            return self.region(node.regions[0], operands, known)
        try:
            if node.op is SAVE:
                return (self.handle(node, operands),)
            if node.op is EVAL:
                return self.evaluated(node, *operands)
            if node.call is not None and self.calls is not None:
                return self.calls(node, operands)
            return apply(node, operands, self.functions.get(node.op))
        except CallError as error:
            raise ExecutionError(node, str(error)) from None
        except Exception as error:
            raise ExecutionError(node, f"{type(error).__name__}: {error}") from error

    def handle(self, node: Node, operands: Sequence[Any]) -> Handle:
        """What a derivative is to be evaluated with."""
        by, again = node.attributes["by"], node.call is not None and self.calls is not None
        function = None if again else self.functions.get(by) or function_of(by)
        return Handle(node, tuple(operands), function)

    def evaluated(self, node: Node, handle: Handle, *gradients: Any) -> tuple[Any, ...]:
        """The derivative that a handle keeps."""
        more: list[Sequence[Any]] = [gradients]
        of = handle.node.attributes.get("of") if handle.node is not None else None
        if of is not None:  # the handle is of a derivative: what that gave has these gradients
            taken, places = of
            given = dict(zip(places, gradients, strict=True))
            firsts = handle.operands[:taken]
            more = [[given.get(i, _zeros(value)) for i, value in enumerate(firsts)]]
        if handle.function is None and self.calls is not None:
            return tuple(self.calls.derivative(handle, more, node))
        return tuple(handle.evaluated(more, node.attributes["places"]))

    def loop(self, node: Node, operands: Sequence[Any], known: dict[Value, Any]) -> tuple[Any, ...]:
        """The carried values after the loop."""
        count = node.attributes["count"]
        if count is None:
            raise ExecutionError(node, "how often the loop ran isn't known")
        carried = tuple(operands)
        for index in range(count):
            carried = self.region(node.regions[0], (index, *carried), known)
        return carried


def apply(
    node: Node, operands: Sequence[Any], function: Callable[..., Any] | None = None
) -> tuple[Any, ...]:
    """The results of a node without regions. ``operands`` are Python objects."""
    info = registry.get(node.op)
    if node.mutated and info is not None and info.inplace and len(operands) == 2:
        return (_INPLACE[node.op.name](*operands),)
    function = function or function_of(node.op)
    positional, keywords = arguments(node, info, operands)
    result = function(*positional, **keywords)
    if not node.mutated:
        return _results(result, node.results)
    changed = tuple(
        operands[index].item if isinstance(operands[index], Keyword) else operands[index]
        for index in node.mutated
    )
    left = node.results[len(changed) :]
    return changed + (_results(result, left) if left else ())


def function_of(symbol: Symbol) -> Callable[..., Any]:
    """The Python function that an op names; raises ``AttributeError`` where there is none."""
    special = _SPECIAL.get(str(symbol))
    if special is not None:
        return special
    if symbol.namespace != "np":
        raise AttributeError(f"{symbol} isn't a function of NumPy")
    for owner in ("ndarray.", "random.Generator."):
        if symbol.name.startswith(owner):
            return _member(symbol.name.removeprefix(owner))
    found: Any = np
    for part in symbol.name.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def read(operand: Operand, known: Mapping[Value, Any]) -> Any:
    """The Python object that an operand is, where values are ``known``."""
    match operand:
        case Value():
            return known[operand]
        case Constant(value=value):
            return _object(value)
        case Keyword(name=name, item=item):
            return Keyword(name, read(item, known))
        case Pack(kind=kind, items=items):
            parts = [read(item, known) for item in items]
            return slice(*parts) if kind == "slice" else tuple(parts) if kind == "tuple" else parts


def dtype_of(element: str) -> np.dtype[Any]:
    """NumPy's type for the name of an element type."""
    order = ">" if element.endswith("_be") else "="
    name = element.removesuffix("_be")
    if name in ("bool", "object"):
        return np.dtype(name)
    for prefix, code in _PREFIXES.items():
        if name.startswith(prefix):
            rest = name.removeprefix(prefix)
            return np.dtype(f"{code}[{rest[1:]}]" if rest.startswith("_") else f"{code}{rest}")
    return np.dtype(f"{order}{name[0]}{int(name[1:]) // 8}")


def arguments(
    node: Node, info: OpInfo | None, operands: Sequence[Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments for the function behind an op."""
    positional = [operand for operand in operands if not isinstance(operand, Keyword)]
    keywords = {operand.name: operand.item for operand in operands if isinstance(operand, Keyword)}
    names = [] if info is None else [name for name in info.parameters if name != "*"]
    for name, attribute in node.attributes.items():
        value = _object(attribute)
        if name == "dtype" and isinstance(value, str):
            value = dtype_of(value)
        if f"*{name}" in names:
            positional.extend(value if isinstance(value, tuple) else (value,))
        else:
            keywords[name] = value
    for name in names[len(positional) : (info.positional_only if info else 0)]:
        if name not in keywords:
            break
        positional.append(keywords.pop(name))
    return positional, keywords


def _object(value: Attribute) -> Any:
    """The Python object that an attribute stands for."""
    if isinstance(value, Symbol):
        return function_of(value)
    if isinstance(value, tuple):
        return tuple(map(_object, value))
    if isinstance(value, Type):
        raise TypeError(f"a type has no value: {value}")
    return value


def _results(result: Any, values: Sequence[Value]) -> tuple[Any, ...]:
    """What a function gave for these results: a tuple or list of them, unless there is one."""
    if len(values) != 1:
        return tuple(result) if values else ()
    alone = isinstance(values[0].type, ArrayType) and isinstance(result, list | tuple)
    return tuple(result) if alone else (result,)


def _zeros(value: Any) -> Any:
    """The gradient of what nothing depends on; None for what has none."""
    smooth = isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "fc"
    return np.zeros_like(value) if smooth else None


def _member(name: str) -> Callable[..., Any]:
    def call(self: Any, *args: Any, **keywords: Any) -> Any:
        found = getattr(self, name)
        return found(*args, **keywords) if callable(found) else found

    return call


def _matmul(x1: Any, x2: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    left = np.swapaxes(x1, -1, -2) if transpose_a else x1
    return np.matmul(left, np.swapaxes(x2, -1, -2) if transpose_b else x2)


def _setitem(target: Any, index: Any, value: Any) -> None:
    target[index] = value


def _with_item(array: Any, index: Any, value: Any) -> Any:
    new = array.copy(order="K")
    new[index] = value
    return new


def _with_write(array: Any, *args: Any, by: Callable[..., Any], **keywords: Any) -> Any:
    new = array.copy(order="K")
    by(new, *args, **keywords)
    return new


def _erf(x: Any) -> Any:
    return np.vectorize(erf, otypes=[np.result_type(x, np.float32)])(x)


def _delitem(target: Any, index: Any) -> None:
    del target[index]


SAVE: Final = Symbol("ir", "save")
EVAL: Final = Symbol("ir", "eval")
_PREFIXES: Final = {"str": "U", "bytes": "S", "void": "V", "datetime": "M8", "timedelta": "m8"}
_INPLACE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": operator.iadd,
    "subtract": operator.isub,
    "multiply": operator.imul,
    "divide": operator.itruediv,
    "floor_divide": operator.ifloordiv,
    "remainder": operator.imod,
    "power": operator.ipow,
    "matmul": operator.imatmul,
    "bitwise_and": operator.iand,
    "bitwise_or": operator.ior,
    "bitwise_xor": operator.ixor,
    "left_shift": operator.ilshift,
    "right_shift": operator.irshift,
}
_SPECIAL: Final[dict[str, Callable[..., Any]]] = {
    "np.getitem": operator.getitem,
    "np.setitem": _setitem,
    "np.delitem": _delitem,
    "py.getitem": operator.getitem,
    "py.item": operator.getitem,
    "py.setitem": _setitem,
    "py.delitem": _delitem,
    "py.setattr": setattr,
    "py.not": operator.not_,
    "ir.matmul": _matmul,
    "ir.kept": KEPT,
    "ir.watch": lambda a, *, place: a,
    "ir.detached": lambda a: a,
    "ir.erf": _erf,
    "ir.with_item": _with_item,
    "ir.with_write": _with_write,
    **{
        f"py.{name}": getattr(operator, name)
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
    },
    **{f"py.{name}": getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    **{
        f"py.{function.__name__}": function
        for function in (len, int, float, bool, str, list, tuple, range, getattr, print)
    },
    **{
        f"py.list.{name}": getattr(list, name)
        for name in ("append", "extend", "insert", "sort", "reverse", "clear", "pop")
    },
    "py.dict.update": dict.update,
}
