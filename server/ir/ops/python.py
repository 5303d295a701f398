"""Ops of Python itself: on scalars and containers."""

from __future__ import annotations

from typing import Any

from ..opinfo import Arguments, OpInfo, Unknown, op
from ..rules import nothing, scalar


def _length(args: Arguments) -> int:
    sizes = args.array("obj").sizes
    if not sizes or sizes[0] is None:
        raise Unknown("length")
    return sizes[0]


_CHANGES: dict[str, Any] = {"outputs": 0, "mutates": (0,)}

OPS: list[OpInfo] = [
    *op("py.len", "obj, /", scalar("int"), "The number of items.", known=_length),
    *op("py.int", "x, /", scalar("int"), "As a whole number."),
    *op("py.float", "x, /", scalar("float"), "As a floating-point number."),
    *op("py.bool", "x, /", scalar("bool"), "Whether it is true."),
    *op("py.str", "object, /", scalar("str"), "As text."),
    *op("py.list", "iterable, /", None, "A list of the items.", aliases=(0,)),
    *op("py.tuple", "iterable, /", None, "A tuple of the items.", aliases=(0,)),
    *op("py.getitem", "a, index", None, "An item of a container.", aliases=(0,)),
    *op("py.item", "a, index", None, "The item that an iteration comes to.", aliases=(0,)),
    *op("py.range", "start, stop=None, step=1, /", None, "Whole numbers in order."),
    *op("py.getattr", "object, name, /", None, "An attribute.", aliases=(0,)),
    *op(
        "py.setitem",
        "a, index, value",
        nothing,
        "Sets an item of a container.",
        aliases=(2,),
        **_CHANGES,
    ),
    *op("py.delitem", "a, index", nothing, "Deletes an item of a container.", **_CHANGES),
    *op(
        "py.setattr",
        "object, name, value, /",
        nothing,
        "Sets an attribute.",
        aliases=(2,),
        **_CHANGES,
    ),
    *op(
        "py.list.append",
        "a, object, /",
        nothing,
        "Adds an item at the end.",
        aliases=(1,),
        **_CHANGES,
    ),
    *op(
        "py.list.extend",
        "a, iterable, /",
        nothing,
        "Adds items at the end.",
        aliases=(1,),
        **_CHANGES,
    ),
    *op(
        "py.list.insert", "a, index, object, /", nothing, "Adds an item.", aliases=(2,), **_CHANGES
    ),
    *op("py.list.sort", "a, *, key=None, reverse=False", nothing, "Sorts in place.", **_CHANGES),
    *op("py.list.reverse", "a, /", nothing, "Reverses in place.", **_CHANGES),
    *op("py.list.clear", "a, /", nothing, "Removes all items.", **_CHANGES),
    *op(
        "py.list.pop",
        "a, index=-1, /",
        None,
        "Removes an item and gives it.",
        mutates=(0,),
        aliases=(0,),
    ),
    *op(
        "py.dict.update", "a, other, /", nothing, "Sets items of another.", aliases=(1,), **_CHANGES
    ),
    *op(
        "py.print",
        "*args, sep=' ', end='', file=None, flush=False",
        nothing,
        "Prints.",
        outputs=0,
        effects="io",
    ),
    *(
        info
        for name, sentence in {
            "add": "The sum.",
            "sub": "The difference.",
            "mul": "The product.",
            "truediv": "The quotient.",
            "floordiv": "The quotient rounded down.",
            "mod": "The remainder.",
            "pow": "The power.",
        }.items()
        for info in op(f"py.{name}", "a, b", None, sentence, fusible=True)
    ),
    *(
        info
        for name in ("lt", "le", "gt", "ge", "eq", "ne", "not")
        for info in op(f"py.{name}", "a, b=None", None, "A comparison.")
    ),
]
