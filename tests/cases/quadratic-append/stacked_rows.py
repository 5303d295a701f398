# expect: 7 quadratic-append
# why: The table is copied for each row that is added.
# check: table.shape == (150, 3)
import numpy as np
table = np.zeros((0, 3))
for i in range(150):
    table = np.vstack([table, [i, i + 1.0, i + 2.0]])
