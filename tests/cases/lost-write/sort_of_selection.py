# expect: 8 lost-write
# why: x[rows] is a copy: the sorted rows are never seen
# check: (x == before).all()
import numpy as np
x = np.array([[3, 1], [2, 0], [5, 4]])
before = x.copy()
rows = [0, 2]
x[rows].sort(axis=1)
