# expect: 6 memory-limit
# why: a table of all pairs of ten million points
# raises: MemoryError
import numpy as np
points = np.zeros(10_000_000)
gaps = np.abs(points[:, None] - points)
