# expect: 6 shape-mismatch
# why: (6, 4) / (6,): the row sums line up with the columns; sum(axis=1, keepdims=True) would fit
# raises: ValueError
import numpy as np
counts = np.arange(24.0).reshape(6, 4) + 1
shares = counts / counts.sum(axis=1)
