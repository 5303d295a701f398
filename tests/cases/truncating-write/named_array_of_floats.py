# expect: 7 truncating-write related 5
# why: A row of the integer table is replaced by floats.
# check: table.sum() == 0
import numpy as np
table = np.zeros((2, 3), dtype=int)
shares = np.array([0.2, 0.3, 0.5])
table[0] = shares
