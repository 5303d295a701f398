# expect: 7 shape-mismatch
# why: hstack joins along axis 1 and needs equal axis 0: 9 and 10
# raises: ValueError
import numpy as np
x = np.arange(20.0).reshape(10, 2)
bias = np.ones((9, 1))
design = np.hstack((bias, x))
