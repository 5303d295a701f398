# expect: 9 script-error
# why: the function has no parameter 'axes'
# raises: TypeError
import numpy as np

def total(x, axis=None):
    return x.sum(axis=axis)

rows = total(np.ones((2, 2)), axes=1)
