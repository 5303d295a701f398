# expect: nothing
# why: The loop updates one element each time.
import numpy as np
hist = np.zeros(3, dtype=int)
for label in np.array([0, 1, 1, 2, 1]):
    hist[label] += 1
rows = np.zeros((3, 2))
for pair in [(0, 1), (0, 1)]:
    rows[pair] += 1
