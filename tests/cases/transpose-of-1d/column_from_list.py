# expect: 5 transpose-of-1d
# why: np.array([..]).T of a flat list is the same flat array, no column
# check: column.shape == (3,)
import numpy as np
column = np.array([1.0, 2.0, 3.0]).T
table = column * np.arange(3.0)
