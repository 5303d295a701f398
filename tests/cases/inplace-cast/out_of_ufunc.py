# expect: 7 inplace-cast
# why: out= is int64, the quotient float64
# raises: TypeError
import numpy as np
a = np.array([4, 9, 25])
ratio = np.empty_like(a)
np.divide(a, 2, out=ratio)
