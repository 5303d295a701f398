# expect: nothing
# why: Each call fills the array anew before it reads it.
import numpy as np

def corners(size, points=np.empty((2, 2))):
    points[:] = [[0, 0], [size, size]]
    return points.sum()

a = corners(1)
b = corners(2)
