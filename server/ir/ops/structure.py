"""Ops of the graph itself. The verifier knows their regions; here is what it shares with others."""

from __future__ import annotations

from ..elements import default, promote_all
from ..opinfo import Arguments, OpInfo, Unknown, op
from ..rules import array
from ..shapes import Sizes, matmul
from ..types import Type


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
        "ir.with_item",
        "a, index, value",
        lambda args: array(args.array("a").element, args.array("a").sizes),
        "A copy with a value written where an index selects.",
        export="ScatterND",
    ),
    *op(
        "ir.with_write",
        "a, *args, by",
        lambda args: array(args.array("a").element, args.array("a").sizes),
        "A copy that another op wrote to.",
    ),
    *op(
        "ir.matmul",
        "x1, x2, transpose_a=False, transpose_b=False",
        _matmul,
        "The matrix product of operands read with their last two axes exchanged.",
        export="Gemm",
        transposing="ir.matmul",
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
        "ir.opaque",
        "*args",
        None,
        "Calls into code that wasn't traced, taken together.",
        outputs=None,
        effects="calls",
    ),
]
