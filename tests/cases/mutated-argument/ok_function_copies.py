# expect: nothing
# why: the parameter's name is bound to a copy before the change
import numpy as np

def normalise(v):
    v = np.array(v, dtype=float)
    v /= v.max()
    return v

def shift(v):
    v = v - v.min()
    v *= 2.0
    return v

counts = np.array([1, 2, 4])
unit = normalise(counts)
signal = np.array([1.0, 3.0])
moved = shift(signal)
total = counts.sum() + signal.sum()
