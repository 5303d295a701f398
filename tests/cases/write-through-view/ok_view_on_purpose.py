# expect: nothing
# why: the inner part of the grid is named to be written
import numpy as np
grid = np.zeros((4, 4))
inner = grid[1:-1, 1:-1]
inner += 1.0
row = grid[0]
row[:] = 3.0
total = grid.sum()
