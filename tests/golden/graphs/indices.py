import numpy as np
def bump(a):
    for i in range(3):
        a[i] = a[i] + 1
    return a
x = np.zeros(4)
bump(x)
def last(x):
    for i in range(3):
        y = x[i]
    return y
print(last(np.ones(4)))
A = np.ones((5, 2)) * np.arange(1., 3); y = np.ones(5)
beta, res, rk, sv = np.linalg.lstsq(A, y, rcond=None)
Q = np.zeros((2, 2, 2)); s = np.array([0, 1])
Q[(*s, 1)] = 3
a = Q[(*s, 1)]
def ema(x, a):
    out = np.empty_like(x); out[0] = x[0]
    for t in range(1, len(x)):
        out[t] = a * x[t] + (1 - a) * out[t - 1]
    return out
y = ema(np.arange(5.0), 0.5)
m = 2
b = y[m:]
c = y[-m:, None]
