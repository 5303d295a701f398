"""What is another number, or another item, in each turn of a loop."""

import numpy as np


def relax(xs, ys):
    state, rate = np.zeros(3), 0.5
    for i, x in enumerate(xs):
        rate = rate * 0.9
        state = state + rate * x * (i + 1)
        for y in ys:
            state = state - y / (i + 2.5)
    for x, y in zip(xs, ys):
        state = state + x * y
    return state


table = np.arange(270.0).reshape(90, 3)
result = relax(table[::-1], np.ones((4, 3)))
