# expect: nothing
# why: The array has its size from the start.
import numpy as np
out = np.empty(200)
for i in range(200):
    out[i] = i * i
