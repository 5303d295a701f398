# expect: nothing
# why: out is the input until something has to change.
import numpy as np

def clean(values, limit):
    out = values
    if np.abs(values).max() > limit:
        out = values.copy()
        out[np.abs(values) > limit] = 0.0
    return out, np.abs(values - out).max()

kept, change = clean(np.array([1.0, 9.0, 2.0]), 5.0)
