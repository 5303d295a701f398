# expect: nothing
# why: a table's .T hands out its columns
import numpy as np
points = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 6.0]])
x, y = points.T
spans = [np.ptp(column) for column in points.T]
length = np.hypot(np.diff(x), np.diff(y)).sum()
