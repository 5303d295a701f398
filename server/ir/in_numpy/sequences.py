"""Recurrent layers, written out step by step.

Gates are in the order that PyTorch keeps their weights in: those of an LSTM input, forget, cell,
output; those of a GRU reset, update, new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..expressions import Expr
from ..gradients.application import Application, Unsupported

__all__ = ["FORMS"]

Step = Callable[[Expr, Sequence[Any], list[Expr]], list[Expr]]
"""The states after a step, from what the input gives to the gates and the states before."""


def lstm_step(given: Expr, hidden: Sequence[Any], states: list[Expr]) -> list[Expr]:
    """A step of an LSTM: hidden and cell state."""
    np, (h, c) = given.writer.np, states
    i, f, g, o = _gates(given + _by(h, *hidden), 4)
    c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
    return [_sigmoid(o) * np.tanh(c), c]


def gru_step(given: Expr, hidden: Sequence[Any], states: list[Expr]) -> list[Expr]:
    """A step of a GRU."""
    (h,) = states
    r1, z1, n1 = _gates(given, 3)
    r2, z2, n2 = _gates(_by(h, *hidden), 3)
    z = _sigmoid(z1 + z2)
    n = given.writer.np.tanh(n1 + _sigmoid(r1 + r2) * n2)
    return [(1.0 - z) * n + z * h]


def rnn_step(given: Expr, hidden: Sequence[Any], states: list[Expr]) -> list[Expr]:
    """A step of a plain recurrent layer."""
    return [given.writer.np.tanh(given + _by(states[0], *hidden))]


def _layers(step: Step, count: int) -> Callable[[Application], Any]:
    """Layers of ``step``, which has ``count`` states, on top of each other."""

    def form(at: Application) -> Any:
        np, x = at.np, at["input"]
        if at["dropout"] and at["training"]:
            raise Unsupported("it is in training, and which elements it kept isn't known")
        directions = 2 if at["bidirectional"] else 1
        weights = list(at["weights"])
        per = 4 if at["bias"] else 2
        if len(weights) != per * directions * at["num_layers"]:
            raise Unsupported("weights that aren't known")
        alone = x.ndim == 2
        if alone:
            x = np.expand_dims(x, 1)
        elif at["batch_first"]:
            x = np.swapaxes(x, 0, 1)
        start = _start(at, count, alone)
        ends: list[list[Expr]] = []
        for _ in range(at["num_layers"]):
            sides = []
            for direction in range(directions):
                mine, weights = weights[:per], weights[per:]
                states = [each[len(ends)] for each in start]
                outputs, states = _run(step, x, mine, states, backwards=direction == 1)
                sides.append(outputs)
                ends.append(states)
            x = np.concatenate(sides, axis=-1) if directions == 2 else sides[0]
        last = [np.stack([states[k] for states in ends], axis=0) for k in range(count)]
        if alone:
            return (x[:, 0], *(each[:, 0] for each in last))
        return (np.swapaxes(x, 0, 1) if at["batch_first"] else x, *last)

    return form


def _start(at: Application, count: int, alone: bool) -> list[Expr]:
    """The states that it begins with: those given, or zeros."""
    np = at.np
    if at.given("hx"):
        hx = at["hx"]
        given = list(hx) if isinstance(hx, tuple | list) else [hx]
        return [np.expand_dims(each, 1) for each in given] if alone else given
    ends = at.rs[1:]
    sizes = [tuple(map(int, each.sizes)) for each in ends[:count]]
    sizes = [(size[0], 1, *size[1:]) for size in sizes] if alone else sizes
    return [np.zeros(size, dtype=at.rs[0].type.element) for size in sizes]


def _run(
    step: Step, x: Expr, weights: Sequence[Any], states: list[Expr], *, backwards: bool
) -> tuple[Any, list[Expr]]:
    """All outputs of one layer in one direction, and the states at its end."""
    np, steps = x.writer.np, range(int(x.sizes[0]))
    of_input, of_hidden, *biases = weights
    given = _by(x, of_input, *biases[:1])
    outputs: list[Expr] = []
    for k in reversed(steps) if backwards else steps:
        states = step(given[k], (of_hidden, *biases[1:]), states)
        outputs.append(states[0])
    return np.stack(outputs[::-1] if backwards else outputs, axis=0), states


def _cell(at: Application) -> Any:
    x = at["input"]
    if at.given("hx"):
        states = list(at["hx"])
    else:
        states = [at.np.zeros(tuple(map(int, r.sizes)), dtype=r.type.element) for r in at.rs]
    biases = [at[name] for name in ("bias_ih", "bias_hh") if at.given(name)]
    given = _by(x, at["weight_ih"], *biases[:1])
    return tuple(lstm_step(given, (at["weight_hh"], *biases[1:]), states))


def _by(x: Expr, weight: Expr, bias: Expr | None = None) -> Expr:
    made = x @ weight.T
    return made if bias is None else made + bias


def _gates(x: Expr, count: int) -> list[Expr]:
    width = int(x.sizes[-1]) // count
    return [x[..., k * width : (k + 1) * width] for k in range(count)]


def _sigmoid(x: Expr) -> Expr:
    made: Expr = 1.0 / (1.0 + x.writer.np.exp(-x))
    return made


FORMS: Final[Mapping[str, Any]] = {
    "nn.LSTM": _layers(lstm_step, 2),
    "nn.GRU": _layers(gru_step, 1),
    "nn.RNN": _layers(rnn_step, 1),
    "nn.LSTMCell": _cell,
}
