"""Which op of the registry a site applies, and what that op does to the operands there.

No rule switches on the names of functions where the registry knows: it asks here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..ir import Symbol, registry
from ..ir.opinfo import OpInfo
from ..tracer.operations import symbol_of
from ..tracer.trace import Array, Event, Site, SiteOperand

SIGNS: Mapping[str, str] = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "MatMult": "@", "FloorDiv": "//", "Mod": "%",
    "Pow": "**", "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
}  # fmt: skip
_SYNONYMS = {
    "abs": "absolute", "true_divide": "divide", "mod": "remainder", "conj": "conjugate",
    "bitwise_not": "invert", "bitwise_invert": "invert", "acos": "arccos", "asin": "arcsin",
    "atan": "arctan", "acosh": "arccosh", "asinh": "arcsinh", "atanh": "arctanh",
    "atan2": "arctan2", "pow": "power", "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift", "row_stack": "vstack", "concat": "concatenate",
}  # fmt: skip

_LIKE_NUMPY = {
    "mm": "matmul", "bmm": "matmul", "mv": "matmul", "cat": "concatenate", "concat": "concatenate",
    "view": "reshape", "unsqueeze": "expand_dims", "mul": "multiply", "div": "divide",
    "pow": "power", "tensor": "array", "as_tensor": "array", "clone": "copy", "to": "astype",
    "float": "astype", "double": "astype",
}  # fmt: skip


def operator(site: Site) -> str:
    """The operator's name in ``ast`` of an operation written as one, else nothing."""
    kind, _, rest = site.kind.partition(":")
    return rest.partition(":")[0] if kind in ("binary", "inplace", "unary", "compare") else ""


def name(event: Event) -> str:
    """The op's name without that of a class: ``dot`` for ``x.dot(y)`` and ``np.dot(x, y)``.

    Nothing where it isn't surely NumPy's.
    """
    found = symbol_of(event)
    if found.namespace != "np":
        return ""
    bare = found.name.removeprefix("ndarray.")
    return _SYNONYMS.get(bare, bare)


def any_name(event: Event) -> str:
    """The same for PyTorch too, whose op that does what one of NumPy's does has that one's name."""
    found = symbol_of(event)
    if found.namespace != "torch":
        return name(event)
    bare = found.name.removeprefix("Tensor.")
    return _LIKE_NUMPY.get(bare, bare)


def bare_name(event: Event) -> str:
    """The last part of an op's name, ``mse_loss``; nothing where it is no op of a library."""
    found = symbol_of(event)
    return "" if found.namespace == "py" else found.name.rpartition(".")[2]


def info(event: Event) -> OpInfo | None:
    """What the registry knows of an event's op."""
    found = symbol_of(event)
    known = registry.get(found)
    if known is None and found.namespace == "np" and found.name in _SYNONYMS:
        known = registry.get(Symbol("np", _SYNONYMS[found.name]))
    return known


def elementwise(event: Event) -> bool:
    """Whether it maps elements to elements."""
    known = info(event)
    return known is not None and known.fusible


def written(event: Event) -> tuple[tuple[SiteOperand, Array], ...]:
    """The arrays that an event wrote into, and the operands that they are."""
    pairs = tuple(zip(event.site.operands, event.operands, strict=True))
    if event.kind == "store" or event.in_place:
        return tuple((o, v) for o, v in pairs[:1] if isinstance(v, Array))
    if event.changed:
        return tuple(
            (o, v) for o, v in map(pairs.__getitem__, event.changed) if isinstance(v, Array)
        )
    known = info(event) if event.site.is_call else None
    if known is None:
        return ()
    names = _names(known)
    targets = {names[i] for i in known.mutates if i < len(names)} | {"out"} & {*names}
    return tuple(  # not the items of a list: shuffling one leaves the arrays in it alone
        (operand, value)
        for operand, value in pairs
        if parameter(known, operand, event.site) in targets and isinstance(value, Array)
    )


def parameter(known: OpInfo, operand: SiteOperand, site: Site) -> str:
    """The name of the parameter that an operand is given to."""
    names = _names(known)
    method = bool(site.operands) and site.operands[0].role == "self"
    if operand.role == "self":
        return names[0] if names else ""
    if not operand.role.isdigit():
        return operand.role
    position = int(operand.role) + method
    if position < len(names) and not any(n.startswith("*") for n in names[: position + 1]):
        return names[position]
    return next((n[1:] for n in names if n.startswith("*")), "")


@cache
def _names(known: OpInfo) -> tuple[str, ...]:
    """The parameters in order."""
    return tuple(name for name in known.parameters if name not in ("*", "/"))
