# expect: 6 shape-mismatch related 5
# why: acc has room for one row, the sum is a table
# raises: ValueError
import numpy as np
acc = np.zeros(3)
acc += np.ones((3, 3))
