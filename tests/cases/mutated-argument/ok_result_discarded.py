# expect: nothing
# why: the call is a statement: the caller wants the change
import numpy as np

def normalise(v):
    v /= v.max()
    return v

signal = np.array([1.0, 2.0, 4.0])
normalise(signal)
peak = signal.max()
