# expect: 6 inplace-cast
# why: np.arange(5) is int64; times 0.1 is float64
# raises: TypeError
import numpy as np
t = np.arange(5)
t *= 0.1
