# expect: nothing
# why: The buffer is written by out=.
import numpy as np
x = np.array([1.0, 4.0])
buffer = np.empty_like(x)
np.sqrt(x, out=buffer)
half = np.empty(2)
np.divide(x, 2.0, half)
both = buffer + half
