# expect: 8 truncating-write related 5
# why: 0.5 is stored into an int64 array as 0.
# check: w.tolist() == [0, 1, 1]
import numpy as np
w = np.array([1, 2, 3])
total = 2.0
for i in range(3):
    w[i] = w[i] / total
