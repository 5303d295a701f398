# expect: nothing
# why: the solver works in place and returns how far it moved; the caller reads the grid after it
import numpy as np

def relax(grid):
    before = grid.copy()
    grid[1:-1] = 0.5 * (grid[:-2] + grid[2:])
    return np.abs(grid - before).max()

grid = np.zeros(9)
grid[0] = 1.0
change = 1.0
while change > 1e-3:
    change = relax(grid)
middle = grid[4]
