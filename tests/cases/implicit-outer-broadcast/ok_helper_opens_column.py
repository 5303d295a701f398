# expect: nothing
# why: a helper opens the axis, and its name says so
import numpy as np

def column(v):
    return v[:, None]

x = np.arange(7.0)
distance = np.abs(column(x) - x)
