# expect: 6 shape-mismatch related 5
# why: the coordinates are the columns, and unpacking takes rows
# raises: ValueError
import numpy as np
points = np.zeros((5, 2))
x, y = points
