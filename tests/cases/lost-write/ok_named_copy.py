# expect: nothing
# why: the copy has a name and is used
import numpy as np
x = np.array([3.0, -1.0, 2.0])
chosen = x[[0, 2]]
chosen[0] = 9.0
chosen.sort()
total = chosen.sum() + x.sum()
