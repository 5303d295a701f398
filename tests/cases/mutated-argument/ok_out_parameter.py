# expect: nothing
# why: 'out' says what it is for, as in NumPy, and the caller may keep the result
import numpy as np

def smooth(x, out):
    out[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3.0
    out[0], out[-1] = x[0], x[-1]
    return out

buffer = np.empty(8)
result = smooth(np.arange(8.0), out=buffer)
again = smooth(result + 1.0, buffer)
total = buffer.sum()
