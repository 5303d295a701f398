# expect: 7 duplicate-index-update
# why: 1 is selected three times and counted once.
# check: hist.tolist() == [1, 1, 1]
import numpy as np
labels = np.array([0, 1, 1, 2, 1])
hist = np.zeros(3, dtype=int)
hist[labels] += 1
