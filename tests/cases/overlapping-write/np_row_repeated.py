# expect: 8 overlapping-write related 7
# why: all rows are the one
# check: table[3, 0] == 9
import numpy as np

row = np.arange(3.0)
table = np.lib.stride_tricks.as_strided(row, (4, 3), (0, 8))
table[0] = 9
print(table)
