# expect: nothing
# why: all pairs, some rows at a time
import numpy as np
points = np.linspace(0.0, 1.0, 2000)
nearest = [np.abs(points[i : i + 500, None] - points).max() for i in range(0, 2000, 500)]
