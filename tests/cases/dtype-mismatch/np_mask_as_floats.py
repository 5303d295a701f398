# expect: 8 dtype-mismatch related 6
# why: the mask is made of ones and zeros
# raises: TypeError
import numpy as np

known = np.ones(4)
x = np.array([1.0, np.nan, 2.0, 3.0])
both = known & np.isfinite(x)
