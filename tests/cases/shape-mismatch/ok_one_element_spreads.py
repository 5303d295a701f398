# expect: nothing
# why: one value goes into any slice, and a row into every row
import numpy as np
grid = np.zeros((5, 4))
grid[1:3] = np.arange(4.0)
grid[3] = np.array([7.0])
grid[:, 1:3] += np.array([[1.0, 2.0]])
