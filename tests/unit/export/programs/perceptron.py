"""A perceptron of NumPy, with weights that are globals and a write into what it has made."""

import numpy as np

rng = np.random.default_rng(0)
w1, b1 = rng.normal(size=(8, 16)).astype(np.float32), rng.normal(size=16).astype(np.float32)
w2 = rng.normal(size=(16, 3)).astype(np.float32)


def forward(x):
    batch, width = x.shape
    hidden = np.zeros((batch, 16), np.float32) + x @ w1.reshape(width, -1) + b1
    hidden[hidden < 0] = 0
    scores = hidden @ w2
    scores -= scores.max(axis=1, keepdims=True)
    parts = np.exp(scores)
    parts /= parts.sum(axis=1, keepdims=True)
    return parts


given = (rng.normal(size=(5, 8)).astype(np.float32),)
more = (rng.normal(size=(9, 8)).astype(np.float32),)
wanted = forward(*given)


class net:
    forward = staticmethod(forward)
