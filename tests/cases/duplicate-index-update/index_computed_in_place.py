# expect: 7 duplicate-index-update
# why: The bins are computed in the subscript.
# check: counts.sum() == 2
import numpy as np
values = np.array([0.1, 0.15, 0.9])
counts = np.zeros(10)
counts[(values * 10).astype(int)] += 1
