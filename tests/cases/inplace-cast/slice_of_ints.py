# expect: 6 inplace-cast
# why: the slice is int64 like its array
# raises: TypeError
import numpy as np
table = np.array([[1, 2, 3], [4, 5, 6]])
table[:, 1:] /= table[:, :1]
