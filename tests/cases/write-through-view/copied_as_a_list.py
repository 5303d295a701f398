# expect: 7 write-through-view related 6
# why: b = a[:] copies a list, but not an array
# check: total == 14.0
import numpy as np
heights = np.array([1.0, 2.0, 4.0])
scaled = heights[:]
scaled *= 2.0
total = heights.sum()
