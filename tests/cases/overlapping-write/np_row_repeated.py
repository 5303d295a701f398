# expect: 7 overlapping-write related 6
# why: all rows are the one
import numpy as np

row = np.arange(3.0)
table = np.lib.stride_tricks.as_strided(row, (4, 3), (0, 8))
table[0] = 9
print(table)
