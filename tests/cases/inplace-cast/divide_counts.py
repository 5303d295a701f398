# expect: 6 inplace-cast
# why: a histogram of int64 cannot hold shares
# raises: TypeError
import numpy as np
counts = np.bincount([0, 1, 1, 2, 2, 2])
counts /= counts.sum()
