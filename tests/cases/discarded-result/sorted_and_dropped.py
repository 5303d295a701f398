# expect: 6 discarded-result
# why: np.sort gives a sorted copy; x.sort() would sort x.
# check: smallest == 3
import numpy as np
x = np.array([3, 1, 2])
np.sort(x)
smallest = x[0]
