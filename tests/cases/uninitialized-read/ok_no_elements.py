# expect: nothing
# why: An array without elements has none to read.
import numpy as np
points = np.empty((0, 2))
points = np.vstack([points, [1.0, 2.0]])
centre = points.mean(axis=0)
