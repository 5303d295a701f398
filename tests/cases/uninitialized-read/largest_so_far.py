# expect: 8 uninitialized-read related 6
# why: best is compared before it was given a value.
# check: best.shape == (2,)
import numpy as np
scores = np.array([[0.2, 0.9], [0.4, 0.1]])
best = np.empty(2)
for row in scores:
    best = np.maximum(best, row)
