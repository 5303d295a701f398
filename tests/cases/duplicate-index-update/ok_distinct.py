# expect: nothing
# why: Every index occurs once.
import numpy as np
order = np.array([2, 0, 1])
x = np.zeros(3)
x[order] += np.array([1.0, 2.0, 3.0])
x[np.unique([0, 1, 1])] += 1
