# expect: 7 mutated-argument related 10
# why: spread() centres the caller's own array; top is read from the centred one
# check: top == 3.0
import numpy as np

def spread(v):
    v -= v.mean()
    return np.sqrt((v ** 2).mean())
signal = np.array([1.0, 2.0, 6.0])
s = spread(signal)
top = signal.max()
