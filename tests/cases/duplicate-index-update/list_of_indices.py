# expect: 7 duplicate-index-update
# why: A list of indices with a repetition.
# check: visits[2] == 1
import numpy as np
visits = np.zeros(4, dtype=int)
path = [0, 2, 2, 3]
visits[path] += 1
