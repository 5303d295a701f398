# expect: 7 uninitialized-read related 5
# why: Each count starts from whatever was in memory.
# check: counts.shape == (3,)
import numpy as np
counts = np.empty(3, dtype=int)
for label in [0, 1, 1, 2]:
    counts[label] += 1
