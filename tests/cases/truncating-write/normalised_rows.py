# expect: 7 truncating-write related 5
# why: Row by row into an integer matrix.
# check: counts.sum() == 0
import numpy as np
counts = np.array([[1, 3], [2, 2]])
for row in range(2):
    counts[row] = counts[row] / counts[row].sum()
