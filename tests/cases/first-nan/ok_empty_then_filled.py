# expect: nothing
# why: whatever np.empty holds is overwritten before it is read
import numpy as np
x = np.linspace(0.0, 1.0, 64)
buffer = np.empty_like(x)
np.multiply(x, 2.0, out=buffer)
table = np.empty((3, 64))
for row, power in zip(table, (1.0, 2.0, 3.0)):
    row[:] = buffer**power
total = table.sum()
