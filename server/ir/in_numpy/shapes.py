"""What only moves elements, and products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..gradients.application import Application
from ..shapes import axis_of
from ..symbol import Symbol
from .elements import whole

__all__ = ["FORMS"]


def _regrouped(at: Application) -> Any:
    """Into the sizes that the result has."""
    return at.np.reshape(at["input"], shape=whole(at.r))


def _expanded(at: Application) -> Any:
    return at.np.broadcast_to(at["input"], whole(at.r))


def _exchanged(at: Application) -> Any:
    return at.np.swapaxes(at["input"], at["dim0"], at["dim1"])


def _permuted(at: Application) -> Any:
    dims = at["dims"]
    axes = dims[0] if len(dims) == 1 and isinstance(dims[0], tuple | list) else dims
    return at.np.transpose(at["input"], axes=tuple(axes))


def _repeated(at: Application) -> Any:
    repeats = at["repeats"]
    if len(repeats) == 1 and isinstance(repeats[0], tuple | list):
        (repeats,) = repeats
    return at.np.tile(at["input"], tuple(repeats))


def _pieces(at: Application) -> Any:
    x = at["input"]
    axis, start, found = axis_of(at["dim"], x.ndim), 0, []
    for piece in at.rs:
        stop = start + int(piece.sizes[axis])
        found.append(x[(*(slice(None),) * axis, slice(start, stop))])
        start = stop
    return tuple(found)


def _slices(at: Application) -> Any:
    x = at["input"]
    axis = axis_of(at["dim"], x.ndim)
    return tuple(x[(*(slice(None),) * axis, k)] for k in range(len(at.node.results)))


def _flipped(at: Application) -> Any:
    dims = at["dims"]
    return at.np.flip(at["input"], axis=tuple(dims) if isinstance(dims, list) else dims)


def _added_at(at: Application) -> Any:
    x, axis = at["input"], at["dim"]
    place = (*(slice(None),) * axis_of(axis, x.ndim), at["index"])
    index = at.writer.operand(place)
    return at.writer.apply("ir.with_write", [x, index, at["source"]], {"by": _ADD_AT})


def _scattered(at: Application) -> Any:
    given = [at["input"], at["index"], at["src"], at["dim"]]
    return at.writer.apply("ir.with_write", given, {"by": _PUT_ALONG})


_REGROUPING = "reshape view flatten squeeze unsqueeze nn.Flatten"
_ADD_AT: Final = Symbol("np", "add.at")
_PUT_ALONG: Final = Symbol("np", "put_along_axis")

FORMS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(_REGROUPING.split(), _regrouped),
    "expand": _expanded,
    "transpose": _exchanged,
    "permute": _permuted,
    **dict.fromkeys(("t", "T"), "np.transpose(input)"),
    "mT": "np.swapaxes(input, -1, -2)",
    "repeat": _repeated,
    "cat": "np.concatenate(tensors, axis=dim)",
    "stack": "np.stack(tensors, axis=dim)",
    **dict.fromkeys(("chunk", "split"), _pieces),
    "unbind": _slices,
    "flip": _flipped,
    "roll": "np.roll(input, shifts, axis=dims)",
    "tril": "np.tril(input, diagonal)",
    "triu": "np.triu(input, diagonal)",
    "getitem": "np.getitem(input, index)",
    "index_select": "np.take(input, index, axis=dim)",
    "gather": "np.take_along_axis(input, index, axis=dim)",
    "masked_select": "np.getitem(input, mask)",
    "index_add_": _added_at,
    "scatter_": _scattered,
    "matmul": "np.matmul(input, other)",
    **dict.fromkeys(("mm", "bmm"), "np.matmul(input, mat2)"),
    "mv": "np.matmul(input, vec)",
    "dot": "np.dot(input, tensor)",
    "outer": "np.outer(input, vec2)",
    "einsum": "np.einsum(equation, *operands)",
}
