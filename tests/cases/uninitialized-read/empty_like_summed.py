# expect: 9 uninitialized-read related 7
# why: total looks like x, and holds what was in memory before.
# check: level.shape == (2,)
import numpy as np

def smooth(x, rounds):
    total = np.empty_like(x)
    for _ in range(rounds):
        total = total + x
    return total / rounds

level = smooth(np.array([1.0, 2.0]), 3)
