# expect: nothing
# why: copies are made
import numpy as np
heights = np.array([1.0, 2.0, 4.0])
scaled = heights[:].copy()
scaled *= 2.0
best = heights[0:2].copy()
heights += 1.0
total = heights.sum() + best.sum() + scaled.sum()
