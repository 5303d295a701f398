"""A loop of more turns than are written out, with another number in each."""

import numpy as np

rng = np.random.default_rng(0)
w = rng.normal(size=(4, 4)).astype(np.float32) * 0.3


def forward(x):
    total, rate = np.zeros_like(x), 0.9
    for step in range(100):
        rate *= 0.99
        x = np.tanh(x @ w) * rate + 0.01 * step
        total += x / (step + 1)
    return total / 100


given = (rng.normal(size=(5, 4)).astype(np.float32),)
wanted = forward(*given)
