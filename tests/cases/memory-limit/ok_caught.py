# expect: nothing
# why: the program has a smaller way when there is no room
import numpy as np
points = np.zeros(10_000_000)
try:
    gaps = points[:, None] - points
except MemoryError:
    gaps = np.diff(points)
