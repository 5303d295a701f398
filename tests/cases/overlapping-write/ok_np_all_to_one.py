# expect: nothing
# why: all that is shown gets one value; what has no size overlaps with nothing
import numpy as np

row = np.arange(3.0)
table = np.lib.stride_tricks.as_strided(row, (4, 3), (0, 8))
table[:] = 0
empty = np.zeros(5, dtype="V0")
np.put(empty, [1, 2], empty[:2])
print(row, empty.shape)
