"""Ops that make arrays of sizes and numbers alone: small ones become constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.interpreter import ExecutionError, apply
from ...ir.literals import is_atom
from ...ir.types import Type
from ...ir.values import Constant, Keyword, Operand, Pack
from ..application import Application
from ..constants import MOST
from ..errors import Refused
from ..model import dtype_for
from ..registry import exports


@exports(
    "np.zeros", "np.ones", "np.full", "np.zeros_like", "np.ones_like", "np.full_like",
    "torch.zeros", "torch.ones", "torch.full", "torch.zeros_like", "torch.ones_like",
)  # fmt: skip
def filled(x: Application) -> str:
    """One value everywhere."""
    element, sizes = x.result.element, x.result.sizes
    name = x.node.op.name
    if "full" in name:
        fill = x.first("fill_value")
        if not isinstance(x.args[fill], Constant):
            return x.emit("Expand", x.value(fill, element), x.shape(sizes))
        number = x.constant(fill)
    else:
        number = int("ones" in name)
    if not sizes:
        return x.number(number, element)
    value = x.scope.model.tensor(np.asarray([number]).astype(dtype_for(element)))
    return x.emit("ConstantOfShape", x.shape(sizes), value=value)


@exports("np.arange", "torch.arange")
def arange(x: Application) -> str:
    """Numbers in steps: the limit may be a size that is open."""
    element, (size,) = x.result.element, x.result.sizes
    start, stop, step = x.first("start"), x.first("stop", "end"), x.constant("step", default=1)
    first = x.constant(start, default=0) if x.given(stop) else 0
    if not isinstance(first, int | float) or not isinstance(step, int | float):
        raise Refused("steps that the program computes")
    wanted = x.shape((size,))
    known = x.scope.model.constants.get(wanted)
    if known is not None and known[0] <= MOST:
        numbers = first + step * np.arange(known[0])
        return x.array_constant(numbers.astype(dtype_for(element)))
    limit = x.emit("Squeeze", wanted)
    places = x.emit("Range", x.number(0, "i64"), limit, x.number(1, "i64"))
    value = x.cast(places, "i64", element)
    if step != 1:
        value = x.emit("Mul", value, x.number(step, element))
    return x.emit("Add", value, x.number(first, element)) if first else value


@exports("torch.eye", "torch.linspace")
def made_by_torch(x: Application) -> str:
    """As NumPy makes it."""
    sizes, dtype = x.known(x.result.sizes), dtype_for(x.result.element)
    if x.node.op.name == "eye":
        return x.array_constant(np.eye(*sizes, dtype=dtype))
    ends = float(x.constant("start")), float(x.constant("end"))
    return x.array_constant(np.linspace(*ends, sizes[0]).astype(dtype))


@exports(
    "np.eye", "np.identity", "np.tri", "np.linspace", "np.logspace", "np.geomspace",
    "np.indices", "np.hanning", "np.hamming", "np.blackman", "np.bartlett", "np.kaiser",
    "np.fft.fftfreq", "np.fft.rfftfreq",
)  # fmt: skip
def computed(x: Application) -> str:
    """What depends on numbers alone is computed once, here."""
    if (x.result.size or MOST + 1) > MOST:
        raise Refused(f"a constant of more than {MOST} elements", "an argument of the function")
    x.known(x.result.sizes)
    try:
        (made,) = apply(x.node, [_object(operand) for operand in x.node.operands])
    except ExecutionError as error:
        raise Refused(str(error)) from None
    return x.array_constant(np.asarray(made))


def _object(operand: Operand) -> Any:
    match operand:
        case Constant(value=value) if is_atom(value) or isinstance(value, Type):
            return value
        case Keyword(name=name, item=item):
            return Keyword(name, _object(item))
        case Pack(kind="tuple" | "list", items=items):
            return tuple(_object(item) for item in items)
    raise Refused("an argument that the program computes")
