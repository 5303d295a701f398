# expect: nothing
# why: v[None].T, atleast_2d, vstack, column_stack and reshape make two axes first
import numpy as np
v = np.array([1.0, 2.0, 3.0])
column = v[None].T
other = np.atleast_2d(v).T
pairs = np.vstack([v, v * 2.0]).T
table = np.array([v, v + 1.0]).T
outer = v * v.reshape(1, -1).T
