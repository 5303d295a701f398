# expect: nothing
# why: Ten pieces are no cost.
import numpy as np
out = np.array([])
for i in range(10):
    out = np.append(out, i * i)
