# expect: nothing
# why: Each iteration extends an array of its own.
import numpy as np
total = 0.0
for i in range(200):
    row = np.arange(5.0)
    row = np.append(row, 0.0)
    total += row.sum()
