# expect: nothing
# why: Each selected element is meant to change once.
import numpy as np
labels = np.array([0, 1, 1])
sums = np.array([3.0, 8.0])
counts = np.array([1, 2])
sums[labels] -= counts[labels]
sums[labels] *= 0.5
