# expect: nothing
# why: Written through views.
import numpy as np
table = np.empty((2, 3))
first = table[0]
first[:] = 1.0
for row in table:
    row[:] = 2.0
total = table.sum()
