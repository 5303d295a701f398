# expect: 9 aliased-name related 11
# why: prev is set at the end of a round, and changes with the next.
# check: changes[1:] == [0.0, 0.0, 0.0]
import numpy as np
grid = np.arange(4.0)
prev = np.zeros(4)
changes = []
for _ in range(4):
    grid[1:] = grid[:-1]
    changes.append(float(np.abs(grid - prev).sum()))
    prev = grid
