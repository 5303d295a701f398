# expect: 9 shape-mismatch
# why: five values go into four places
# raises: ValueError
import numpy as np

def smooth(x, width):
    out = np.zeros_like(x)
    kernel = np.ones(width) / width
    out[width - 1 : -1] = np.convolve(x, kernel, mode="valid")
    return out

result = smooth(np.arange(8.0), 4)
