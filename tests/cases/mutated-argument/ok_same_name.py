# expect: nothing
# why: the result replaces the array under its own name
import numpy as np

def normalise(v):
    v /= v.max()
    return v

signal = np.array([1.0, 2.0, 4.0])
signal = normalise(signal)
peak = signal.max()
