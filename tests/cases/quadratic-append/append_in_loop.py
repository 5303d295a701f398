# expect: 7 quadratic-append
# why: np.append copies all of out in each of 200 iterations.
# check: out.size == 200
import numpy as np
out = np.array([])
for i in range(200):
    out = np.append(out, i * i)
