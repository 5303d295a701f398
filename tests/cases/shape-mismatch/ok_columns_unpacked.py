# expect: nothing
# why: the transpose has a row for each name
import numpy as np
points = np.arange(10.0).reshape(5, 2)
x, y = points.T
first, *rest = points
total = [a + b for a, b in points]
