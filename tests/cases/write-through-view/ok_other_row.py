# expect: nothing
# why: another row is written than the one that is kept
import numpy as np
paths = np.zeros((3, 2))
best = paths[0]
paths[1] = 7.0
total = best.sum()
