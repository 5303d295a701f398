# expect: nothing
# why: numbers are swapped, and rows by a list of indices
import numpy as np
x = np.array([3.0, 1.0, 2.0])
x[0], x[1] = x[1], x[0]
table = np.arange(6.0).reshape(2, 3)
table[[0, 1]] = table[[1, 0]]
