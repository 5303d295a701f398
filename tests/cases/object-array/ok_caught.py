# expect: nothing
# why: the program converts when the operation fails
import numpy as np
column = np.array([1, 4], dtype=object)
try:
    roots = np.sqrt(column)
except TypeError:
    roots = np.sqrt(column.astype(float))
