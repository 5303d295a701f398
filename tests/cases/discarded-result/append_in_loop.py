# expect: 8 discarded-result
# why: np.append gives a new array and changes none.
# check: mins.size == 0
import numpy as np
u, v = np.arange(4.0), np.arange(4.0)[::-1]
mins = np.array([])
for a, b in zip(u, v):
    np.append(mins, min(a, b))
