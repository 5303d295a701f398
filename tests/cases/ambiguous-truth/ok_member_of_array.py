# expect: nothing
# why: 'in' on an array, any() over a 1-D mask and max() over numbers work
import numpy as np
codes = np.array([4, 8, 15, 16])
found = 15 in codes
late = any(codes > 15)
top = max(codes)
order = sorted(codes, reverse=True)
