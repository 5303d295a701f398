"""Recurrent layers, whose weights ONNX wants in another order than PyTorch has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ir.opinfo import array_of
from ...ir.shapes import Sizes
from ...ir.values import Operand, Pack
from ..application import Application
from ..errors import Refused
from ..registry import exports

_GATES = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2), "RNN": (0,)}
"""For each block of rows of ONNX, which of PyTorch's it is: i o f c of i f g o, z r h of r z n."""


@exports("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")
def recurrent(x: Application) -> Sequence[str]:
    """One operator for each layer, both directions in it."""
    kind = x.node.op.name.rpartition(".")[2]
    if x.array("input").ndim != 3:
        raise Refused("an input without a batch", "input[:, None]")
    if x.constant("dropout", default=0.0) and x.constant("training", default=False):
        raise Refused("it is in training", "eval() on the model first")
    weights = list(x.items("weights"))
    layers = int(x.constant("num_layers", default=1))
    ways = 1 + bool(x.constant("bidirectional", default=False))
    first = bool(x.constant("batch_first", default=False))
    states = _states(x)
    each = len(weights) // (layers * ways)
    if each not in (2, 4) or each * layers * ways != len(weights):
        raise Refused("weights that it isn't known with", "eval() and a plain layer")
    value = x.value("input", x.result.element)
    value = x.emit("Transpose", value, perm=[1, 0, 2]) if first else value
    last: list[list[str]] = [[] for _ in (states or (0, 0)[: 1 + (kind == "LSTM")])]
    for layer in range(layers):
        own = weights[layer * ways * each : (layer + 1) * ways * each]
        sides = [own[i * each : (i + 1) * each] for i in range(ways)]
        begin = [_part(x, state, layer, ways, layers) for state in states]
        value, ends = _layer(x, kind, value, sides, begin)
        for found, end in zip(last, ends, strict=False):
            found.append(end)
    value = x.emit("Transpose", value, perm=[1, 0, 2]) if first else value
    joined = [e[0] if len(e) == 1 else x.emit("Concat", *e, axis=0) for e in last]
    return [value, *joined]


def _layer(
    x: Application,
    kind: str,
    value: str,
    sides: Sequence[Sequence[Operand]],
    begin: Sequence[str],
) -> tuple[str, list[str]]:
    """One layer of time first: its outputs, and its last states."""
    hidden = x.known(_rows(x, sides[0][1])[1:])[0]
    matrices = [_stacked(x, [_turned(x, side[i], kind) for side in sides]) for i in (0, 1)]
    bias = ""
    if len(sides[0]) == 4:
        bias = _stacked(x, [_concat(x, [_turned(x, o, kind) for o in side[2:]]) for side in sides])
    ways = len(sides)
    count = 3 if kind == "LSTM" else 2
    found = x.emit_many(
        kind, count, value, *matrices, bias, "", *begin,
        hidden_size=hidden, direction="bidirectional" if ways == 2 else None,
        linear_before_reset=1 if kind == "GRU" else None,
    )  # fmt: skip
    outputs = found[0]  # time, directions, batch, hidden
    if ways == 1:
        outputs = x.emit("Squeeze", outputs, x.ints([1]))
    else:
        beside = x.emit("Transpose", outputs, perm=[0, 2, 1, 3])
        outputs = x.emit("Reshape", beside, x.ints([0, 0, ways * hidden]))
    return outputs, found[1:]


def _states(x: Application) -> list[str]:
    """The states that it begins with, if it was given some."""
    if not x.given("hx"):
        return []
    given = x.args["hx"]
    items = given.items if isinstance(given, Pack) else (given,)
    return [x.of(item, x.result.element) for item in items]


def _part(x: Application, state: str, layer: int, ways: int, layers: int) -> str:
    """What one layer begins with."""
    if layers == 1:
        return state
    start = x.ints([layer * ways])
    return x.emit("Slice", state, start, x.ints([(layer + 1) * ways]), x.ints([0]))


def _rows(x: Application, operand: Operand) -> Sizes:
    return array_of(operand).sizes


def _turned(x: Application, operand: Operand, kind: str) -> str:
    """A weight with its blocks of rows in the order of ONNX."""
    order, value = _GATES[kind], x.of(operand, x.result.element)
    if len(order) == 1:
        return value
    constant = x.scope.model.constants.get(value)
    if constant is not None:
        blocks = np.split(constant, len(order))
        return x.scope.model.constant(np.concatenate([blocks[i] for i in order]), f"{value}/turned")
    parts = x.emit_many("Split", len(order), value, axis=0, num_outputs=len(order))
    return x.emit("Concat", *(parts[i] for i in order), axis=0)


def _concat(x: Application, values: Sequence[str]) -> str:
    return _joined(x, values, new=False)


def _stacked(x: Application, values: Sequence[str]) -> str:
    return _joined(x, values, new=True)


def _joined(x: Application, values: Sequence[str], *, new: bool) -> str:
    """Values one after the other, or along a new first axis; of constants, a constant."""
    constants = x.scope.model.constants
    known = [constants[value] for value in values if value in constants]
    if len(known) == len(values):
        whole = np.stack(known) if new else np.concatenate(known)
        return x.scope.model.constant(whole, f"{values[0]}/{'stacked' if new else 'joined'}")
    parts = [x.emit("Unsqueeze", v, x.ints([0])) if new else v for v in values]
    return x.emit("Concat", *parts, axis=0) if len(parts) > 1 else parts[0]


@exports("torch.nn.LSTMCell")
def lstm_cell(x: Application) -> Sequence[str]:
    """One step, written out: ``LSTM`` is of sequences."""
    value = x.value("input", x.result.element)
    state = x.args["hx"] if x.given("hx") else None
    if not isinstance(state, Pack):
        raise Refused("without states to begin with", "hx=(h, c)")
    hidden, cell = (x.of(item, x.result.element) for item in state.items)
    one = x.ints([0])
    begin = [x.emit("Unsqueeze", v, one) for v in (hidden, cell)]
    weights = [x.args[f"weight_{n}"] for n in ("ih", "hh")]
    weights += [x.args[f"bias_{n}"] for n in ("ih", "hh") if x.given(f"bias_{n}")]
    _, ends = _layer(x, "LSTM", x.emit("Unsqueeze", value, one), [weights], begin)
    return [x.emit("Squeeze", end, one) for end in ends]
