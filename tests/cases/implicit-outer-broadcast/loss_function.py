# expect: 7 implicit-outer-broadcast
# why: the prediction is a column (80, 1), the target (80,): the loss averages over 6400 pairs
# check: abs(value - loss(pred[:, 0], y)) > 0.1
import numpy as np

def loss(pred, y):
    return ((pred - y) ** 2).mean()

rng = np.random.default_rng(0)
x = rng.normal(size=(80, 3))
w = np.array([[1.0], [-2.0], [0.5]])
y = x @ w[:, 0]
pred = x @ w
value = loss(pred, y)
