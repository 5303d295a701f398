# expect: 6 ambiguous-truth
# why: Python's any() asks each row of the table
# raises: ValueError
import numpy as np
v = np.array([3.0, 1.0, 2.0])
repeated = any(v[:, None] == v)
