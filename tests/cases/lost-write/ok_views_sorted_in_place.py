# expect: nothing
# why: a column is a view: sort, shuffle, fill and out= reach the table
import numpy as np
rng = np.random.default_rng(6)
table = rng.random((5, 3))
table[:, 0].sort()
rng.shuffle(table[:, 1])
table[2:, 2].fill(0.5)
np.sqrt(table[:, 0], out=table[:, 0])
