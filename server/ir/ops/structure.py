"""Ops of the graph itself. The verifier knows their regions; here is what it shares with others."""

from __future__ import annotations

from ..elements import FLOATS, default, promote_all
from ..gradients import indexing, products
from ..gradients.application import FLAT, Through
from ..opinfo import Arguments, OpInfo, Unknown, op
from ..rules import array, elementwise
from ..shapes import Sizes, matmul
from ..types import HandleType, Type
from ..values import type_of


def _matmul(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("x1"), args.array("x2")
    element = promote_all([a.element, b.element])
    if element is None:
        raise Unknown("element types")
    left = _turned(a.sizes, args.constant("transpose_a", False))
    right = _turned(b.sizes, args.constant("transpose_b", False))
    return array(default(element), matmul(left, right))


def _turned(sizes: Sizes, turn: bool) -> Sizes:
    return (*sizes[:-2], *sizes[:-3:-1]) if turn else sizes


OPS: list[OpInfo] = [
    *op("ir.return", "*values", None, "Ends a graph.", outputs=0, effects="control"),
    *op("ir.next", "*values", None, "Ends a turn of a loop.", outputs=0, effects="control"),
    *op("ir.yield", "*values", None, "Ends any other region.", outputs=0, effects="control"),
    *op("ir.stage", "stage", None, "Begins a stage.", outputs=0, effects="control"),
    *op("ir.loop", "*carried, count", None, "Repeats its region.", outputs=None),
    *op("ir.call", "*args, callee", None, "Calls another graph.", outputs=None),
    *op(
        "ir.watch",
        "a, place",
        lambda args: (type_of(args["a"]),),
        "A value that derivatives are taken of or by.",
        aliases=(0,),
        shares=lambda args: True,
        permutes=lambda args, ndim: tuple(range(ndim)),
        gradient=("g",),
    ),
    *op(
        "ir.detached",
        "a",
        lambda args: (type_of(args["a"]),),
        "A value that derivatives take as constant.",
        aliases=(0,),
        shares=lambda args: True,
        gradient=FLAT,
    ),
    *op(
        "ir.erf",
        "x",
        elementwise(["x"], FLOATS),
        "The error function, which NumPy hasn't.",
        fusible=True,
        gradient=("g * (2 / math.sqrt(math.pi)) * np.exp(-x * x)",),
        export="Erf",
    ),
    *op(
        "ir.with_item",
        "a, index, value",
        lambda args: array(args.array("a").element, args.array("a").sizes),
        "A copy with a value written where an index selects.",
        gradient=(indexing.written_over, None, indexing.written),
    ),
    *op(
        "ir.with_write",
        "a, *args, by",
        lambda args: array(args.array("a").element, args.array("a").sizes),
        "A copy that another op wrote to.",
        gradient=(indexing.written_to, indexing.put),
    ),
    *op(
        "ir.matmul",
        "x1, x2, transpose_a=False, transpose_b=False",
        _matmul,
        "The matrix product of operands read with their last two axes exchanged.",
        transposing="ir.matmul",
        gradient=Through(products.flagged_matmul),
    ),
    *op(
        "ir.outside",
        "",
        None,
        "A value from code that wasn't recorded.",
        outputs=None,
        effects="outside",
    ),
    *op("ir.undefined", "", None, "What a name is before it is bound.", outputs=None),
    *op("ir.fused", "*args", None, "Elementwise ops computed together.", outputs=None),
    *op(
        "ir.save",
        "*args, by, names=None, of=None",
        lambda args: (HandleType(str(args.constant("by"))),),
        "Keeps what a derivative of code that wasn't traced takes, by ``names`` where it has some; "
        "of a derivative: with ``of``, how much the call took, and by what that it was asked.",
    ),
    *op(
        "ir.eval",
        "handle, *gradients, places",
        None,
        "The derivative that a handle keeps, of the arguments at some places.",
        outputs=None,
    ),
    *op(
        "ir.opaque",
        "*args",
        None,
        "Calls into code that wasn't traced, taken together.",
        outputs=None,
        effects="calls",
    ),
]
