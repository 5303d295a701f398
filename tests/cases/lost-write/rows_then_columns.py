# expect: 8 lost-write
# why: grid[rows] is a copy; grid[np.ix_(rows, columns)] = 1 would write
# check: grid.sum() == 0
import numpy as np
grid = np.zeros((5, 5))
rows = np.array([1, 3])
columns = np.array([0, 4])
grid[rows][:, columns] = 1.0
