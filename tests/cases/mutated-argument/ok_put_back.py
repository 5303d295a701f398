# expect: nothing
# why: a numerical gradient moves each entry and puts it back: nothing has changed after the call
import numpy as np

def numeric_gradient(f, x, h=1e-6):
    slope = np.empty_like(x)
    for i in range(x.size):
        kept = x[i]
        x[i] = kept + h
        above = f(x)
        x[i] = kept - h
        slope[i] = (above - f(x)) / (2.0 * h)
        x[i] = kept
    return slope

start = np.array([1.0, -2.0])
slope = numeric_gradient(lambda v: (v**2).sum(), start)
start = start - 0.1 * slope
