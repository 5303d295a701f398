import numpy as np

SCALE = np.float64(0.5)
BIAS = np.ones(3)


def scale(v, by=2.0):
    return v * by + BIAS


def fill(out, value):
    out[:] = value


def both(v):
    peak = v.max()
    return scale(v), v / peak


class Model:
    def __init__(self, n):
        self.weight = np.eye(n)

    def forward(self, x):
        return x @ self.weight


model = Model(3)
a = np.zeros((2, 3))
fill(a, 1.5)
b, c = both(a)
d = scale(b, by=3.0)
e = model.forward(d)
f = scale(np.zeros(3))
