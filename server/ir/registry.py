"""The ops that are known: every declaration in the package ``ops``, found by walking it.

Passes, verifier and tracer ask here; none of them knows an op by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from . import ops
from .graph import Node
from .opinfo import OpError, OpInfo, Unknown
from .shapes import ShapeError
from .symbol import Symbol
from .types import ArrayType, Type
from .values import Attribute, Keyword, Operand, Pack, Value

__all__ = ["all_ops", "get", "infer", "is_pure", "permutation", "shares"]


@cache
def all_ops() -> Mapping[Symbol, OpInfo]:
    """Every op by its symbol, in the order of declaration."""
    found: dict[Symbol, OpInfo] = {}
    for module in iter_modules(ops.__path__):
        declared: Sequence[OpInfo] = import_module(f"{ops.__name__}.{module.name}").OPS
        for info in declared:
            if info.symbol in found:
                raise ValueError(f"{info.symbol} is declared twice")
            found[info.symbol] = info
    return found


def get(symbol: Symbol) -> OpInfo | None:
    """What is known of an op; None for one that isn't registered."""
    return all_ops().get(symbol)


def is_pure(node: Node) -> bool:
    """Whether a node does nothing but compute its results from its operands.

    An op that isn't registered may do anything.
    """
    info = get(node.op)
    return info is not None and info.pure and not node.mutated and not node.regions


def shares(node: Node) -> bool | None:
    """Whether the result of a node surely is a view of its first operand; None if it may be one."""
    info = get(node.op)
    if info is None or (info.aliases and info.shares is None):
        return None
    if info.shares is None:
        return False
    try:
        return info.shares(info.bind(node.operands, node.attributes))
    except (Unknown, OpError, ShapeError):
        return None


def permutation(node: Node) -> tuple[int, ...] | None:
    """The order in which a node puts the axes of its first operand; None if it does more."""
    info = get(node.op)
    source = node.operands[0] if node.operands else None
    if info is None or info.permutes is None or not isinstance(source, Value):
        return None
    if not isinstance(source.type, ArrayType):
        return None
    try:
        return info.permutes(info.bind(node.operands, node.attributes), source.type.ndim)
    except (Unknown, ValueError):
        return None


def infer(
    symbol: Symbol,
    operands: Sequence[Operand],
    attributes: Mapping[str, Attribute],
    mutated: Sequence[int] = (),
) -> tuple[Type, ...] | None:
    """The result types of an application; None where they aren't known.

    Raises ``OpError`` where the op would fail.
    """
    info = get(symbol)
    if info is None or info.type_rule is None:
        return None
    versions = tuple(_type_of(operands[index]) for index in mutated)
    if versions and (len(mutated) > len(info.mutates) or info.outputs == 0):
        return versions  # written in place or into out=; that is the result
    try:
        return versions + info.type_rule(info.bind(operands, attributes))
    except Unknown:
        return None
    except ShapeError as error:
        raise OpError(str(error)) from None


def _type_of(operand: Operand) -> Type:
    match operand:
        case Value(type=type_):
            return type_
        case Keyword(item=item) | Pack(items=(item,)):
            return _type_of(item)
    raise OpError("only a value can be changed in place")
